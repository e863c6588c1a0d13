//! One JSON object, versioned; docs/json-output.md describes it and docs/json-output.schema.json is its schema.

use std::borrow::Cow;
use std::io::{self, Write};

use bstr::{BStr, ByteSlice};
use serde::Serialize;

use super::fix::{beyond, lines};
use super::json_writer::{self, Stream};
use super::statistics::{Count, counts};
use super::{FormatSpec, Report, Summary};
use crate::diagnostic::{self, Applicability, Diagnostic, NoteKind, Piece, Severity, Step};
use crate::suppress::{By, Suppressed};
use crate::text::{ColumnUnit, Source, Span};

/// The format.
pub const FORMAT: FormatSpec = FormatSpec {
    readers: "programs",
    shows: "everything",
    has_statistics: true,
    shows_fixes: true,
    write,
    ..FormatSpec::NEW
};

/// The version of the format: changes when a program that reads it could break.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Output<D, S> {
    version: u32,
    diagnostics: D,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressed: Option<S>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<Vec<Count>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Item<'a> {
    rule: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    standard: Option<&'static str>,
    severity: Severity,
    path: String,
    range: Option<Range>,
    message: &'a str,
    help: Option<String>,
    notes: Vec<Note<'a>>,
    related: Vec<Related<'a>>,
    fix: Option<Fix<'a>>,
}

#[derive(Serialize)]
struct Note<'a> {
    kind: NoteKind,
    text: &'a str,
}

#[derive(Serialize)]
struct SuppressedItem<'a> {
    by: &'a str,
    reason: Option<&'a str>,
    diagnostic: Item<'a>,
}

#[derive(Serialize)]
struct Related<'a> {
    path: String,
    range: Option<Range>,
    message: &'a str,
}

#[derive(Serialize)]
struct Fix<'a> {
    applicability: Applicability,
    description: Option<String>,
    edits: Vec<Edit<'a>>,
    append: Vec<Append<'a>>,
    untrack: Vec<String>,
}

#[derive(Serialize)]
struct Append<'a> {
    path: String,
    creates: bool,
    parts: Vec<Part<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Part<'a> {
    Text(&'a str),
    Lines(Lines),
}

#[derive(Serialize)]
struct Lines {
    first: usize,
    last: usize,
}

#[derive(Serialize)]
struct Edit<'a> {
    range: Option<Range>,
    content: Cow<'a, str>,
}

#[derive(Serialize)]
struct Range {
    start: At,
    end: At,
}

#[derive(Serialize)]
struct At {
    line: usize,
    column: usize,
}

/// Writes the object and a line end. With statistics the findings are counted by rule and not listed.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let is_listed = !report.statistics;
    let listed = |d| item(report, d);
    let diagnostics = Stream::new(report.shown().filter(|_| is_listed).map(listed));
    let statistics = report.statistics.then(|| counts(report));
    let suppressed = report
        .show_suppressed
        .then(|| Stream::new(report.suppressed().filter(|_| is_listed).map(|one| suppressed(report, one))));
    let output = Output { version: VERSION, diagnostics, suppressed, statistics, summary: report.summary() };
    json_writer::write(&output, out)
}

fn suppressed<'a>(report: Report<'a>, suppressed: &'a Suppressed) -> SuppressedItem<'a> {
    let diagnostic = item(report, &suppressed.diagnostic);
    match &suppressed.by {
        By::Comment { reason, .. } => SuppressedItem {
            by: "comment",
            reason: Some(reason.as_str()).filter(|reason| !reason.is_empty()),
            diagnostic,
        },
        By::Baseline => SuppressedItem { by: "baseline", reason: None, diagnostic },
    }
}

fn item<'a>(report: Report<'a>, diagnostic: &'a Diagnostic) -> Item<'a> {
    let source = |path: &BStr| report.outcome.source(path.as_bytes());
    let own = source(diagnostic.path.as_bstr());
    let related = diagnostic.related.iter().map(|related| {
        let path = related.path.as_ref().unwrap_or(&diagnostic.path).as_bstr();
        Related { path: lossy(path), range: range(source(path), Some(related.span)), message: &related.message }
    });
    let fix = diagnostic.fix.as_ref().map(|own| fix(diagnostic, own, source(diagnostic.path.as_bstr())));
    Item {
        rule: diagnostic.rule.name,
        standard: diagnostic.standard,
        severity: diagnostic.severity,
        path: lossy(diagnostic.path.as_bstr()),
        range: range(own, diagnostic.span),
        message: &diagnostic.message,
        help: diagnostic.help(),
        notes: diagnostic.notes.iter().map(|note| Note { kind: note.kind, text: &note.text }).collect(),
        related: related.collect(),
        fix,
    }
}

fn fix<'a>(diagnostic: &'a Diagnostic, fix: &'a diagnostic::Fix, source: Option<&Source>) -> Fix<'a> {
    let path = diagnostic.path.as_bstr();
    // A file that the fix makes is the file of the finding, to which it adds text.
    let edits = fix.as_edits(path).unwrap_or_else(|| fix.edits().map(Cow::Borrowed).collect());
    let edits = edits.into_iter().map(|edit| {
        let range = range(source, Some(edit.span));
        let content = match edit {
            Cow::Borrowed(edit) => Cow::Borrowed(edit.content.as_str()),
            Cow::Owned(edit) => Cow::Owned(edit.content),
        };
        Edit { range, content }
    });
    let append = fix.steps.iter().filter_map(|step| {
        let (other, text) = step.written().filter(|(other, _)| **other != path)?;
        let parts = text.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(Part::Text(text)),
            Piece::Lines(span) => {
                let (first, last) = lines(*span, source?);
                Some(Part::Lines(Lines { first, last }))
            }
        });
        let creates = matches!(step, Step::Create { .. });
        Some(Append { path: lossy(other.as_bstr()), creates, parts: parts.collect() })
    });
    Fix {
        applicability: fix.applicability,
        description: beyond(diagnostic, source),
        edits: edits.collect(),
        append: append.collect(),
        untrack: fix.untracked().map(|path| lossy(path.as_bstr())).collect(),
    }
}

fn lossy(path: &BStr) -> String {
    path.to_str_lossy().into_owned()
}

fn range(source: Option<&Source>, span: Option<Span>) -> Option<Range> {
    let (source, span) = (source?, span?);
    let at = |offset| {
        let position = source.position(offset, ColumnUnit::Char);
        At { line: position.line, column: position.column }
    };
    Some(Range { start: at(span.start()), end: at(span.end()) })
}
