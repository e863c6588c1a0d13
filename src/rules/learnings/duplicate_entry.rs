//! # learnings/duplicate-entry
//!
//! ## What it flags
//!
//! An entry that says the same as an earlier one in the file. The words and their order are the same; white space,
//! emphasis, a full stop at the end, the case of letters outside code, and marks do not count. Entries of one or two
//! words are compared only within their section.
//!
//! ## Why it matters
//!
//! Every task gets all learnings, up to 60 lines of them. An entry that is there twice takes the place of another
//! one.
//!
//! ## Example
//!
//! ```markdown
//! - API v2 uses joi for validation, not zod (added: 2026-02-13)
//! - API v2 uses joi for validation, not zod. (added: 2026-02-20)
//! ```
//!
//! ## How to fix
//!
//! `squad-lint --fix` keeps the first entry and adds the newer date to it:
//! `(added: 2026-02-13, updated: 2026-02-20)`. Entries with different senders have no fix.
//!
//! ## Source
//!
//! Learning teams, "Consolidation":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#consolidation>

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::learnings::{Entry, MarkKind};
use crate::layout::role::Role;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::ColumnUnit;
use crate::text::similarity;

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/duplicate-entry",
    severity: Severity::Warning,
    fixes: &[Applicability::Safe],
    check: Check::Document(check),
    ..Rule::NEW
};

/// Shorter texts mean what their sections make of them: `- none`, `- Use hooks`.
const MIN_WORDS: usize = 3;

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(learnings) = document.learnings().filter(|_| document.role() == Role::Learnings) else { return };
    let text = document.text();
    let mut places: HashMap<(String, Option<usize>), usize> = HashMap::new();
    let mut known: Vec<(&Entry, Vec<&Entry>)> = Vec::new();
    for entry in learnings.real_entries() {
        let said = similarity::normal(entry.text.of(text));
        let is_short = said.split(' ').count() < MIN_WORDS;
        let place = *places.entry((said, entry.section.filter(|_| is_short))).or_insert(known.len());
        match known.get_mut(place) {
            Some((_, copies)) => copies.push(entry),
            None => known.push((entry, Vec::new())),
        }
    }
    for (first, copies) in known.iter().filter(|(_, copies)| !copies.is_empty()) {
        let line = document.source.position(first.span.start(), ColumnUnit::Char).line;
        let sender = |entry: &Entry| entry.sender.map(|sender| sender.of(text).to_lowercase());
        let is_equal = |copy: &Entry| sender(copy) == sender(first);
        let missing = missing(text, first, copies.iter().copied().filter(|copy| is_equal(copy)));
        // The same edit in the fix of each copy: it is made once.
        let marked = marked(text, first, &missing);
        for copy in copies {
            let finding = Finding::at(copy.text, format!("entry that says the same as the one on line {line}"))
                .label("said before")
                .related(first.text, "said here")
                .help("keep one of them, with the newer date");
            let delete = Edit::delete(copy.span);
            sink.report(match &marked {
                _ if !is_equal(copy) => finding,
                _ if missing.is_empty() => finding.fix(Applicability::Safe, [delete]),
                Some(mark) => finding.fix(Applicability::Safe, [mark.clone(), delete]),
                None => finding,
            });
        }
    }
}

/// The marks of the copies that `first` lacks, as they are written: days that are newer, and all that names something.
fn missing<'a>(text: &str, first: &Entry, copies: impl Iterator<Item = &'a Entry>) -> Vec<String> {
    let newest = first.newest();
    let mut known: HashSet<&str> = first.marks.iter().map(|mark| mark.value.of(text)).collect();
    let mut missing = Vec::new();
    for mark in copies.flat_map(|copy| &copy.marks).filter(|mark| mark.kind != MarkKind::From) {
        let (key, value) = (mark.key.of(text), mark.value.of(text));
        let is_older = mark.day.is_some() && mark.day <= newest;
        if value.is_empty() || is_older || !known.insert(value) {
            continue;
        }
        let key = if mark.kind == MarkKind::Added && first.added().is_some() { "updated" } else { key };
        missing.push(if key.is_empty() { value.to_owned() } else { format!("{key}: {value}") });
    }
    missing
}

/// What gives `entry` the marks in `missing`; `None` where there is no place for them.
fn marked(text: &str, entry: &Entry, missing: &[String]) -> Option<Edit> {
    let group = entry.marks.iter().rfind(|mark| mark.kind != MarkKind::From).map(|mark| mark.group);
    let Some(group) = group else {
        return Some(Edit::insert(entry.text.end(), format!(" ({})", missing.join(", "))));
    };
    let is_closed = group.of(text).ends_with([')', ']']);
    is_closed.then(|| Edit::insert(group.end() - 1, format!(", {}", missing.join(", "))))
}
