//! Finding the repository, or a plain folder to check instead.

use std::path::{Path, PathBuf};

use crate::git::repository::{Git, Unopened};

/// Where the files are.
#[derive(Clone, Debug)]
pub struct Repository {
    /// The folder to which all paths are relative; canonical.
    pub root: PathBuf,
    /// Whether it is the work tree of a git repository.
    pub has_git: bool,
    /// Git, unless it was asked to be left alone.
    pub git: Option<Git>,
}

/// Why there is nothing to look at.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum OpenError {
    /// The folder cannot be entered.
    #[error("cannot open {}", path.display())]
    #[diagnostic(help("check the spelling, and that you have permission to enter the folder"))]
    Folder {
        /// The folder as given.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The folder belongs to a repository that cannot be opened.
    #[error("cannot open the git repository of {}", path.display())]
    #[diagnostic(help("{}", help(source)))]
    Git {
        /// The folder as given.
        path: PathBuf,
        /// Why; its chain of causes says more.
        source: Unopened,
    },
    /// A bare repository has no files on disk.
    #[error("the git repository of {} is bare: it has no working tree to check", path.display())]
    #[diagnostic(help("run in a clone of it, or check a range of commits with `--from A --to B`"))]
    Bare {
        /// The folder as given.
        path: PathBuf,
    },
}

fn help(error: &Unopened) -> &'static str {
    match error {
        Unopened::Nowhere { .. } => "repair or delete it; `--root DIR` checks the folder without git",
        Unopened::Variable { .. } => {
            "set the variable as git does for its hooks, or unset it; `--root DIR` checks the folder without git"
        }
        _ => {
            "`git status` there shows the reason; for a repository of another user, add it to `safe.directory`; \
             `--root DIR` checks the folder without git"
        }
    }
}

impl Repository {
    /// The repository that holds the folder `at`, as git would find it (`GIT_DIR` and `GIT_WORK_TREE` count), or `at`
    /// itself where there is none.
    ///
    /// # Errors
    /// When the folder cannot be opened, when its repository is damaged, belongs to somebody else, or is bare.
    pub fn discover(at: &Path) -> Result<Self, OpenError> {
        let repository = Self::discover_bare(at)?;
        match &repository.git {
            Some(git) if git.work_dir().is_none() => Err(OpenError::Bare { path: at.into() }),
            _ => Ok(repository),
        }
    }

    /// Like [`Repository::discover`], but a bare repository will do as well: its root is its own folder.
    ///
    /// # Errors
    /// When the folder cannot be opened, when its repository is damaged, or belongs to somebody else.
    pub fn discover_bare(at: &Path) -> Result<Self, OpenError> {
        let path = at.canonicalize().map_err(|source| OpenError::Folder { path: at.into(), source })?;
        let git = Git::discover(&path).map_err(|source| OpenError::Git { path: at.into(), source })?;
        let Some(git) = git else { return Ok(Self { root: path, has_git: false, git: None }) };
        let root = git.work_dir().unwrap_or(git.git_dir());
        let root = root.canonicalize().map_err(|source| OpenError::Folder { path: root.into(), source })?;
        Ok(Self { root, has_git: true, git: Some(git) })
    }

    /// The folder `at` as it is, whatever lies above it (`--root`).
    ///
    /// # Errors
    /// When the folder cannot be opened.
    pub fn at(at: &Path) -> Result<Self, OpenError> {
        let failed = |source| OpenError::Folder { path: at.into(), source };
        let root = at.canonicalize().map_err(failed)?;
        if !root.is_dir() {
            return Err(failed(std::io::ErrorKind::NotADirectory.into()));
        }
        let has_git = root.join(".git").exists();
        Ok(Self { root, has_git, git: None })
    }
}
