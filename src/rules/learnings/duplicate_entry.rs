//! # learnings/duplicate-entry
//!
//! ## What it flags
//!
//! An entry that says the same as one before it in the file. The words and their order are the same. Blanks, emphasis, a full stop
//! at the end and the case of letters outside code do not count, nor do the marks behind. Entries of one or two words are
//! compared within their own section only.
//!
//! ## Why it matters
//!
//! All learnings go into every task, up to 60 lines of them: what stands there twice takes the place of something else.
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
//! `squad-lint --fix` keeps the first one, and marks it with the newer date:
//! `(added: 2026-02-13, updated: 2026-02-20)`. Entries of different senders are left to you.
//!
//! ## Source
//!
//! Seed 004, "Consolidation Triggers" 1: "Merge similar entries".

use std::collections::HashMap;

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::learnings::{Entry, MarkKind};
use crate::layout::role::Role;
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};
use crate::text::ColumnUnit;
use crate::text::similarity;

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/duplicate-entry",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[Applicability::Safe],
    check: Check::Document(check),
};

/// Shorter texts mean what their sections make of them: `- none`, `- Use hooks`.
const MIN_WORDS: usize = 3;

fn check(document: &Document<'_>, _: &Options, sink: &mut Sink<'_>) {
    let Some(learnings) = document.learnings().filter(|_| document.role == Role::Learnings) else { return };
    let text = document.text();
    let mut known: HashMap<(String, Option<usize>), &Entry> = HashMap::new();
    let mut going: Vec<&Entry> = Vec::new();
    for entry in learnings.real_entries() {
        let said = similarity::normal(entry.text.of(text));
        let is_short = said.split(' ').count() < MIN_WORDS;
        let Some(first) = known.get(&(said.clone(), entry.section.filter(|_| is_short))) else {
            known.insert((said, entry.section.filter(|_| is_short)), entry);
            continue;
        };
        let line = document.source.position(first.span.start(), ColumnUnit::Char).line;
        let finding = Finding::at(entry.text, format!("entry that says the same as the one on line {line}"))
            .label("said before")
            .related(first.text, "said here")
            .help("keep one of them, with the newer date");
        let sender = |entry: &Entry| entry.sender.map(|sender| sender.of(text).to_lowercase());
        // What a fix changes is not changed by another one: the third of three waits for the next pass.
        let is_free = !going.iter().any(|entry| entry.span == first.span);
        let kept = if sender(first) == sender(entry) && is_free { merged(text, first, entry) } else { None };
        going.push(first);
        sink.report(match kept {
            Some(kept) => finding.fix(Applicability::Safe, kept.into_iter().chain([Edit::delete(entry.span)])),
            None => finding,
        });
    }
}

/// What gives `first` the marks of `second` that it lacks; `None` where there is no place for them.
fn merged(text: &str, first: &Entry, second: &Entry) -> Option<Option<Edit>> {
    let has = |value: &str| first.marks.iter().any(|mark| mark.value.of(text) == value);
    let mut missing = Vec::new();
    for mark in second.marks.iter().filter(|mark| mark.kind != MarkKind::From) {
        let (key, value) = (mark.key.of(text), mark.value.of(text));
        let is_older = mark.day.is_some_and(|day| first.newest().is_some_and(|newest| day <= newest));
        if value.is_empty() || has(value) || is_older {
            continue;
        }
        let key = if mark.kind == MarkKind::Added && first.added().is_some() { "updated" } else { key };
        missing.push(if key.is_empty() { value.to_owned() } else { format!("{key}: {value}") });
    }
    if missing.is_empty() {
        return Some(None);
    }
    let group = first.marks.iter().rfind(|mark| mark.kind != MarkKind::From).map(|mark| mark.group);
    let Some(group) = group else {
        return Some(Some(Edit::insert(first.text.end(), format!(" ({})", missing.join(", ")))));
    };
    let is_closed = group.of(text).ends_with([')', ']']);
    is_closed.then(|| Some(Edit::insert(group.end() - 1, format!(", {}", missing.join(", ")))))
}
