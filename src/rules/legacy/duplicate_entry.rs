//! # legacy/duplicate-entry
//!
//! ## What it flags
//!
//! A legacy entry with the same heading and the same body as an earlier one in the file. Blank lines, trailing spaces
//! and the `---` below an entry do not matter.
//!
//! ## Why it matters
//!
//! Merges leave such copies, and so do agents that append an entry twice. Each copy costs tokens at every start, and
//! stays wrong when someone corrects the other one.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-10: Use Postgres
//! **By:** Keaton
//! **What:** Postgres for all services.
//!
//! ### 2026-02-10: Use Postgres
//! **By:** Keaton
//! **What:** Postgres for all services.
//! ```
//!
//! ## How to fix
//!
//! Delete the copy. The safe fix deletes it and keeps the first one.
//!
//! ## Source
//!
//! Legacy entries, "What counts as an entry":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/legacy-entries.md#what-counts-as-an-entry>

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::legacy::LegacyEntry;
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "legacy/duplicate-entry",
    severity: Severity::Warning,
    fixes: &[Applicability::Safe],
    check: Check::Document(check),
    ..Rule::NEW
};

/// A body of fewer bytes says too little to tell that an entry is a copy.
const MIN_BODY: usize = 20;

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let text = document.text();
    if document.entries.legacy().nth(1).is_none() {
        return;
    }
    let mut headings: Vec<&str> = document.entries.legacy().map(|entry| entry.heading.of(text).trim()).collect();
    headings.sort_unstable();
    if headings.is_sorted_by(|one, next| one < next) {
        return;
    }
    let is_repeated = |heading: &str| {
        let at = headings.partition_point(|other| *other < heading);
        headings.get(at + 1).is_some_and(|next| *next == heading)
    };
    let mut first: HashMap<u64, &LegacyEntry> = HashMap::new();
    for entry in document.entries.legacy() {
        if !is_repeated(entry.heading.of(text).trim()) || body(document, entry).map(str::len).sum::<usize>() < MIN_BODY
        {
            continue;
        }
        let original = *first.entry(hash(document, entry)).or_insert(entry);
        if original != entry
            && original.heading.of(text).trim() == entry.heading.of(text).trim()
            && body(document, original).eq(body(document, entry))
            && !context.is_unused()
        {
            let place = document.place_in_words(original.heading.start());
            let message = format!("entry is a duplicate of the one on {place}: same heading and body");
            sink.report(
                Finding::at(entry.heading.trim(text), message)
                    .related(original.heading.trim(text), "first one")
                    .help("delete this copy")
                    .fix(Applicability::Safe, [Edit::delete(copy(text, original, entry))]),
            );
        }
    }
}

fn hash(document: &Document, entry: &LegacyEntry) -> u64 {
    let mut hasher = DefaultHasher::new();
    entry.heading.of(document.text()).trim().hash(&mut hasher);
    body(document, entry).for_each(|line| line.hash(&mut hasher));
    hasher.finish()
}

/// The lines below the heading, without blank ones and without the rule at the end.
fn body<'d>(document: &'d Document, entry: &LegacyEntry) -> impl Iterator<Item = &'d str> {
    let below = Span::new(entry.heading.end(), entry.span.end()).of(document.text());
    without_rule(below).lines().map(str::trim_end).filter(|line| !line.is_empty())
}

/// `text` without the rules and blank lines at its end.
fn without_rule(text: &str) -> &str {
    let mut text = text.trim_end();
    while let Some(rest) = text.strip_suffix("\n---") {
        text = rest.trim_end();
    }
    text
}

/// What is deleted of `entry`: all of it, except for a rule at its end that the original does not have.
fn copy(text: &str, original: &LegacyEntry, entry: &LegacyEntry) -> Span {
    let has_rule = |entry: &LegacyEntry| without_rule(entry.span.of(text)) != entry.span.of(text).trim_end();
    if has_rule(entry) && !has_rule(original) {
        let body = without_rule(entry.span.of(text)).len();
        let end = entry.span.of(text).get(body..).and_then(|rest| rest.find("---")).map_or(body, |rule| body + rule);
        return Span::new(entry.span.start(), entry.span.start() + end);
    }
    entry.span
}
