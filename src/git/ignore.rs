//! What git ignores, and which line of which file decides it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Mode;
use gix::objs::tree::EntryKind;
use gix::worktree::stack::state::ignore::Source;

use crate::fs::path::to_bytes;
use crate::git::change::Blob;
use crate::git::error::GitError;
use crate::git::index::Index;
use crate::git::repository::Git;

/// The line that decides about a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decision {
    /// Whether the path is ignored; a negated pattern brings it back.
    pub ignored: bool,
    /// The file: relative to the repository's root where it lies there, else as the system has it.
    pub file: BString,
    /// Whether the file is a `.gitignore` of the repository: the team shares it.
    pub shared: bool,
    /// The line, from 1.
    pub line: usize,
}

/// Answers what git ignores.
pub struct Ignores {
    root: PathBuf,
    inner: Mutex<(gix::Repository, gix::worktree::Stack)>,
}

impl std::fmt::Debug for Ignores {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ignores").field("root", &self.root).finish_non_exhaustive()
    }
}

impl Ignores {
    /// Ready to read the ignore files of the work tree at `root`, those of the user, and `info/exclude`; outside of a sparse
    /// checkout, those in `index`.
    ///
    /// # Errors
    /// When the user's excludes file or `info/exclude` cannot be read.
    pub fn new(git: &Git, root: &Path, index: &Index) -> Result<Self, GitError> {
        let repository = with_user_file(git.local(), root)?;
        let index = index.files_named(b".gitignore");
        let stack = repository
            .excludes(&index, None, Source::WorktreeThenIdMappingIfNotSkipped)
            .map_err(|error| GitError::new("the excludes files", error))?
            .detach();
        Ok(Self { root: root.into(), inner: Mutex::new((repository, stack)) })
    }

    /// Ready to read `files`, by their paths, as the ignore files of the work tree at `root` and no others there, beside those
    /// of the user and `info/exclude`: the tree as it is to become.
    ///
    /// # Errors
    /// When the user's excludes file or `info/exclude` cannot be read.
    pub fn planned(git: &Git, root: &Path, files: &BTreeMap<BString, Vec<u8>>) -> Result<Self, GitError> {
        let failed = |error| GitError::new("the excludes files", error);
        let repository = with_user_file(git.local(), root)?.with_object_memory();
        let mut index = gix::index::State::new(repository.object_hash());
        for (path, bytes) in files {
            let id = repository.write_blob(bytes).map_err(|error| GitError::new("the ignore files", error))?;
            let (stat, flags) = (gix::index::entry::Stat::default(), gix::index::entry::Flags::empty());
            index.dangerously_push_entry(stat, id.detach(), flags, Mode::FILE, path.as_bstr());
        }
        index.sort_entries();
        let stack = repository.excludes(&index, None, Source::IdMapping).map_err(failed)?.detach();
        Ok(Self { root: root.into(), inner: Mutex::new((repository, stack)) })
    }

    /// Ready to read the ignore files `files` of a tree, by their paths, beside those of the user and `info/exclude`.
    ///
    /// # Errors
    /// When the user's excludes file or `info/exclude` cannot be read.
    pub fn of_blobs(git: &Git, root: &Path, files: &BTreeMap<BString, Blob>) -> Result<Self, GitError> {
        let mut index = gix::index::State::new(git.local().object_hash());
        for (path, blob) in files.iter().filter(|(_, blob)| blob.kind == EntryKind::Blob) {
            let (stat, flags) = (gix::index::entry::Stat::default(), gix::index::entry::Flags::empty());
            index.dangerously_push_entry(stat, blob.id, flags, Mode::FILE, path.as_bstr());
        }
        index.sort_entries();
        Self::in_state(git, root, &index)
    }

    /// Ready to read the ignore files of the tree `tree`, beside those of the user and `info/exclude`.
    ///
    /// # Errors
    /// When the tree, the user's excludes file or `info/exclude` cannot be read.
    pub fn in_tree(git: &Git, root: &Path, tree: gix::ObjectId) -> Result<Self, GitError> {
        let index = git.local().index_from_tree(&tree).map_err(|error| GitError::new("the tree", error))?;
        Self::in_state(git, root, &index)
    }

    /// Ready to read the ignore files in `index`, beside those of the user and `info/exclude`.
    ///
    /// # Errors
    /// When the user's excludes file or `info/exclude` cannot be read.
    pub fn in_index(git: &Git, root: &Path, index: &Index) -> Result<Self, GitError> {
        Self::in_state(git, root, &index.files_named(b".gitignore"))
    }

    fn in_state(git: &Git, root: &Path, index: &gix::index::State) -> Result<Self, GitError> {
        let repository = with_user_file(git.local(), root)?;
        let failed = |error| GitError::new("the excludes files", error);
        let stack = repository.excludes(index, None, Source::IdMapping).map_err(failed)?.detach();
        Ok(Self { root: root.into(), inner: Mutex::new((repository, stack)) })
    }

    /// What decides whether the file or folder at `path` is ignored; `None` where no pattern matches it.
    ///
    /// # Errors
    /// When an ignore file on the way cannot be read.
    pub fn decide(&self, path: &BStr, is_dir: bool) -> Result<Option<Decision>, GitError> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let (repository, stack) = &mut *inner;
        let mode = if is_dir { Mode::DIR } else { Mode::FILE };
        let failed = |error| GitError::new(format!("the ignore files above `{path}`"), error);
        let platform = stack.at_path(path, Some(mode), &repository.objects).map_err(failed)?;
        let Some(found) = platform.matching_exclude_pattern() else { return Ok(None) };
        let source = found.source.unwrap_or(Path::new(""));
        // A file that comes from git has no folder before it.
        let inside = source.strip_prefix(&self.root).ok().or_else(|| source.is_relative().then_some(source));
        let is_gitignore = source.file_name().is_some_and(|name| name == ".gitignore");
        Ok(Some(Decision {
            ignored: !found.pattern.is_negative(),
            file: inside.map_or_else(|| source.as_os_str().as_encoded_bytes().into(), to_bytes),
            shared: is_gitignore && inside.is_some(),
            line: found.sequence_number,
        }))
    }
}

/// `repository` with the user's excludes file where git looks for it.
fn with_user_file(mut repository: gix::Repository, root: &Path) -> Result<gix::Repository, GitError> {
    let failed = |error| GitError::new("`core.excludesFile`", error);
    let excludes = repository.config_snapshot().trusted_path("core.excludesFile");
    let excludes = excludes.map_err(|error| GitError::new("`core.excludesFile`", error))?;
    if let Some(relative) = excludes.filter(|path| path.is_relative()) {
        // Git means the work tree's top, gix the folder that the program was started in.
        let full = gix::path::into_bstr(root.join(relative));
        let mut config = repository.config_snapshot_mut();
        config.set_value(&gix::config::tree::Core::EXCLUDES_FILE, full.map_err(failed)?.as_bstr()).map_err(failed)?;
        config.commit().map_err(failed)?;
    }
    Ok(repository)
}

/// The most `**` that a pattern may have: to match each further one takes several times as long.
const MOST_STARS: usize = 16;

/// A pattern that takes too long to match.
#[derive(Debug, thiserror::Error)]
#[error("its pattern has {0} `**`, more than {MOST_STARS}: matching it would take too long")]
pub struct Tangled(usize);

/// The ignore file `text` with the same meaning and patterns that can be matched in time: of `**/**/x` one `**/` stays. `None`
/// where all of them can be matched as they are.
///
/// # Errors
/// A pattern with too many `**` that are not side by side, and its line, from 1.
pub fn untangled(text: &[u8]) -> Result<Option<Vec<u8>>, (usize, Tangled)> {
    let stars = |line: &[u8]| line.find_iter("**").count();
    if stars(text) <= MOST_STARS {
        return Ok(None);
    }
    let mut is_same = true;
    let mut out = Vec::with_capacity(text.len());
    for (number, line) in text.lines_with_terminator().enumerate() {
        if stars(line) <= MOST_STARS {
            out.extend_from_slice(line);
            continue;
        }
        is_same = false;
        let start = out.len();
        let mut rest = line;
        while let Some(at) = rest.find("**/") {
            let (before, after) = rest.split_at(at);
            out.extend_from_slice(before);
            // An escaped star, and one of three, are not of this kind.
            let is_whole = out.len() == start || out.last().is_some_and(|byte| matches!(byte, b'/' | b'!'));
            let is_again = is_whole && out.get(start..).is_some_and(|out| out.ends_with(b"**/"));
            if !is_again {
                out.extend_from_slice(b"**/");
            }
            rest = after.get(3..).unwrap_or_default();
        }
        out.extend_from_slice(rest);
        let left = stars(out.get(start..).unwrap_or_default());
        if left > MOST_STARS {
            return Err((number + 1, Tangled(left)));
        }
    }
    Ok((!is_same).then_some(out))
}

/// `name` as a pattern that matches it and nothing else.
pub fn escaped(name: &BStr) -> BString {
    let mut out = Vec::with_capacity(name.len());
    for (at, &byte) in name.as_bytes().iter().enumerate() {
        if matches!(byte, b'*' | b'?' | b'[' | b'\\') || at == 0 && matches!(byte, b'#' | b'!') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_side_by_side_are_one() {
        let many = |pattern: &str| pattern.repeat(MOST_STARS + 4);
        let untangled =
            |text: &str| untangled(text.as_bytes()).map(|text| text.map(|text| String::from_utf8(text).unwrap()));
        assert_eq!(untangled("a/**/b\n**/x\n").unwrap(), None);
        for (text, expected) in [
            (format!("a\n{}x\nb\n", many("**/")), "a\n**/x\nb\n"),
            (format!("!{}x", many("**/")), "!**/x"),
            (format!("/a/{}x\r\n", many("**/")), "/a/**/x\r\n"),
            (format!("{}**\n", many("**/")), "**/**\n"),
        ] {
            assert_eq!(untangled(&text).unwrap().as_deref(), Some(expected), "{text}");
        }
        let (line, error) = untangled(&format!("x\n{}\n", many("**/a/"))).unwrap_err();
        assert_eq!(
            (line, error.to_string()),
            (2, "its pattern has 20 `**`, more than 16: matching it would take too long".into())
        );
    }
}
