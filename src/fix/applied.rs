//! What fixing came to.

use std::collections::BTreeSet;
use std::io::{self, Write};

use bstr::BString;

use super::diff;
use super::passes::FixedFile;
use crate::outcome::Outcome;
use crate::report::FixCount;
use crate::terminal::{Terminal, display_path};

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

/// Changes that were not written.
#[derive(Debug, Default)]
pub struct Changes {
    /// The files that get other bytes.
    pub files: Vec<FixedFile>,
    /// The files that leave the index.
    pub untracked: BTreeSet<BString>,
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
        for path in &self.untracked {
            // A diff would delete the file where it is applied.
            let line = format!("would take out of the index and keep on disk: {}\n", display_path(path));
            let _ = terminal.stderr().write_all(line.as_bytes());
        }
        diff::print(&self.files)
    }
}
