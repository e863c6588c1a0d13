//! State branches: the state of a team on a branch without common history, at its top and not in `.squad/`.

use std::convert::Infallible;
use std::path::Path;

use bstr::{BStr, BString, ByteSlice};
use gix::ObjectId;
use gix::objs::tree::EntryKind;

use super::changes::find_in_tree;
use crate::git::change::Blob;
use crate::git::error::GitError;
use crate::git::index::Index;
use crate::git::repository::{Git, commit_of, head_tree};

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

/// What state in `.squad/` is, with nothing at the top of a state branch.
pub fn prefix_note(place: &str) -> String {
    format!("{place} has its state in `.squad/`, but Squad reads it at the top of the branch")
}

/// What else is at the top of a state branch. Squad writes the first one.
const BESIDE: [&str; 5] = [README, "archive", "fact-checker", "promoted", "rai"];

const README: &str = "README.md";

/// The longest `README.md` that is read. That of Squad has three lines.
const MAX_README: u64 = 1 << 16;

/// A tree or an index.
trait Look {
    type Error;
    /// Whether there is a file or a folder at `path`.
    fn has(&self, path: &str) -> Result<bool, Self::Error>;
    /// Whether an agent has a history.
    fn has_history(&self) -> Result<bool, Self::Error>;
    /// The names at the top.
    fn names(&self) -> Result<Vec<BString>, Self::Error>;
    /// What the `README.md` at the top says, if it is short.
    fn readme(&self) -> Option<Vec<u8>>;
}

struct InTree<'r> {
    git: &'r Git,
    repository: &'r gix::Repository,
    tree: ObjectId,
}

impl Look for InTree<'_> {
    type Error = GitError;

    fn has(&self, path: &str) -> Result<bool, GitError> {
        Ok(find_in_tree(self.repository, self.tree, path.into())?.is_some())
    }

    fn has_history(&self) -> Result<bool, GitError> {
        let agents = find_in_tree(self.repository, self.tree, "agents".into())?;
        let Some(Blob { id, kind: EntryKind::Tree }) = agents else { return Ok(false) };
        let agents = self.repository.find_tree(id).map_err(|error| GitError::new("the tree of `agents`", error))?;
        for agent in agents.iter().filter_map(Result::ok).filter(|agent| agent.mode().is_tree()) {
            if find_in_tree(self.repository, agent.object_id(), "history.md".into())?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn names(&self) -> Result<Vec<BString>, GitError> {
        let tree = self.repository.find_tree(self.tree).map_err(|error| GitError::new("the tree", error))?;
        Ok(tree.iter().filter_map(Result::ok).map(|entry| entry.filename().to_owned()).collect())
    }

    fn readme(&self) -> Option<Vec<u8>> {
        let blob = find_in_tree(self.repository, self.tree, README.into()).ok()??;
        self.git.blob(blob.id, README.into(), MAX_README).ok()
    }
}

/// The index, and what is new on disk.
struct InIndex<'r> {
    git: &'r Git,
    index: Index,
    root: &'r Path,
    is_named: bool,
}

impl InIndex<'_> {
    fn on_disk(&self, path: &str) -> bool {
        self.root.join(path).symlink_metadata().is_ok()
    }
}

impl Look for InIndex<'_> {
    type Error = Infallible;

    fn has(&self, path: &str) -> Result<bool, Infallible> {
        let is_folder = FOLDERS.iter().any(|folder| path.starts_with(folder));
        // `team.md` is never on a state branch: a folder with it is in use here.
        let is_used = is_folder && path.ends_with("/team.md") || !is_folder && self.is_named;
        let is_in_index = self.index.find(path.into()).is_some() || !self.index.range_below(path.into()).is_empty();
        Ok(is_in_index || is_used && self.on_disk(path))
    }

    fn has_history(&self) -> Result<bool, Infallible> {
        let mut agents = self.index.range_below("agents".into()).map(|at| self.index.path(at));
        Ok(agents.any(|path| path.ends_with(b"/history.md")))
    }

    fn names(&self) -> Result<Vec<BString>, Infallible> {
        let (mut names, mut at) = (Vec::new(), 0);
        while at < self.index.len() {
            let path = self.index.path(at);
            let name = path.split_str("/").next().unwrap_or_default().as_bstr();
            at = self.index.range_below(name).end.max(at + 1);
            names.push(name.to_owned());
        }
        Ok(names)
    }

    fn readme(&self) -> Option<Vec<u8>> {
        let entry = self.index.find(README.into())?;
        self.git.blob(entry.blob?.id, README.into(), MAX_README).ok()
    }
}

/// Where the state is in `tree`. A tree that `is_named` like a state branch needs no more than one file of it. Another one is
/// recognised by two of decisions, histories and what only Squad has, with nothing at its top that a state branch does not have. With
/// decisions and histories alone, which others have as well, its `README.md` has to be about state, as that of Squad is.
///
/// # Errors
/// When a tree cannot be read.
pub fn layout_of(git: &Git, tree: ObjectId, is_named: bool) -> Result<Layout, GitError> {
    git.read(|repository| judge(is_named, &InTree { git, repository, tree }))
}

/// Whether the state branch `name` has no state anywhere.
pub fn is_empty(git: &Git, name: &str) -> bool {
    let tree = git.read(|repository| commit_of(repository, name, true)).map(|found| found.tree);
    tree.and_then(|tree| layout_of(git, tree, true)).is_ok_and(|layout| layout == Layout::Nowhere)
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

/// The layout of a tree or an index. On a branch with the name of the state branch Squad reads the top, so state there counts,
/// whatever a stray folder has; elsewhere the folder of a team counts.
fn judge<L: Look>(is_named: bool, it: &L) -> Result<Layout, L::Error> {
    let (mut in_folders, mut is_of_team, mut is_top) = (false, false, false);
    for folder in FOLDERS {
        in_folders = in_folders || it.has(folder)?;
        for inner in OF_A_TEAM {
            is_of_team = is_of_team || in_folders && it.has(&format!("{folder}/{inner}"))?;
        }
    }
    if !is_named {
        is_top = !is_of_team && is_like_state(it)?;
    } else if is_of_team {
        is_top = it.has("decisions.md")? || it.has_history()?;
    } else {
        for name in AT_TOP {
            is_top = is_top || it.has(name)?;
        }
    }
    Ok(match (is_top, in_folders) {
        (true, _) => Layout::Top,
        (false, true) => Layout::Folders,
        (false, false) => Layout::Nowhere,
    })
}

/// Whether the top has the state of a team, and nothing else.
fn is_like_state<L: Look>(it: &L) -> Result<bool, L::Error> {
    let mut is_of_squad = false;
    for name in OF_SQUAD {
        is_of_squad = is_of_squad || it.has(name)?;
    }
    let signs = [it.has("decisions.md")?, is_of_squad, it.has_history()?];
    if signs.iter().filter(|sign| **sign).count() < 2 {
        return Ok(false);
    }
    let is_of_state = |name: &BString| {
        let name = name.as_bytes();
        let mut known = AT_TOP.iter().chain(&BESIDE);
        known.any(|known| known.as_bytes() == name) || name.starts_with(b".") || name.starts_with(b"decisions-")
    };
    if !it.names()?.iter().all(is_of_state) {
        return Ok(false);
    }
    let is_about_state = |text: Vec<u8>| {
        let first = text.lines().next().unwrap_or_default().to_ascii_lowercase();
        first.starts_with(b"# ") && first.fields_with(|c: char| !c.is_alphanumeric()).any(|word| word == b"state")
    };
    Ok(is_of_squad || !it.has(README)? || it.readme().is_some_and(is_about_state))
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
    judge(is_named, &InIndex { git, index, root, is_named }) == Ok(Layout::Top)
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
