//! `bundle export`: a squad becomes one file.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::findings;
use crate::bundle::check::check;
use crate::bundle::export::{Export, Exported};
use crate::bundle::load::Loaded;
use crate::bundle::squad::Squad;
use crate::cli::bundle::{Dialect, ExportArgs};
use crate::commands::{CliError, Exit};
use crate::formats::bundle::Format;
use crate::formats::roster::bare;
use crate::formats::timestamp::Timestamp;
use crate::fs::atomic::{self, WriteError};
use crate::project::Project;
use crate::terminal::{Terminal, display_path, escape};
use crate::text::prose::plural;

/// What is left to a person.
const REVIEW: &str = "note: review the histories in the bundle before you share it: they may have paths, names and facts of this project";

/// Why the bundle was not written.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum NotWritten {
    #[error("{path} is there already")]
    #[diagnostic(help("delete it, or name another file with `--out`"))]
    Exists { path: String },
    #[error("{path} is a folder")]
    #[diagnostic(help("name a file with `--out`, such as `{file}`"))]
    Folder { path: String, file: String },
    #[error("{path} was not written")]
    #[diagnostic(help("check that you may write in its folder"))]
    Write { path: String, source: WriteError },
    #[error("`--agents` names no agent")]
    #[diagnostic(help("name their folders, such as `--agents keaton,verbal`, or leave the option out for all"))]
    NoAgent,
    #[error("`{name}` is not the name of an agent")]
    #[diagnostic(help("name the folders of agents without a path, such as `--agents keaton,verbal`"))]
    NotAName { name: String },
    #[error("nothing was exported: the squad has {problems}")]
    #[diagnostic(help("repair the files of the squad, or export it anyway with `--allow-findings`"))]
    Findings { problems: String },
}

/// Exports the squad.
pub fn run(args: &ExportArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let project = Project::open_with(&args.project.open(args.now.as_deref()))?;
    let squad = Squad::read(&project)?;
    let name = project.repository.root.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let at = Timestamp::from_unix(project.options.now.unix()).to_string().replace("+0000", "Z");
    let (format, default) = match args.dialect {
        Dialect::Seed => (Format::Portable, "squad-export.squad"),
        Dialect::Cli => (Format::Export, "squad-export.json"),
    };
    let agents = named(&args.agents)?;
    let export = Export { format, agents: &agents, portable_only: args.portable_only, project: &name, at: &at };
    let count = match agents.as_slice() {
        [] => squad.agents.len(),
        agents => agents.iter().map(|name| bare(name)).collect::<BTreeSet<_>>().len(),
    };
    if agents.is_empty() {
        squad.not_exported().iter().for_each(|note| terminal.note(note));
    }
    let Exported { bytes, notes, origins } = export.bytes(squad)?;
    let outcome = check(&project, default.into(), bytes.clone())?;
    let outcome = origins.name(outcome, &Loaded::parse(Path::new(default), bytes.clone())?);
    let errors = findings::show(&outcome, terminal)?.all;
    if errors > 0 && !args.allow_findings {
        return Err(NotWritten::Findings { problems: plural(errors, "error") }.into());
    }
    if args.out.as_deref().is_some_and(|path| path.as_os_str() == "-") {
        // The bundle itself, for a file or another program: with `--allow-findings`, as it is.
        std::io::stdout().lock().write_all(&bytes).map_err(CliError::Output)?;
    } else {
        let path = args.out.clone().unwrap_or_else(|| PathBuf::from(default));
        let shown = || display_path(path.as_os_str().as_encoded_bytes());
        if path.is_dir() {
            let file = display_path(path.join(default).as_os_str().as_encoded_bytes());
            return Err(NotWritten::Folder { path: shown(), file }.into());
        }
        if path.symlink_metadata().is_ok() {
            return Err(NotWritten::Exists { path: shown() }.into());
        }
        let full = std::path::absolute(&path).map_err(|source| {
            let source = WriteError::Io { step: "write", path: path.clone(), source };
            NotWritten::Write { path: shown(), source }
        })?;
        atomic::overwrite(&full, |out| out.write_all(&bytes))
            .map_err(|source| NotWritten::Write { path: shown(), source })?;
        if !terminal.quiet {
            writeln!(terminal.stdout(), "exported {} to {}", plural(count, "agent"), shown())
                .map_err(CliError::Output)?;
        }
    }
    for note in notes.iter().map(String::as_str).chain([REVIEW]) {
        terminal.note(note);
    }
    Ok(Exit::Clean)
}

/// The agents that `--agents` names. A comma at the end names none.
fn named(agents: &[String]) -> Result<Vec<String>, NotWritten> {
    let names: Vec<String> = agents.iter().filter(|name| !name.trim().is_empty()).cloned().collect();
    if let Some(path) = names.iter().find(|name| name.contains(['/', '\\']) || name.trim().starts_with('.')) {
        return Err(NotWritten::NotAName { name: escape(path) });
    }
    if names.is_empty() && !agents.is_empty() { Err(NotWritten::NoAgent) } else { Ok(names) }
}
