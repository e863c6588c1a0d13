//! # bundle/scribe-history
//!
//! ## What it flags
//!
//! A portable squad that contains the history of Scribe. Scribe is the agent with this name, or with the role `Scribe` or
//! `Session Logger` in `team` or in its charter.
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
use crate::formats::bundle::Scribes;
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
    let scribes = Scribes::of(bundle.file("team.md").map_or("", |team| team.value.as_str()));
    for agent in &bundle.agents {
        let Some(history) = &agent.history_member else { continue };
        let charter = agent.charter.as_ref().map_or("", |charter| charter.value.as_str());
        if !scribes.has(&agent.key.value, charter) {
            continue;
        }
        let name = match agent.key.value.as_str() {
            name if bare(name) == "scribe" => String::new(),
            name => format!(", the agent `{name}`"),
        };
        sink.report(
            Finding::at(history.key.span, format!("portable squad contains the history of Scribe{name}"))
                .label("belongs to the project")
                .help("delete `history`")
                .fix(Applicability::Unsafe, [Edit::delete(history.whole)]),
        );
    }
}
