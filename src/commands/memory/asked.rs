//! What is asked: the project, and its files in the work tree or in a revision.

use std::path::PathBuf;

use crate::cli::ProjectArgs;
use crate::commands::{CliError, Exit};
use crate::engine::session::Session;
use crate::engine::target::Target;
use crate::engine::{Outcome, Progress, unread};
use crate::facts::Run;
use crate::formats::entries::Wanted;
use crate::fs::path::is_in;
use crate::project::Project;
use crate::select::changes::wanted as within;
use crate::select::selected::Selected;
use crate::terminal::Terminal;

/// The files that a question is about.
pub(in crate::commands) struct Asked<'a> {
    pub(in crate::commands) project: &'a ProjectArgs,
    pub(in crate::commands) paths: &'a [PathBuf],
    pub(in crate::commands) rev: Option<&'a str>,
}

impl Asked<'_> {
    /// Opens the project, reads those of its files that are `of_kind`, and hands them to `answer`, also where some could not be
    /// read.
    pub(in crate::commands) fn answer(
        &self,
        of_kind: impl Fn(&Selected) -> bool,
        terminal: Terminal,
        answer: impl FnOnce(&Project, &Run<'_>) -> Result<Exit, CliError>,
    ) -> Result<Exit, CliError> {
        self.ask(None, of_kind, None, terminal, |project, run, _| answer(project, run))
    }

    /// The same, where only the parts of the files count that have what is `wanted`.
    pub(in crate::commands) fn answer_from(
        &self,
        of_kind: impl Fn(&Selected) -> bool,
        wanted: Option<&dyn Wanted>,
        terminal: Terminal,
        answer: impl FnOnce(&Project, &Run<'_>) -> Result<Exit, CliError>,
    ) -> Result<Exit, CliError> {
        self.ask(None, of_kind, wanted, terminal, |project, run, _| answer(project, run))
    }

    /// The same with all files, after a check by `rules`, whose outcome `answer` gets.
    pub(in crate::commands) fn check(
        &self,
        rules: &[String],
        terminal: Terminal,
        answer: impl FnOnce(&Project, &Run<'_>, &Outcome) -> Result<Exit, CliError>,
    ) -> Result<Exit, CliError> {
        self.ask(Some(rules), |_| true, None, terminal, answer)
    }

    fn ask(
        &self,
        rules: Option<&[String]>,
        of_kind: impl Fn(&Selected) -> bool,
        wanted: Option<&dyn Wanted>,
        terminal: Terminal,
        answer: impl FnOnce(&Project, &Run<'_>, &Outcome) -> Result<Exit, CliError>,
    ) -> Result<Exit, CliError> {
        let target = match self.rev {
            Some(revision) => Target::Revision(revision.to_owned()),
            None => Target::Paths(self.paths.to_vec()),
        };
        let project = Project::open_with(&self.project.open(target.at()))?;
        let progress = Progress::default();
        let names = rules.map(|rules| project.rules(rules, &[])).transpose()?;
        let mut session = Session::new(&project, target, names.unwrap_or_default(), &progress)?;
        if self.rev.is_some() && !self.paths.is_empty() {
            let within = within(&project.repository, self.paths)?;
            session.narrow(|path| within.iter().any(|part| path == part || is_in(path.as_ref(), part.as_ref())));
        }
        if let Some(note) = session.note() {
            terminal.note(&format!("note: {note}"));
        }
        let checked = rules.map(|_| session.check_once()).unwrap_or_default();
        let (exit, outcome) = session.look(of_kind, wanted, |run| answer(&project, run, &checked));
        let exit = exit?;
        if let Some(hint) = &outcome.elsewhere {
            terminal.note(&format!("note: {hint}"));
        }
        unread::say(&outcome, terminal);
        let is_whole = outcome.failures.is_empty() && outcome.git_failure.is_none() && checked.git_failure.is_none();
        Ok(if is_whole { exit } else { Exit::Incomplete })
    }
}
