//! What git could not tell.

use std::error::Error;
use std::path::PathBuf;

use bstr::{BStr, BString, ByteSlice};
use gix::ObjectId;
use gix::objs::Kind;

/// Why something was not read.
pub(crate) type Cause = Box<dyn Error + Send + Sync>;

/// What git could not tell. It is never taken for an empty answer.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The index is damaged, or cannot be read.
    #[error("cannot read the index of the git repository")]
    Index {
        /// Why.
        source: Cause,
    },
    /// `GIT_INDEX_FILE` names a file that is not there.
    #[error("`GIT_INDEX_FILE` is {}, which does not exist", path.display())]
    NoIndex {
        /// The file.
        path: PathBuf,
    },
    /// An existing name, or the commit that it leads to, cannot be read.
    #[error("`{}` does not point to a commit", name.escape_debug())]
    Head {
        /// `HEAD`, or as given.
        name: String,
        /// Why.
        source: Cause,
    },
    /// There is no commit yet that the name could mean.
    #[error("`{}` has no commit yet: the branch `{}` is unborn", name.escape_debug(), branch.escape_debug())]
    Unborn {
        /// As given.
        name: String,
        /// The branch that is checked out.
        branch: String,
    },
    /// The names cannot be looked up.
    #[error("cannot look up `{}`: the repository stores its refs as a reftable", name.escape_debug())]
    Reftable {
        /// As given.
        name: String,
    },
    /// A name that leads to something else than what can be compared.
    #[error("`{}` is {found}, expected a commit{}", name.escape_debug(), if *or_tree { ", or the tree of one" } else { "" })]
    OtherThing {
        /// As given.
        name: String,
        /// What it is.
        found: &'static str,
        /// Whether the tree of a commit will do.
        or_tree: bool,
    },
    /// An object is missing or damaged.
    #[error("cannot read the {kind} `{id}`{}", of_path(path.as_bstr()))]
    Object {
        /// `blob`, `tree` or `commit`.
        kind: Kind,
        /// The object.
        id: ObjectId,
        /// Its path; empty for the root.
        path: BString,
        /// Whether the repository is a partial clone: the remote has what is missing here.
        partial: bool,
        /// Why.
        source: Cause,
    },
    /// An unknown revision.
    #[error("unknown revision `{}`", name.escape_debug())]
    Revision {
        /// As given.
        name: String,
        /// The branch, tag or other name that was probably meant.
        nearest: Option<String>,
        /// Whether the history is cut off: the revision may lie beyond.
        shallow: bool,
        /// Why.
        source: Cause,
    },
    /// Anything else.
    #[error("git: cannot read {what}")]
    Read {
        /// What was to be read.
        what: String,
        /// Why.
        source: Cause,
    },
    /// The histories of two revisions cannot be walked.
    #[error("cannot find the merge base of two commits")]
    History {
        /// Why.
        source: Cause,
    },
}

impl GitError {
    /// The error of reading `what`; its chain of causes says more.
    pub fn new(what: impl Into<String>, source: impl Into<Cause>) -> Self {
        Self::Read { what: what.into(), source: source.into() }
    }
}

fn of_path(path: &BStr) -> String {
    if path.is_empty() { String::new() } else { format!(" of {}", path.to_string().escape_debug()) }
}
