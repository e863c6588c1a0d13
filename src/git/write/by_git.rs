//! An index that only git writes whole: version 4, one that is split, or one with what gix would leave out.
//!
//! Git gets a copy of the index beside it, as `GIT_INDEX_FILE`, and the changed entries; what it makes of the copy is compared with what
//! the index is to become, and then takes its place, under the lock that was taken before. No hook runs, no monitor, and
//! no filter: files with a filter are not staged here.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bstr::{BStr, ByteSlice};
use gix::index::Version;
use gix::index::decode::Options;
use gix::index::entry::{Flags, Stage, Stat};
use tempfile::NamedTempFile;

use crate::git::write::error::IndexError;

/// How the copies begin.
const COPY: &str = "squad-lint-index-";

/// What git is called with, and why.
pub(super) struct ByGit {
    index: PathBuf,
    folder: PathBuf,
    root: PathBuf,
    /// What keeps gix from writing it.
    why: &'static str,
}

impl ByGit {
    /// For the `index` of `repository`; `None` where gix writes all of it.
    pub(super) fn where_needed(
        repository: &gix::Repository,
        index: &gix::index::File,
    ) -> Result<Option<Self>, IndexError> {
        let path = repository.index_path();
        let why = match () {
            () if is_split(&path, index).map_err(|error| IndexError::Read(error.into()))? => "is split",
            () if index.version() == Version::V4 => "has version 4",
            () if index.resolve_undo().is_some() => "remembers resolved conflicts",
            () if index.untracked().is_some() => "has an untracked cache",
            () => return Ok(None),
        };
        let Some(root) = repository.workdir() else { return Ok(None) };
        let full = |path: &Path| std::path::absolute(path).map_err(|error| IndexError::Read(error.into()));
        Ok(Some(Self { index: full(&path)?, folder: full(repository.git_dir())?, root: full(root)?, why }))
    }

    /// The bytes of the index file when it holds the entries of `index`, which differs from what it was at `paths`.
    pub(super) fn written(&self, index: &gix::index::File, paths: &BTreeSet<&BStr>) -> Result<Vec<u8>, IndexError> {
        // With the times of files that are in their place, if those hold by now what is staged.
        if let Some(bytes) = self.made(index, paths, true)? {
            return Ok(bytes);
        }
        let different = || IndexError::Git(self.why, io::Error::other("it wrote other entries"));
        self.made(index, paths, false)?.ok_or_else(different)
    }

    /// What git makes of a copy; `None` where that does not have the entries of `index`.
    fn made(
        &self,
        index: &gix::index::File,
        paths: &BTreeSet<&BStr>,
        with_times: bool,
    ) -> Result<Option<Vec<u8>>, IndexError> {
        let failed = |error: io::Error| IndexError::Write(error.into());
        // In the same folder: the other part of a split index is looked for there.
        let beside = self.index.parent().unwrap_or(&self.folder);
        let mut copy = tempfile::Builder::new().prefix(COPY).tempfile_in(beside).map_err(failed)?;
        copy.write_all(&fs::read(&self.index).map_err(failed)?).map_err(failed)?;
        let entry = |path: &BStr| index.entry_by_path_and_stage(path, Stage::Unconflicted);
        let mut changes = Vec::new();
        for path in paths {
            let (mode, id) = match entry(path) {
                Some(entry) => (entry.mode.bits(), entry.id),
                None => (0, index.object_hash().null()),
            };
            changes.extend_from_slice(format!("{mode:o} {id}\t").as_bytes());
            changes.extend_from_slice(path);
            changes.push(0);
        }
        self.update(&copy, &["-z", "--index-info"], &changes)?;
        let of = |wanted: &dyn Fn(&gix::index::Entry) -> bool| {
            let paths = paths.iter().filter(|path| entry(path).is_some_and(wanted));
            paths.flat_map(|path| [path.as_bytes(), b"\0"]).flatten().copied().collect::<Vec<u8>>()
        };
        let placed = of(&|entry| entry.stat != Stat::default());
        if with_times && !placed.is_empty() && self.update(&copy, &["-z", "--stdin"], &placed).is_err() {
            return Ok(None);
        }
        for (flag, option) in [(Flags::ASSUME_VALID, "--assume-unchanged"), (Flags::SKIP_WORKTREE, "--skip-worktree")] {
            let flagged = of(&|entry| entry.flags.contains(flag));
            if !flagged.is_empty() {
                self.update(&copy, &[option, "-z", "--stdin"], &flagged)?;
            }
        }
        let options = Options { expected_checksum: None, ..Options::default() };
        let made = gix::index::File::at(copy.path(), index.object_hash(), false, options);
        let made = made.map_err(|error| IndexError::Read(error.into()))?;
        let is_same = made.entries().len() == index.entries().len()
            && made.entries().iter().zip(index.entries()).all(|(a, b)| {
                let plain = Flags::STAGE_MASK | Flags::ASSUME_VALID | Flags::SKIP_WORKTREE | Flags::INTENT_TO_ADD;
                let same = (a.id, a.mode, a.flags & plain) == (b.id, b.mode, b.flags & plain);
                same && a.path(&made) == b.path(index)
            });
        if !is_same {
            return Ok(None);
        }
        fs::read(copy.path()).map(Some).map_err(failed)
    }

    /// Lets git change the copy.
    fn update(&self, copy: &NamedTempFile, args: &[&str], input: &[u8]) -> Result<(), IndexError> {
        let failed = |error| IndexError::Git(self.why, error);
        let mut command = Command::new("git");
        command.args([
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.hooksPath=/dev/null",
            "update-index",
            "--add",
            "--remove",
        ]);
        command.args(args).current_dir(&self.root);
        command.env("GIT_DIR", &self.folder).env("GIT_WORK_TREE", &self.root).env("GIT_INDEX_FILE", copy.path());
        // Neither where this is a part of another command, nor what its errors say in other languages.
        command.env_remove("GIT_PREFIX").env("LC_ALL", "C");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        // Git reads to the end before it says much.
        let fed = child.stdin.take().map(|mut stdin| stdin.write_all(input));
        let output = child.wait_with_output().map_err(failed)?;
        if !output.status.success() {
            let said = output.stderr.lines().next().unwrap_or_default().to_str_lossy().into_owned();
            return Err(failed(io::Error::other(said)));
        }
        fed.unwrap_or(Ok(())).map_err(failed)
    }
}

/// Whether the index has a second part, in a file of its own: gix puts them together when it reads them.
fn is_split(path: &Path, index: &gix::index::File) -> io::Result<bool> {
    let bytes = fs::read(path).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => Ok(Vec::new()),
        _ => Err(error),
    })?;
    // The extension is the last of all, or the entries hold a path that looks like it: then git writes what gix could.
    let length = u32::try_from(index.object_hash().len_in_bytes()).unwrap_or_default();
    Ok(bytes.find_iter(b"link").any(|at| {
        let size = bytes.get(at + 4..).and_then(|rest| rest.first_chunk()).map(|size| u32::from_be_bytes(*size));
        let end = size.and_then(|size| at.checked_add(8)?.checked_add(usize::try_from(size).ok()?));
        size.is_some_and(|size| size >= length) && end.is_some_and(|end| end <= bytes.len())
    }))
}
