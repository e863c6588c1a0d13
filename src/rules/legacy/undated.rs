//! # legacy/undated
//!
//! ## What it flags
//!
//! A legacy entry without a date, in `decisions.md`, its inbox or its archives. A day with its year counts in any
//! usual form, such as `2026-03-14` or `March 14, 2026`, anywhere in the entry or in the name of an inbox file.
//! `March 2026` does not count. An old `.ai-team/` beside a `.squad/` with a `team.md` is ignored.
//!
//! ## Why it matters
//!
//! Archivers move entries by date. An entry without one is never moved, so the file keeps growing, and it is unclear
//! whether the decision is older or newer than one that contradicts it.
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
//! Write the date at the start of the heading: `### 2026-03-14: Use Postgres`. `git log -S 'Use Postgres'` finds it.
//!
//! ## Source
//!
//! Legacy entries, "Dates":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/legacy-entries.md#dates>
//!
//! Squad issue 626:
//! <https://github.com/bradygaster/squad/issues/626>

use std::borrow::Cow;

use bstr::ByteSlice;

use crate::diagnostic::{Applicability, Finding, Severity};
use crate::dialects::squad;
use crate::facts::squads;
use crate::formats::entries::Block;
use crate::formats::legacy::day::is_named_in;
use crate::formats::legacy::{LegacyEntry, Meaning};
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::rules::memory::placeholder;

/// The rule.
pub static RULE: Rule = Rule {
    name: "legacy/undated",
    severity: Severity::Info,
    fixes: &[Applicability::Manual],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, .. } = *context;
    let is_inbox = document.kind() == &squad::INBOX;
    if !is_inbox && ![&squad::DECISIONS, &squad::ARCHIVE].contains(&document.kind())
        || is_inbox && is_named_in(&file_name(document))
        || squads::is_left_over(context.run(), document.root())
    {
        return;
    }
    let mut after_entry = false;
    for block in document.entries.blocks() {
        if let Block::Legacy(entry) = block
            && entry.date.is_none()
            // Without an author as well, it is mostly a part of the entry before it.
            && (entry.identified || !after_entry)
            // That rule reports it, too.
            && !(context.run().runs("memory/placeholder") && placeholder::replaces_date(document, entry))
        {
            report(document, entry, sink);
        }
        after_entry = matches!(block, Block::Legacy(_));
    }
}

fn file_name(document: &Document) -> Cow<'_, str> {
    document.source.path().rsplit_str("/").next().unwrap_or_default().to_str_lossy()
}

fn report(document: &Document, entry: &LegacyEntry, sink: &mut Sink<'_>) {
    let text = document.text();
    let fields = document.entries.legacy_fields(entry);
    // A date where entries seldom have it is one, too: `Session: 2026-03-14 — …`, `**By:** Keaton (2026-03-14)`.
    if is_named_in(entry.heading.of(text)) || fields.iter().any(|field| is_named_in(field.value.of(text))) {
        return;
    }
    // Entries stay in an archive.
    let purpose = if document.kind() == &squad::ARCHIVE {
        "readers can tell which entry is newer"
    } else {
        "archivers can move the entry"
    };
    match fields.iter().find(|field| field.meaning == Meaning::Date && !field.value.is_empty()) {
        Some(field) => sink.report(
            Finding::at(field.value, "date of a legacy entry is not a calendar day, expected `YYYY-MM-DD`")
                .related(entry.heading.trim(text), "the entry")
                .help(format!("write the day as `YYYY-MM-DD`, so that {purpose}")),
        ),
        None if is_named_in(entry.span.of(text)) => {}
        None => sink.report(
            Finding::at(entry.title, "legacy entry has no date, expected one in its heading or in a field")
                .help(format!("put `YYYY-MM-DD: ` before the title, so that {purpose}")),
        ),
    }
}
