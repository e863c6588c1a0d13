//! A tree against another tree, or against the index: what differs, path by path.
//!
//! Both sides are walked in step. Where they have the same id nothing below is opened; for the index the ids come from its
//! cache tree, so that the folders that nothing was staged in cost nothing.

use std::cmp::Ordering;

use bstr::{BStr, BString, ByteSlice};
use gix::ObjectId;
use gix::objs::tree::{EntryKind, name_order};
use gix::objs::{Kind, TreeRefIter};

use crate::git::change::{Blob, Change, Scope, Status, join_exact_renames};
use crate::git::error::GitError;
use crate::git::index::{FolderId, Index};
use crate::git::repository::{find, object_error};

/// One side of a comparison, or a folder of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Side {
    /// Nothing is there.
    Nothing,
    /// A tree.
    Tree(ObjectId),
    /// The entries of the index from `start` to `end`, and the folder of the cache tree that they make up.
    Entries { start: usize, end: usize, folder: Option<FolderId> },
}

/// One entry of a folder.
#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    Blob(Blob),
    Unmerged,
    Folder(Side),
}

#[derive(PartialEq)]
struct Item<'a> {
    name: &'a [u8],
    what: What,
}

impl Item<'_> {
    fn order(&self, other: &Self) -> Ordering {
        let is_folder = |item: &Self| matches!(item.what, What::Folder(_));
        name_order(self.name, is_folder(self), other.name, is_folder(other))
    }

    fn blob(&self) -> Option<Blob> {
        match self.what {
            What::Blob(blob) => Some(blob),
            What::Unmerged | What::Folder(_) => None,
        }
    }

    fn folder(&self) -> Side {
        match self.what {
            What::Folder(side) => side,
            What::Blob(_) | What::Unmerged => Side::Nothing,
        }
    }
}

/// The entries of a folder, in tree order.
enum Items<'a> {
    /// The id of a tree, and the bytes of the entries that are to come.
    Tree(ObjectId, &'a [u8]),
    Index(std::vec::IntoIter<Item<'a>>),
}

/// Folders deeper than this are refused, as git does by default: each costs a piece of the stack.
const DEPTH: usize = 2048;

/// Folders that lie too deep.
#[derive(Debug, thiserror::Error)]
#[error("it is more than {DEPTH} folders deep")]
struct TooDeep;

/// A walk over both sides.
struct Walk<'a> {
    repository: &'a gix::Repository,
    index: Option<&'a Index>,
    scope: &'a Scope,
    /// The path of the folder that is open, with `/` at its end; empty at the root.
    prefix: BString,
    depth: usize,
    /// The buffers of folders that are done.
    spare: Vec<Vec<u8>>,
    changes: Vec<Change>,
}

/// What turns `old` into `new`, within `scope`, in the order of paths; renames that change nothing else are one change.
pub(crate) fn compare(
    repository: &gix::Repository,
    index: Option<&Index>,
    scope: &Scope,
    old: Side,
    new: Side,
) -> Result<Vec<Change>, GitError> {
    let (prefix, spare, changes) = (BString::default(), Vec::new(), Vec::new());
    let mut walk = Walk { repository, index, scope, prefix, depth: 0, spare, changes };
    walk.folder(old, new)?;
    let mut changes = walk.changes;
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    join_exact_renames(&mut changes);
    Ok(changes)
}

impl<'a> Walk<'a> {
    fn folder(&mut self, old: Side, new: Side) -> Result<(), GitError> {
        let path = self.prefix.strip_suffix(b"/").unwrap_or_default().as_bstr();
        let (before, after) = (self.id(old), self.id(new));
        if before.is_some() && before == after || !self.scope.reaches(path) {
            return Ok(());
        }
        if self.depth > DEPTH {
            let id = before.or(after).unwrap_or(self.repository.object_hash().null());
            return Err(object_error(self.repository, Kind::Tree, id, path, Box::new(TooDeep)));
        }
        let (mut old_buffer, mut new_buffer) =
            (self.spare.pop().unwrap_or_default(), self.spare.pop().unwrap_or_default());
        self.read(old, &mut old_buffer)?;
        self.read(new, &mut new_buffer)?;
        let (mut old, mut new) = (self.items(old, &old_buffer), self.items(new, &new_buffer));
        let [mut before, mut after] = self.next_of_both(&mut old, &mut new)?;
        self.depth += 1;
        loop {
            let order = match (&before, &after) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(one), Some(other)) => one.order(other),
            };
            let (one, other) = (before.as_ref().filter(|_| order.is_le()), after.as_ref().filter(|_| order.is_ge()));
            if one != other {
                self.pair(one, other)?;
            }
            match order {
                Ordering::Less => before = self.next(&mut old)?,
                Ordering::Equal => [before, after] = self.next_of_both(&mut old, &mut new)?,
                Ordering::Greater => after = self.next(&mut new)?,
            }
        }
        self.depth -= 1;
        drop((old, new));
        self.spare.extend([old_buffer, new_buffer]);
        Ok(())
    }

    /// The tree of a side, if it has one.
    fn id(&self, side: Side) -> Option<ObjectId> {
        match side {
            Side::Nothing => None,
            Side::Tree(id) => Some(id),
            Side::Entries { folder, .. } => self.index?.tree(folder?),
        }
    }

    /// What the two sides have under one name.
    fn pair(&mut self, old: Option<&Item<'_>>, new: Option<&Item<'_>>) -> Result<(), GitError> {
        let Some(item) = old.or(new) else { return Ok(()) };
        let (name, is_folder) = (item.name, matches!(item.what, What::Folder(_)));
        let len = self.prefix.len();
        self.prefix.extend_from_slice(name);
        let result = if is_folder {
            self.prefix.push(b'/');
            self.folder(old.map_or(Side::Nothing, Item::folder), new.map_or(Side::Nothing, Item::folder))
        } else {
            self.leaf(old.and_then(Item::blob), new);
            Ok(())
        };
        self.prefix.truncate(len);
        result
    }

    fn leaf(&mut self, before: Option<Blob>, new: Option<&Item<'_>>) {
        if !self.scope.covers(self.prefix.as_bstr()) {
            return;
        }
        let (path, after) = (self.prefix.clone(), new.and_then(Item::blob));
        if matches!(new.map(|item| item.what), Some(What::Unmerged)) {
            self.changes.push(Change { path, previous: None, status: Status::Unmerged, before, after: None });
        } else if before != after {
            self.changes.push(Change::new(path, before, after));
        }
    }

    fn read(&self, side: Side, buffer: &mut Vec<u8>) -> Result<(), GitError> {
        match side {
            Side::Tree(id) => find(self.repository, Kind::Tree, id, self.path(), buffer),
            Side::Nothing | Side::Entries { .. } => Ok(()),
        }
    }

    fn path(&self) -> &BStr {
        self.prefix.strip_suffix(b"/").unwrap_or_default().as_bstr()
    }

    /// The entries of the folder that is open; `data` is its tree.
    fn items<'b>(&self, side: Side, data: &'b [u8]) -> Items<'b>
    where
        'a: 'b,
    {
        match side {
            Side::Nothing => Items::Index(Vec::new().into_iter()),
            Side::Tree(id) => Items::Tree(id, data),
            Side::Entries { start, end, folder } => Items::Index(self.index_items(start, end, folder).into_iter()),
        }
    }

    /// The next item of both sides. What is the same in two trees, nearly all of them, is never looked at.
    fn next_of_both<'b>(&self, old: &mut Items<'b>, new: &mut Items<'b>) -> Result<[Option<Item<'b>>; 2], GitError> {
        if let (Items::Tree(_, one), Items::Tree(_, other)) = (&mut *old, &mut *new) {
            while let Some(end) = self.entry_end(one)
                && let Some(((first, rest), (second, other_rest))) =
                    one.split_at_checked(end).zip(other.split_at_checked(end))
                && first == second
            {
                (*one, *other) = (rest, other_rest);
            }
        }
        Ok([self.next(old)?, self.next(new)?])
    }

    /// The length of the first entry of a tree: mode, blank, name, NUL, id.
    fn entry_end(&self, entries: &[u8]) -> Option<usize> {
        Some(entries.find_byte(0)? + 1 + self.repository.object_hash().len_in_bytes())
    }

    fn next<'b>(&self, items: &mut Items<'b>) -> Result<Option<Item<'b>>, GitError> {
        let (id, entry) = match items {
            Items::Index(items) => return Ok(items.next()),
            Items::Tree(id, entries) => {
                let entry = TreeRefIter::from_bytes(entries, self.repository.object_hash()).next();
                *entries = self.entry_end(entries).and_then(|end| entries.get(end..)).unwrap_or_default();
                (*id, entry)
            }
        };
        let Some(entry) = entry else { return Ok(None) };
        let entry =
            entry.map_err(|error| object_error(self.repository, Kind::Tree, id, self.path(), Box::new(error)))?;
        let what = match entry.mode.kind() {
            EntryKind::Tree => What::Folder(Side::Tree(entry.oid.to_owned())),
            kind => What::Blob(Blob { id: entry.oid.to_owned(), kind }),
        };
        Ok(Some(Item { name: entry.filename, what }))
    }

    fn index_items(&self, start: usize, end: usize, folder: Option<FolderId>) -> Vec<Item<'a>> {
        let Some(index) = self.index else { return Vec::new() };
        let folders = folder.map(|folder| index.folders_in(folder)).unwrap_or_default();
        let mut items: Vec<Item<'a>> = Vec::new();
        let mut at = start;
        while at < end {
            let path = index.path(at);
            let name = path.get(self.prefix.len()..).unwrap_or_default();
            if let Some(slash) = memchr::memchr(b'/', name) {
                let (name, through) = (name.get(..slash).unwrap_or_default(), self.prefix.len() + slash + 1);
                let (what, next) = if through == path.len() {
                    // A sparse index has one entry for a whole folder.
                    let tree = index.entry(at).and_then(|entry| entry.blob).map(|blob| Side::Tree(blob.id));
                    (tree.unwrap_or(Side::Nothing), at + 1)
                } else {
                    let known = folders.binary_search_by(|(known, _)| (*known).cmp(name)).ok();
                    let folder = known.and_then(|known| folders.get(known)).map(|(_, folder)| *folder);
                    let next = index.end_of(at, end, path.get(..through).unwrap_or_default(), folder).max(at + 1);
                    (Side::Entries { start: at, end: next, folder }, next)
                };
                items.push(Item { name, what: What::Folder(what) });
                at = next;
                continue;
            }
            at += 1;
            let Some(entry) = index.entry(at - 1) else { continue };
            if entry.stage == 0 {
                items.extend(entry.blob.map(|blob| Item { name, what: What::Blob(blob) }));
            } else if items.last().is_none_or(|last| last.name != name) {
                // Up to three versions of one file.
                items.push(Item { name, what: What::Unmerged });
            }
        }
        items
    }
}
