//! `session lock`, `session unlock` and `session renew`: one agent at a time changes a file.

use std::time::Duration;

use super::asked::Asked;
use crate::cli::session::{LockArgs, RenewArgs, UnlockArgs};
use crate::commands::{CliError, Exit};
use crate::formats::session::is_template;
use crate::sessions::locks::report::Answer;
use crate::sessions::locks::{LockError, Wanted};
use crate::terminal::{Terminal, escape};

/// A task that no plan can have.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("`{task}` cannot be the ID of a task")]
#[diagnostic(help("use the `task_id` of the plan, such as `task_001`, or omit `--task`"))]
struct NoTask {
    task: String,
}

/// Locks a file.
pub(super) fn lock(args: &LockArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let asked = Asked::new(&args.asked)?;
    asked.folder.must_be_open()?;
    let task = args.task.as_deref().map(str::trim);
    if let Some(task) = task.filter(|task| task.is_empty() || task.contains(char::is_control) || is_template(task)) {
        return Err(NoTask { task: escape(task) }.into());
    }
    for doubt in asked.doubts(task)? {
        terminal.note(&format!("warning: {}", doubt.message()));
        terminal.note(&format!("  help: {}", doubt.help()));
    }
    let wanted = Wanted {
        file: asked.file.clone(),
        agent: asked.agent.clone(),
        ttl: args.ttl.seconds,
        task_id: task.map(str::to_owned),
        operation: args.operation,
    };
    let patience = Duration::from_secs(args.wait.into());
    let result = asked.locks.lock(&wanted, patience, asked.clock).map_err(|error| match error {
        LockError::Place(error) => CliError::from(*error),
        error => asked.failed("lock")(error).into(),
    })?;
    let said = match &result {
        Ok(lock) => asked.say(&Answer::Locked(lock), terminal),
        Err(blocked) => asked.say(&Answer::Blocked(blocked, &asked.locks.waiting(&asked.file)), terminal),
    };
    if let Err(error) = said {
        // An agent that does not know of its lock would never let go of it.
        let is_free = result.is_err() || asked.locks.unlock(&asked.file, &asked.agent, asked.clock).is_ok();
        let what = if is_free { "is not locked" } else { "is locked, and cannot be unlocked again" };
        return Err(asked.unsaid(what)(error).into());
    }
    Ok(if result.is_ok() { Exit::Clean } else { Exit::Findings })
}

/// Lets go of a file.
pub(super) fn unlock(args: &UnlockArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let asked = Asked::new(&args.asked)?;
    let result = asked.locks.unlock(&asked.file, &asked.agent, asked.clock).map_err(asked.failed("unlock"))?;
    let what = if result.is_ok() { "is free" } else { "was not unlocked" };
    asked.say(&result.as_ref().map_or_else(Answer::Lost, Answer::Unlocked), terminal).map_err(asked.unsaid(what))?;
    Ok(if result.is_ok() { Exit::Clean } else { Exit::Findings })
}

/// Keeps a lock.
pub(super) fn renew(args: &RenewArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let asked = Asked::new(&args.asked)?;
    let renewed = asked.locks.renew(&asked.file, &asked.agent, args.ttl.seconds, asked.clock);
    let result = renewed.map_err(asked.failed("renew the lock on"))?;
    let what = if result.is_ok() { "stays locked" } else { "is not held by the agent" };
    asked.say(&result.as_ref().map_or_else(Answer::Lost, Answer::Renewed), terminal).map_err(asked.unsaid(what))?;
    Ok(if result.is_ok() { Exit::Clean } else { Exit::Findings })
}
