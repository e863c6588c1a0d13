//! The way from findings to fixed files: where the fixed bytes go.

use std::collections::BTreeSet;

pub use super::applied::{Applied, Changes};
use super::left_alone::LeftAlone;
use super::passes::{self, Fixed};
use super::problems::Problems;
use super::{index, untrack, work_tree};
use crate::diagnostic::Applicability;
use crate::engine::session::{Session, TargetError};
use crate::outcome::Outcome;
use crate::report::FixCount;
use crate::select::input::Overlay;

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
    let repository = session.text().is_none().then_some(&session.project().repository);
    let root = repository.map(|repository| repository.root.as_path());
    let untracked = if root.is_some() { untrack::wanted(&found, limit) } else { BTreeSet::new() };
    let folders = untrack::folders(&untracked, repository.and_then(|repository| repository.git.as_ref()));
    // As when they are written: what may be ignored from then on is for the other fixes to say.
    let found = if untracked.is_empty() {
        found
    } else {
        session.untrack(untracked);
        session.check(&Overlay::new())
    };
    let alone = LeftAlone::find(&found, root, limit);
    let across = root.is_some() && !session.is_staged();
    let check = |overlay: &Overlay| session.check(overlay);
    let Fixed { files, unsettled, outcome } = passes::run(found, limit, &alone.all(), across, check);
    let incomplete = alone.tell(&unsettled, problems);
    let fixes = files.iter().map(|file| file.count).sum();
    let changed = files.iter().filter(|file| file.count > 0).count();
    let count = FixCount { fixes, files: changed, ..FixCount::default() };
    Applied { outcome, count, incomplete, changes: Changes { files, untracked: folders } }
}
