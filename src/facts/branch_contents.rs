//! What each branch would get of the state.

use bstr::BString;

use super::{Gather, Run};
use crate::git::push::Push;
use crate::select::input::Mode;
use crate::select::tracked::{self, StatePaths};

/// The state that a branch carries: in the work tree and for a change the branch that is checked out or meant, for a push each
/// branch that is pushed to.
#[derive(Debug)]
pub struct BranchContents {
    /// The branch; `None` for a detached HEAD.
    pub branch: Option<BString>,
    /// What it carries.
    pub paths: StatePaths,
}

/// See [`BranchContents`].
pub type Fact = Vec<BranchContents>;

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        let roots = run.input.roots;
        let target = || run.options.target_branch.as_deref().map(BString::from);
        let contents = |branch, paths: Option<StatePaths>| BranchContents { branch, paths: paths.unwrap_or_default() };
        let mut branches = match run.input.mode {
            Mode::WorkTree => {
                let branch = target().or_else(|| run.branch().clone());
                let index = run.index().as_ref();
                let paths = index.and_then(|index| run.git(|git| tracked::in_index(git, index, roots)));
                vec![contents(branch, paths)]
            }
            // What a change removes may be removed: only what it leaves counts.
            Mode::Change(changes) => {
                let branch = target().or_else(|| if changes.is_staged() { run.branch().clone() } else { None });
                vec![contents(branch, Some(tracked::in_changes(changes.list(), roots)))]
            }
            Mode::Revision(revision) => {
                let branch = target().or_else(|| revision.branch.clone());
                vec![contents(branch, run.git(|_| revision.tracked(roots)))]
            }
            Mode::Tree(revision) => {
                vec![contents(target(), run.git(|git| tracked::in_tree(git, roots, revision)))]
            }
            Mode::Push(pushes) => {
                let of_push = |push: &Push| {
                    let paths = run.git(|git| tracked::brought(git, roots, push.old.as_deref(), &push.new));
                    contents(Some(push.branch.clone()), paths)
                };
                pushes.iter().map(of_push).collect()
            }
        };
        let untracked = &run.input.selection.untracked;
        if !untracked.is_empty() {
            let roots = branches.iter_mut().flat_map(|contents| contents.paths.values_mut());
            roots.for_each(|tracked| tracked.retain(|one| !untracked.contains(&one.path)));
        }
        branches
    }
}
