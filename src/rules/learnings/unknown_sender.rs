//! # learnings/unknown-sender
//!
//! ## What it flags
//!
//! A note under `Cross-Agent Notes` whose sender is not a member of the manifest. A note may have several senders. The
//! rule also accepts words for people (`user`), the agent that hands out work (`orchestrator`) and the whole team
//! (`retro`). It is silent if there is no readable manifest.
//!
//! ## Why it matters
//!
//! The member settles a note together with its sender. If the name has changed, or if an agent made it up, there is no
//! sender to ask.
//!
//! ## Example
//!
//! Below `Cross-Agent Notes`, when the manifest names `architect`:
//!
//! ```markdown
//! - (from architekt) Use TrustLevel from src/core/types.ts (added: 2026-02-13)
//! ```
//!
//! ## How to fix
//!
//! Write the member's name as it is in the manifest. Settle the notes of members who have left.
//!
//! ## Source
//!
//! Learning teams, "Cross-agent notes":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#cross-agent-notes>

use super::shared::{expected, team, unknown_names};
use crate::diagnostic::{Finding, Severity};
use crate::formats::learnings::SectionKind;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "learnings/unknown-sender", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, .. } = *context;
    let Some(learnings) = document.loaded_learnings() else { return };
    let text = document.text();
    let senders = learnings.entries_within(SectionKind::CrossAgentNotes).filter_map(|note| note.sender);
    let mut known = None;
    for sender in senders {
        let Some(team) = known.get_or_insert_with(|| team(document, context.run())) else { return };
        for span in unknown_names(text, sender, team) {
            let name = span.of(text);
            sink.report(
                Finding::at(
                    span,
                    format!("unknown sender `{name}`, expected a member listed in `{}`", team.manifest_path()),
                )
                .help(expected(name, team)),
            );
        }
    }
}
