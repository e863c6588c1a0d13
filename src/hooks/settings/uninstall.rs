//! `uninstall --agents`: takes our entries out of the settings of agents' harnesses.

use std::io::Write;
use std::path::Path;

use super::file::{FILES, SettingsError};
use crate::errors::CliError;
use crate::fs::atomic;
use crate::select::repository::Repository;
use crate::terminal::Terminal;

/// Takes the entries out, and prints what became of each file.
///
/// # Errors
/// When a file cannot be read, written, or understood, and the errors of standard output.
pub fn run(terminal: Terminal) -> Result<(), CliError> {
    let root = Repository::discover(Path::new("."))?.root;
    let mut out = terminal.stdout();
    for file in &FILES {
        let path = file.path;
        let line = match file.read(&root)? {
            None => format!("{path}: there is no such file"),
            Some(old) => match file.removed(&old)? {
                Some(new) if new == old => format!("{path} has no entry of squad-lint"),
                Some(new) => {
                    let written = atomic::replace(&root, Path::new(path), old.as_bytes(), new.as_bytes());
                    written.map_err(SettingsError::from)?;
                    format!("{path} is as it was without squad-lint")
                }
                None => {
                    atomic::remove(&root, Path::new(path), old.as_bytes()).map_err(SettingsError::from)?;
                    file.remove_empty_folders(&root);
                    format!("{path} is gone")
                }
            },
        };
        if !terminal.quiet {
            writeln!(out, "{line}").map_err(CliError::Output)?;
        }
    }
    Ok(())
}
