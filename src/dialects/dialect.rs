//! What a dialect says about itself, and the macro that declares them all.

use bstr::{BStr, ByteSlice};

use super::kind::FileKind;
use crate::fs::path::inner_path;

/// A dialect: some kinds of files that belong together, and where they lie.
#[derive(Debug)]
pub struct Dialect {
    /// The state roots that it brings by default.
    pub roots: &'static [Root],
    /// The kind of a file in a state root; `None` for a file of another dialect. All state roots are asked for, also those
    /// of other dialects and those that a configuration names. It is called for every file in them: it must not allocate.
    pub kind_in_root: fn(StatePath<'_>) -> Option<&'static FileKind>,
    /// The kind of a file that is read wherever it lies, by the end of its path, such as `team.squad`. It is called for every
    /// file of the repository: it must not allocate.
    pub kind_anywhere: Option<fn(&BStr) -> Option<&'static FileKind>>,
    /// The kind of a file outside every state root that was named on the command line, by its name; `None` for a file of
    /// another dialect.
    pub kind_by_name: fn(&BStr) -> Option<&'static FileKind>,
}

impl Dialect {
    /// No root and no file: `..Dialect::NEW` fills in what a dialect does not have.
    pub const NEW: Self = Self { roots: &[], kind_in_root: |_| None, kind_anywhere: None, kind_by_name: |_| None };
}

/// A folder that is a state root by default.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// The glob that `roots.state` has for it: a path that matches at any depth, such as `memory/agents`.
    pub glob: &'static str,
    /// Which of its files may be in git, unless `guard.policy` says it.
    pub in_git: InGit,
    /// The files in it whose entries the merge driver merges, as patterns of git: those of each kind that [`is_merged`] has.
    ///
    /// [`is_merged`]: super::is_merged
    pub merged: &'static [&'static str],
}

/// Which files of a state root may be in git.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InGit {
    /// None, as in `.ai-team/`.
    Nothing,
    /// All but runtime files, as in `.squad/`.
    AllButRuntime,
    /// All, also with a `guard.policy`: the team commits them on purpose, as in `memory/agents/`.
    Everything,
}

/// The path of a file in a state root.
#[derive(Clone, Copy, Debug)]
pub struct StatePath<'a> {
    /// The last two names of the path of the state root, such as `memory/agents`, or its only one, such as `.squad`.
    pub root: &'a BStr,
    /// The path in the state root, such as `keaton/learnings.md`.
    pub inner: &'a BStr,
}

impl<'a> StatePath<'a> {
    /// The file at `path` in the state root at `root`, both relative to the root of the repository.
    pub fn new(path: &'a BStr, root: &'a BStr) -> Self {
        let mut slashes = memchr::memrchr_iter(b'/', root);
        slashes.next();
        let start = slashes.next().map_or(0, |slash| slash + 1);
        Self { root: root.get(start..).unwrap_or_default().as_bstr(), inner: inner_path(path, root) }
    }

    /// The name of the file, such as `learnings.md`.
    pub fn name(self) -> &'a BStr {
        let start = memchr::memrchr(b'/', self.inner).map_or(0, |slash| slash + 1);
        self.inner.get(start..).unwrap_or_default().as_bstr()
    }
}

/// Declares the dialects, a module each, which has `pub static DIALECT`. Of two that know a file, the later one counts:
/// `squad` knows all Markdown, and so it is the first.
macro_rules! dialects {
    ($($module:ident)*) => {
        $(pub mod $module;)*

        /// Every dialect, in the order of the list.
        static DIALECTS: [&Dialect; [$(stringify!($module)),*].len()] = [$(&$module::DIALECT),*];

        /// The kind of a file that is read wherever it lies, by the end of its path; `None` for all other files.
        pub fn kind_anywhere(path: &BStr) -> Option<&'static FileKind> {
            let mut found = None;
            // Not a loop: a dialect without such files costs nothing here, and a repository has many files.
            $(if let Some(kind) = $module::DIALECT.kind_anywhere {
                found = kind(path).or(found);
            })*
            found
        }
    };
}

pub(super) use dialects;
