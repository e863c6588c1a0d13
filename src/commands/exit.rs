//! How a command ends.

use crate::diagnostic::Severity;
use crate::outcome::Outcome;

/// How a command ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing at or above `--fail-on`.
    Clean,
    /// Findings.
    Findings,
    /// Something could not be done; it has been said.
    Incomplete,
}

impl Exit {
    /// How a check ends that found this.
    pub(super) fn of(outcome: &Outcome, fail_on: Severity, exit_zero: bool) -> Self {
        if !outcome.failures.is_empty() || outcome.git_failure.is_some() {
            Self::Incomplete
        } else if !exit_zero && outcome.diagnostics.iter().any(|diagnostic| diagnostic.severity >= fail_on) {
            Self::Findings
        } else {
            Self::Clean
        }
    }

    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Incomplete => 2,
        }
    }
}
