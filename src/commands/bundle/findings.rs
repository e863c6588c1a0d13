//! Findings in a bundle that is exported or imported.

use std::io::Write as _;

use crate::commands::CliError;
use crate::diagnostic::Severity;
use crate::outcome::Outcome;
use crate::report::{self, Format, Report};
use crate::reports;
use crate::terminal::Terminal;

/// Shows the findings in `outcome` on standard error, and says how many of them are errors.
pub(super) fn show(outcome: &Outcome, terminal: Terminal) -> Result<usize, CliError> {
    let count = |severity| outcome.diagnostics.iter().filter(|diagnostic| diagnostic.severity >= severity).count();
    if count(Severity::Warning) > 0 {
        let mut out = terminal.stderr();
        let colors = terminal.has_colors(true);
        let report = Report { colors, width: terminal.width, page: reports::page, quiet: true, ..Report::of(outcome) };
        report::write(report, Format::default(), &mut out).and_then(|()| out.flush()).map_err(CliError::Output)?;
    }
    Ok(count(Severity::Error))
}
