//! What `.gitattributes` says.

use bstr::{BStr, BString};

use super::{Gather, Run};
use crate::git::attributes::Attributes;

/// `None` without git.
pub type Fact = Option<Attributes>;

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        let index = run.index().as_ref()?;
        run.git(|git| Attributes::new(git, index))
    }
}

/// Whether git merges the file at `path` by taking the lines of both sides.
pub fn merges_by_union(run: &Run<'_>, path: &BStr) -> bool {
    driver(run, path).is_some_and(|driver| driver == "union")
}

/// Whether git lets squad-lint merge the file at `path`, entry by entry.
pub fn merges_by_entries(run: &Run<'_>, path: &BStr) -> bool {
    driver(run, path).is_some_and(|driver| driver == "squad-lint")
}

fn driver(run: &Run<'_>, path: &BStr) -> Option<BString> {
    run.attributes().as_ref().and_then(|attributes| run.git(|_| attributes.merge(path))).flatten()
}
