//! Finding the repository, or the plain folder that stands for one.

use std::path::{Path, PathBuf};

use super::git::Git;

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
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder cannot be entered.
    #[error("cannot open {}", path.display())]
    Folder {
        /// The folder as given.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The folder belongs to a repository that cannot be opened.
    #[error("cannot open the git repository of {}", path.display())]
    Git {
        /// The folder as given.
        path: PathBuf,
        /// Why; its chain of causes says more.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A bare repository has no files on disk.
    #[error("the git repository of {} is bare: it has no work tree to check", path.display())]
    Bare {
        /// The folder as given.
        path: PathBuf,
    },
}

impl Repository {
    /// The repository that holds the folder `at`, as git would find it (`GIT_DIR` and `GIT_WORK_TREE` count), or `at`
    /// itself where there is none.
    ///
    /// # Errors
    /// When the folder cannot be opened, when its repository is damaged, belongs to somebody else, or is bare.
    pub fn discover(at: &Path) -> Result<Self, OpenError> {
        let path = at.canonicalize().map_err(|source| OpenError::Folder { path: at.into(), source })?;
        // Nothing here writes an index: like git, which checks its hash when it writes, not when it reads.
        let options =
            || gix::open::Options::default().bail_if_untrusted(true).config_overrides(["index.skipHash=true"]);
        let trust = gix::sec::trust::Mapping { full: options(), reduced: options() };
        let found = gix::ThreadSafeRepository::discover_with_environment_overrides_opts(
            &path,
            gix::discover::upwards::Options::default(),
            trust,
        );
        match found {
            Ok(repository) => {
                let work_dir = repository.to_thread_local().workdir().map(Path::to_path_buf);
                let work_dir = work_dir.ok_or_else(|| OpenError::Bare { path: at.into() })?;
                let root =
                    work_dir.canonicalize().map_err(|source| OpenError::Folder { path: work_dir.clone(), source })?;
                Ok(Self { root, has_git: true, git: Some(Git::new(repository)) })
            }
            Err(error) if error.is_not_found() => Ok(Self { root: path, has_git: false, git: None }),
            Err(error) => Err(OpenError::Git { path: at.into(), source: Box::new(error) }),
        }
    }

    /// The folder `at` as it is, whatever lies above it (`--root`).
    ///
    /// # Errors
    /// When the folder cannot be opened.
    pub fn at(at: &Path) -> Result<Self, OpenError> {
        let root = at.canonicalize().map_err(|source| OpenError::Folder { path: at.into(), source })?;
        let has_git = root.join(".git").exists();
        Ok(Self { root, has_git, git: None })
    }
}
