//! One line a finding, `path:line:column: severity: message [rule]`, as compilers print and editors read.

use std::io::{self, Write};

use bstr::ByteSlice;

use super::{FormatSpec, Report, totals};
use crate::terminal::{display_path, escape};
use crate::text::ColumnUnit;

/// The format.
pub const FORMAT: FormatSpec = FormatSpec {
    readers: "editors, grep",
    shows: "one line per finding, and totals",
    has_statistics: true,
    write: |report, out| totals::with_totals(report, out, write),
    has_notes: true,
    ..FormatSpec::NEW
};

/// Writes the shown findings, then the suppressed ones.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let shown = report.shown().map(|diagnostic| ("", diagnostic));
    let suppressed = report.suppressed().map(|suppressed| ("suppressed ", &suppressed.diagnostic));
    for (mark, diagnostic) in shown.chain(suppressed) {
        let path = display_path(&diagnostic.path);
        let source = report.outcome.source(diagnostic.path.as_bytes());
        let place = match (source, diagnostic.span) {
            (Some(source), Some(span)) => {
                let at = source.position(span.start(), ColumnUnit::Char);
                format!("{path}:{}:{}", at.line, at.column)
            }
            _ => path,
        };
        let (severity, message, rule) = (diagnostic.severity, escape(&diagnostic.message), diagnostic.rule.name);
        writeln!(out, "{place}: {mark}{severity}: {message} [{rule}]")?;
    }
    Ok(())
}
