//! One row per finding with tabs between the fields, for spreadsheets.

use std::io::{self, Write};

use squad_lint::report::{FormatSpec, Report};
use squad_lint::terminal::{display_path, escape};
use squad_lint::text::ColumnUnit;

/// The format.
pub const FORMAT: FormatSpec =
    FormatSpec { readers: "spreadsheets", shows: "one row per finding", write, ..FormatSpec::NEW };

/// Writes a row with the names of the fields, and one for each shown finding.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "path\tline\tseverity\trule\tmessage")?;
    for finding in report.shown() {
        let line = report.range(finding, ColumnUnit::Char).map(|range| range.start.line.to_string());
        let (path, line, message) = (display_path(&finding.path), line.unwrap_or_default(), escape(&finding.message));
        writeln!(out, "{path}\t{line}\t{}\t{}\t{message}", finding.severity, finding.rule.name)?;
    }
    Ok(())
}
