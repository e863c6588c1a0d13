//! `bundle diff`: what differs between two bundles.

use std::io::{BufWriter, Write};

use crate::bundle::load::Loaded;
use crate::bundle::{diff, report};
use crate::cli::bundle::{DiffArgs, DiffFormat};
use crate::commands::{CliError, Exit};
use crate::project::{At, Project};
use crate::terminal::Terminal;

/// Prints the differences. The exit code is 1 if there are any.
pub fn run(args: &DiffArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let project = Project::open_with(&args.project.open(At::Here))?;
    let cap = project.options.max_file_bytes.get();
    let (one, other) = (Loaded::read(&args.one, cap)?, Loaded::read(&args.other, cap)?);
    let differences = diff::between(&one, &other);
    let mut out = BufWriter::new(terminal.stdout());
    match args.format {
        DiffFormat::Json => report::json((&one, &other), &differences, &mut out),
        DiffFormat::Text => report::text(&differences, terminal.quiet, &mut out),
    }
    .and_then(|()| out.flush())
    .map_err(CliError::Output)?;
    Ok(if differences.is_empty() { Exit::Clean } else { Exit::Findings })
}
