//! `bundle`, one file for each of its subcommands.

mod diff;
mod export;
mod findings;
mod import;

use super::{CliError, Exit};
use crate::cli::bundle::{BundleArgs, BundleCommand};
use crate::terminal::Terminal;

/// Runs a subcommand of `bundle`.
pub fn run(args: &BundleArgs, terminal: Terminal) -> Result<Exit, CliError> {
    match &args.command {
        BundleCommand::Export(args) => export::run(args, terminal),
        BundleCommand::Import(args) => import::run(args, terminal),
        BundleCommand::Diff(args) => diff::run(args, terminal),
    }
}
