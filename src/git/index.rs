//! The index file, as far as a comparison needs it: paths, ids and modes, and the ids of whole folders.
//!
//! The hook runs at every commit, and most of what the file says is of no use here. So its entries are not decoded but
//! stepped over by their lengths (versions 2 and 3, nearly all there are); what is examined is read where it stands. The
//! other kinds (version 4, split, or with an extension that must be understood) are left to gix, which also says what is
//! wrong with a damaged file.

use std::fs;
use std::io;
use std::ops::Range;

use bstr::{BStr, ByteSlice};
use gix::ObjectId;
use gix::index::entry::{Flags, Mode};
use gix::objs::tree::EntryKind;

use crate::git::change::Blob;
use crate::git::error::GitError;
use crate::git::repository::Git;

/// One entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The path; of a sparse folder, with `/` at its end.
    pub path: &'a BStr,
    /// The staged blob; `None` for an entry of `git add --intent-to-add`.
    pub blob: Option<Blob>,
    /// Which version of an unmerged file it is; 0 for a file that is merged.
    pub stage: u32,
    /// Whether it lies outside of a sparse checkout, and so not on disk.
    pub skipped: bool,
    /// The file on disk when it was staged.
    pub stat: Stat,
}

/// What shows that a file on disk may have changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// When it was last written: seconds since 1970, and nanoseconds.
    pub modified: (u32, u32),
    /// Its size in bytes, modulo 2 to the power of 32.
    pub size: u32,
}

/// A folder of the cache tree (the extension `TREE`).
#[derive(Clone, Debug)]
struct Folder {
    name: Range<usize>,
    /// Its tree and the number of entries in it, if the index knows them.
    known: Option<(ObjectId, usize)>,
    /// The folder after this one and all in it.
    next: usize,
}

#[derive(Debug)]
enum Content {
    /// The file and where its entries begin.
    Raw {
        bytes: Vec<u8>,
        starts: Vec<u32>,
        hash: gix::hash::Kind,
    },
    Decoded(Box<gix::index::File>),
}

/// An index.
#[derive(Debug)]
pub struct Index {
    content: Content,
    folders: Vec<Folder>,
    /// The names of the folders, one after the other.
    names: Vec<u8>,
}

/// A folder of the cache tree, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderId(usize);

impl Index {
    /// The index of `git` (`GIT_INDEX_FILE` counts); an empty one where there is none.
    ///
    /// # Errors
    /// When it is damaged, or cannot be read.
    pub fn of(git: &Git) -> Result<Self, GitError> {
        match fs::read(git.index_path()) {
            Ok(bytes) => {
                if let Some(index) = Self::raw(bytes, git.read(gix::Repository::object_hash)) {
                    return Ok(index);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(GitError::Index { source: Box::new(error) }),
        }
        git.read_index().map(Self::decoded)
    }

    /// The index that `bytes` are, if they can be read without decoding them.
    fn raw(bytes: Vec<u8>, hash: gix::hash::Kind) -> Option<Self> {
        let header = bytes.get(..12)?;
        let (magic, version, count) = (header.get(..4)?, number(header, 4)?, number(header, 8)?);
        if magic != b"DIRC" || !matches!(version, 2 | 3) || u32::try_from(bytes.len()).is_err() {
            return None;
        }
        let fixed = 40 + hash.len_in_bytes() + 2;
        // A damaged count must not make room for what the file cannot hold.
        let count = usize::try_from(count).ok().filter(|count| *count <= bytes.len() / fixed)?;
        let mut starts = Vec::with_capacity(count);
        let mut at = 12;
        for _ in 0..count {
            starts.push(u32::try_from(at).ok()?);
            let path = path_range(&bytes, at, fixed)?;
            // The path is followed by one to eight NUL.
            at += (path.end - at + 8) & !7;
        }
        let mut index =
            Self { content: Content::Raw { bytes: Vec::new(), starts, hash }, folders: Vec::new(), names: Vec::new() };
        let end = bytes.len().checked_sub(hash.len_in_bytes())?;
        while at < end {
            let (name, len) = (bytes.get(at..at + 4)?, usize::try_from(number(&bytes, at + 4)?).ok()?);
            let data = bytes.get(at + 8..at.checked_add(8)?.checked_add(len)?.min(end))?;
            match name {
                b"TREE" => index.cache_tree(data, hash).unwrap_or_else(|| index.folders.clear()),
                // A marker: there are entries for whole folders.
                b"sdir" => {}
                // In small letters: whoever does not know it must not go on.
                [b'a'..=b'z', ..] => return None,
                _ => {}
            }
            at += 8 + len;
        }
        if let Content::Raw { bytes: own, .. } = &mut index.content {
            *own = bytes;
        }
        Some(index)
    }

    /// Reads the extension `TREE`: for each folder its name, NUL, the number of its entries (negative: not known), a blank,
    /// the number of its folders, a line feed, and its id if the number of entries is known; then its folders.
    fn cache_tree(&mut self, data: &[u8], hash: gix::hash::Kind) -> Option<()> {
        let mut rest = data;
        // The folders that are still open, with how many of theirs are to come.
        let mut open: Vec<(usize, usize)> = Vec::new();
        while !rest.is_empty() {
            let (name, after) = split_at(rest, 0)?;
            let (entries, after) = split_at(after, b' ')?;
            let (folders, after) = split_at(after, b'\n')?;
            let folders = decimal(folders)?;
            let known = match entries {
                [b'-', ..] => None,
                entries => Some((ObjectId::try_from(after.get(..hash.len_in_bytes())?).ok()?, decimal(entries)?)),
            };
            rest = after.get(if known.is_some() { hash.len_in_bytes() } else { 0 }..)?;
            let start = self.names.len();
            self.names.extend_from_slice(name);
            let number = self.folders.len();
            self.folders.push(Folder { name: start..self.names.len(), known, next: number + 1 });
            open.push((number, folders));
            while let Some((folder, 0)) = open.last().copied() {
                open.pop();
                let next = self.folders.len();
                self.folders.get_mut(folder)?.next = next;
                match open.last_mut() {
                    Some((_, left)) => *left = left.checked_sub(1)?,
                    None if rest.is_empty() => {}
                    None => return None,
                }
            }
        }
        open.is_empty().then_some(())
    }

    fn decoded(file: gix::index::File) -> Self {
        let mut index = Self {
            content: Content::Raw { bytes: Vec::new(), starts: Vec::new(), hash: file.object_hash() },
            folders: Vec::new(),
            names: Vec::new(),
        };
        if let Some(tree) = file.tree() {
            index.add_folder(tree);
        }
        index.content = Content::Decoded(Box::new(file));
        index
    }

    fn add_folder(&mut self, tree: &gix::index::extension::Tree) {
        let (start, number) = (self.names.len(), self.folders.len());
        self.names.extend_from_slice(&tree.name);
        let known = tree.num_entries.and_then(|entries| Some((tree.id, usize::try_from(entries).ok()?)));
        self.folders.push(Folder { name: start..self.names.len(), known, next: number + 1 });
        for child in &tree.children {
            self.add_folder(child);
        }
        let next = self.folders.len();
        if let Some(folder) = self.folders.get_mut(number) {
            folder.next = next;
        }
    }

    /// How many entries there are; each version of an unmerged file counts.
    pub fn len(&self) -> usize {
        match &self.content {
            Content::Raw { starts, .. } => starts.len(),
            Content::Decoded(file) => file.entries().len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The path of the entry at `at`, counted from 0 in the order of paths; empty where there is none.
    pub fn path(&self, at: usize) -> &BStr {
        let path = match &self.content {
            Content::Raw { bytes, starts, hash } => starts.get(at).and_then(|&start| {
                bytes.get(path_range(bytes, start as usize, 40 + hash.len_in_bytes() + 2)?).map(ByteSlice::as_bstr)
            }),
            Content::Decoded(file) => file.entries().get(at).map(|entry| entry.path(file)),
        };
        path.unwrap_or_default()
    }

    /// The paths of all entries, in order.
    pub fn paths(&self) -> impl Iterator<Item = &BStr> {
        (0..self.len()).map(|at| self.path(at))
    }

    /// Whether each entry is a file or a link, and there is one entry for each path: no conflicts, no submodules, and no folders
    /// outside of a sparse checkout.
    pub fn is_plain(&self) -> bool {
        let is_plain = |mode: u32, stage: u32| stage == 0 && !matches!(kind(mode), EntryKind::Tree | EntryKind::Commit);
        match &self.content {
            Content::Raw { bytes, starts, hash } => starts.iter().all(|start| {
                let start = *start as usize;
                let (mode, flags) = (number(bytes, start + 24), short(bytes, start + 40 + hash.len_in_bytes()));
                mode.zip(flags).is_some_and(|(mode, flags)| is_plain(mode, u32::from(flags >> 12 & 3)))
            }),
            Content::Decoded(file) => file.entries().iter().all(|entry| is_plain(entry.mode.bits(), entry.stage_raw())),
        }
    }

    /// The entry at `at`, counted from 0 in the order of paths.
    pub fn entry(&self, at: usize) -> Option<Entry<'_>> {
        let path = self.path(at);
        let (id, mode, intended, stage, skipped, stat) = match &self.content {
            Content::Raw { bytes, starts, hash } => {
                let start = *starts.get(at)? as usize;
                let flags_at = start + 40 + hash.len_in_bytes();
                let (mode, id) = (number(bytes, start + 24)?, bytes.get(start + 40..flags_at)?);
                let flags = short(bytes, flags_at)?;
                let extended = if flags & 0x4000 == 0 { 0 } else { short(bytes, flags_at + 2)? };
                let (intended, skipped) = (extended & 0x2000 != 0, extended & 0x4000 != 0);
                let modified = (number(bytes, start + 8)?, number(bytes, start + 12)?);
                let stat = Stat { modified, size: number(bytes, start + 36)? };
                (ObjectId::try_from(id).ok()?, mode, intended, u32::from(flags >> 12 & 3), skipped, stat)
            }
            Content::Decoded(file) => {
                let entry = file.entries().get(at)?;
                let intended = entry.flags.contains(gix::index::entry::Flags::INTENT_TO_ADD);
                let skipped = entry.flags.contains(gix::index::entry::Flags::SKIP_WORKTREE);
                (entry.id, entry.mode.bits(), intended, entry.stage_raw(), skipped, Stat::from(entry.stat))
            }
        };
        let blob = (!intended).then_some(Blob { id, kind: kind(mode) });
        Some(Entry { path, blob, stage, skipped, stat })
    }

    /// The places of the entries in `folder`, in the order of paths; of all where it is empty. That a folder is missing in a
    /// sparse index does not show here: it is an entry then, or lies in one.
    pub fn range_below(&self, folder: &BStr) -> Range<usize> {
        let prefix = if folder.is_empty() { Vec::new() } else { [folder.as_bytes(), b"/"].concat() };
        let start = self.first_from(&prefix);
        start..self.end_of(start, self.len(), &prefix, None)
    }

    /// Whether the entry at `at` is a regular file, executable or not.
    pub fn is_file(&self, at: usize) -> bool {
        let mode = match &self.content {
            Content::Raw { bytes, starts, .. } => starts.get(at).and_then(|start| number(bytes, *start as usize + 24)),
            Content::Decoded(file) => file.entries().get(at).map(|entry| entry.mode.bits()),
        };
        mode.is_some_and(|mode| matches!(kind(mode), EntryKind::Blob | EntryKind::BlobExecutable))
    }

    /// The files of that name in all folders, for gix, which reads ignore files and attribute files that are not on disk from
    /// an index.
    pub(crate) fn files_named(&self, name: &[u8]) -> gix::index::State {
        let hash = match &self.content {
            Content::Raw { hash, .. } => *hash,
            Content::Decoded(file) => file.object_hash(),
        };
        let mut files = gix::index::State::new(hash);
        for at in 0..self.len() {
            let path = self.path(at);
            let before = path.len().checked_sub(name.len());
            let (folder, file) = path.split_at(before.unwrap_or(0));
            if before.is_none() || !file.eq_ignore_ascii_case(name) || !matches!(folder.last(), None | Some(b'/')) {
                continue;
            }
            let Some((entry, blob)) = self.entry(at).and_then(|entry| Some((entry, entry.blob?))) else { continue };
            let mut flags = Flags::from_bits_retain(entry.stage << 12);
            flags.set(Flags::SKIP_WORKTREE, entry.skipped);
            let stat = gix::index::entry::Stat::default();
            files.dangerously_push_entry(stat, blob.id, flags, mode(blob.kind), entry.path);
        }
        files
    }

    /// The entry of the file at `path`.
    pub fn find(&self, path: &BStr) -> Option<Entry<'_>> {
        self.entry(self.first_from(path)).filter(|entry| entry.path == path)
    }

    /// The entry of the folder outside of a sparse checkout that holds `path`, and what of the path lies inside.
    pub fn sparse_folder<'a>(&self, path: &'a BStr) -> Option<(Entry<'_>, &'a BStr)> {
        let mut ends = memchr::memchr_iter(b'/', path);
        ends.find_map(|end| {
            let (folder, inside) = path.split_at_checked(end + 1)?;
            Some((self.find(folder.as_bstr())?, inside.as_bstr()))
        })
    }

    /// Whether git tracks the file at `path`.
    pub fn tracks(&self, path: &BStr) -> bool {
        self.find(path).is_some() || self.sparse_folder(path).is_some()
    }

    /// Whether the file at `path` is tracked and left out of a sparse checkout.
    pub fn is_skipped(&self, path: &BStr) -> bool {
        self.find(path).is_some_and(|entry| entry.skipped) || self.sparse_folder(path).is_some()
    }

    /// The first entry whose path is not before `path`.
    fn first_from(&self, path: &[u8]) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.path(middle).as_bytes() < path {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The root folder of the cache tree.
    pub fn root(&self) -> Option<FolderId> {
        self.folders.first().map(|_| FolderId(0))
    }

    /// The tree of a folder, if the index knows it.
    pub fn tree(&self, folder: FolderId) -> Option<ObjectId> {
        self.folders.get(folder.0)?.known.map(|(id, _)| id)
    }

    /// The folders right in `folder`, sorted by their names.
    pub fn folders_in(&self, folder: FolderId) -> Vec<(&[u8], FolderId)> {
        let Some(parent) = self.folders.get(folder.0) else { return Vec::new() };
        let mut children = Vec::new();
        let mut at = folder.0 + 1;
        while let Some(child) = self.folders.get(at).filter(|_| at < parent.next) {
            children.push((self.names.get(child.name.clone()).unwrap_or_default(), FolderId(at)));
            at = child.next.max(at + 1);
        }
        children.sort_unstable();
        children
    }

    /// The end of the entries that begin with `prefix`; the first one is at `start`. The number of entries that `folder` says is
    /// checked, not believed.
    pub fn end_of(&self, start: usize, end: usize, prefix: &[u8], folder: Option<FolderId>) -> usize {
        let inside = |at: usize| self.path(at).starts_with(prefix);
        let known = folder.and_then(|folder| self.folders.get(folder.0)?.known).map(|(_, entries)| start + entries);
        if let Some(known) = known.filter(|known| *known > start && *known <= end)
            && inside(known - 1)
            && (known == end || !inside(known))
        {
            return known;
        }
        let (mut low, mut high) = (start, end);
        while low < high {
            let middle = low + (high - low) / 2;
            if inside(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// Where the path of the entry at `start` is; `fixed` is the length of what is before it without extended flags.
fn path_range(bytes: &[u8], start: usize, fixed: usize) -> Option<Range<usize>> {
    let flags = short(bytes, start + fixed - 2)?;
    let from = start + fixed + if flags & 0x4000 == 0 { 0 } else { 2 };
    let len = usize::from(flags & 0xfff);
    // A longer path than fits the flags ends with its NUL.
    let len = if len < 0xfff { len } else { memchr::memchr(0, bytes.get(from..)?)? };
    (from + len <= bytes.len()).then_some(from..from + len)
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|four| u32::from_be_bytes(*four))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|two| u16::from_be_bytes(*two))
}

/// What is before and after the first `end`, which is near.
fn split_at(bytes: &[u8], end: u8) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|byte| *byte == end)?;
    Some((bytes.get(..at)?, bytes.get(at + 1..)?))
}

fn decimal(digits: &[u8]) -> Option<usize> {
    let digit = |byte: &u8| byte.is_ascii_digit().then(|| usize::from(byte - b'0'));
    digits.iter().try_fold(0_usize, |number, byte| number.checked_mul(10)?.checked_add(digit(byte)?))
}

fn mode(kind: EntryKind) -> Mode {
    match kind {
        EntryKind::Tree => Mode::DIR,
        EntryKind::Link => Mode::SYMLINK,
        EntryKind::Commit => Mode::COMMIT,
        EntryKind::Blob => Mode::FILE,
        EntryKind::BlobExecutable => Mode::FILE_EXECUTABLE,
    }
}

impl From<gix::index::entry::Stat> for Stat {
    fn from(stat: gix::index::entry::Stat) -> Self {
        Self { modified: (stat.mtime.secs, stat.mtime.nsecs), size: stat.size }
    }
}

fn kind(mode: u32) -> EntryKind {
    match mode & 0o170_000 {
        0o040_000 => EntryKind::Tree,
        0o120_000 => EntryKind::Link,
        0o160_000 => EntryKind::Commit,
        _ if mode & 0o100 == 0 => EntryKind::Blob,
        _ => EntryKind::BlobExecutable,
    }
}
