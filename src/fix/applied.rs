//! What fixing came to.

use std::io::{self, Write};

use super::diff;
use super::passes::FixedFile;
use super::untrack::Untracked;
use crate::outcome::Outcome;
use crate::report::FixCount;
use crate::terminal::{Terminal, display_path};
use crate::text::prose::plural;

/// What fixing came to.
#[derive(Debug)]
pub struct Applied {
    /// What is left to find.
    pub outcome: Outcome,
    /// What was fixed.
    pub count: FixCount,
    /// Whether fixes could not be made; the problems say which.
    pub incomplete: bool,
    /// What would change, where nothing was written.
    pub changes: Changes,
}

impl Applied {
    /// Nothing was fixed.
    pub fn none(outcome: Outcome) -> Self {
        Self { outcome, count: FixCount::default(), incomplete: false, changes: Changes::default() }
    }
}

/// Changes that were not written.
#[derive(Debug, Default)]
pub struct Changes {
    /// The files that get other bytes.
    pub files: Vec<FixedFile>,
    /// What leaves the index: files, and folders all of whose files leave it.
    pub untracked: Vec<Untracked>,
}

impl Changes {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.untracked.is_empty()
    }

    /// Prints them: the files as a diff on standard output, the index in words on standard error.
    ///
    /// # Errors
    /// What standard output says.
    pub fn show(&self, terminal: Terminal) -> io::Result<()> {
        for Untracked { path, files } in &self.untracked {
            // A diff would delete the file where it is applied.
            let files = files.map(|files| format!(" ({})", plural(files, "file"))).unwrap_or_default();
            let path = display_path(path);
            let _ = writeln!(terminal.stderr(), "would remove from the index and keep on disk: {path}{files}");
        }
        diff::print(&self.files)
    }
}
