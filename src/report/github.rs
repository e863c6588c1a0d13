//! Workflow commands, from which GitHub Actions makes annotations.

use std::borrow::Cow;
use std::io::{self, Write};

use bstr::ByteSlice;

use super::{FormatSpec, Report};
use crate::diagnostic::Severity;
use crate::terminal::{escape, is_active};
use crate::text::ColumnUnit;

/// The format.
pub const FORMAT: FormatSpec =
    FormatSpec { readers: "GitHub Actions", shows: "annotations", write, has_notes: true, ..FormatSpec::NEW };

/// Writes a command for each shown finding, and one for each file that was not read.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for diagnostic in report.shown() {
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        write!(out, "::{command} file={}", property(&diagnostic.path.to_str_lossy()))?;
        if let Some(range) = report.range(diagnostic, ColumnUnit::Char) {
            let (start, end) = (range.start, range.last_line());
            write!(out, ",line={},endLine={end}", start.line)?;
            // The runner takes columns within one line only.
            if start.line == range.end.line {
                write!(out, ",col={},endColumn={}", start.column, range.end.column)?;
            }
        }
        let notes = diagnostic.notes.iter().map(|note| format!("%0A{}", data(&escape(&note.to_string()))));
        let notes: String = notes.collect();
        let (title, message) = (property(diagnostic.rule.name), data(&escape(&diagnostic.message)).into_owned());
        writeln!(out, ",title={title}::{message}{notes}")?;
    }
    for unread in report.unread {
        let message = data(&escape(&unread.message)).into_owned();
        match &unread.path {
            Some(path) => writeln!(out, "::error file={}::{message}", property(&path.to_str_lossy()))?,
            None => writeln!(out, "::error ::{message}")?,
        }
    }
    // Most changes have no file of a team: no notice is needed.
    match report.elsewhere().filter(|_| !report.outcome.is_change) {
        Some(elsewhere) => writeln!(out, "::notice ::squad-lint checked no files: {}", data(&escape(elsewhere))),
        None => Ok(()),
    }
}

/// The text after the second `::`. The runner decodes the escapes.
fn data(text: &str) -> Cow<'_, str> {
    encoded(text, |c| matches!(c, '%' | '\r' | '\n'))
}

/// The value of a property.
fn property(text: &str) -> Cow<'_, str> {
    encoded(text, |c| matches!(c, '%' | '\r' | '\n' | ':' | ','))
}

/// `text` with escapes for what means something to the runner, and `\u{…}` for what a terminal could obey.
fn encoded(text: &str, is_special: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(|c| is_special(c) || is_active(c)) {
        return Cow::Borrowed(text);
    }
    let encode = |c: char| match c {
        c if is_special(c) => format!("%{:02X}", u32::from(c)),
        c if is_active(c) => format!("\\u{{{:x}}}", u32::from(c)),
        c => c.to_string(),
    };
    Cow::Owned(text.chars().map(encode).collect())
}
