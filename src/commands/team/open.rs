//! The team that a subcommand is about.

use crate::cli::team::TeamFiles;
use crate::commands::CliError;
use crate::team::workspace::Workspace;
use crate::terminal::Terminal;

/// Opens the project of the team that `args` name.
pub(super) fn open(args: &TeamFiles) -> Result<Workspace, CliError> {
    Workspace::open(&args.open(), Terminal::new(args.color))
}
