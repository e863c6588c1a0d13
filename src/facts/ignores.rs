//! What git ignores.

use bstr::BStr;

use super::{Gather, Run};
use crate::git::ignore::{Decision, Ignores};
use crate::select::input::Mode;

/// `None` without git.
pub type Fact = Option<Ignores>;

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        let root = &run.input.repository.root;
        run.git(|git| match run.input.mode {
            Mode::Change(changes) => Ignores::in_git(git, root, changes.tree()),
            _ => Ignores::new(git, root),
        })
    }
}

/// What decides whether git ignores the file or folder at `path`; `None` where no pattern matches it, and where neither the work
/// tree nor a change is looked at.
pub fn decide(run: &Run<'_>, path: &BStr, is_dir: bool) -> Option<Decision> {
    let ignores = if run.has_files() { run.ignores().as_ref()? } else { return None };
    run.git(|_| ignores.decide(path, is_dir)).flatten()
}

/// Whether git ignores the file at `path`.
pub fn is_ignored(run: &Run<'_>, path: &BStr) -> bool {
    decide(run, path, false).is_some_and(|decision| decision.ignored)
}
