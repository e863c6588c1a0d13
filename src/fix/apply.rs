//! The way from findings to fixed files: where the fixed bytes go.

use std::collections::BTreeSet;
use std::io::{self, Write};

use bstr::BString;

use super::left_alone::LeftAlone;
use super::passes::{self, Fixed, FixedFile};
use super::problems::Problems;
use super::{diff, index, untrack, work_tree};
use crate::diagnostic::Applicability;
use crate::engine::session::{Session, TargetError};
use crate::outcome::Outcome;
use crate::report::FixCount;
use crate::select::input::Overlay;
use crate::terminal::{Terminal, display_path};

/// Where the fixed bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// Into the files of the work tree.
    WorkTree,
    /// Into the index and the work tree, where both hold the same.
    Index,
    /// Nowhere: [`Applied::changes`] has them, for a diff or for standard output.
    Memory,
}

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

/// Makes the fixes in `found`, the last outcome of `session`, as far as `limit` trusts them, and checks again until none is left.
/// What could not be fixed is in `problems` then.
///
/// # Errors
/// When the staged change cannot be found again.
pub fn apply(
    session: &mut Session<'_>,
    found: Outcome,
    limit: Applicability,
    writer: Writer,
    problems: &mut Problems,
) -> Result<Applied, TargetError> {
    match writer {
        Writer::WorkTree => Ok(work_tree::fix(session, found, limit, problems)),
        Writer::Index => index::fix(session, found, limit, problems),
        Writer::Memory => Ok(in_memory(session, found, limit, problems)),
    }
}

fn in_memory(session: &mut Session<'_>, found: Outcome, limit: Applicability, problems: &mut Problems) -> Applied {
    // No link leads to a text that is not on disk, and no text moves out of it.
    let root = session.text().is_none().then_some(session.project().repository.root.as_path());
    let untracked = if root.is_some() { untrack::wanted(&found, limit) } else { BTreeSet::new() };
    let alone = LeftAlone::find(&found, root, limit);
    let check = |overlay: &Overlay| session.check(overlay);
    let Fixed { files, unsettled, outcome } = passes::run(found, limit, &alone.all(), root.is_some(), check);
    let incomplete = alone.tell(&unsettled, problems);
    let fixes = files.iter().map(|file| file.count).sum();
    let count = FixCount { fixes, files: files.iter().filter(|file| file.count > 0).count(), untracked: 0 };
    Applied { outcome, count, incomplete, changes: Changes { files, untracked } }
}
