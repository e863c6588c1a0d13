//! `team spawn`: the command that spawns a member.

use std::io::{BufWriter, Write};

use super::open::open;
use crate::cli::team::{CommandFormat, SpawnArgs};
use crate::commands::{CliError, Exit};
use crate::report::json_writer;
use crate::team::{shell, spawning};
use crate::terminal::Terminal;
use crate::text::mask::Masked;

/// Prints the command.
pub fn run(args: &SpawnArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let groups = spawning::command(&open(&args.files, terminal)?, &args.member, &args.task.join(" "))?;
    // The command is quoted, so it does nothing to a terminal; and it has to arrive byte for byte, so nothing is stripped.
    // But a secret in a learning reaches no agent: in quotation marks, asterisks are letters like others.
    let mut out = BufWriter::new(Masked::new(std::io::stdout().lock()));
    match args.format {
        CommandFormat::Shell => writeln!(out, "{}", shell::command(&groups)),
        CommandFormat::Json => json_writer::write(&groups.concat(), &mut out),
    }
    .and_then(|()| out.flush())
    .map_err(CliError::Output)?;
    Ok(Exit::Clean)
}
