//! `install`: writes the git hooks; a hook that was there before still runs.

use super::{CliError, Exit};
use crate::cli::HooksArgs;
use crate::hooks::{git_hooks, merge_driver, settings};
use crate::terminal::Terminal;

/// Writes the hooks that are asked for, and says what was done.
pub fn run(args: &HooksArgs, terminal: Terminal) -> Result<Exit, CliError> {
    if args.merge_driver {
        merge_driver::install(terminal)?;
    } else if args.agents {
        settings::install::run(terminal)?;
    } else {
        git_hooks::install::run(args, terminal)?;
    }
    Ok(Exit::Clean)
}
