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
    // The writer looks for line ends in each part that it gets.
    let mut line = String::new();
    for (mark, diagnostic) in shown.chain(suppressed) {
        line.clear();
        line.push_str(&display_path(&diagnostic.path));
        if let (Some(source), Some(span)) = (report.outcome.source(diagnostic.path.as_bytes()), diagnostic.span) {
            let at = source.position(span.start(), ColumnUnit::Char);
            for number in [at.line, at.column] {
                line.push(':');
                line.push_str(&number.to_string());
            }
        }
        let (severity, message) = (diagnostic.severity.to_string(), escape(&diagnostic.message));
        for part in [": ", mark, &severity, ": ", &message, " [", diagnostic.rule.name, "]\n"] {
            line.push_str(part);
        }
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}
