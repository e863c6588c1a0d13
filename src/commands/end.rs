//! The end of a run: repair, report, exit code.

use std::io::Write;

use super::fix::{self, Repaired};
use super::reports::{self, Reports};
use super::{Exit, Stop, add_ignore, change, restage, unread};
use crate::cli::CheckArgs;
use crate::diagnostic::{Applicability, Severity};
use crate::outcome::Outcome;
use crate::report::{FixCount, Report};
use crate::select::input::Overlay;
use crate::select::repository::Repository;
use crate::select::worktree::Selection;
use crate::terminal::Terminal;

/// What becomes of the findings.
pub struct End<'a> {
    /// What is asked for.
    pub args: &'a CheckArgs,
    /// Where reports go.
    pub reports: &'a Reports,
    /// How to print.
    pub terminal: Terminal,
    /// What was checked.
    pub repository: &'a Repository,
    /// Which files.
    pub selection: &'a Selection,
    /// Whether what is staged was checked, and not the files.
    pub is_staged: bool,
    /// The bytes from standard input.
    pub stdin: Option<&'a [u8]>,
    /// What makes the exit code 1.
    pub fail_on: Severity,
    /// What is shown.
    pub min_severity: Severity,
}

impl End<'_> {
    /// Repairs what is to be repaired, prints what is left, and says how it ended. `check` looks at the same files again, at
    /// those it is handed instead; `again` at what is staged by then.
    ///
    /// # Errors
    /// What standard output says, and what keeps `again` from looking.
    pub fn with(
        &self,
        outcome: Outcome,
        check: impl Fn(&Overlay) -> Outcome,
        again: impl Fn() -> Result<Outcome, Stop>,
    ) -> Result<Exit, Stop> {
        let Self { args, terminal, .. } = *self;
        let limit = if args.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe };
        if args.diff {
            // Nobody lints the file on standard input twice: no link leads to it.
            let root = self.stdin.is_none().then_some(self.repository.root.as_path());
            let preview = fix::preview(outcome, root, limit, terminal, check).map_err(Stop::Output)?;
            unread::say(&preview.outcome, terminal);
            return Ok(match exit(&preview.outcome, self.fail_on, args.exit_zero) {
                _ if preview.incomplete => Exit::Incomplete,
                Exit::Clean if preview.changes && !args.exit_zero => Exit::Findings,
                exit => exit,
            });
        }
        let mut ignored = None;
        let (outcome, repaired) = match (self.stdin, args.fix) {
            (None, false) if args.add_ignore.is_some() => {
                let reason = args.add_ignore.as_deref().unwrap_or_default();
                let added = add_ignore::run(
                    outcome,
                    &self.repository.root,
                    self.selection,
                    (reason, self.min_severity),
                    terminal,
                    check,
                );
                ignored = Some(added.count);
                (added.outcome, added.incomplete.then_some((FixCount::default(), true)))
            }
            (_, false) => (outcome, None),
            (None, true) if self.is_staged => {
                let Repaired { outcome, count, incomplete } =
                    restage::repair(outcome, self.repository, limit, terminal, check, again)?;
                (outcome, Some((count, incomplete)))
            }
            (None, true) => {
                let Repaired { outcome, count, incomplete } =
                    fix::repair(outcome, self.repository, limit, terminal, check);
                (outcome, Some((count, incomplete)))
            }
            (Some(bytes), true) => {
                let (Repaired { outcome, count, incomplete }, new) = fix::rewrite(outcome, limit, terminal, check);
                std::io::stdout().lock().write_all(new.as_deref().unwrap_or(bytes)).map_err(Stop::Output)?;
                (outcome, Some((count, incomplete)))
            }
        };
        let exit = match (exit(&outcome, self.fail_on, args.exit_zero), repaired) {
            (_, Some((_, true))) => Exit::Incomplete,
            (Exit::Clean, Some((count, _)))
                if count.fixes + count.untracked > 0 && args.exit_non_zero_on_fix && !args.exit_zero =>
            {
                Exit::Findings
            }
            (exit, _) => exit,
        };
        // Git sets the variable for the hooks of a commit.
        let is_hook = args.staged || args.pre_commit || args.pre_push || std::env::var_os("GIT_INDEX_FILE").is_some();
        let report = Report {
            fixed: repaired.filter(|_| args.fix).map(|(count, _)| count),
            ignored,
            show_suppressed: args.show_suppressed,
            says_how_to_silence: is_hook || change::is_asked_for(args),
            is_hook,
            is_staged: self.is_staged,
            min_severity: self.min_severity,
            all: args.all,
            // What could not be read may hide a problem: then there is no total.
            quiet: args.output.quiet || unread::is_of_git(&outcome),
            statistics: args.statistics,
            width: terminal.width,
            page: reports::page,
            unread: &unread::tell(&outcome),
            exit_code: exit.code(),
            ..Report::of(&outcome)
        };
        let to_stderr = args.fix && self.stdin.is_some();
        let written = self.reports.write(report, &self.repository.root, terminal, to_stderr);
        unread::say(&outcome, terminal);
        Ok(if written.map_err(Stop::Output)? { exit } else { Exit::Incomplete })
    }
}

/// How a run ends that found this.
pub fn exit(outcome: &Outcome, fail_on: Severity, exit_zero: bool) -> Exit {
    if !outcome.failures.is_empty() || outcome.git_failure.is_some() {
        Exit::Incomplete
    } else if !exit_zero && outcome.diagnostics.iter().any(|diagnostic| diagnostic.severity >= fail_on) {
        Exit::Findings
    } else {
        Exit::Clean
    }
}
