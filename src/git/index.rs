//! The index file, as far as a comparison needs it: paths, ids and modes, and the ids of whole folders.
//!
//! The hook runs at every commit, and most of what the file says is of no use here. So its entries are not decoded but
//! stepped over by their lengths (versions 2 and 3, nearly all there are); what is examined is read where it stands. The
//! other kinds (version 4, split, or with an extension that must be understood) are left to gix, which also says what is
//! wrong with a damaged file.

mod entries;
mod folders;

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;

use bstr::{BStr, ByteSlice};
use gix::ObjectId;
use gix::index::entry::{Flags, Mode};
use gix::objs::tree::EntryKind;

pub use self::folders::FolderId;

use self::entries::{Entries, number, short};
use self::folders::Folders;
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

#[derive(Debug)]
enum Content {
    Raw { entries: Entries, hash: gix::hash::Kind },
    Decoded(Box<gix::index::File>),
}

/// An index.
#[derive(Debug)]
pub struct Index {
    content: Content,
    folders: Folders,
}

impl Index {
    /// The index of `git` (`GIT_INDEX_FILE` counts); an empty one where there is none.
    ///
    /// # Errors
    /// When it is damaged, or cannot be read.
    pub fn of(git: &Git) -> Result<Self, GitError> {
        let whole = Self::read(git, |mut file, hash| {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(Entries::whole(bytes, fixed(hash)).and_then(|entries| {
                let folders = folders(entries.rest(), hash)?;
                Some(Self { content: Content::Raw { entries, hash }, folders })
            }))
        })?;
        whole.map_or_else(|| git.read_index().map(Self::decoded), Ok)
    }

    /// As [`Index::of`], for who looks at few of the entries: see [`Index::check`].
    ///
    /// # Errors
    /// When it is damaged, or cannot be read.
    pub fn in_parts(git: &Git) -> Result<Self, GitError> {
        let parts = Self::read(git, |file, hash| {
            Ok(Entries::in_parts(file, fixed(hash))?.and_then(|(entries, rest)| {
                let folders = folders(&rest, hash)?;
                Some(Self { content: Content::Raw { entries, hash }, folders })
            }))
        })?;
        // One with a path that is too long for that is read whole.
        parts.map_or_else(|| Self::of(git), Ok)
    }

    /// What `read` makes of the file; `None` where it makes nothing of it, or there is none.
    fn read(
        git: &Git,
        read: impl FnOnce(File, gix::hash::Kind) -> io::Result<Option<Self>>,
    ) -> Result<Option<Self>, GitError> {
        let hash = git.read(gix::Repository::object_hash);
        match File::open(git.index_path()).and_then(|file| read(file, hash)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map_err(|error| GitError::Index { source: Box::new(error) }),
        }
    }

    fn decoded(file: gix::index::File) -> Self {
        let folders = file.tree().map(Folders::of).unwrap_or_default();
        Self { content: Content::Decoded(Box::new(file)), folders }
    }

    /// Whether all entries could be read that were looked at.
    ///
    /// # Errors
    /// When one could not be read.
    pub fn check(&self) -> Result<(), GitError> {
        match &self.content {
            Content::Raw { entries, .. } if entries.is_lost() => {
                Err(GitError::Index { source: Box::new(io::Error::from(io::ErrorKind::UnexpectedEof)) })
            }
            Content::Raw { .. } | Content::Decoded(_) => Ok(()),
        }
    }

    /// How many entries there are; each version of an unmerged file counts.
    pub fn len(&self) -> usize {
        match &self.content {
            Content::Raw { entries, .. } => entries.len(),
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
            Content::Raw { entries, hash } => entries.get(at).and_then(|entry| {
                let path = entry.get(entries::path(entry, fixed(*hash))?);
                path.map(ByteSlice::as_bstr)
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
            Content::Raw { entries, hash } => (0..entries.len()).filter_map(|at| entries.get(at)).all(|entry| {
                let (mode, flags) = (number(entry, 24), short(entry, 40 + hash.len_in_bytes()));
                mode.zip(flags).is_some_and(|(mode, flags)| is_plain(mode, u32::from(flags >> 12 & 3)))
            }),
            Content::Decoded(file) => file.entries().iter().all(|entry| is_plain(entry.mode.bits(), entry.stage_raw())),
        }
    }

    /// The entry at `at`, counted from 0 in the order of paths.
    pub fn entry(&self, at: usize) -> Option<Entry<'_>> {
        let path = self.path(at);
        let (id, mode, intended, stage, skipped, stat) = match &self.content {
            Content::Raw { entries, hash } => {
                let entry = entries.get(at)?;
                let flags_at = 40 + hash.len_in_bytes();
                let (mode, id) = (number(entry, 24)?, entry.get(40..flags_at)?);
                let flags = short(entry, flags_at)?;
                let extended = if flags & 0x4000 == 0 { 0 } else { short(entry, flags_at + 2)? };
                let (intended, skipped) = (extended & 0x2000 != 0, extended & 0x4000 != 0);
                let modified = (number(entry, 8)?, number(entry, 12)?);
                let stat = Stat { modified, size: number(entry, 36)? };
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
            Content::Raw { entries, .. } => entries.get(at).and_then(|entry| number(entry, 24)),
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
        self.folders.root()
    }

    /// The tree of a folder, if the index knows it.
    pub fn tree(&self, folder: FolderId) -> Option<ObjectId> {
        self.folders.known(folder).map(|(id, _)| id)
    }

    /// The folders right in `folder`, sorted by their names.
    pub fn folders_in(&self, folder: FolderId) -> Vec<(&[u8], FolderId)> {
        self.folders.below(folder)
    }

    /// The end of the entries that begin with `prefix`; the first one is at `start`. The number of entries that `folder` says is
    /// checked, not believed.
    pub fn end_of(&self, start: usize, end: usize, prefix: &[u8], folder: Option<FolderId>) -> usize {
        let inside = |at: usize| self.path(at).starts_with(prefix);
        let known = folder.and_then(|folder| self.folders.known(folder)).map(|(_, entries)| start + entries);
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

/// The length of what is before the path of an entry without extended flags.
fn fixed(hash: gix::hash::Kind) -> usize {
    40 + hash.len_in_bytes() + 2
}

/// The cache tree in `rest`, what follows the entries; `None` if gix has to read the index.
fn folders(rest: &[u8], hash: gix::hash::Kind) -> Option<Folders> {
    let mut folders = Folders::default();
    let mut rest = rest.get(..rest.len().checked_sub(hash.len_in_bytes())?)?;
    while !rest.is_empty() {
        let (name, len) = (rest.get(..4)?, usize::try_from(number(rest, 4)?).ok()?);
        let (data, after) = rest.get(8..)?.split_at(len.min(rest.len() - 8));
        match name {
            b"TREE" => folders = Folders::new(data.to_vec(), hash.len_in_bytes()),
            // A marker: there are entries for whole folders.
            b"sdir" => {}
            // In small letters: whoever does not know it must not go on.
            [b'a'..=b'z', ..] => return None,
            _ => {}
        }
        rest = after;
    }
    Some(folders)
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
