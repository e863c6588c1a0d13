//! Where findings meet the writing: the hooks of agents' harnesses, git hooks, and merges.

pub mod agent;
pub mod git_hooks;
pub mod merge_driver;
pub mod settings;

use std::env;
use std::path::Path;

use crate::errors::CliError;
use crate::git::repository::Unopened;
use crate::select::repository::{OpenError, Repository};
use crate::terminal::display_path;

/// The repository here cannot be opened. A check without git would not help here.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot open the git repository of {path}")]
#[diagnostic(help("`git status` there shows the reason"))]
struct NotOpened {
    path: String,
    source: Unopened,
}

/// The repository here has no work tree.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("the git repository of {path} is bare: it has no working tree")]
#[diagnostic(help("run in a clone of it"))]
struct Bare {
    path: String,
}

/// The repository here.
fn repository() -> Result<Repository, CliError> {
    Repository::discover(Path::new(".")).map_err(|error| match error {
        OpenError::Git { path, source } => {
            NotOpened { path: display_path(path.as_os_str().as_encoded_bytes()), source }.into()
        }
        OpenError::Bare { path } => Bare { path: display_path(path.as_os_str().as_encoded_bytes()) }.into(),
        error @ OpenError::Folder { .. } => error.into(),
    })
}

/// Whether a shell finds this program.
fn is_on_path() -> bool {
    let name = format!("squad-lint{}", env::consts::EXE_SUFFIX);
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).any(|folder| folder.join(&name).is_file())
}
