//! # sem/dangling-reference
//!
//! ## What it flags
//!
//! A related `decision` or `memory`, or a `supersedes`, that names no entry in the repository. squad-lint finds entries
//! by their timestamps; any offset that gives the same moment is fine. A `decision` must not refer to a memory, or the
//! other way round. `related` has no words for notes and directives, so they match either word.
//!
//! ## Why it matters
//!
//! A reader who follows the reference finds nothing. The reason for a decision, or the entry that replaced it, is
//! lost.
//!
//! ## Example
//!
//! ```markdown
//! **related:**
//! - decision: 2026-02-10T09:15:00-0800
//! - decision: per-agent models
//! ```
//!
//! ## How to fix
//!
//! Write the timestamp of the intended entry. If the repository has an entry within a day of the timestamp, the help
//! names it. Delete a reference to an entry that no longer exists.
//!
//! ## Source
//!
//! Squad Entry Markdown, "related":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#related>
//!
//! Squad Entry Markdown, "supersedes":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#supersedes>

use crate::diagnostic::{Finding, Severity};
use crate::facts::entries::{Entries, KnownEntry};
use crate::formats::sem::{Entry, EntryType, FieldName};
use crate::formats::timestamp::{Reading, Timestamp};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/dangling-reference",
    severity: Severity::Warning,
    check: Check::Entry(check),
    compares_entries: true,
    ..Rule::NEW
};

/// How far away, in seconds, an entry may lie that was perhaps meant.
const NEAR: u32 = 24 * 60 * 60;
/// How many entries are checked for it.
const LOOKED_AT: usize = 64;

fn check(entry: Entry<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let text = entry.text();
    for item in entry.related() {
        let Some(wanted) = item.entry_type else { continue };
        match item.reading {
            Reading::Canonical(at) | Reading::Loose { at, .. } => {
                look_for(wanted, at, item.identifier(), entry, context.entries(), sink);
            }
            Reading::Other if !item.identifier().is_empty() => {
                sink.report(no_timestamp(wanted, item.identifier(), text));
            }
            Reading::Other | Reading::Invalid(_) => {}
        }
    }
    if let Some((span, reading)) = entry.stamp(FieldName::Supersedes)
        && let Some(at) = reading.moment()
        // Of an order that cannot be, sem/supersedes-order tells more.
        && entry.timestamp().is_none_or(|own| at.unix() < own.unix())
        && context.entries().at(at).is_empty()
    {
        let finding = Finding::at(span, format!("superseded entry `{at}` is not in the repository"));
        sink.report(advise(finding, at, entry, context.entries(), |_| true));
    }
}

fn look_for(wanted: EntryType, at: Timestamp, span: Span, entry: Entry<'_>, entries: Entries<'_>, sink: &mut Sink<'_>) {
    let there = entries.at(at);
    // `related` has no word for a note or a directive: either of its two may mean them.
    let fits = [wanted, EntryType::Note, EntryType::Directive];
    if fits.into_iter().any(|fit| there.binary_search_by_key(&fit, |known| known.entry_type).is_ok()) {
        return;
    }
    let word = wanted.as_str();
    let Some(other) = there.first() else {
        let finding = Finding::at(span, format!("related {word} `{at}` is not in the repository"));
        sink.report(advise(finding, at, entry, entries, |known| known.entry_type == wanted));
        return;
    };
    let is = other.entry_type.as_str();
    let finding = Finding::at(span, format!("related {word} `{at}` is a {is}"));
    let finding = finding.related_in(entries.path_of(other), other.header, format!("a {is}"));
    sink.report(finding.help(format!("write `- {is}: {at}`")));
}

fn no_timestamp(wanted: EntryType, span: Span, text: &str) -> Finding {
    let (word, identifier) = (wanted.as_str(), span.of(text));
    Finding::at(span, format!("related {word} `{identifier}` is not identified by its timestamp"))
        .help(format!("write the timestamp in the header of that {word}, as in `- {word}: YYYY-MM-DDTHH:MM:SS±HHMM`"))
}

/// Names the nearest entry that fits, where one is near.
fn advise(
    finding: Finding,
    at: Timestamp,
    entry: Entry<'_>,
    entries: Entries<'_>,
    fits: impl Fn(&KnownEntry) -> bool,
) -> Finding {
    let own = entry.timestamp().map(Timestamp::unix);
    let other = |known: &&KnownEntry| Some(known.at.unix()) != own && fits(known);
    match entries.near(at, NEAR).take(LOOKED_AT).find(other) {
        Some(near) => finding
            .related_in(entries.path_of(near), near.header, "the nearest in time")
            .help(format!("if you mean that entry, write `{}`; otherwise delete the reference", near.at)),
        None => finding.help("write the timestamp of the intended entry, or delete the reference"),
    }
}
