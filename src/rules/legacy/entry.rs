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
//! Write it as an SEM entry: a header with time and type, `**author:**`, the text under `**details:**`, `---` at the
//! end. Or set `phase = "dual"` while the migration goes on.
//!
//! ## Source
//!
//! Seed 000, "Migration from Legacy Format"; seed 001, migration phase 3.

use crate::diagnostic::{Finding, Severity};
use crate::options::{Options, Phase};
use crate::rule::{Check, Document, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "legacy/entry",
    since: "0.1.0",
    severity: Severity::Error,
    enabled: true,
    fixes: &[],
    check: Check::Document(check),
};

fn check(document: &Document<'_>, options: &Options, sink: &mut Sink<'_>) {
    if options.phase != Phase::SemOnly {
        return;
    }
    for entry in document.entries.legacy() {
        sink.report(
            Finding::at(
                entry.heading.trim(document.text()),
                "legacy entry, expected an SEM entry: the phase is `sem-only`",
            )
            .label("expected `### YYYY-MM-DDTHH:MM:SS±HHMM: type: summary`")
            .help("rewrite it as an SEM entry; while the migration goes on, set `phase = \"dual\"`"),
        );
    }
}
