//! `uninstall`: removes the git hooks; a hook that was there before is renamed back.

use super::{CliError, Exit};
use crate::cli::HooksArgs;
use crate::hooks::{git_hooks, merge_driver, settings};
use crate::terminal::Terminal;

/// Removes the hooks that are asked for, and says what was done.
pub fn run(args: &HooksArgs, terminal: Terminal) -> Result<Exit, CliError> {
    if args.merge_driver {
        merge_driver::uninstall(terminal)?;
    } else if args.agents {
        settings::uninstall::run(terminal)?;
    } else {
        git_hooks::uninstall::run(args, terminal)?;
    }
    Ok(Exit::Clean)
}
