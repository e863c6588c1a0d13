//! Findings in a bundle that is exported or imported.

use std::io::Write as _;

use crate::commands::CliError;
use crate::diagnostic::Severity;
use crate::errors::shown;
use crate::outcome::Outcome;
use crate::report::{self, Format, Report};
use crate::reports;
use crate::terminal::Terminal;

/// How many errors a bundle has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errors {
    pub(super) all: usize,
    /// Those of the rules for bundles.
    pub(super) of_bundle: usize,
}

/// Shows the findings in `outcome` on standard error, and counts the errors.
pub(super) fn show(outcome: &Outcome, terminal: Terminal) -> Result<Errors, CliError> {
    let count = |severity| outcome.diagnostics.iter().filter(|diagnostic| diagnostic.severity >= severity).count();
    if count(Severity::Warning) > 0 {
        let mut out = terminal.stderr();
        let colors = terminal.has_colors(true);
        let report = Report {
            colors,
            width: terminal.width,
            page: reports::page,
            quiet: true,
            has_show_all: false,
            ..Report::of(outcome)
        };
        shown(report::write(report, Format::default(), &mut out).and_then(|()| out.flush()))?;
    }
    let errors = outcome.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let of_bundle = errors.clone().filter(|error| error.rule.family() == "bundle").count();
    Ok(Errors { all: errors.count(), of_bundle })
}
