//! The team of a subcommand.

use crate::cli::team::TeamFiles;
use crate::commands::{CliError, notes};
use crate::team::workspace::Workspace;
use crate::terminal::Terminal;

/// Opens the project of the team that `args` name.
pub(super) fn open(args: &TeamFiles, terminal: Terminal) -> Result<Workspace, CliError> {
    let workspace = Workspace::open(&args.open(), terminal)?;
    notes::project(&workspace.project, terminal);
    Ok(workspace)
}
