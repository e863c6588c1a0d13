//! The code quality report of GitLab: a JSON array.

use std::io::{self, Write};

use bstr::ByteSlice;
use serde::Serialize;

use super::fingerprint::Fingerprints;
use super::json_writer::{self, Stream};
use super::{FormatSpec, Range, Report, in_one_line};
use crate::diagnostic::{Diagnostic, Severity};
use crate::text::{ColumnUnit, Position};

/// The format.
pub const FORMAT: FormatSpec =
    FormatSpec { readers: "GitLab's code quality", shows: "findings", write, ..FormatSpec::NEW };

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
    end: usize,
}

/// Writes the array and a line end.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut fingerprints = Fingerprints::default();
    let issues = report.shown().map(|diagnostic| issue(report, diagnostic, fingerprints.next(report, diagnostic)));
    json_writer::write(&Stream::new(issues), out)
}

fn issue<'a>(report: Report<'a>, diagnostic: &'a Diagnostic, fingerprint: String) -> Issue<'a> {
    // GitLab shows nothing without a line.
    let first = Position { line: 1, column: 1 };
    let range = report.range(diagnostic, ColumnUnit::Char).unwrap_or(Range { start: first, end: first });
    Issue {
        description: in_one_line(diagnostic),
        check_name: diagnostic.rule.name,
        fingerprint,
        severity: match diagnostic.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Info => "info",
        },
        location: Location {
            path: diagnostic.path.to_str_lossy().into_owned(),
            lines: Lines { begin: range.start.line, end: range.last_line() },
        },
    }
}
