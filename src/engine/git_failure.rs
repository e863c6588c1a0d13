//! What is said where git could not tell.

use crate::git::error::GitError;
use crate::rules::shell::word;
use crate::terminal::escape;

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
        // The message of gix about an unknown name repeats the name.
        let says_enough = matches!(error, GitError::Revision { .. });
        let causes = if says_enough || causes.is_empty() { String::new() } else { format!(": {}", causes.join(": ")) };
        let help = match causes.contains("reftable") {
            true => format!("its references are kept as a reftable: {REFTABLE}"),
            false => help(error),
        };
        Self { message: escape(&format!("{error}{causes}")), help: escape(&help) }
    }
}

const REFTABLE: &str = "squad-lint cannot read a reftable; `git refs migrate --ref-format=files` converts it to files";

fn help(error: &GitError) -> String {
    let nearest = |name: &Option<String>| name.as_ref().map(|name| format!("did you mean `{name}`? "));
    match error {
        GitError::Index { .. } => "`git status` and `git fsck` show the reason".into(),
        GitError::NoIndex { .. } => {
            "git hooks name the index that is committed; elsewhere `unset GIT_INDEX_FILE` goes back to the repository's own"
                .into()
        }
        GitError::Unborn { .. } => {
            "`--staged` checks the changes of the first commit, and `squad-lint` alone checks the files on disk".into()
        }
        GitError::Reftable { .. } => REFTABLE.into(),
        // All files of a revision are checked, those of a change by paths.
        GitError::OtherThing { name, or_tree: true, .. } => match name.split_once(':') {
            Some((commit, _)) if !commit.is_empty() => {
                format!("name the commit without a path: `squad-lint --rev {}`", word(commit.into()))
            }
            _ => "name a commit, a branch or a tag".into(),
        },
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
            nearest(name).unwrap_or_default() + "`git branch --all` and `git tag` list the names"
        }
        GitError::History { .. } => "`git fsck` shows which commit is missing or damaged".into(),
        GitError::Read { .. } => {
            "the findings of `guard` are incomplete; `git fsck` shows the damage, and `--ignore guard` checks only the files"
                .into()
        }
    }
}
