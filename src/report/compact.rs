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

/// So many bytes of lines are written at once.
const PART: usize = 4096;

/// Writes the shown findings, then the suppressed ones.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let shown = report.shown().map(|diagnostic| ("", diagnostic));
    let suppressed = report.suppressed().map(|suppressed| ("suppressed ", &suppressed.diagnostic));
    // The writer looks for line ends and secrets in each part that it gets.
    let mut lines = String::with_capacity(2 * PART);
    // Those of one file follow each other.
    let (mut path, mut shown_path, mut source) = (None, String::new(), None);
    for (mark, diagnostic) in shown.chain(suppressed) {
        if path != Some(&diagnostic.path) {
            path = Some(&diagnostic.path);
            shown_path = display_path(&diagnostic.path);
            source = report.outcome.source(diagnostic.path.as_bytes());
        }
        lines.push_str(&shown_path);
        if let (Some(source), Some(span)) = (source, diagnostic.span) {
            let at = source.position(span.start(), ColumnUnit::Char);
            for number in [at.line, at.column] {
                lines.push(':');
                lines.push_str(&number.to_string());
            }
        }
        let (severity, message) = (diagnostic.severity.to_string(), escape(&diagnostic.message));
        for part in [": ", mark, &severity, ": ", &message, " [", diagnostic.rule.name, "]\n"] {
            lines.push_str(part);
        }
        if lines.len() > PART {
            out.write_all(lines.as_bytes())?;
            lines.clear();
        }
    }
    out.write_all(lines.as_bytes())
}
