//! The branch on which a team keeps its state.

use bstr::{BStr, ByteSlice};

use super::state_roots;
use super::{Gather, Run};
use crate::options::Policy;
use crate::select::revision::Revision;
use crate::select::state_branch::{self, Layout};

/// Its own copy, or that of a remote. `None` without git, without such a branch, and if its state is not at its top.
pub type Fact = Option<Revision>;

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        let branch = run.options.guard.state_branch.as_str();
        let name = state_branch::find(run.input.repository.git.as_ref()?, branch)?;
        open(run, &name)
    }
}

/// All copies of the branch: one that is behind another one has not all of the state.
pub fn copies(run: &Run<'_>) -> Vec<Revision> {
    let branch = run.options.guard.state_branch.as_str();
    let names = run.input.repository.git.iter().flat_map(|git| git.branches_named(BStr::new(branch)));
    names.filter_map(|name| open(run, &name.to_str_lossy())).collect()
}

fn open(run: &Run<'_>, name: &str) -> Option<Revision> {
    let branch = run.options.guard.state_branch.as_str();
    let revision = run.git(|git| Revision::open(git, name, branch))?;
    (revision.layout == Layout::Top).then_some(revision)
}

/// Whether the team of the state root `root` keeps its state on the branch, by its configuration or by the policy.
pub fn holds(run: &Run<'_>, root: &BStr) -> bool {
    // The branch has one state: that of the team at the top of the repository.
    !run.is_state_branch()
        && !root.is_empty()
        && !root.contains(&b'/')
        && (run.options.guard.policy_of(root) == Some(Policy::StateBranch)
            || state_roots::config(run, root).backend.has_branch())
}
