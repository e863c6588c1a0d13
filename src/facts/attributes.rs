//! What `.gitattributes` says.

use bstr::BStr;

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
    let merge = run.attributes().as_ref().and_then(|attributes| run.git(|_| attributes.merge(path))).flatten();
    merge.is_some_and(|value| value == "union")
}
