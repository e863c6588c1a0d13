//! `team show`: what the members are spawned with, and who says so.

use std::io::{BufWriter, Write};

use super::open::open;
use crate::cli::team::{ShowArgs, ShowFormat};
use crate::commands::{CliError, Exit};
use crate::team::show;
use crate::team::workspace::member;
use crate::terminal::Terminal;

/// Prints a team, or one of its members.
pub fn run(args: &ShowArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let workspace = open(&args.files, terminal)?;
    let run = workspace.run(&[]);
    let team = workspace.team(&run)?;
    let only = args.member.as_deref().map(|name| member(&team, name)).transpose()?;
    let mut out = BufWriter::new(workspace.terminal.stdout());
    let written = show::write(&team, only, args.format == ShowFormat::Json, &mut out);
    written.and_then(|()| out.flush()).map_err(CliError::Output)?;
    Ok(Exit::Clean)
}
