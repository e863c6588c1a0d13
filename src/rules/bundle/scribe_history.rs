//! # bundle/scribe-history
//!
//! ## What it flags
//!
//! A portable squad that contains the history of Scribe.
//!
//! ## Why it matters
//!
//! Scribe records the sessions of one project. Its charter belongs in a bundle, but its history does not.
//!
//! ## Example
//!
//! ```json
//! "scribe": { "charter": "# Scribe", "history": "# Session log\n\n- 2026-02-08: Keaton fixed the login" }
//! ```
//!
//! ## How to fix
//!
//! Delete `history`; `squad-lint --fix --unsafe-fixes` does this.
//!
//! ## Source
//!
//! Portable squads, "What travels":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/portable-squads.md#what-travels>

use super::shared::portable;
use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::roster::bare;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "bundle/scribe-history",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(bundle) = portable(context) else { return };
    for agent in bundle.agents.iter().filter(|agent| bare(&agent.key.value) == "scribe") {
        let Some(history) = &agent.history_member else { continue };
        sink.report(
            Finding::at(history.key.span, "portable squad contains the history of Scribe")
                .label("belongs to the project")
                .help("delete `history`")
                .fix(Applicability::Unsafe, [Edit::delete(history.whole)]),
        );
    }
}
