//! `stats`: the numbers of a memory.

use std::io::{BufWriter, Write};

use super::memory::asked::Asked;
use super::{CliError, Exit};
use crate::cli::stats::{StatsArgs, StatsFormat};
use crate::dialects::{FileKind, squad};
use crate::engine::git_failure::GitFailure;
use crate::fs::atomic::{self, WriteError};
use crate::memory::records;
use crate::memory::stats::{Stats, html, json, text};
use crate::reports;
use crate::terminal::{Terminal, display_path};

/// So many days of the history are examined.
const DAYS: usize = 104;

/// The page was not written.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("{path} was not written")]
#[diagnostic(help("check that you have permission to write in its folder"))]
struct NotWritten {
    path: String,
    source: WriteError,
}

/// Whether files of this kind are memory first of all, and not prose that may have entries, as skills are.
fn is_counted(kind: &FileKind) -> bool {
    records::are_in(kind) && kind != &squad::SKILL
}

/// Shows the numbers of the memory that `args` name.
pub fn run(args: &StatsArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let asked = Asked { project: &args.project, paths: &[], rev: args.rev.as_deref() };
    asked.answer(
        |file| records::are_in(file.kind),
        terminal,
        |project, run| {
            let now = project.options.now;
            let history = match &project.repository.git {
                Some(git) => git
                    .growth(args.rev.as_deref(), run.input.roots, is_counted, DAYS)
                    .map_err(|error| GitFailure::from(&error))?,
                None => Vec::new(),
            };
            let counted = run.documents.iter().filter(|file| is_counted(file.kind()));
            let sizes = counted.map(|file| (file.path(), file.source.bytes().len() as u64)).collect();
            let stats = Stats::of(&records::of(run), now, sizes, &history);
            if let Some(path) = &args.html {
                let root = std::path::absolute(&project.repository.root).map_err(CliError::Output)?;
                let name = root.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
                let shown = || display_path(path.as_os_str().as_encoded_bytes());
                let full = std::path::absolute(path).map_err(CliError::Output)?;
                let full = full.canonicalize().unwrap_or(full);
                reports::spare(&full, project)?;
                atomic::overwrite(&full, |out| html::write(&stats, &name, now, out))
                    .map_err(|source| NotWritten { path: shown(), source })?;
                terminal.summary(false, |out| writeln!(out, "wrote {}", shown())).map_err(CliError::Output)?;
                return Ok(Exit::Clean);
            }
            let mut out = BufWriter::new(terminal.stdout());
            match args.format {
                StatsFormat::Text => text::write(&stats, terminal.width, &mut out),
                StatsFormat::Json => json::write(&stats, &mut out),
            }
            .and_then(|()| out.flush())
            .map_err(CliError::Output)?;
            Ok(Exit::Clean)
        },
    )
}
