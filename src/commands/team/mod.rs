//! `team`: what a learning team is asked, told and made to keep in order. One file a subcommand.

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

/// Runs a subcommand of `team`.
pub fn run(args: &TeamArgs) -> Result<Exit, CliError> {
    match &args.command {
        TeamCommand::Show(args) => show::run(args),
        TeamCommand::Spawn(args) => spawn::run(args),
        TeamCommand::Owners(args) => owners::run(args),
        TeamCommand::Prune(args) => prune::run(args),
        TeamCommand::Add(args) => add::run(args),
        TeamCommand::Remove(args) => remove::run(args),
        TeamCommand::Reflect(args) => reflect::run(args),
    }
}
