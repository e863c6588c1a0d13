//! # learnings/promotable
//!
//! ## What it flags
//!
//! An entry outside `Core` that was confirmed in three sprints. `promote-after-sprints` in the configuration says otherwise. Its marks
//! count (`added`, `updated`, `consolidated`, `triaged`), and the retrospectives in `memory/team/retro-history.md` that
//! mention it; what falls into one sprint counts once. A sprint ends with its retrospective; where the team writes none, with the
//! day.
//!
//! ## Why it matters
//!
//! What held again and again is no longer the learning of one member. In `Core`, in `.claude/rules/` or in `CLAUDE.md` it is kept for
//! good, and read by all.
//!
//! ## Example
//!
//! ```markdown
//! - Run the migrations before the tests (added: 2026-01-13, updated: 2026-01-27, updated: 2026-02-10)
//! ```
//!
//! ## How to fix
//!
//! Move it into a section `Core` of the file, or, where it holds for all, to `.claude/rules/` or `CLAUDE.md`.
//!
//! ## Source
//!
//! Seed 004, "Consolidation Triggers" 3: "Promote high-value entries: If a learning has been confirmed across 3+ sprints,
//! promote it to `.claude/rules/` or CLAUDE.md".

use crate::diagnostic::{Finding, Severity};
use crate::facts::Facts;
use crate::formats::learnings::Tier;
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/promotable",
    since: "0.1.0",
    severity: Severity::Info,
    enabled: true,
    fixes: &[],
    check: Check::DocumentInRepository(check),
};

fn check(document: &Document<'_>, facts: &Facts<'_>, options: &Options, sink: &mut Sink<'_>) {
    let confirmed = facts.confirmed(document);
    let Some(learnings) = document.learnings() else { return };
    for (entry, days) in learnings.entries.iter().zip(confirmed) {
        let is_core = learnings.section_of(entry).and_then(|section| section.tier) == Some(Tier::Core);
        if is_core || entry.placeholder || (days.len() as u64) < options.learnings.promote_after_sprints.get() {
            continue;
        }
        let shown: Vec<String> = days.iter().map(ToString::to_string).collect();
        let message = format!("entry that was confirmed in {} sprints: {}", days.len(), shown.join(", "));
        sink.report(
            Finding::at(entry.text, message)
                .label("holds for good")
                .help("move it to `Core`, or for the whole team to `.claude/rules/` or `CLAUDE.md`"),
        );
    }
}
