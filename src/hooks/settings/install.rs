//! `install --agents`: writes our entries into the settings of agents' harnesses, or into new files.

use std::io::Write;
use std::path::Path;

use super::file::{FILES, SettingsError};
use crate::errors::CliError;
use crate::fs::atomic::{self, Rewrite};
use crate::hooks::{is_on_path, repository};
use crate::terminal::Terminal;

/// Writes the entries into all files, or into none, and prints what became of each file.
///
/// # Errors
/// When a file cannot be read, written, or understood, and the errors of standard output.
pub fn run(terminal: Terminal) -> Result<(), CliError> {
    let root = repository()?.root;
    let mut texts = Vec::new();
    for file in &FILES {
        let old = file.read(&root)?;
        let new = old.as_deref().map_or_else(|| Ok(file.new_text()), |old| file.added(old))?;
        texts.push((file, old, new));
    }
    let changed = texts.iter().filter(|(_, old, new)| old.as_ref() != Some(new));
    let rewrites: Vec<_> = changed
        .map(|(file, old, new)| Rewrite {
            path: Path::new(file.path),
            old: old.as_ref().map(String::as_bytes),
            new: new.as_bytes(),
        })
        .collect();
    atomic::together(&root, &rewrites).map_err(|error| {
        for (file, ..) in texts.iter().filter(|(_, old, _)| old.is_none()) {
            file.remove_empty_folders(&root);
        }
        SettingsError::from(error)
    })?;
    if terminal.quiet {
        return Ok(());
    }
    let mut out = terminal.stdout();
    for (file, old, new) in &texts {
        let (path, purpose) = (file.path, file.purpose);
        let line = match old {
            None => format!("{path}: {purpose}"),
            Some(old) if old == new => format!("{path} is already up to date"),
            Some(_) => format!("{path}: {purpose}; the rest of the file is unchanged"),
        };
        writeln!(out, "{line}").map_err(CliError::Output)?;
        for line in file.others(new) {
            writeln!(out, "note: {path}:{line}: this command already runs squad-lint, and stays as it is")
                .map_err(CliError::Output)?;
        }
    }
    writeln!(out, "note: commit the files, and all agents of the team get the hooks").map_err(CliError::Output)?;
    if !is_on_path() {
        writeln!(out, "note: there is no `squad-lint` on the PATH yet, and without it the hooks do nothing")
            .map_err(CliError::Output)?;
    }
    writeln!(out, "`squad-lint uninstall --agents` undoes this").map_err(CliError::Output)
}
