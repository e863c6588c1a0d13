//! `bundle`, one file for each of its subcommands.

mod diff;

use super::{CliError, Exit};
use crate::cli::bundle::{BundleArgs, BundleCommand};
use crate::terminal::Terminal;

/// Runs a subcommand of `bundle`.
pub fn run(args: &BundleArgs, terminal: Terminal) -> Result<Exit, CliError> {
    match &args.command {
        BundleCommand::Diff(args) => diff::run(args, terminal),
    }
}
