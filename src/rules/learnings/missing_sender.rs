//! # learnings/missing-sender
//!
//! ## What it flags
//!
//! Entries under `Cross-Agent Notes` that do not say who sent them: `(from architect)`. Those that are marked as `triaged` or
//! `consolidated` are settled, and nobody is asked for their sender. One finding tells all of a file; where a change is looked at,
//! those that it touched.
//!
//! ## Why it matters
//!
//! A note is to be settled: merged into other sections, acted upon or discarded. Without its sender nobody can be asked what it
//! meant, or told what became of it.
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
//! Begin it with `(from <member>)`, or move it to the section in which it belongs if it is nobody's note.
//!
//! ## Source
//!
//! Seed 004, "Learnings Files", "Format" and "Categories".

use super::shared::{Touched, at_lines, first_line};
use crate::diagnostic::{Finding, Severity};
use crate::formats::learnings::{Entry, MarkKind, SectionKind};
use crate::layout::role::Role;
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/missing-sender",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[],
    check: Check::Document(check),
};

fn check(document: &Document<'_>, _: &Options, sink: &mut Sink<'_>) {
    let Some(learnings) = document.learnings().filter(|_| document.role == Role::Learnings) else { return };
    let touched = Touched::of(document);
    let notes: Vec<&Entry> = learnings.entries_within(SectionKind::CrossAgentNotes).collect();
    let is_settled =
        |note: &Entry| note.marks.iter().any(|mark| matches!(mark.kind, MarkKind::Triaged | MarkKind::Consolidated));
    let is_unsent = |note: &&&Entry| note.sender.is_none() && !is_settled(note) && touched.holds(note.span);
    let unsent: Vec<&Entry> = notes.iter().filter(is_unsent).copied().collect();
    let Some(first) = unsent.first() else { return };
    let place = first_line(document.text(), first);
    sink.report(match unsent.len() {
        1 => Finding::at(place, "note without its sender, expected `(from <member>)`")
            .help("begin it with who sent it, or move it to the section in which it belongs"),
        count => {
            let places = at_lines(document, unsent.iter().map(|note| note.span));
            let all = notes.len();
            Finding::at(place, format!("{count} of {all} notes do not say who sent them, expected `(from <member>)`"))
                .label("the first of them")
                .help(format!("begin each with who sent it, or move it to the section in which it belongs: {places}"))
        }
    });
}
