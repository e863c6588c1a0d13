//! `team remove`: the learnings of a member who leaves go into the archive, and the notes to them to others.

use super::open::open;
use crate::cli::team::RemoveArgs;
use crate::commands::{CliError, Exit};
use crate::team::remove;
use crate::terminal::Terminal;

/// Removes the member, or shows what that comes to.
pub fn run(args: &RemoveArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let is_complete = remove::run(&open(&args.files, terminal)?, &args.member, &args.to, args.diff)?;
    Ok(if is_complete { Exit::Clean } else { Exit::Incomplete })
}
