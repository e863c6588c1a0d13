//! `team add`: a new member begins with the learnings of related ones.

use super::open::open;
use crate::cli::team::AddArgs;
use crate::commands::{CliError, Exit};
use crate::team::add;
use crate::terminal::Terminal;

/// Adds the member, or shows what that comes to.
pub fn run(args: &AddArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let is_complete = add::run(&open(&args.files, terminal)?, &args.member, &args.from, args.diff)?;
    Ok(if is_complete { Exit::Clean } else { Exit::Incomplete })
}
