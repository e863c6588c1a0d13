//! The branch on which a team keeps its state.

use super::{Gather, Run};
use crate::select::revision::Revision;
use crate::select::state_branch::{self, Layout};

/// Its own copy, or that of a remote. `None` without git, without such a branch, and if its state is not at its top.
pub type Fact = Option<Revision>;

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        let branch = run.options.guard.state_branch.as_str();
        let name = state_branch::find(run.input.repository.git.as_ref()?, branch)?;
        let revision = run.git(|git| Revision::open(git, &name, branch))?;
        (revision.layout == Layout::Top).then_some(revision)
    }
}
