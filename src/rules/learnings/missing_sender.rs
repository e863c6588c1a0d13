//! # learnings/missing-sender
//!
//! ## What it flags
//!
//! Entries under `Cross-Agent Notes` without a sender such as `(from architect)`. Entries marked `triaged` or
//! `consolidated` are settled and need no sender. One finding covers all entries of a file. With `--staged` and
//! `--from`, only entries in the change count.
//!
//! ## Why it matters
//!
//! A note has to be settled: acknowledged, acted on or discarded. Without a sender you cannot ask what the note
//! means, or report what became of it.
//!
//! ## Example
//!
//! Below `Cross-Agent Notes`:
//!
//! ```markdown
//! - Use TrustLevel from src/core/types.ts (added: 2026-02-13)
//! ```
//!
//! ## How to fix
//!
//! Begin the note with `(from <member>)`. If it is not a note from another member, move it to the section where it
//! belongs.
//!
//! ## Source
//!
//! Learning teams, "Cross-agent notes":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#cross-agent-notes>

use super::shared::{Touched, at_lines, first_line};
use crate::diagnostic::{Finding, Severity};
use crate::formats::learnings::{Entry, MarkKind, SectionKind};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "learnings/missing-sender", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(learnings) = document.loaded_learnings() else { return };
    let touched = Touched::of(document);
    let notes: Vec<&Entry> = learnings.entries_within(SectionKind::CrossAgentNotes).collect();
    let is_settled =
        |note: &Entry| note.marks.iter().any(|mark| matches!(mark.kind, MarkKind::Triaged | MarkKind::Consolidated));
    let is_unsent = |note: &&&Entry| note.sender.is_none() && !is_settled(note) && touched.holds(note.span);
    let unsent: Vec<&Entry> = notes.iter().filter(is_unsent).copied().collect();
    let Some(first) = unsent.first() else { return };
    let place = first_line(document.text(), first);
    sink.report(match unsent.len() {
        1 => Finding::at(place, "note in `Cross-Agent Notes` has no sender, expected `(from NAME)`")
            .help("start the note with `(from NAME)`, naming the sender")
            .help("if no member sent it, move it to another section"),
        count => {
            let places = at_lines(document, unsent.iter().map(|note| note.span));
            let all = notes.len();
            Finding::at(
                place,
                format!("{count} of {all} notes in `Cross-Agent Notes` have no sender, expected `(from NAME)`"),
            )
            .label("first one")
            .help(format!("start the notes on {places} with `(from NAME)`, naming the sender"))
            .help("if no member sent a note, move it to another section")
        }
    });
}
