//! `--pre-commit`: what a hook manager (pre-commit, prek) wants to know about the files that it names.

use std::borrow::Cow;
use std::env;
use std::path::Path;

use super::Stop;
use super::change::{ChangeError, GitFailure};
use super::check::CheckError;
use bstr::BString;

use crate::cli::CheckArgs;
use crate::select::changes::{Changes, wanted};
use crate::select::repository::Repository;

/// `args` with `--pre-commit` put into other words: `--from` and `--to`, `--staged`, or the files as they are.
///
/// # Errors
/// When it cannot be told what is staged.
pub fn resolve(args: &CheckArgs) -> Result<Cow<'_, CheckArgs>, Stop> {
    if !args.pre_commit {
        return Ok(Cow::Borrowed(args));
    }
    let variable = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let mut args = args.clone();
    args.branch = args.branch.or_else(|| variable("PRE_COMMIT_REMOTE_BRANCH"));
    match variable("PRE_COMMIT_FROM_REF").zip(variable("PRE_COMMIT_TO_REF")) {
        Some((from, to)) => (args.from, args.to) = (Some(from), Some(to)),
        None => args.staged = is_staged(&args)?,
    }
    Ok(Cow::Owned(args))
}

/// Whether what is named is what a commit changes, and not all files (`--all-files`) or some (`--files`).
fn is_staged(args: &CheckArgs) -> Result<bool, Stop> {
    let repository = Repository::discover(Path::new(".")).map_err(CheckError::from)?;
    let Some(git) = &repository.git else { return Ok(false) };
    let paths = wanted(&repository, &args.paths).map_err(ChangeError::from)?;
    let changes = Changes::staged(git, paths.clone()).map_err(|error| GitFailure::from(&error))?;
    let is_changed = |path: &BString| changes.list().iter().any(|change| change.path == *path);
    Ok(match args.paths.is_empty() {
        true => !changes.list().is_empty(),
        false => paths.iter().all(is_changed),
    })
}
