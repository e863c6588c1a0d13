//! What a run found, as reports and fixes take it.

use std::sync::Arc;

use bstr::{BString, ByteSlice};

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::git::error::GitError;
use crate::select::read_error::ReadError;
use crate::suppress::Suppressed;
use crate::text::Source;

/// A file named on the command line that could not be read.
#[derive(Debug)]
pub struct Failure {
    /// The path, relative to the root.
    pub path: BString,
    /// Why.
    pub reason: ReadError,
}

/// Why a run over a change checked no file.
pub const NONE_CHANGED: &str = "the change has no file that squad-lint checks";

/// What a run found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Where the state of the team is, if no file was checked because it is elsewhere.
    pub elsewhere: Option<String>,
    /// Whether a change was checked: most have no file of a team.
    pub is_change: bool,
    /// The findings, sorted by file, place and rule: the same from run to run.
    pub diagnostics: Vec<Diagnostic>,
    /// Findings that are not reported, in the same order.
    pub suppressed: Vec<Suppressed>,
    /// The files that were read, also for rules that look at the repository, in the order of their paths: what the
    /// findings point into.
    pub sources: Vec<Arc<Source>>,
    /// What was made of the files that were checked. Who ends with the report need not give their memory back.
    pub documents: Vec<Arc<Document>>,
    /// How many files were checked.
    pub files: usize,
    /// How many of them are inbox files in which no entry was recognised, neither in SEM nor in an older format.
    pub without_entries: usize,
    /// Files named on the command line that could not be read.
    pub failures: Vec<Failure>,
    /// What could not be read from git: what was found then is not all.
    pub git_failure: Option<GitError>,
}

impl Outcome {
    /// The text of the file at `path`.
    pub fn source(&self, path: &[u8]) -> Option<&Source> {
        let at = self.sources.binary_search_by(|source| source.path().as_bytes().cmp(path)).ok()?;
        self.sources.get(at).map(Arc::as_ref)
    }
}
