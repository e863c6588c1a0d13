//! `check`: finds problems, and reports, fixes, suppresses or records them.

use std::io::IsTerminal;

use super::{CliError, Exit, finish, notes, progress, stdin};
use crate::baseline::file as baseline;
use crate::cli::CheckArgs;
use crate::cli::request::{Action, Request};
use crate::engine::Progress;
use crate::engine::session::Session;
use crate::engine::target::Target;
use crate::project::Project;
use crate::reports::Reports;
use crate::select::input::Overlay;
use crate::terminal::Terminal;

/// Checks what `args` ask for.
pub fn run(args: &CheckArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let mut request = Request::new(args)?;
    let mut project = Project::open_with(&args.project.open(request.target.at()))?;
    let known = match (&args.baseline, &request.action) {
        _ if args.no_baseline => None,
        (Some(path), _) => Some(path.clone()),
        (None, Action::WriteBaseline(_)) => None,
        (None, _) => baseline::configured(&project.options, &project.repository)?,
    };
    let reports = Reports::plan(args, [project.config.as_deref(), known.as_deref()])?;
    let rules = project.rules(&args.select, &args.ignore)?;
    project.options.target_branch = request.branch.take();
    project.options.history = args.unsafe_fixes || reports.show_fixes();
    reports.spare(&project)?;
    notes::project(&project, terminal);
    let known = known.as_deref().map(|path| baseline::load(&project.repository.root, path)).transpose()?;

    let progress = Progress::default();
    let by_stdin = matches!(request.target, Target::Text { .. });
    let first = if by_stdin { "reading standard input" } else { "looking for state files" };
    // The line must not overwrite the text that is typed.
    let hidden = terminal.quiet || by_stdin && std::io::stdin().is_terminal();
    let (mut session, outcome) = progress::during(&progress, first, hidden, || {
        let mut target = request.target.clone();
        if let Target::Text { bytes, .. } = &mut target {
            *bytes = stdin::read(project.options.max_file_bytes.get())?;
        }
        let mut session = Session::new(&project, target, rules, &progress)?.without(known);
        let outcome = match request.action {
            Action::Report | Action::WriteBaseline(_) => session.check_once(),
            Action::Diff | Action::Fix | Action::AddIgnore(_) => session.check(&Overlay::new()),
        };
        Ok::<_, CliError>((session, outcome))
    })?;
    if let Some(note) = session.note() {
        terminal.note(&format!("note: {note}"));
    }
    if let Some(absent) = outcome.elsewhere.is_none().then(|| session.absent()).flatten() {
        terminal.note(&format!("note: {absent}"));
    }
    let selection = session.selection();
    notes::selection(selection, session.rules().len(), terminal);
    if outcome.files == 0 && selection.excluded > 0 {
        let all = match selection.excluded {
            1 => "the only file is excluded".to_owned(),
            count => format!("all {count} files are excluded"),
        };
        terminal.note(&format!("warning: checked no files: {all}"));
    }
    session.gone(&outcome).iter().for_each(|line| terminal.detail(line));
    finish::run(args, &request, &reports, &mut session, outcome, terminal)
}
