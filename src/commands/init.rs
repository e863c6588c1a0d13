//! `init`: a configuration to start from.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::{CliError, Exit};
use crate::cli::InitArgs;
use crate::config::{self, FILE_NAMES};
use crate::fs::atomic::{self, WriteError};
use crate::project::At;
use crate::terminal::{Terminal, escape};

/// Why no configuration was written.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum InitError {
    #[error("a configuration already exists: {}", escape(&path.display().to_string()))]
    #[diagnostic(help("edit that file; `squad-lint init --stdout` prints every key with its default"))]
    There { path: PathBuf },
    #[error("the configuration was not written")]
    #[diagnostic(help(
        "check that you have permission to write to the folder; `squad-lint init --stdout` prints the configuration"
    ))]
    Write(#[source] WriteError),
}

/// Writes the default configuration to the root, or prints it.
pub fn run(args: &InitArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let mut out = terminal.stdout();
    if args.stdout {
        write!(out, "{}", config::render::template()).map_err(CliError::Output)?;
        return Ok(Exit::Clean);
    }
    let root = args.root.as_deref().map_or(At::Here, At::Root).repository()?.root;
    // Also what a run would pass over: a folder of that name, a link that leads nowhere.
    let there = |path: &PathBuf| path.symlink_metadata().is_ok();
    if let Some(path) = FILE_NAMES.iter().map(|name| root.join(name)).find(there) {
        return Err(InitError::There { path }.into());
    }
    let [name, ..] = FILE_NAMES;
    atomic::create(&root, Path::new(name), config::render::template().as_bytes()).map_err(|error| match error {
        WriteError::Changed { path } => InitError::There { path: root.join(path) },
        error => InitError::Write(error),
    })?;
    if !terminal.quiet {
        writeln!(out, "wrote {}", escape(&root.join(name).display().to_string())).map_err(CliError::Output)?;
    }
    Ok(Exit::Clean)
}
