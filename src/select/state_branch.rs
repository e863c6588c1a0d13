//! State branches: the state of a team on a branch without common history, at its top and not in `.squad/`.

use std::convert::Infallible;
use std::path::Path;

use bstr::{BStr, ByteSlice};
use gix::ObjectId;
use gix::objs::tree::EntryKind;

use super::changes::find_in_tree;
use crate::git::change::Blob;
use crate::git::error::GitError;
use crate::git::index::Index;
use crate::git::repository::{Git, head_tree};

/// Where the state of a team is in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// At the top, as on the branch `squad-state`: `decisions.md`.
    Top,
    /// In folders: `.squad/decisions.md`.
    Folders,
    /// Nowhere.
    Nowhere,
}

/// The folders in which state is on other branches.
const FOLDERS: [&str; 2] = [".squad", ".ai-team"];

/// What is at the top of a state branch, beside `README.md`.
const AT_TOP: [&str; 9] =
    ["decisions.md", "decisions", "agents", "log", "orchestration-log", "sessions", "identity", "casting", "memory"];

/// Whether `revision` is a name of the branch `state_branch`, of its copy of a remote, or of an earlier state of it. `HEAD` is one
/// where it is checked out.
pub fn names(git: &Git, revision: &str, state_branch: &str) -> bool {
    is_name_of(revision, state_branch)
        || is_name_of(revision, "HEAD") && git.branch().is_ok_and(|branch| branch.is_some_and(|it| it == state_branch))
}

fn is_name_of(revision: &str, branch: &str) -> bool {
    let end = revision.find(['~', '^', '@', ':']).unwrap_or(revision.len());
    let name = revision.get(..end).unwrap_or_default();
    // `@` alone is `HEAD`.
    let name = if name.is_empty() && revision.starts_with('@') { "HEAD" } else { name };
    name.strip_suffix(branch).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// What no other program has at the top.
const OF_SQUAD: [&str; 5] =
    ["decisions/inbox", "orchestration-log", "casting/registry.json", "casting/policy.json", "identity/now.md"];

/// What is in a folder of [`FOLDERS`] that a team lives in: one without it is a stray, such as logs that git once ignored.
const OF_A_TEAM: [&str; 5] = ["team.md", "decisions.md", "agents", "casting", "routing.md"];

/// What `.squad/` files on a state branch are.
pub fn stray_note(place: &str) -> String {
    format!("{place} has files in `.squad/`, too, but Squad reads the state at the top of the branch")
}

/// Where the state is in `tree`. A tree that `is_named` like a state branch needs no more than one file of it; another one is
/// recognised by two of decisions, histories and what only Squad has.
///
/// # Errors
/// When a tree cannot be read.
pub fn layout_of(git: &Git, tree: ObjectId, is_named: bool) -> Result<Layout, GitError> {
    git.read(|repository| {
        let find = |path: &str| find_in_tree(repository, tree, path.into());
        let has_history = || -> Result<bool, GitError> {
            let Some(Blob { id, kind: EntryKind::Tree }) = find("agents")? else { return Ok(false) };
            let agents = repository.find_tree(id).map_err(|error| GitError::new("the tree of `agents`", error))?;
            for agent in agents.iter().filter_map(Result::ok).filter(|agent| agent.mode().is_tree()) {
                if find_in_tree(repository, agent.object_id(), "history.md".into())?.is_some() {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        judge(is_named, |path| Ok(find(path)?.is_some()), has_history)
    })
}

/// Whether the tree of the revision has files in `.squad/`.
///
/// # Errors
/// When a tree cannot be read.
pub fn has_folder(git: &Git, tree: ObjectId) -> Result<bool, GitError> {
    git.read(|repository| {
        let mut has = false;
        for folder in FOLDERS {
            has = has || find_in_tree(repository, tree, folder.into())?.is_some();
        }
        Ok(has)
    })
}

/// The layout of a tree or an index that `has` paths. On a branch with the name of the state branch Squad reads the top, so state
/// there counts, whatever a stray folder has; elsewhere the folder of a team counts.
fn judge<E>(
    is_named: bool,
    has: impl Fn(&str) -> Result<bool, E>,
    has_history: impl Fn() -> Result<bool, E>,
) -> Result<Layout, E> {
    let (mut in_folders, mut is_of_team, mut is_top) = (false, false, false);
    for folder in FOLDERS {
        in_folders = in_folders || has(folder)?;
        for inner in OF_A_TEAM {
            is_of_team = is_of_team || in_folders && has(&format!("{folder}/{inner}"))?;
        }
    }
    if !is_named {
        let mut is_of_squad = false;
        for name in OF_SQUAD {
            is_of_squad = is_of_squad || has(name)?;
        }
        let signs = [has("decisions.md")?, is_of_squad, has_history()?];
        is_top = !is_of_team && signs.iter().filter(|sign| **sign).count() > 1;
    } else if is_of_team {
        is_top = has("decisions.md")? || has_history()?;
    } else {
        for name in AT_TOP {
            is_top = is_top || has(name)?;
        }
    }
    Ok(match (is_top, in_folders) {
        (true, _) => Layout::Top,
        (false, true) => Layout::Folders,
        (false, false) => Layout::Nowhere,
    })
}

/// Whether the work tree at `root` is a checkout of the branch `state_branch`: by the name of the branch, and for another one or a
/// detached `HEAD` by what is in it. What is in the index, or new on disk, tells it as well as what `HEAD` has: the change between them
/// may delete or create all of it. Other branches may leave ignored files in `.squad/`.
pub fn is_checked_out(git: &Git, root: &Path, state_branch: &str) -> bool {
    let on_disk = |path: &str| root.join(path).symlink_metadata().is_ok();
    let is_named = match git.branch() {
        Ok(Some(branch)) if branch == state_branch => true,
        // Nearly every repository can be told by names on disk.
        Ok(Some(_)) if !AT_TOP.iter().any(|name| on_disk(name)) => return false,
        Ok(_) => false,
        Err(_) => return false,
    };
    let before = git.read(head_tree).and_then(|tree| layout_of(git, tree, is_named));
    if before.is_ok_and(|layout| layout == Layout::Top) {
        return true;
    }
    // To read the index takes time where it is large.
    if !(is_named || AT_TOP.iter().filter(|name| on_disk(name)).count() > 1) {
        return false;
    }
    let Ok(index) = Index::of(git) else { return false };
    let is_in_index = |path: &str| index.find(path.into()).is_some() || !index.range_below(path.into()).is_empty();
    let has = |path: &str| {
        let is_folder = FOLDERS.iter().any(|folder| path.starts_with(folder));
        // `team.md` is never on a state branch: a folder with it is in use here.
        let is_used = is_folder && path.ends_with("/team.md") || !is_folder && is_named;
        Ok::<_, Infallible>(is_in_index(path) || is_used && on_disk(path))
    };
    let has_history = || {
        let mut agents = index.range_below("agents".into()).map(|at| index.path(at));
        Ok(agents.any(|path| path.ends_with(b"/history.md")))
    };
    judge(is_named, has, has_history) == Ok(Layout::Top)
}

/// Whether the state root at `root` is a stray folder on a state branch.
pub fn is_stray(root: &BStr) -> bool {
    FOLDERS.iter().any(|folder| root == *folder)
}

/// Whether the index has files in such a folder.
pub fn has_stray(git: &Git) -> bool {
    Index::of(git).is_ok_and(|index| FOLDERS.iter().any(|folder| !index.range_below((*folder).into()).is_empty()))
}

/// A name of the branch `state_branch` that git has here, the own one before those of remotes: `origin/squad-state`.
pub fn find(git: &Git, state_branch: &str) -> Option<String> {
    git.branches_named(BStr::new(state_branch)).into_iter().next().map(|name| name.to_str_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_a_state_branch() {
        for name in ["squad-state", "origin/squad-state", "refs/heads/squad-state", "squad-state~2", "squad-state@{1}"]
        {
            assert!(is_name_of(name, "squad-state"), "{name}");
        }
        for name in ["main", "my-squad-state", "squad-state-2", "HEAD", "squad-state/x", ""] {
            assert!(!is_name_of(name, "squad-state"), "{name}");
        }
        for (name, expected) in
            [("HEAD", true), ("HEAD~1", true), ("@", true), ("@{1}", true), ("@~2", true), ("A", false)]
        {
            assert_eq!(is_name_of(name, "HEAD"), expected, "{name}");
        }
    }
}
