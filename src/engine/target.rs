//! What a run checks.

use std::path::PathBuf;

use crate::git::push::Push;
use crate::project::At;

/// What a run checks.
#[derive(Clone, Debug)]
pub enum Target {
    /// Files and folders of the work tree; all of it if there are none.
    Paths(Vec<PathBuf>),
    /// One text that is not on disk, under the name of a file: what `-` or an editor hands over.
    Text {
        /// The name of the file, which need not exist.
        name: PathBuf,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// Files of the work tree that were just written, where they differ from a commit.
    Written {
        /// The files.
        paths: Vec<PathBuf>,
        /// The commit before; without one, the files count as a whole.
        since: Option<String>,
    },
    /// The staged change.
    Staged(Scope),
    /// The change from one revision to another one, or to `HEAD`.
    Range {
        /// The first revision.
        from: String,
        /// The second revision.
        to: Option<String>,
        /// The part of the change.
        scope: Scope,
    },
    /// What a hook manager asks for: the staged change if git is about to commit it, else the files that the manager lists.
    HookManager {
        /// The part of the change, or the files.
        scope: Scope,
        /// Whether git runs the hooks of a commit.
        in_commit: bool,
    },
    /// The files in the tree of a revision.
    Revision(String),
    /// The state in the tree of a revision; no files.
    Tree(String),
    /// The state that is pushed; no files.
    Push(Vec<Push>),
}

/// A part of a change.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The files and folders that are checked; all of them if there are none.
    pub paths: Vec<PathBuf>,
    /// Whether every finding in a changed file counts, and not only those that the change touches.
    pub all_lines: bool,
    /// Whether a hook manager lists the paths: it names a renamed file by its new name alone.
    pub by_hook_manager: bool,
}

impl Target {
    /// Where the project of this target is, if the command line does not name its root.
    pub fn at(&self) -> At<'_> {
        match self {
            Self::Paths(paths) | Self::Written { paths, .. } => paths.first().map_or(At::Here, |path| At::Path(path)),
            Self::Text { name, .. } => At::Path(name),
            // The paths of a change need not be on disk.
            Self::Staged(_) | Self::HookManager { .. } | Self::Tree(_) | Self::Push(_) => At::Here,
            Self::Range { .. } | Self::Revision(_) => At::HereOrBare,
        }
    }

    /// Whether a change is checked, or may be.
    pub fn is_change(&self) -> bool {
        matches!(self, Self::Staged(_) | Self::Range { .. } | Self::HookManager { .. })
    }
}
