//! `--staged` and `--from`: the change that is looked at, and what is said where git cannot tell.

use bstr::BString;

use super::hook_manager;
use crate::cli::CheckArgs;
use crate::git::error::GitError;
use crate::layout::role::Roots;
use crate::select::changes::{Changes, wanted};
use crate::select::repository::Repository;
use crate::select::worktree::SelectError;
use crate::terminal::escape;

/// Why there is no change to look at.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ChangeError {
    #[error("there is no git repository here, and so nothing is staged or committed")]
    #[diagnostic(help("`squad-lint` or `squad-lint PATH` checks a plain folder"))]
    NoGit,
    #[error(transparent)]
    #[diagnostic(help("name a path in the repository"))]
    Path(#[from] SelectError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Git(#[from] GitFailure),
}

/// Whether a change is asked for, and not the files as they are. A hook manager may turn out to ask for those.
pub fn is_asked_for(args: &CheckArgs) -> bool {
    args.staged || args.from.is_some() || args.pre_commit
}

/// The change that `args` ask for.
pub fn find(args: &CheckArgs, repository: &Repository, roots: &Roots) -> Result<Option<Changes>, ChangeError> {
    if !is_asked_for(args) {
        return Ok(None);
    }
    let git = repository.git.as_ref().ok_or(ChangeError::NoGit)?;
    let mut paths = wanted(repository, &args.paths)?;
    // A hook manager names a file by its new name alone; what it was before stands under the old one.
    let scope = if args.pre_commit { vec![BString::default()] } else { paths.clone() };
    let changes = match &args.from {
        Some(from) => Changes::between(git, from, args.to.as_deref(), scope),
        None => Changes::staged(git, scope),
    };
    let mut changes = changes.map_err(|error| GitFailure::from(&error))?;
    if args.pre_commit {
        paths.retain(|path| !path.is_empty());
        if args.from.is_none() && !hook_manager::is_of_commit(git, &changes, &paths) {
            return Ok(None);
        }
    }
    changes.all_lines = args.all_lines;
    changes.join_renames(roots);
    if !paths.is_empty() && args.pre_commit {
        changes.narrow(&paths);
    }
    Ok(Some(changes))
}

/// Something that could not be read from git.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("{message}")]
#[diagnostic(help("{help}"))]
pub struct GitFailure {
    message: String,
    help: String,
}

impl From<&GitError> for GitFailure {
    fn from(error: &GitError) -> Self {
        let causes = std::iter::successors(std::error::Error::source(error), |error| error.source());
        let causes: Vec<String> = causes.map(ToString::to_string).collect();
        // What gix says of a name that there is not repeats the name.
        let says_enough = matches!(error, GitError::Revision { .. });
        let causes = if says_enough || causes.is_empty() { String::new() } else { format!(": {}", causes.join(": ")) };
        let help = match causes.contains("reftable") {
            true => format!("its references are kept as a reftable: {REFTABLE}"),
            false => help(error),
        };
        Self { message: escape(&format!("{error}{causes}")), help: escape(&help) }
    }
}

const REFTABLE: &str = "a reftable cannot be read here; `git refs migrate --ref-format=files` makes files of it";

fn help(error: &GitError) -> String {
    let nearest = |name: &Option<String>| name.as_ref().map(|name| format!("did you mean `{name}`? "));
    match error {
        GitError::Index { .. } => "`git status` and `git fsck` say more".into(),
        GitError::NoIndex { .. } => {
            "git hooks name the index that is committed; elsewhere `unset GIT_INDEX_FILE` goes back to the repository's own"
                .into()
        }
        GitError::Unborn { .. } => {
            "`--staged` checks what the first commit brings, `squad-lint` alone the files as they are".into()
        }
        GitError::Reftable { .. } => REFTABLE.into(),
        GitError::OtherThing { .. } => {
            "name a commit, a branch or a tag; paths after the options limit the check to a folder".into()
        }
        GitError::Head { .. } => {
            "`git fsck` shows what is missing; `git log --walk-reflogs` shows what the name meant before".into()
        }
        GitError::Object { partial: true, id, .. } => {
            format!("this is a partial clone, and nothing is fetched here: `git cat-file -e {id}` fetches the object")
        }
        GitError::Object { .. } => "`git fsck` shows what is missing or damaged; another clone may have it".into(),
        GitError::Revision { nearest: name, shallow: true, .. } => {
            let nearest = nearest(name).unwrap_or_default();
            format!(
                "{nearest}the clone is shallow: `git fetch --unshallow`, or `fetch-depth: 0` in a workflow, completes it"
            )
        }
        GitError::Revision { nearest: name, .. } => {
            nearest(name).unwrap_or_default() + "`git branch --all` and `git tag` list the names there are"
        }
        GitError::History { .. } => "`git fsck` shows which commit is missing or damaged".into(),
        GitError::Read { .. } => {
            "what the guard says is not all; `git fsck` shows what is damaged, `--ignore guard` checks the files alone"
                .into()
        }
    }
}
