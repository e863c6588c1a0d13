//! # legacy/undated
//!
//! ## What it flags
//!
//! A legacy entry without a date that a program can read, in `decisions.md`, its inbox or its archives. `2026-03-14`
//! counts, in the heading or in a field such as `**Date:**`; `March 2026` does not.
//!
//! ## Why it matters
//!
//! Archivers move entries by date. One without a date is never moved, so the file keeps growing, and nobody can tell
//! whether the decision is older or newer than the one that contradicts it.
//!
//! ## Example
//!
//! ```markdown
//! ### Use Postgres
//! **By:** Keaton
//! ```
//!
//! ## How to fix
//!
//! Write the date at the start of the heading, `### 2026-03-14: Use Postgres`. `git log -S 'Use Postgres'` finds it.
//!
//! ## Source
//!
//! Upstream #626; seed 000, "Conversion Strategy", which takes the date from the heading.

use bstr::ByteSlice;

use crate::diagnostic::{Applicability, Finding, Severity};
use crate::formats::entries::Block;
use crate::formats::legacy::{LegacyEntry, Meaning, find_date};
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};
use crate::select::Role;
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "legacy/undated",
    since: "0.1.0",
    severity: Severity::Info,
    enabled: true,
    fixes: &[Applicability::Manual],
    check: Check::Document(check),
};

fn check(document: &Document<'_>, _: &Options, sink: &mut Sink<'_>) {
    if !matches!(document.role, Role::Decisions | Role::Inbox | Role::Archive) {
        return;
    }
    let mut after_entry = false;
    for block in document.entries.blocks() {
        if let Block::Legacy(entry) = block
            && entry.date.is_none()
            // Without an author as well, it is mostly a part of the entry before it.
            && (entry.identified || !after_entry)
        {
            report(document, entry, sink);
        }
        after_entry = matches!(block, Block::Legacy(_));
    }
}

fn report(document: &Document<'_>, entry: &LegacyEntry, sink: &mut Sink<'_>) {
    let text = document.text();
    let fields = document.entries.legacy_fields(entry);
    // A date where entries seldom have it is one, too: `Session: 2026-03-14 — …`, `**By:** Keaton (2026-03-14)`.
    let dated = |span| find_date(text, span).is_some();
    if dated(entry.heading) || fields.iter().any(|field| dated(field.value)) {
        return;
    }
    let date = fields.iter().find(|field| field.meaning == Meaning::Date && !field.value.is_empty());
    sink.report(match date {
        Some(field) => Finding::at(field.value, "date of a legacy entry is not in the form `YYYY-MM-DD`")
            .related(entry.heading.trim(text), "the entry")
            .help("write the day as `YYYY-MM-DD`, so that archivers can move the entry"),
        None => Finding::at(entry.title, "legacy entry without a date, expected one in its heading or in a field")
            .help(help(document)),
    });
}

/// What to do; the name of an inbox file often has the date that its text lacks.
fn help(document: &Document<'_>) -> String {
    let path = document.source.path().to_str_lossy();
    let in_name = Some(Span::new(path.rfind('/').map_or(0, |at| at + 1), path.len()))
        .filter(|_| document.role == Role::Inbox)
        .and_then(|name| find_date(&path, name))
        .and_then(|date| path.get(date.start()..date.start() + 10));
    match in_name {
        Some(day) => {
            format!("put `{day}: ` before the title, as the file's name says, so that archivers can move the entry")
        }
        None => "put `YYYY-MM-DD: ` before the title, so that archivers can move the entry".to_owned(),
    }
}
