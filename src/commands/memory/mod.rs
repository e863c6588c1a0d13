//! `memory`: what is asked of a team's memory. One file for each of its subcommands.

pub(in crate::commands) mod asked;
mod brief;
mod end;
mod query;
mod show;
mod wanted;

use super::{CliError, Exit};
use crate::cli::memory::{MemoryArgs, MemoryCommand};
use crate::terminal::Terminal;

/// Runs a subcommand of `memory`, or lists entries.
pub fn run(args: &MemoryArgs, terminal: Terminal) -> Result<Exit, CliError> {
    match &args.command {
        None => query::run(&args.query, terminal),
        Some(MemoryCommand::Brief(args)) => brief::run(args, terminal),
        Some(MemoryCommand::Show(args)) => show::run(args, terminal),
        Some(MemoryCommand::Write(command)) => super::memory_write::run(command, terminal),
    }
}
