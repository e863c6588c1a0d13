//! # learnings/duplicate-entry
//!
//! ## What it flags
//!
//! An entry that says the same as an earlier one in the file. The words and their order are the same; white space,
//! emphasis, a full stop at the end, case outside code, and marks do not matter. Entries of one or two words are
//! compared only within their section.
//!
//! ## Why it matters
//!
//! Every task gets all learnings, up to 60 lines of them. A duplicate takes the place of another entry.
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
//! `squad-lint --fix` keeps the first entry and adds the dates of the others to it:
//! `(added: 2026-02-13, updated: 2026-02-20)`. The oldest date follows `added`. Entries with different senders have no
//! fix.
//!
//! ## Source
//!
//! Learning teams, "Consolidation":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#consolidation>

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::learnings::{Entry, MarkKind};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::similarity;
use crate::text::{ColumnUnit, Span};

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
    let Some(learnings) = document.loaded_learnings() else { return };
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
        let equal: Vec<&Entry> = copies.iter().copied().filter(|copy| is_equal(copy)).collect();
        // The same edits in the fix of each copy: they are made once.
        let marked = marked(text, first, &equal);
        for copy in copies {
            let finding = Finding::at(copy.text, format!("entry is a duplicate of the one on line {line}"))
                .related(first.text, "first one")
                .help("delete one of the two, and give the other one the older date as `added`, the newer one as `updated`");
            let delete = Edit::delete(copy.span);
            sink.report(match &marked {
                Some(marks) if is_equal(copy) => {
                    finding.fix(Applicability::Safe, marks.iter().cloned().chain([delete]))
                }
                _ => finding,
            });
        }
    }
}

/// What gives `first` the marks of the copies that it lacks; `None` if there is no place for them.
fn marked(text: &str, first: &Entry, copies: &[&Entry]) -> Option<Vec<Edit>> {
    let added = first.marks_of(MarkKind::Added).find(|mark| mark.day.is_some());
    let oldest = copies.iter().filter_map(|copy| copy.added()).min();
    // The oldest day is the one on which it was added.
    let older = added.zip(oldest).filter(|(added, oldest)| Some(*oldest) < added.day);
    let mut known: HashSet<&str> = first.marks.iter().map(|mark| mark.value.of(text)).collect();
    let mut missing: Vec<String> = Vec::new();
    let older_day = older.map(|(_, oldest)| oldest.to_string());
    known.extend(older_day.as_deref());
    missing.extend(older.map(|(added, _)| format!("updated: {}", added.value.of(text))));
    let mut is_added = added.is_some();
    let marks = copies.iter().flat_map(|copy| &copy.marks);
    for mark in marks.filter(|mark| mark.kind != MarkKind::From) {
        let (key, value) = (mark.key.of(text), mark.value.of(text));
        if value.is_empty() || !known.insert(value) {
            continue;
        }
        let is_again = mark.kind == MarkKind::Added && std::mem::replace(&mut is_added, true);
        let key = if is_again { "updated" } else { key };
        missing.push(if key.is_empty() { value.to_owned() } else { format!("{key}: {value}") });
    }
    if missing.is_empty() {
        return Some(Vec::new());
    }
    let missing = missing.join(", ");
    let group = first.marks.iter().rfind(|mark| mark.kind != MarkKind::From).map(|mark| mark.group);
    let Some(group) = group else {
        return Some(vec![Edit::insert(first.text.end(), format!(" ({missing})"))]);
    };
    let end = group.of(text).ends_with([')', ']']).then(|| group.end() - 1)?;
    Some(match older {
        Some((added, oldest)) if added.group == group => {
            let behind = Span::new(added.value.end(), end).of(text);
            vec![Edit::replace(Span::new(added.value.start(), end), format!("{oldest}{behind}, {missing}"))]
        }
        Some((added, oldest)) => {
            vec![Edit::replace(added.value, oldest.to_string()), Edit::insert(end, format!(", {missing}"))]
        }
        None => vec![Edit::insert(end, format!(", {missing}"))],
    })
}
