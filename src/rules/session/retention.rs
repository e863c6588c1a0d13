//! # session/retention
//!
//! ## What it flags
//!
//! A session that should be in the archive. It is completed and nothing happened in it for 24 hours, or it failed and
//! nothing happened in it for 7 days. `sessions.archive-after-hours` and `sessions.keep-failed-days` set these times.
//! An active session stays.
//!
//! ## Why it matters
//!
//! Agents look through all sessions in `sessions/`, and old locks and plans there look like new ones.
//!
//! ## Example
//!
//! ```yaml
//! # the last file is two days old
//! status: completed
//! ```
//!
//! ## How to fix
//!
//! Run `squad-lint session clean`, which moves the session to the archive.
//!
//! ## Source
//!
//! Sessions, "Retention":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#retention>

use crate::diagnostic::{Finding, Severity};
use crate::facts::team_session;
use crate::formats::session::SessionFile;
use crate::formats::session::field::SessionState;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::prose::plural;

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/retention", severity: Severity::Info, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(status) = context.document.body::<SessionFile>().and_then(SessionFile::status) else { return };
    let Some(state) = &status.status else { return };
    let keep = &context.options.sessions;
    let (hours, kept) = match state.value {
        SessionState::Active => return,
        SessionState::Completed => (keep.archive_after_hours.get(), plural_of(keep.archive_after_hours.get(), "hour")),
        SessionState::Failed => {
            let days = keep.keep_failed_days.get();
            (days.saturating_mul(24), plural_of(days, "day"))
        }
    };
    let Some(session) = team_session::of(context.run(), context.document) else { return };
    let Some(last) = session.summary.last_activity else { return };
    let seconds = i64::try_from(hours.saturating_mul(3600)).unwrap_or(i64::MAX);
    if last.unix().saturating_add(seconds) >= context.options.now.unix() {
        return;
    }
    let since = u64::try_from(context.options.now.unix().saturating_sub(last.unix())).unwrap_or(0);
    let unchanged = match since / 3600 {
        hours @ ..48 => plural_of(hours, "hour"),
        hours => plural_of(hours / 24, "day"),
    };
    let word = state.value.as_str();
    sink.report(
        Finding::at(
            state.span,
            format!("{word} session is not archived {unchanged} after its last change (limit: {kept})"),
        )
        .label(format!("last change: {}", last.in_utc()))
        .help("run `squad-lint session clean` to archive it"),
    );
}

fn plural_of(count: u64, name: &str) -> String {
    plural(usize::try_from(count).unwrap_or(usize::MAX), name)
}
