//! How a command ends.

use std::io::Write;

use crate::cli::request::Stops;
use crate::diagnostic::Severity;
use crate::outcome::Outcome;
use crate::terminal::Terminal;

/// How a command ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing at or above `--fail-on`.
    Clean,
    /// Findings.
    Findings,
    /// Something could not be done; it has been said.
    Incomplete,
    /// A harness passes the findings on standard error to its agent.
    ForAgent,
    /// What an agent wrote could not be checked. It has been said, to a person: the agent can go on.
    Unchecked,
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

    /// Says that git stops because of this exit, and what to do.
    pub(super) fn say_stopped(
        self,
        stops: Option<Stops>,
        is_fix: bool,
        (outcome, fail_on): (&Outcome, Severity),
        terminal: Terminal,
    ) {
        let Some(stops) = stops.filter(|_| self != Self::Clean) else { return };
        let stopping = outcome.diagnostics.iter().filter(|diagnostic| diagnostic.severity >= fail_on).count();
        let _ = writeln!(terminal.stderr(), "{}", stops.line(stopping, is_fix));
    }

    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings | Self::Unchecked => 1,
            Self::Incomplete | Self::ForAgent => 2,
        }
    }
}
