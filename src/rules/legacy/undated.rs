//! # legacy/undated
//!
//! ## What it flags
//!
//! A legacy entry without a date, in `decisions.md`, its inbox or its archives. The rule accepts a day with its year in
//! any usual form, such as `2026-03-14` or `March 14, 2026`, anywhere in the entry, in the heading of its section, or
//! in the name of an inbox file. `March 2026` is not a date. One finding covers all entries of a file that lack the
//! same, a date or a day. The rule ignores an old `.ai-team/` beside a `.squad/` with a `team.md`.
//!
//! ## Why it matters
//!
//! Archivers move entries by date. They never move an entry without a date, so the file keeps growing, and readers
//! cannot tell whether the decision is older or newer than one that contradicts it.
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
//! Write the date at the start of the heading: `### 2026-03-14: Use Postgres`. `git log -S 'Use Postgres'` finds the commit.
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

use super::shared::missing::Missing;
use crate::diagnostic::{Applicability, Finding, Severity};
use crate::dialects::squad;
use crate::formats::entries::Block;
use crate::formats::legacy::day::is_named_in;
use crate::formats::legacy::{LegacyEntry, Meaning};
use crate::fs::path::inner_path;
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::rules::memory::placeholder;
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "legacy/undated",
    severity: Severity::Info,
    fixes: &[Applicability::Manual],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let is_inbox = document.kind() == &squad::INBOX;
    if !is_inbox && ![&squad::DECISIONS, &squad::ARCHIVE].contains(&document.kind())
        || is_inbox && is_named_in(&file_name(document))
        || context.is_unused()
    {
        return;
    }
    let mut without = Vec::new();
    let mut after_entry = false;
    for block in document.entries.blocks() {
        if let Block::Legacy(entry) = block
            && entry.date.or(entry.section_date).is_none()
            // Without an author as well, it is mostly a part of the entry before it.
            && (entry.identified || !after_entry)
            // That rule reports it, too.
            && !(context.run().runs("memory/placeholder") && placeholder::replaces_date(document, entry))
            && let Some((missing, span)) = misses(document, entry)
        {
            without.push(Undated { missing, span, heading: entry.heading.trim(document.text()) });
        }
        after_entry = matches!(block, Block::Legacy(_));
    }
    report(document, &without, sink);
}

/// An entry without a date.
struct Undated {
    missing: Missing,
    /// Its title, or the value of its field.
    span: Span,
    heading: Span,
}

/// Reports the entries without a date, all that lack the same at once: what is true of a file is said once.
fn report(document: &Document, without: &[Undated], sink: &mut Sink<'_>) {
    for missing in [Missing::Date, Missing::Day, Missing::Calendar] {
        let found: Vec<&Undated> = without.iter().filter(|undated| undated.missing == missing).collect();
        let Some((first, others)) = found.split_first() else { continue };
        let (todo, entry) = match missing {
            Missing::Date => ("put `YYYY-MM-DD: ` before the title", None),
            _ => ("write the day as `YYYY-MM-DD`", Some((first.heading, "the entry"))),
        };
        let mut finding = Finding::at(first.span, missing.message(found.len()))
            .help(format!("{todo}, so that {}", purpose(document)));
        let others = others.iter().take(SHOWN).map(|other| (other.span, missing.label()));
        for (span, label) in entry.into_iter().chain(others) {
            finding = finding.related(span, label);
        }
        sink.report(finding);
    }
}

/// How many more entries a finding shows.
const SHOWN: usize = 9;

/// What a date is good for: entries stay in an archive, and where no archiver looks.
fn purpose(document: &Document) -> &'static str {
    let is_archived =
        document.kind() == &squad::INBOX || inner_path(document.path(), document.root()) == "decisions.md";
    if is_archived { "the entry can be archived" } else { "readers can tell which entry is newer" }
}

fn file_name(document: &Document) -> Cow<'_, str> {
    document.source.path().rsplit_str("/").next().unwrap_or_default().to_str_lossy()
}

/// What an entry lacks, and where: in its title, or in the value of a field.
fn misses(document: &Document, entry: &LegacyEntry) -> Option<(Missing, Span)> {
    let text = document.text();
    let fields = document.entries.legacy_fields(entry);
    // A date where entries seldom have it is one, too: `Session: 2026-03-14 — …`, `**By:** Keaton (2026-03-14)`.
    if is_named_in(entry.heading.of(text)) || fields.iter().any(|field| is_named_in(field.value.of(text))) {
        return None;
    }
    if let Some(field) = fields.iter().find(|field| field.meaning == Meaning::Date && !field.value.is_empty()) {
        let mut words = field.value.of(text).split(|c: char| !c.is_alphanumeric());
        let has_year = words.any(|word| word.len() == 4 && word.parse::<u16>().is_ok());
        return Some((if has_year { Missing::Day } else { Missing::Calendar }, field.value));
    }
    (!is_named_in(entry.span.of(text))).then_some((Missing::Date, entry.title))
}
