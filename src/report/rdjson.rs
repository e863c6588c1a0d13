//! The diagnostic format of reviewdog: one JSON object. Its columns count bytes.

use std::io::{self, Write};

use bstr::{BStr, ByteSlice};
use serde::Serialize;

use super::fix::edits_for_others;
use super::json_writer::{self, Stream};
use super::{FormatSpec, HOME, Report, in_lines};
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::text::{ColumnUnit, Position, Source, Span};

/// The format.
pub const FORMAT: FormatSpec = FormatSpec {
    readers: "reviewdog",
    shows: "findings with suggestions",
    shows_fixes: true,
    write,
    ..FormatSpec::NEW
};

#[derive(Serialize)]
struct Output<D> {
    source: Tool,
    diagnostics: D,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    url: &'static str,
}

#[derive(Serialize)]
struct Item<'a> {
    message: String,
    location: Location,
    severity: &'static str,
    code: Code<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<Suggestion>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Related<'a>>,
}

#[derive(Serialize)]
struct Code<'a> {
    value: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

#[derive(Serialize)]
struct Location {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
}

#[derive(Serialize)]
struct Suggestion {
    range: Range,
    text: String,
}

#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    location: Location,
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

/// Writes the object and a line end.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let source = Tool { name: "squad-lint", url: HOME };
    let diagnostics = Stream::new(report.shown().map(|diagnostic| item(report, diagnostic)));
    json_writer::write(&Output { source, diagnostics }, out)
}

fn item<'a>(report: Report<'a>, diagnostic: &'a Diagnostic) -> Item<'a> {
    let path = diagnostic.path.as_bstr();
    let source = report.outcome.source(path.as_bytes());
    let suggestion = diagnostic.fix.as_ref().zip(source).and_then(|(fix, source)| suggestion(report, fix, source));
    let related = diagnostic.related.iter().map(|related| {
        let path = related.path.as_ref().unwrap_or(&diagnostic.path).as_bstr();
        Related { message: &related.message, location: location(report, path, Some(related.span)) }
    });
    Item {
        message: in_lines(diagnostic),
        location: location(report, path, diagnostic.span),
        severity: match diagnostic.severity {
            Severity::Error => "ERROR",
            Severity::Warning => "WARNING",
            Severity::Info => "INFO",
        },
        code: Code { value: diagnostic.rule.name, url: (report.page)(diagnostic.rule.name).map(|page| page.url) },
        suggestions: suggestion.into_iter().collect(),
        related_locations: related.collect(),
    }
}

fn location(report: Report<'_>, path: &BStr, span: Option<Span>) -> Location {
    let range = span.and_then(|span| report.range_in(path, span, ColumnUnit::Byte));
    Location { path: path.to_str_lossy().into_owned(), range: range.map(Range::from) }
}

/// The edits of a fix as one: reviewdog takes several for alternatives.
fn suggestion(report: Report<'_>, fix: &Fix, source: &Source) -> Option<Suggestion> {
    let edits = edits_for_others(fix, source.path())?;
    let (first, last) = (edits.first()?, edits.last()?);
    // Bytes that are not UTF-8 are in no text.
    let span = first.span.to(last.span);
    let is_lost = source.invalid().iter().any(|invalid| invalid.start < span.end && span.start < invalid.end);
    if is_lost {
        return None;
    }
    let mut text = String::new();
    let mut at = span.start();
    for edit in &edits {
        text.push_str(source.slice(Span::new(at, edit.span.start())));
        text.push_str(&edit.content);
        at = edit.span.end();
    }
    let range = report.range_in(source.path(), span, ColumnUnit::Byte)?;
    Some(Suggestion { range: range.into(), text })
}

impl From<super::Range> for Range {
    fn from(range: super::Range) -> Self {
        Self { start: range.start.into(), end: range.end.into() }
    }
}

impl From<Position> for At {
    fn from(at: Position) -> Self {
        Self { line: at.line, column: at.column }
    }
}
