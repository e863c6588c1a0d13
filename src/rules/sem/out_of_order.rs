//! # sem/out-of-order
//!
//! ## What it flags
//!
//! An entry that is earlier than the entry before it in the file. If a file of three or more entries mostly runs from
//! newest to oldest, the rule checks that direction instead.
//!
//! ## Why it matters
//!
//! People read such a file as a history, and archivers cut it at a date. Nothing is lost when the order breaks, so
//! this rule is off by default.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-15T14:32:15-0800: decision: Use Postgres
//! ---
//! ### 2026-02-14T09:00:00-0800: decision: Use a database
//! ---
//! ```
//!
//! ## How to fix
//!
//! Move the entry, with its `---`, to where its date belongs. `squad-lint --fix --unsafe-fixes` does this if only
//! entries are between the two places.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Timestamps":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#timestamps>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::{End, Entry, FieldName};
use crate::formats::timestamp::Timestamp;
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/out-of-order",
    severity: Severity::Warning,
    enabled: false,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let newest_first = runs_backwards(steps(document).map(|(before, entry)| (before.0, entry.0)));
    let mut runs = runs(document).into_iter().peekable();
    for (before, entry) in steps(document) {
        let misplaced = if newest_first { entry.0 > before.0 } else { entry.0 < before.0 };
        if !misplaced {
            continue;
        }
        let (relation, first, last) =
            if newest_first { ("newer", "newest", "oldest") } else { ("older", "oldest", "newest") };
        let span = place(entry.1);
        let finding = Finding::at(
            span,
            format!("entry is {relation} than the one above it, but this file runs from {first} to {last}"),
        )
        .label(format!("{relation} than the entry above"))
        .related(place(before.1), "entry above")
        .help(format!(
            "move the entry, with its `---`, above the {} entries",
            if newest_first { "older" } else { "newer" }
        ));
        let holds = |run: &[Moment<'_>], entry: Entry<'_>| run.iter().any(|(_, other)| other.span() == entry.span());
        while runs.next_if(|run| run.last().is_some_and(|(_, last)| last.span().end <= before.1.span().start)).is_some()
        {
        }
        // The first finding of a run of entries brings them all into order.
        let run = runs.next_if(|run| holds(run, before.1) && holds(run, entry.1));
        // One that runs the other way than the file would turn the file round, and then itself again.
        let run = run.filter(|run| runs_backwards(run.windows(2).filter_map(pair)) == newest_first);
        sink.report(match run {
            Some(run) => finding.fix(Applicability::Unsafe, sorted(&run, newest_first)),
            None => finding,
        });
    }
}

/// Whether more of the steps go back in time than forward. One step back alone is a misplaced entry rather than a file that
/// runs backwards.
fn runs_backwards(steps: impl Iterator<Item = (i64, i64)>) -> bool {
    let (mut later, mut earlier) = (0_usize, 0_usize);
    for (before, after) in steps {
        later += usize::from(after > before);
        earlier += usize::from(after < before);
    }
    earlier > later.max(1)
}

fn pair(neighbours: &[Moment<'_>]) -> Option<(i64, i64)> {
    match neighbours {
        [before, after] => Some((before.0, after.0)),
        _ => None,
    }
}

/// The entries that can change places: they follow each other with nothing between them, and each ends with its `---`.
fn runs<'a>(document: &'a Document) -> Vec<Vec<Moment<'a>>> {
    let text = document.text();
    let mut runs: Vec<Vec<Moment<'a>>> = Vec::new();
    let mut open: Option<Span> = None;
    for entry in document.entries.sem(text) {
        let ends = matches!(entry.end(), End::Rule(_)) && entry.continued().is_none();
        let moment = entry.timestamp().map(Timestamp::unix).filter(|_| ends);
        let adjacent = |last: Span| Span::new(last.end(), entry.span().start()).of(text).trim().is_empty();
        match (moment, runs.last_mut()) {
            (Some(at), Some(run)) if open.is_some_and(adjacent) => run.push((at, entry)),
            (Some(at), _) => runs.push(vec![(at, entry)]),
            (None, _) => {}
        }
        open = moment.map(|_| entry.span());
    }
    runs
}

/// Puts the entries into their order, each into the place of another.
fn sorted(run: &[Moment<'_>], newest_first: bool) -> Vec<Edit> {
    let mut sorted: Vec<Moment<'_>> = run.to_vec();
    sorted.sort_by_key(|(at, _)| if newest_first { -at } else { *at });
    let text = |(_, entry): &Moment<'_>| entry.span().of(entry.text()).trim_end().to_owned();
    let moved = run.iter().zip(&sorted).filter(|((_, old), (_, new))| old.span() != new.span());
    moved.map(|(old, new)| Edit::replace(old.1.span().trim(old.1.text()), text(new))).collect()
}

type Moment<'a> = (i64, Entry<'a>);

/// Each two neighbours among the entries that have a moment.
fn steps<'a>(document: &'a Document) -> impl Iterator<Item = (Moment<'a>, Moment<'a>)> {
    let moment = |entry: Entry<'a>| Some((entry.timestamp().map(Timestamp::unix)?, entry));
    let moments = document.entries.sem(document.text()).filter_map(moment);
    moments.scan(None, |before, entry| Some(before.replace(entry).map(|before| (before, entry)))).flatten()
}

/// Where an entry says when.
fn place(entry: Entry<'_>) -> Span {
    let header = entry.header();
    match entry.field(FieldName::Timestamp) {
        Some(field) if header.reading.moment().is_none() => field.first_line_span(entry.text()),
        _ => header.timestamp,
    }
}
