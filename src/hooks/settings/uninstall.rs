//! `uninstall --agents`: takes our entries out of the settings of agents' harnesses.

use std::io::Write;
use std::path::Path;

use super::file::{FILES, SettingsError, SettingsFile};
use crate::errors::CliError;
use crate::fs::atomic::{self, WriteError};
use crate::hooks::repository;
use crate::terminal::Terminal;

/// A file, what it held, and what is left of that.
type Text<'a> = (&'a SettingsFile, Option<String>, Option<String>);

/// Takes the entries out of all files, or of none, and prints what became of each.
///
/// # Errors
/// When a file cannot be read, written, or understood, and the errors of standard output.
pub fn run(terminal: Terminal) -> Result<(), CliError> {
    let root = repository()?.root;
    let mut texts = Vec::new();
    for file in &FILES {
        let old = file.read(&root)?;
        let new = old.as_deref().map(|old| file.removed(old)).transpose()?.flatten();
        texts.push((file, old, new));
    }
    write(&root, &texts).map_err(SettingsError::from)?;
    let mut out = terminal.stdout();
    for (file, old, new) in &texts {
        let path = file.path;
        let line = match (old, new) {
            (None, _) => format!("{path}: there is no such file"),
            (old, new) if old == new => format!("{path} has no entry that `install --agents` writes"),
            (Some(_), Some(_)) => format!("{path}: removed the entries of `install --agents`"),
            (Some(_), None) => format!("removed {path}"),
        };
        if terminal.quiet {
            continue;
        }
        writeln!(out, "{line}").map_err(CliError::Output)?;
        for line in new.as_deref().map(|new| file.others(new)).unwrap_or_default() {
            writeln!(out, "note: {path}:{line}: this command still runs squad-lint; remove it yourself")
                .map_err(CliError::Output)?;
        }
    }
    Ok(())
}

/// Writes what is left, and removes the files that are empty then. If that fails, the files get their old bytes back.
fn write(root: &Path, texts: &[Text<'_>]) -> Result<(), WriteError> {
    let mut done = Vec::new();
    for (file, old, new) in texts {
        let (path, Some(old)) = (Path::new(file.path), old.as_ref()) else { continue };
        let written = match new {
            Some(new) if new == old => continue,
            Some(new) => atomic::replace(root, path, old.as_bytes(), new.as_bytes()),
            None => atomic::remove(root, path, old.as_bytes()),
        };
        let Err(error) = written else {
            done.push((path, old, new));
            continue;
        };
        for (path, old, new) in done {
            // What cannot be put back either stays as it is; the error is reported.
            let _ = match new {
                Some(new) => atomic::replace(root, path, new.as_bytes(), old.as_bytes()),
                None => atomic::create(root, path, old.as_bytes()),
            };
        }
        return Err(error);
    }
    for (file, ..) in texts.iter().filter(|(_, old, new)| old.is_some() && new.is_none()) {
        file.remove_empty_folders(root);
    }
    Ok(())
}
