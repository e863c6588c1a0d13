//! `bundle diff`: what differs between two bundles.

use std::io::{BufWriter, Write};
use std::path::Path;

use super::findings;
use crate::bundle::check::check_form;
use crate::bundle::load::Loaded;
use crate::bundle::{diff, report};
use crate::cli::bundle::{DiffArgs, DiffFormat};
use crate::commands::{CliError, Exit};
use crate::project::{At, Project};
use crate::terminal::{Terminal, display_path};
use crate::text::prose::plural;

/// A bundle has errors, so that what it says depends on who reads it.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("nothing was compared: {path} has {}", plural(*errors, "error"))]
#[diagnostic(help("repair the bundle, or export the squad again"))]
struct NotCompared {
    path: String,
    errors: usize,
}

/// Prints the differences. The exit code is 1 if there are any.
pub fn run(args: &DiffArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let project = Project::open_with(&args.project.open(At::Here))?;
    let cap = project.options.max_file_bytes.get();
    let read = |path: &Path| -> Result<Loaded, CliError> {
        let loaded = Loaded::read(path, cap)?;
        let name = path.as_os_str().as_encoded_bytes();
        let outcome = check_form(&project, name.into(), loaded.source.bytes().to_vec())?;
        match findings::show(&outcome, terminal)?.all {
            0 => Ok(loaded),
            errors => Err(NotCompared { path: display_path(name), errors }.into()),
        }
    };
    let (one, other) = (read(&args.one)?, read(&args.other)?);
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
