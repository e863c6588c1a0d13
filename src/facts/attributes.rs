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

/// Whether git keeps what both sides append to the file at `path`: it takes the lines of both, or squad-lint merges the entries.
pub fn keeps_both_sides(run: &Run<'_>, path: &BStr) -> bool {
    let merge = run.attributes().as_ref().and_then(|attributes| run.git(|_| attributes.merge(path))).flatten();
    merge.is_some_and(|value| value == "union" || value == "squad-lint")
}
