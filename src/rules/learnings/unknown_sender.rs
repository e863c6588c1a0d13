//! # learnings/unknown-sender
//!
//! ## What it flags
//!
//! A note under `Cross-Agent Notes` from somebody who is no member of the manifest. Several names may stand together; people
//! (`user`), the one who dispatches (`orchestrator`) and the team as a whole (`retro`) count as known. Without a manifest that can
//! be read nobody is unknown.
//!
//! ## Why it matters
//!
//! A note is to be settled with its sender. Names that changed, or that an agent made up, lead nowhere.
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
//! Write the member's name as the manifest has it. Settle the notes of those who left.
//!
//! ## Source
//!
//! Seed 004, "Categories": forwarded from other team members.

use super::shared::{expected, strangers, team};
use crate::diagnostic::{Finding, Severity};
use crate::facts::Facts;
use crate::formats::learnings::SectionKind;
use crate::layout::role::Role;
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/unknown-sender",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[],
    check: Check::DocumentInRepository(check),
};

fn check(document: &Document<'_>, facts: &Facts<'_>, _: &Options, sink: &mut Sink<'_>) {
    let Some(learnings) = document.learnings().filter(|_| document.role == Role::Learnings) else { return };
    let text = document.text();
    let senders = learnings.entries_within(SectionKind::CrossAgentNotes).filter_map(|note| note.sender);
    let mut known = None;
    for sender in senders {
        let Some(team) = known.get_or_insert_with(|| team(document, facts)) else { return };
        for span in strangers(text, sender, team) {
            let name = span.of(text);
            sink.report(
                Finding::at(span, format!("note from `{name}`, who is no member of `{}`", team.manifest_path()))
                    .help(expected(name, team)),
            );
        }
    }
}
