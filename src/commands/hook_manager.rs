//! `--pre-commit`: what a hook manager (pre-commit, prek) wants to know about the files that it names.

use std::borrow::Cow;
use std::env;

use bstr::{BString, ByteSlice};

use crate::cli::CheckArgs;
use crate::git::repository::Git;
use crate::select::changes::Changes;

/// `args` with what the manager says in its variables: a range as `--from` and `--to`, the branch that is pushed to.
pub fn resolve(args: &CheckArgs) -> Cow<'_, CheckArgs> {
    if !args.pre_commit {
        return Cow::Borrowed(args);
    }
    let variable = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let mut args = args.clone();
    args.branch = args.branch.or_else(|| variable("PRE_COMMIT_REMOTE_BRANCH"));
    if let Some((from, to)) = variable("PRE_COMMIT_FROM_REF").zip(variable("PRE_COMMIT_TO_REF")) {
        (args.from, args.to) = (Some(from), Some(to));
    }
    Cow::Owned(args)
}

/// Whether a commit is asked about, and not all files (`--all-files`) or some (`--files`), none of which the manager says in
/// words. `names` are what it hands over.
pub fn is_of_commit(git: &Git, staged: &Changes, names: &[BString]) -> bool {
    // Git sets the variable for the hooks of a commit.
    let commits = || env::var_os("GIT_INDEX_FILE").is_some();
    let is_staged = |name: &BString| staged.change_of(name.as_bstr()).is_some();
    match names {
        // A hook that takes no names; or nothing is left of all that is staged.
        [] => commits(),
        // Of a merge it names also what stays as it was.
        names => names.iter().all(is_staged) || commits() && git.is_merging(),
    }
}
