//! What the commands for locks have in common: the file, the agent, and the answer.

use std::io::{self, BufWriter, Write};

use crate::cli::session::{AskedArgs, SessionFormat};
use crate::commands::CliError;
use crate::formats::session::field::Agent;
use crate::sessions::clock::Clock;
use crate::sessions::folder::{Folder, Place};
use crate::sessions::locks::report::{self, Answer};
use crate::sessions::locks::{Doubt, LockError, Locks, Subject};
use crate::terminal::{Terminal, escape};

/// An agent that cannot hold a lock.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum NoAgent {
    #[error("`{name}` cannot be the name of an agent")]
    #[diagnostic(help("use letters, digits, `-`, `_` and `.`; `--instance 2` or `name[2]` for one of several"))]
    Name { name: String },
    #[error("`{name}` has the number 0, but instance numbers begin at 1")]
    #[diagnostic(help("use the number of the agent in the plans and in the status of the session"))]
    Zero { name: String },
    #[error("`{name}` has a different number than `--instance`")]
    #[diagnostic(help("omit one of the two"))]
    TwoNumbers { name: String },
}

/// The locks could not be read or changed.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot {verb} {file}")]
pub(super) struct NotDone {
    verb: &'static str,
    file: String,
    source: LockError,
    #[help]
    help: &'static str,
}

/// What was done could not be printed.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("{file} {what}: cannot write to standard output")]
#[diagnostic(help("repair the cause, or use `--quiet`, which prints nothing and has the same exit codes"))]
pub(super) struct NotSaid {
    file: String,
    what: &'static str,
    source: io::Error,
}

/// What the three commands have in common.
pub(super) struct Asked {
    place: Place,
    /// The session.
    pub(super) folder: Folder,
    pub(super) locks: Locks,
    pub(super) file: Subject,
    pub(super) agent: Agent,
    pub(super) clock: Clock,
    json: bool,
}

impl Asked {
    /// What is asked for.
    pub(super) fn new(args: &AskedArgs) -> Result<Self, CliError> {
        let agent = agent(args)?;
        let clock = Clock::new(args.place.now.as_deref())?;
        let place = Place::open_for(args.place.root.as_deref(), args.session.as_deref())?;
        let folder = place.active(args.session.as_deref())?;
        let locks = Locks::of(&place, &folder)?;
        let file = locks.subject(&args.file)?;
        Ok(Self { place, folder, locks, file, agent, clock, json: args.format == SessionFormat::Json })
    }

    /// Why a lock of the agent for `task` may be a mistake.
    pub(super) fn doubts(&self, task: Option<&str>) -> Result<Vec<Doubt>, CliError> {
        let (files, summary) = self.place.read(&self.folder)?;
        Ok(Doubt::about(&self.agent, task, &files, &summary))
    }

    /// Says of an error what could not be done.
    pub(super) fn failed(&self, verb: &'static str) -> impl Fn(LockError) -> NotDone {
        move |source| NotDone { verb, file: escape(&self.file.name), help: source.help(), source }
    }

    /// Prints the answer.
    ///
    /// # Errors
    /// When standard output cannot be written to. A reader that closed the pipe can still use the exit code.
    pub(super) fn say(&self, answer: &Answer<'_>, terminal: Terminal) -> io::Result<()> {
        let mut out = BufWriter::new(terminal.stdout());
        match self.json {
            true => report::json(&self.file.name, answer, &mut out),
            false if terminal.quiet => Ok(()),
            false => report::text(&self.file.name, &self.agent.to_string(), answer, self.clock, &mut out),
        }
        .and_then(|()| out.flush())
        .or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
    }

    /// What became of the lock, if that could not be printed.
    pub(super) fn unsaid(&self, what: &'static str) -> impl Fn(io::Error) -> NotSaid {
        let file = escape(&self.file.name);
        move |source| NotSaid { file: file.clone(), what, source }
    }
}

/// The agent that `args` name.
fn agent(args: &AskedArgs) -> Result<Agent, NoAgent> {
    let name = || escape(&args.agent);
    let mut agent = Agent::parse(&args.agent);
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if agent.name.is_empty() || !agent.name.chars().all(is_plain) {
        return Err(NoAgent::Name { name: name() });
    }
    if let Some(instance) = args.instance {
        if agent.instance.is_some() {
            return Err(NoAgent::TwoNumbers { name: name() });
        }
        agent.instance = Some(instance.into());
    }
    if agent.instance == Some(0) {
        return Err(NoAgent::Zero { name: escape(&agent.to_string()) });
    }
    Ok(agent)
}
