//! `team prune`: step 4 of the learning lifecycle as one command over the fixes of its rules.

use super::open::open;
use crate::cli::team::PruneArgs;
use crate::commands::{CliError, Exit};
use crate::team::prune::{self, Wanted};
use crate::terminal::Terminal;

/// Prunes, or shows what pruning comes to.
pub fn run(args: &PruneArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let mut workspace = open(&args.files, terminal)?;
    workspace.project.options.archives_undated = true;
    let is_complete = prune::run(&workspace, Wanted { members: &args.members, stale: args.stale, diff: args.diff })?;
    Ok(if is_complete { Exit::Clean } else { Exit::Incomplete })
}
