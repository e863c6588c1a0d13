//! # session/overdue-response
//!
//! ## What it flags
//!
//! A message whose answer is overdue. `response_by` passed more than five minutes ago, and the recipient has not
//! answered. If the message is for all agents (`all`, `broadcast`, `everyone` or `team`), no other agent has answered.
//! The rule ignores sessions that have ended.
//!
//! ## Why it matters
//!
//! The agent that asked waits, and so does each task that depends on its task.
//!
//! ## Example
//!
//! ```yaml
//! response_needed: true
//! response_by: 2024-01-15T10:45:00Z
//! ```
//!
//! ## How to fix
//!
//! Answer with a message to the sender, or set a new `response_by`.
//!
//! ## Source
//!
//! Sessions, "Messages":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#messages>

use crate::diagnostic::{Finding, Severity};
use crate::facts::team_session;
use crate::formats::session::SessionFile;
use crate::formats::session::locks::CLOCK_SKEW_SECONDS;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/overdue-response", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(message) = context.document.body::<SessionFile>().and_then(SessionFile::message) else { return };
    let Some(by) = message.response_by.as_ref().filter(|_| message.needs_response()) else { return };
    if by.value.unix().saturating_add(CLOCK_SKEW_SECONDS) >= context.options.now.unix() {
        return;
    }
    let Some(session) = team_session::of(context.run(), context.document) else { return };
    if !session.summary.is_active() || session.summary.is_answered(message) != Some(false) {
        return;
    }
    let (Some(from), Some(to)) = (&message.from, &message.to) else { return };
    let (who, writer) = match to.value.is_everyone() {
        true => ("no agent has".to_owned(), "any other agent".to_owned()),
        false => (format!("`{}` has not", to.value), format!("`{}`", to.value)),
    };
    sink.report(
        Finding::at(by.span, format!("{who} answered `{}` in time", from.value))
            .label("deadline passed")
            .related(to.span, "the recipient")
            .help(format!("send a message from {writer} to `{}`, or set a later `response_by`", from.value)),
    );
}
