//! # learnings/promotable
//!
//! ## What it flags
//!
//! An entry outside `Core` that was confirmed in three sprints. `promote-after-sprints` under `[learnings]` sets another
//! number. An entry is confirmed by its marks (`added`, `updated`, `consolidated`, `triaged`) and by each
//! retrospective in `memory/team/retro-history.md` that mentions it, but only once per sprint. A sprint ends with its
//! retrospective. In a team that records none, each day counts as a sprint.
//!
//! ## Why it matters
//!
//! A learning that proves true again and again matters to more than one member. In `Core`, `.claude/rules/` or
//! `CLAUDE.md` it stays permanently, and more tasks benefit from it.
//!
//! ## Example
//!
//! ```markdown
//! - Run the migrations before the tests (added: 2026-01-13, updated: 2026-01-27, updated: 2026-02-10)
//! ```
//!
//! ## How to fix
//!
//! Move it to a section `Core` of the file or, if it is true for all members, to `.claude/rules/` or `CLAUDE.md`.
//!
//! ## Source
//!
//! Learning teams, "Consolidation":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#consolidation>

use crate::diagnostic::{Finding, Severity};
use crate::facts::staleness;
use crate::formats::learnings::{Learnings, Tier};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::prose::plural;

/// The rule.
pub static RULE: Rule =
    Rule { name: "learnings/promotable", severity: Severity::Info, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, options, .. } = *context;
    let Some(learnings) = document.body::<Learnings>() else { return };
    let confirmed = staleness::confirmed(context.run(), document);
    for (entry, days) in learnings.entries.iter().zip(confirmed) {
        let is_core = learnings.section_of(entry).and_then(|section| section.tier) == Some(Tier::Core);
        if is_core || entry.placeholder || (days.len() as u64) < options.learnings.promote_after_sprints.get() {
            continue;
        }
        let shown: Vec<String> = days.iter().map(ToString::to_string).collect();
        let message = format!("{} confirmed this entry (ending {})", plural(days.len(), "sprint"), shown.join(", "));
        sink.report(
            Finding::at(entry.text, message)
                .help("move it to `Core`, or to `.claude/rules/` or `CLAUDE.md` if it concerns the whole team"),
        );
    }
}
