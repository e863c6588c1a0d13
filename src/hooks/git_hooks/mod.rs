//! The git hooks: what `install` and `uninstall` share.

pub mod install;
pub mod uninstall;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::Hook;
use crate::engine::git_failure::GitFailure;
use crate::errors::CliError;
use crate::fs::atomic::WriteError;
use crate::git::repository::Git;
use crate::select::repository::Repository;
use crate::terminal::display_path;

/// What is behind the name of a hook that was there before.
const BEFORE: &str = ".before-squad-lint";
/// The line by which a hook of this program is known.
const MARK: &str = "# A hook of squad-lint:";

/// Why a hook was not installed or removed.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub(super) enum HookError {
    #[error("there is no git repository here, and so no hooks")]
    #[diagnostic(help("`git init` makes one"))]
    NoGit,
    #[error("{hook} is no file, and git would not run it: {path}")]
    #[diagnostic(help("move it away, and run again"))]
    NotAFile { hook: &'static str, path: String },
    #[error("{path} is no folder: git runs no hooks here")]
    #[diagnostic(help(
        "`git config --show-origin core.hooksPath` tells where that is set; give a folder with `--hooks-path`"
    ))]
    NotAFolder { path: String },
    #[error("husky owns {path}, and writes the hooks in it anew")]
    #[diagnostic(help("add the line `{command}` to `.husky/{hook}` instead"))]
    Husky { path: String, hook: &'static str, command: &'static str },
    #[error("{path} is another hook, and a hook that was there before it is still kept as {kept}")]
    #[diagnostic(help("remove the one that is of no use any more, and run again"))]
    Both { path: String, kept: String },
    #[error("cannot {step} {path}")]
    #[diagnostic(help("check that you have permission to write there; what was said before is done"))]
    Io { step: &'static str, path: String, source: io::Error },
    #[error("cannot write {path}")]
    #[diagnostic(help("check that you have permission to write there; what was said before is done"))]
    Write { path: String, source: WriteError },
}

impl Hook {
    /// The name that git calls it by.
    fn name(self) -> &'static str {
        match self {
            Self::PreCommit => "pre-commit",
            Self::PrePush => "pre-push",
        }
    }

    /// The script.
    fn script(self) -> &'static str {
        match self {
            Self::PreCommit => include_str!("../../../hooks/pre-commit"),
            Self::PrePush => include_str!("../../../hooks/pre-push"),
        }
    }

    /// What the script runs.
    fn command(self) -> &'static str {
        match self {
            Self::PreCommit => "squad-lint check --staged",
            Self::PrePush => "squad-lint check --pre-push",
        }
    }

    /// What it is good for.
    fn purpose(self) -> &'static str {
        match self {
            Self::PreCommit => "checks what a commit changes",
            Self::PrePush => "guards the branches that are pushed to",
        }
    }

    /// When the hook runs that was there before.
    fn turn_of_other(self) -> &'static str {
        match self {
            Self::PreCommit => "first",
            Self::PrePush => "afterwards",
        }
    }
}

/// The file at the path of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    /// A hook of this program, perhaps of another version.
    Own,
    /// Somebody else's.
    Other,
}

/// A hook and its files.
struct HookFile {
    hook: Hook,
    /// The hook's file.
    path: PathBuf,
    /// Where the hook is kept that was there before.
    before: PathBuf,
}

impl HookFile {
    fn new(hook: Hook, folder: &Path) -> Self {
        let name = hook.name();
        Self { hook, path: folder.join(name), before: folder.join(format!("{name}{BEFORE}")) }
    }

    /// Whose hook it is.
    fn found(&self) -> Result<Found, HookError> {
        match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Nothing),
            Err(error) => Err(failed("read", &self.path)(error)),
            Ok(_) if self.path.is_dir() => Err(HookError::NotAFile { hook: self.hook.name(), path: shown(&self.path) }),
            // A link that leads nowhere is somebody's, too.
            Ok(_) if !self.path.exists() => Ok(Found::Other),
            Ok(_) => {
                let bytes = fs::read(&self.path).map_err(failed("read", &self.path))?;
                let is_own = bytes.split(|&byte| byte == b'\n').take(3).any(|line| line.starts_with(MARK.as_bytes()));
                Ok(if is_own { Found::Own } else { Found::Other })
            }
        }
    }

    /// Whether a hook is kept that was there before.
    fn keeps(&self) -> bool {
        fs::symlink_metadata(&self.before).is_ok()
    }

    /// The name under which that is.
    fn kept_name(&self) -> String {
        format!("{}{BEFORE}", self.hook.name())
    }
}

/// The repository here, its root and git.
fn repository() -> Result<(Repository, Git), CliError> {
    let repository = Repository::discover(Path::new("."))?;
    let git = repository.git.clone().ok_or(HookError::NoGit)?;
    Ok((repository, git))
}

/// The folder of the hooks, and the file outside of the repository that says so.
fn folder(git: &Git, given: Option<&Path>) -> Result<(PathBuf, Option<PathBuf>), CliError> {
    if let Some(path) = given {
        return Ok((std::path::absolute(path).map_err(failed("read", path))?, None));
    }
    let folder = git.hooks_folder().map_err(|error| GitFailure::from(&error))?;
    Ok((folder.path, folder.shared_by))
}

/// `path` for people: below the root as git names it.
fn shown_in(root: &Path, path: &Path) -> String {
    shown(path.strip_prefix(root).unwrap_or(path))
}

fn shown(path: &Path) -> String {
    display_path(path.as_os_str().as_encoded_bytes())
}

fn failed(step: &'static str, path: &Path) -> impl FnOnce(io::Error) -> HookError + use<> {
    let path = shown(path);
    move |source| HookError::Io { step, path, source }
}
