//! `session lock`, `session unlock` and `session renew`: one agent at a time changes a file.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use crate::cli::session::{HolderArgs, LockArgs, RenewArgs, SessionFiles, SessionFormat, UnlockArgs};
use crate::commands::{CliError, Exit};
use crate::formats::session::field::Agent;
use crate::sessions::clock::Clock;
use crate::sessions::folder::Place;
use crate::sessions::locks::report::{self, Answer};
use crate::sessions::locks::{GuardError, LockError, Locks, Wanted};
use crate::terminal::{Terminal, escape};

/// An agent that cannot hold a lock.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum NoAgent {
    #[error("`{name}` cannot be the name of an agent")]
    #[diagnostic(help("use letters, digits, `-`, `_` and `.`; `--instance 2` or `name[2]` for one of several"))]
    Name { name: String },
    #[error("`{name}` has a number, and `--instance` gives another one")]
    #[diagnostic(help("leave one of them out"))]
    TwoNumbers { name: String },
}

/// The locks could not be read or changed.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot {verb} {file}")]
struct NotDone {
    verb: &'static str,
    file: String,
    source: LockError,
    #[help]
    help: Option<&'static str>,
}

/// What the three commands have in common.
struct Asked {
    locks: Locks,
    file: String,
    agent: Agent,
    clock: Clock,
    json: bool,
}

impl Asked {
    fn new(file: &Path, holder: &HolderArgs, files: &SessionFiles, format: SessionFormat) -> Result<Self, CliError> {
        let agent = agent(holder)?;
        let clock = Clock::new(files.place.now.as_deref())?;
        let place = Place::open(files.place.root.as_deref())?;
        let locks = place.locks(&place.active(files.session.as_deref())?)?;
        let file = locks.subject(file)?;
        Ok(Self { locks, file, agent, clock, json: format == SessionFormat::Json })
    }

    fn failed(&self, verb: &'static str) -> impl Fn(LockError) -> NotDone {
        move |source| {
            let help = match &source {
                LockError::Guard(GuardError::Stuck { .. }) => {
                    "a process that was stopped may hold it; it is free as soon as that process goes on or ends"
                }
                LockError::Guard(GuardError::Io(error)) if error.kind() == std::io::ErrorKind::Unsupported => {
                    "this file system has no locks, without which two agents could hold one file"
                }
                _ => return NotDone { verb, file: escape(&self.file), source, help: None },
            };
            NotDone { verb, file: escape(&self.file), source, help: Some(help) }
        }
    }

    fn say(&self, answer: &Answer<'_>, terminal: Terminal) -> Result<(), CliError> {
        let mut out = BufWriter::new(terminal.stdout());
        match self.json {
            true => report::json(&self.file, answer, &mut out),
            false if terminal.quiet => Ok(()),
            false => report::text(&self.file, &self.agent.to_string(), answer, self.clock.now(), &mut out),
        }
        .and_then(|()| out.flush())
        .map_err(CliError::Output)
    }
}

/// The agent that `args` name.
fn agent(args: &HolderArgs) -> Result<Agent, NoAgent> {
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
    Ok(agent)
}

/// Locks a file.
pub(super) fn lock(args: &LockArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let asked = Asked::new(&args.file, &args.holder, &args.files, args.format)?;
    let wanted = Wanted {
        file: asked.file.clone(),
        agent: asked.agent.clone(),
        ttl: args.ttl,
        task_id: args.task.clone(),
        operation: args.operation,
    };
    let patience = Duration::from_secs(args.wait.into());
    let result = asked.locks.lock(&wanted, patience, asked.clock).map_err(asked.failed("lock"))?;
    match &result {
        Ok(lock) => asked.say(&Answer::Locked(lock), terminal)?,
        Err(blocked) => asked.say(&Answer::Blocked(blocked, &asked.locks.waiting(&asked.file)), terminal)?,
    }
    Ok(if result.is_ok() { Exit::Clean } else { Exit::Findings })
}

/// Lets go of a file.
pub(super) fn unlock(args: &UnlockArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let asked = Asked::new(&args.file, &args.holder, &args.files, args.format)?;
    let result = asked.locks.unlock(&asked.file, &asked.agent, asked.clock).map_err(asked.failed("unlock"))?;
    asked.say(&result.as_ref().map_or_else(Answer::Lost, Answer::Unlocked), terminal)?;
    Ok(if result.is_ok() { Exit::Clean } else { Exit::Findings })
}

/// Keeps a lock.
pub(super) fn renew(args: &RenewArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let asked = Asked::new(&args.file, &args.holder, &args.files, args.format)?;
    let renewed = asked.locks.renew(&asked.file, &asked.agent, args.ttl, asked.clock);
    let result = renewed.map_err(asked.failed("renew the lock on"))?;
    asked.say(&result.as_ref().map_or_else(Answer::Lost, Answer::Renewed), terminal)?;
    Ok(if result.is_ok() { Exit::Clean } else { Exit::Findings })
}
