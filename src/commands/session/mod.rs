//! `session`, one file for each of its subcommands.

mod locks;

use super::{CliError, Exit};
use crate::cli::session::{SessionArgs, SessionCommand};
use crate::terminal::Terminal;

/// Runs a subcommand of `session`.
pub fn run(args: &SessionArgs, terminal: Terminal) -> Result<Exit, CliError> {
    match &args.command {
        SessionCommand::Lock(args) => locks::lock(args, terminal),
        SessionCommand::Unlock(args) => locks::unlock(args, terminal),
        SessionCommand::Renew(args) => locks::renew(args, terminal),
    }
}
