//! The git hooks: what `install` and `uninstall` share.

mod block;
mod found;
pub mod install;
mod script;
pub mod uninstall;

use std::io;
use std::path::{Path, PathBuf};

use self::found::{Found, Why};
use crate::cli::Hook;
use crate::errors::CliError;
use crate::fs::atomic::{self, WriteError};
use crate::fs::read::read;
use crate::git::error::GitError;
use crate::git::repository::Git;
use crate::select::repository::Repository;
use crate::terminal::display_path;

/// What is after the name of a hook without room for our block.
const BEFORE: &str = ".before-squad-lint";

/// Larger hooks are not compared.
const MOST_BYTES: u64 = 64 << 20;

/// Why a hook was not installed or removed.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub(super) enum HookError {
    #[error("this folder is not in a git repository")]
    #[diagnostic(help("create one with `git init`"))]
    NoGit,
    #[error("{hook} is not a file, and git would not run it: {path}")]
    #[diagnostic(help("move it elsewhere, and run again"))]
    NotAFile { hook: &'static str, path: String },
    #[error("cannot read the value of `core.hooksPath`")]
    #[diagnostic(help(
        "`git config --show-origin core.hooksPath` shows where it is set; pass a folder with `--hooks-path`"
    ))]
    HooksPath { source: GitError },
    #[error("cannot read the attributes of the hooks")]
    #[diagnostic(help("`git check-attr --all .gitattributes` shows the reason"))]
    Attributes { source: GitError },
    #[error("`core.hooksPath` is empty: git runs no hooks here")]
    #[diagnostic(help(
        "`git config --show-origin core.hooksPath` shows where it is set; pass a folder with `--hooks-path`"
    ))]
    NoHooksPath,
    #[error("{path} is not a folder: git runs no hooks here")]
    #[diagnostic(help(
        "`git config --show-origin core.hooksPath` shows where it is set; pass a folder with `--hooks-path`"
    ))]
    NotAFolder { path: String },
    #[error("{path} has the first line of squad-lint's block, but not the last one, `# <<< squad-lint <<<`")]
    #[diagnostic(help("remove the rest of the block, or add the last line where the block ends, and run again"))]
    Unclosed { path: String },
    #[error("{path} is not executable, so git does not run it")]
    #[diagnostic(help("`chmod +x {path}` makes git run all of it"))]
    NotRun { path: String },
    #[error("{path} is another hook, but squad-lint still keeps an older hook as {kept}")]
    #[diagnostic(help("remove {kept} if {path} replaces it, otherwise move {path} elsewhere, and run again"))]
    Both { path: String, kept: String },
    #[error(
        "{path} has lines of another program, but squad-lint keeps an older hook as {kept}: one file cannot be both"
    )]
    #[diagnostic(help("move these lines elsewhere, or remove {kept}, and run again; until then both run"))]
    Grown { path: String, kept: String },
    #[error("{path} looks at its parent process, which would be a shell instead of git after `install`")]
    #[diagnostic(help(
        "call `{command}` in it, before its last `exit` or `exec`, and stop the commit or push if that fails"
    ))]
    LooksAtParent { path: String, command: &'static str },
    #[error("some hooks stay as they were")]
    Several {
        #[related]
        errors: Vec<HookError>,
    },
    #[error("cannot {step} {path}")]
    #[diagnostic(help("check that you have permission to write there; the changes listed above are done"))]
    Io { step: &'static str, path: String, source: io::Error },
    #[error("{path} has an unresolved merge conflict on line {line}")]
    #[diagnostic(help("{}", atomic::RESOLVE))]
    Conflict { path: String, line: usize },
    #[error("{path} is read-only")]
    #[diagnostic(help("`chmod u+w {path}` lets squad-lint write it; the changes listed above are done"))]
    ReadOnly { path: String },
    #[error("cannot write {path}")]
    #[diagnostic(help("check that you have permission to write there; the changes listed above are done"))]
    Write { path: String, source: WriteError },
}

impl HookError {
    /// The error of a command that went on after each of `errors`.
    fn first_or_all(mut errors: Vec<Self>) -> Result<(), Self> {
        match errors.pop() {
            None => Ok(()),
            Some(error) if errors.is_empty() => Err(error),
            Some(error) => {
                errors.push(error);
                Err(Self::Several { errors })
            }
        }
    }

    /// The file at `path` was not written.
    fn unwritten(path: &Path, source: WriteError) -> Self {
        let path = shown(path);
        match source {
            WriteError::Conflict { line, .. } => Self::Conflict { path, line },
            WriteError::ReadOnly { .. } => Self::ReadOnly { path },
            source => Self::Write { path, source },
        }
    }
}

impl Hook {
    /// The name that git calls it by.
    fn name(self) -> &'static str {
        match self {
            Self::PreCommit => "pre-commit",
            Self::PrePush => "pre-push",
        }
    }

    /// The file as it is where there was none: a line, and our block.
    fn script(self) -> &'static str {
        match self {
            Self::PreCommit => include_str!("../../../hooks/pre-commit"),
            Self::PrePush => include_str!("../../../hooks/pre-push"),
        }
    }

    /// What it is good for.
    fn purpose(self) -> &'static str {
        match self {
            Self::PreCommit => "checks what a commit changes",
            Self::PrePush => "guards the branches that are pushed to",
        }
    }

    /// The command that our block runs.
    fn command(self) -> &'static str {
        match self {
            Self::PreCommit => "squad-lint check --staged",
            Self::PrePush => "squad-lint check --pre-push",
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

/// The folder of the hooks.
#[derive(Clone)]
struct Folder {
    path: PathBuf,
    /// The file outside of the repository that says so.
    shared_by: Option<PathBuf>,
    /// Whether husky runs the files in it, by a shell.
    by_husky: bool,
}

/// A hook and its files.
#[derive(Clone)]
struct HookFile {
    hook: Hook,
    /// The hook's file.
    path: PathBuf,
    /// Where a hook is kept that has no room for our block.
    before: PathBuf,
    by_husky: bool,
}

impl HookFile {
    fn new(hook: Hook, folder: &Folder) -> Self {
        let (name, by_husky) = (hook.name(), folder.by_husky);
        Self { hook, path: folder.path.join(name), before: folder.path.join(format!("{name}{BEFORE}")), by_husky }
    }

    /// The content of the hook, if it is a file or does not exist.
    fn found(&self) -> Result<Found, HookError> {
        match found::find(&self.path, self.by_husky).map_err(failed("read", &self.path))? {
            Found::NoFile => Err(HookError::NotAFile { hook: self.hook.name(), path: shown(&self.path) }),
            Found::Unclosed => Err(HookError::Unclosed { path: shown(&self.path) }),
            found => Ok(found),
        }
    }

    /// Whether a hook is kept that was there before.
    fn keeps(&self) -> bool {
        std::fs::symlink_metadata(&self.before).is_ok()
    }

    /// Whether that hook is the same as the one `found`: a hook manager wrote both.
    fn keeps_same(&self, found: &Found) -> bool {
        let same_manager = || match (found, found::find(&self.before, self.by_husky)) {
            (Found::Other(Why::Generated(now)), Ok(Found::Other(Why::Generated(before)))) => *now == before,
            _ => false,
        };
        let bytes = |path| read(path, MOST_BYTES).ok();
        self.keeps() && (bytes(&self.path).is_some_and(|now| bytes(&self.before) == Some(now)) || same_manager())
    }

    /// The file that has our block, or gets it. pre-commit and prek move the hook that they find, run it from their own one, and
    /// move the next one over it: the hook that they moved would be lost.
    fn installed(self) -> Result<Self, HookError> {
        let [legacy, _] = self.moved();
        if std::fs::symlink_metadata(&legacy.path).is_err() {
            return Ok(self);
        }
        let is_moved = matches!(self.found()?, Found::Other(Why::Generated("pre-commit" | "prek")));
        Ok(if is_moved { legacy } else { self })
    }

    /// The names that managers give the file when they take its place: pre-commit and prek the first, lefthook the second.
    fn moved(&self) -> [Self; 2] {
        [".legacy", ".old"].map(|end| Self {
            hook: self.hook,
            path: self.path.with_file_name(format!("{}{end}", self.hook.name())),
            before: self.before.clone(),
            by_husky: false,
        })
    }

    /// Whether the file has our block, and was not there before: the hook that is kept made room for it.
    fn is_made(&self) -> bool {
        matches!(self.found(), Ok(Found::Block { rest, .. }) if rest.is_made)
    }

    /// The name under which that is.
    fn kept_name(&self) -> String {
        format!("{}{BEFORE}", self.hook.name())
    }

    /// Puts `new` in the place of `old`, what the file at `path` holds. Its mode stays.
    fn replace(path: &Path, old: &[u8], new: &[u8]) -> Result<(), HookError> {
        let folder = path.parent().unwrap_or(path).canonicalize().map_err(failed("read the folder of", path))?;
        let name = Path::new(path.file_name().unwrap_or_default());
        atomic::replace(&folder, name, old, new).map_err(|source| HookError::unwritten(path, source))
    }
}

/// The repository here, its root and git.
fn repository() -> Result<(Repository, Git), CliError> {
    let repository = crate::hooks::repository()?;
    let git = repository.git.clone().ok_or(HookError::NoGit)?;
    Ok((repository, git))
}

/// The folder of the hooks.
fn folder(git: &Git, given: Option<&Path>) -> Result<Folder, HookError> {
    if let Some(path) = given {
        let path = std::path::absolute(path).map_err(failed("read", path))?;
        return Ok(Folder { path, shared_by: None, by_husky: false });
    }
    let found = git.hooks_folder().map_err(|source| HookError::HooksPath { source })?;
    let found = found.ok_or(HookError::NoHooksPath)?;
    // Husky writes the files in `_` anew, `h` among them; each runs the file of the same name beside that folder.
    let is_of_husky = found.path.ends_with("_") && found.path.join("h").is_file();
    let own = found.path.parent().filter(|_| is_of_husky || found.path.ends_with(".husky/_")).map(Path::to_path_buf);
    let by_husky = own.is_some();
    Ok(Folder { path: own.unwrap_or(found.path), shared_by: found.shared_by, by_husky })
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
