//! `uninstall`: removes the git hooks; a hook that was there before gets its name back.

use super::{CliError, Exit};
use crate::cli::HooksArgs;
use crate::hooks::{git_hooks, settings};
use crate::terminal::Terminal;

/// Removes the hooks that are asked for, and says what was done.
pub fn run(args: &HooksArgs, terminal: Terminal) -> Result<Exit, CliError> {
    match args.agents {
        true => settings::uninstall::run(terminal)?,
        false => git_hooks::uninstall::run(args, terminal)?,
    }
    Ok(Exit::Clean)
}
