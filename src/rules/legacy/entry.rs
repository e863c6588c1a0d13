//! # legacy/entry
//!
//! ## What it flags
//!
//! An entry of before Squad Entry Markdown, where the configuration says `phase = "sem-only"`. Silent in the default
//! phase, `dual`.
//!
//! ## Why it matters
//!
//! Once a team has migrated, its tools read SEM alone: what is written in the old form is invisible to them.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-10: User directive — model selection
//! **By:** Brady (via Copilot)
//! **What:** Agents pick their own models
//! ```
//!
//! ## How to fix
//!
//! `squad-lint convert --dry-run` shows what would become of it, `squad-lint convert` writes it, after a backup. The unsafe
//! fix does the same with what the file alone says; an entry without a date, an author or words for its type has none.
//! While the migration goes on, set `phase = "dual"`.
//!
//! ## Source
//!
//! Seed 000, "Migration from Legacy Format"; seed 001, migration phase 3.

use crate::convert::Reason;
use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::options::Phase;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "legacy/entry",
    severity: Severity::Error,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, run, options, .. } = *context;
    if options.phase != Phase::SemOnly {
        return;
    }
    for item in run.conversions().at(document.source.path()) {
        let message = "legacy entry, expected an SEM entry: the phase is `sem-only`";
        let finding = Finding::at(item.heading.trim(document.text()), message)
            .label("expected `### YYYY-MM-DDTHH:MM:SS±HHMM: type: summary`");
        sink.report(if let Some(converted) = &item.converted {
            finding
                .help("`squad-lint convert` writes it as an SEM entry")
                .fix(Applicability::Unsafe, [Edit::replace(item.span, converted.text.as_str())])
        } else {
            let obstacle = item.reasons.iter().find_map(Reason::obstacle).unwrap_or("too little is certain");
            finding.help(format!("write it as an SEM entry by hand; `squad-lint convert` leaves it: {obstacle}"))
        });
    }
}
