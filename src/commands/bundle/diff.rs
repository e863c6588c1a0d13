//! `bundle diff`: what differs between two bundles.

use std::io::{BufWriter, Write};
use std::path::Path;

use super::findings;
use crate::bundle::check::check_form;
use crate::bundle::load::Loaded;
use crate::bundle::{diff, report};
use crate::cli::bundle::{DiffArgs, DiffFormat};
use crate::commands::{CliError, Exit, stdin};
use crate::errors::shown;
use crate::project::Project;
use crate::terminal::{Terminal, display_path};
use crate::text::prose::plural;

/// What standard input is called.
const STDIN: &str = "standard input";

/// A bundle has errors, so that what it says depends on who reads it.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("nothing was compared: {path} has {}", plural(*errors, "error"))]
#[diagnostic(help("repair the bundle, or export the squad again"))]
struct NotCompared {
    path: String,
    errors: usize,
}

/// Standard input is one text.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("both bundles are standard input")]
#[diagnostic(help("name a file for one of them"))]
struct BothAreStdin;

/// Prints the differences. The exit code is 1 if there are any.
pub fn run(args: &DiffArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let project = Project::open_with(&args.project.open(None))?;
    let cap = project.options.max_file_bytes.get();
    let is_stdin = |path: &Path| path.as_os_str() == "-";
    if is_stdin(&args.one) && is_stdin(&args.other) {
        return Err(BothAreStdin.into());
    }
    let read = |path: &Path| -> Result<Loaded, CliError> {
        let loaded = match is_stdin(path) {
            true => Loaded::parse(Path::new(STDIN), stdin::read(cap)?)?,
            false => Loaded::read(path, cap)?,
        };
        let path = if is_stdin(path) { Path::new(STDIN) } else { path };
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
    let written = match args.format {
        DiffFormat::Json => report::json((&one, &other), &differences, &mut out),
        DiffFormat::Text => report::text(&differences, terminal.quiet, &mut out),
    };
    shown(written.and_then(|()| out.flush()))?;
    Ok(if differences.is_empty() { Exit::Clean } else { Exit::Findings })
}
