//! What the rules asked for while they checked one document: as long as the answers are the same, so are the findings.

use std::cell::{Cell, RefCell};

/// What was asked so far.
#[derive(Debug, Default)]
pub struct Asked {
    /// Whether a rule asked for the whole run: then nothing tells what its findings depend on.
    pub run: Cell<bool>,
    /// Whether one asked who is on the team of the document's state root.
    pub squad: Cell<bool>,
    /// The moments for which entries were asked, from the first to the last of each range.
    moments: RefCell<Vec<(i64, i64)>>,
}

impl Asked {
    /// Notes that a rule asks for the entries from the moment `first` to the moment `last`.
    pub(super) fn note(&self, first: i64, last: i64) {
        let mut moments = self.moments.borrow_mut();
        if moments.last() != Some(&(first, last)) {
            moments.push((first, last));
        }
    }

    /// The ranges of moments in which a rule asked for entries.
    pub fn into_moments(self) -> Vec<(i64, i64)> {
        let mut moments = self.moments.into_inner();
        moments.sort_unstable();
        moments.dedup();
        moments
    }
}
