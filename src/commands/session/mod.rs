//! `session`, one file for each of its subcommands.

mod asked;
mod clean;
mod graph;
mod locks;
mod status;

use super::{CliError, Exit};
use crate::cli::session::{SessionArgs, SessionCommand};
use crate::terminal::Terminal;

/// Runs a subcommand of `session`.
pub fn run(args: &SessionArgs, terminal: Terminal) -> Result<Exit, CliError> {
    match &args.command {
        SessionCommand::Status(args) => status::run(args, terminal),
        SessionCommand::Graph(args) => graph::run(args, terminal),
        SessionCommand::Clean(args) => clean::run(args, terminal),
        SessionCommand::Lock(args) => locks::lock(args, terminal),
        SessionCommand::Unlock(args) => locks::unlock(args, terminal),
        SessionCommand::Renew(args) => locks::renew(args, terminal),
    }
}
