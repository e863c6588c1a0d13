//! `team owners`: who owns which file, and which files have no owner.

use std::io::BufWriter;

use super::open::open;
use crate::cli::team::{ListFormat, OwnersArgs};
use crate::commands::{CliError, Exit};
use crate::team::owners;
use crate::terminal::Terminal;

/// Prints who owns which file.
pub fn run(args: &OwnersArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let workspace = open(&args.files, terminal)?;
    let mut out = BufWriter::new(workspace.terminal.stdout());
    owners::write(&workspace, &args.paths, args.unowned, args.format == ListFormat::Json, &mut out)?;
    Ok(Exit::Clean)
}
