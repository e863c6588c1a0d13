//! State branches: the state of a team on a branch without common history, at its top and not in `.squad/`.

use std::path::Path;

use bstr::{BStr, ByteSlice};
use gix::ObjectId;
use gix::objs::tree::EntryKind;

use super::changes::find_in_tree;
use crate::git::change::Blob;
use crate::git::error::GitError;
use crate::git::repository::Git;

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

/// Whether `revision` is a name of the branch `state_branch`, of its copy of a remote, or of an earlier state of it.
pub fn names(revision: &str, state_branch: &str) -> bool {
    let end = revision.find(['~', '^', '@', ':']).unwrap_or(revision.len());
    let name = revision.get(..end).unwrap_or_default();
    name.strip_suffix(state_branch).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Where the state is in `tree`. A tree that `is_named` like a state branch needs no more than one file of it; another one is
/// recognized by decisions and histories.
///
/// # Errors
/// When a tree cannot be read.
pub fn layout_of(git: &Git, tree: ObjectId, is_named: bool) -> Result<Layout, GitError> {
    git.read(|repository| {
        let find = |path: &str| find_in_tree(repository, tree, path.into());
        for folder in FOLDERS {
            if find(folder)?.is_some() {
                return Ok(Layout::Folders);
            }
        }
        let mut is_top = false;
        if is_named {
            for name in AT_TOP {
                is_top = is_top || find(name)?.is_some();
            }
        } else if find("decisions.md")?.is_some_and(Blob::is_file)
            && let Some(Blob { id, kind: EntryKind::Tree }) = find("agents")?
        {
            let agents = repository.find_tree(id).map_err(|error| GitError::new("the tree of `agents`", error))?;
            for agent in agents.iter().filter_map(Result::ok).filter(|agent| agent.mode().is_tree()) {
                is_top = is_top || find_in_tree(repository, agent.object_id(), "history.md".into())?.is_some();
            }
        }
        Ok(if is_top { Layout::Top } else { Layout::Nowhere })
    })
}

/// Whether the work tree at `root` is a checkout of the branch `state_branch`: by the name of the branch and what is on disk, and
/// for a detached `HEAD` by what is on disk alone.
pub fn is_checked_out(git: &Git, root: &Path, state_branch: &str) -> bool {
    let is_there = |name: &str| root.join(name).symlink_metadata().is_ok();
    if FOLDERS.into_iter().any(is_there) {
        return false;
    }
    match git.branch() {
        Ok(Some(branch)) => branch == state_branch && AT_TOP.into_iter().any(is_there),
        Ok(None) if is_there("decisions.md") => {
            let agents = std::fs::read_dir(root.join("agents")).into_iter().flatten().flatten();
            agents.take(MOST_AGENTS).any(|agent| agent.path().join("history.md").is_file())
        }
        _ => false,
    }
}

/// Of so many agents one has a history.
const MOST_AGENTS: usize = 100;

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
            assert!(names(name, "squad-state"), "{name}");
        }
        for name in ["main", "my-squad-state", "squad-state-2", "HEAD", "squad-state/x", ""] {
            assert!(!names(name, "squad-state"), "{name}");
        }
    }
}
