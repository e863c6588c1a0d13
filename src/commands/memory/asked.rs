//! What is asked: the project, and its files in the working tree or in a revision.

use std::path::PathBuf;

use super::end::{end, note};
use crate::cli::ProjectArgs;
use crate::commands::{CliError, Exit};
use crate::engine::outside::outside;
use crate::engine::session::Session;
use crate::engine::target::Target;
use crate::engine::{Outcome, Progress};
use crate::facts::Run;
use crate::formats::entries::Wanted;
use crate::fs::path::is_in;
use crate::project::Project;
use crate::rule_set::RuleSet;
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
        self.ask(None, of_kind, terminal, |project, run, _| answer(project, run))
    }

    /// The same, where only the parts of the files count that have what `wanted` makes of the session. An `answer` of `None` is asked
    /// for once more, from all of the files.
    pub(in crate::commands) fn answer_from<W: Wanted>(
        &self,
        of_kind: impl Fn(&Selected) -> bool,
        wanted: impl FnOnce(&Project, &Session<'_>) -> Result<Option<W>, CliError>,
        terminal: Terminal,
        answer: impl Fn(&Project, &Run<'_>, Option<&W>) -> Result<Option<Exit>, CliError>,
    ) -> Result<Exit, CliError> {
        let (project, progress) = (self.open()?, Progress::default());
        let session = self.session(&project, RuleSet::default(), &progress)?;
        note(&session, terminal);
        let wanted = wanted(&project, &session)?;
        let look = |wanted: Option<&W>| {
            session.look(&of_kind, wanted.map(|wanted| wanted as &dyn Wanted), |run| answer(&project, run, wanted))
        };
        let (mut exit, mut outcome) = look(wanted.as_ref());
        if matches!(exit, Ok(None)) {
            (exit, outcome) = look(None);
        }
        outcome.failures.extend(outside(&project, &session, &of_kind));
        Ok(end(exit?.unwrap_or(Exit::Clean), &outcome, outcome.git_failure.is_none(), terminal))
    }

    /// The same with all files, after a check by `rules`, whose outcome `answer` gets.
    pub(in crate::commands) fn check(
        &self,
        rules: &[String],
        terminal: Terminal,
        answer: impl FnOnce(&Project, &Run<'_>, &Outcome) -> Result<Exit, CliError>,
    ) -> Result<Exit, CliError> {
        self.ask(Some(rules), |_| true, terminal, answer)
    }

    fn open(&self) -> Result<Project, CliError> {
        Ok(Project::open_with(&self.project.open(self.target().at()))?)
    }

    fn target(&self) -> Target {
        match self.rev {
            Some(revision) => Target::Revision(revision.to_owned()),
            None => Target::Paths(self.paths.to_vec()),
        }
    }

    /// The session in which the files are checked by `rules`.
    pub(in crate::commands) fn session<'p>(
        &self,
        project: &'p Project,
        rules: RuleSet,
        progress: &'p Progress,
    ) -> Result<Session<'p>, CliError> {
        let mut session = Session::new(project, self.target(), rules, progress)?;
        if self.rev.is_some() && !self.paths.is_empty() {
            let within = within(&project.repository, self.paths)?;
            session.narrow(|path| within.iter().any(|part| path == part || is_in(path.as_ref(), part.as_ref())));
        }
        Ok(session)
    }

    fn ask(
        &self,
        rules: Option<&[String]>,
        of_kind: impl Fn(&Selected) -> bool,
        terminal: Terminal,
        answer: impl FnOnce(&Project, &Run<'_>, &Outcome) -> Result<Exit, CliError>,
    ) -> Result<Exit, CliError> {
        let (project, progress) = (self.open()?, Progress::default());
        let names = rules.map(|rules| project.rules(rules, &[])).transpose()?;
        let session = self.session(&project, names.unwrap_or_default(), &progress)?;
        note(&session, terminal);
        let checked = rules.map(|_| session.check_once()).unwrap_or_default();
        let (exit, mut outcome) = session.look(&of_kind, None, |run| answer(&project, run, &checked));
        outcome.failures.extend(outside(&project, &session, &of_kind));
        let is_known = outcome.git_failure.is_none() && checked.git_failure.is_none();
        Ok(end(exit?, &outcome, is_known, terminal))
    }
}
