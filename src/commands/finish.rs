//! The end of `check`: the action on the findings, the report, the exit code.

use std::io::{IsTerminal, Write};

use super::{CliError, Exit};
use crate::baseline::file as baseline;
use crate::cli::CheckArgs;
use crate::cli::request::{Action, Request};
use crate::diagnostic::Applicability;
use crate::engine::session::Session;
use crate::engine::unread;
use crate::fix::add_ignore::add_ignore;
use crate::fix::apply::{Applied, Writer, apply};
use crate::fix::problems::Problems;
use crate::outcome::Outcome;
use crate::report::Report;
use crate::reports::{self, Reports};
use crate::terminal::{Terminal, escape};
use crate::text::prose::plural;

/// Runs the action that `request` names on the findings in `outcome`.
pub(super) fn run(
    args: &CheckArgs,
    request: &Request,
    reports: &Reports,
    session: &mut Session<'_>,
    outcome: Outcome,
    terminal: Terminal,
) -> Result<Exit, CliError> {
    let (fail_on, min_severity) = session.project().options.severities(args.fail_on, args.min_severity);
    let limit = if args.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe };
    let mut problems = Problems::default();
    let applied = match &request.action {
        Action::Report => Applied::none(outcome),
        Action::WriteBaseline(path) => {
            let (findings, files) = baseline::write(path, &outcome)?;
            let (findings, files) = (plural(findings, "finding"), plural(files, "file"));
            if !terminal.quiet {
                let path = escape(&path.display().to_string());
                writeln!(terminal.stdout(), "wrote {findings} in {files} to {path}").map_err(CliError::Output)?;
            }
            // All findings are known from now on; only a file that could not be read counts.
            unread::say(&outcome, terminal);
            return Ok(Exit::of(&outcome, fail_on, true));
        }
        Action::AddIgnore(reason) => add_ignore(session, outcome, (reason, min_severity), &mut problems),
        Action::Fix | Action::Diff => {
            let writer = match request.action {
                Action::Fix if session.text().is_some() => Writer::Memory,
                Action::Fix if session.is_staged() => Writer::Index,
                Action::Fix => Writer::WorkTree,
                _ => Writer::Memory,
            };
            apply(session, outcome, limit, writer, &mut problems)?
        }
    };
    problems.show(terminal);
    let Applied { outcome, count, incomplete, changes } = applied;
    let exit = Exit::of(&outcome, fail_on, args.exit_zero);
    let is_fix = request.action == Action::Fix;
    let exit = match (&request.action, exit) {
        _ if incomplete => Exit::Incomplete,
        (Action::Diff, Exit::Clean) if !changes.is_empty() && !args.exit_zero => Exit::Findings,
        (Action::Fix, Exit::Clean)
            if count.fixes + count.untracked > 0 && args.exit_non_zero_on_fix && !args.exit_zero =>
        {
            Exit::Findings
        }
        (_, exit) => exit,
    };
    if request.action == Action::Diff {
        changes.show(terminal).map_err(CliError::Output)?;
        unread::say(&outcome, terminal);
        return Ok(exit);
    }
    if let Some(bytes) = session.text().filter(|_| is_fix) {
        let new = changes.files.first().map_or(bytes, |file| file.new.as_slice());
        std::io::stdout().lock().write_all(new).map_err(CliError::Output)?;
    }
    let report = Report {
        fixed: is_fix.then_some(count),
        ignored: matches!(request.action, Action::AddIgnore(_)).then_some(count),
        show_suppressed: args.show_suppressed,
        says_how_to_silence: request.by_hook || request.target.is_change() || std::io::stdout().is_terminal(),
        is_hook: request.by_hook,
        is_staged: session.is_staged(),
        again: &args.again(),
        min_severity,
        all: args.show_all,
        // What could not be read may hide a problem: then there is no total.
        quiet: terminal.quiet || unread::is_of_git(&outcome),
        statistics: args.statistics,
        width: terminal.width,
        page: reports::page,
        unread: &unread::tell(&outcome),
        exit_code: exit.code(),
        ..Report::of(&outcome)
    };
    let (root, to_stderr) = (&session.project().repository.root, is_fix && session.text().is_some());
    let written = reports.write(report, root, terminal, to_stderr).map_err(CliError::Output);
    unread::say(&outcome, terminal);
    let exit = if written? { exit } else { Exit::Incomplete };
    exit.say_stopped(request.stops.filter(|_| !terminal.quiet), is_fix, (&outcome, fail_on), terminal);
    // The program ends: to give the memory of each entry back would take a twentieth of the time.
    std::mem::forget(outcome);
    Ok(exit)
}
