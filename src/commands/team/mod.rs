//! `team`, one file for each of its subcommands.

mod add;
mod open;
mod owners;
mod prune;
mod reflect;
mod remove;
mod show;
mod spawn;

use super::{CliError, Exit};
use crate::cli::team::{TeamArgs, TeamCommand};
use crate::terminal::Terminal;

/// Runs a subcommand of `team`.
pub fn run(args: &TeamArgs, terminal: Terminal) -> Result<Exit, CliError> {
    match &args.command {
        TeamCommand::Show(args) => show::run(args, terminal),
        TeamCommand::Spawn(args) => spawn::run(args, terminal),
        TeamCommand::Owners(args) => owners::run(args, terminal),
        TeamCommand::Prune(args) => prune::run(args, terminal),
        TeamCommand::Add(args) => add::run(args, terminal),
        TeamCommand::Remove(args) => remove::run(args, terminal),
        TeamCommand::Reflect(args) => reflect::run(args, terminal),
    }
}
