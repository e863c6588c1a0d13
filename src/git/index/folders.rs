//! The cache tree of an index (the extension `TREE`): for each folder its name, NUL, the number of its entries (negative: not
//! known), a blank, the number of its folders, a line feed, and its id if the number of entries is known; then its folders.
//!
//! A repository has tens of thousands of them, and few are looked at: of each only its place is kept.

use gix::ObjectId;
use gix::index::extension::Tree;

/// A folder, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderId(usize);

/// All folders.
#[derive(Debug, Default)]
pub(super) struct Folders {
    bytes: Vec<u8>,
    places: Vec<Place>,
    /// The length of an id.
    id_len: usize,
}

/// Where a folder is.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Where it begins in the bytes.
    at: u32,
    /// The number of the folder after this one and all in it.
    next: u32,
}

/// What stands there about a folder.
struct Folder<'a> {
    name: &'a [u8],
    /// Its tree and the number of entries in it, if the index knows them.
    known: Option<(ObjectId, usize)>,
    /// How many folders are right in it.
    folders: usize,
}

impl Folders {
    /// The folders in `bytes`, the extension; none of them if it is damaged.
    pub(super) fn new(bytes: Vec<u8>, id_len: usize) -> Self {
        match places(&bytes, id_len) {
            Some(places) => Self { bytes, places, id_len },
            None => Self::default(),
        }
    }

    /// The folders of `tree`.
    pub(super) fn of(tree: &Tree) -> Self {
        let mut bytes = Vec::new();
        write(tree, &mut bytes);
        Self::new(bytes, tree.id.as_bytes().len())
    }

    /// The root folder.
    pub(super) fn root(&self) -> Option<FolderId> {
        self.places.first().map(|_| FolderId(0))
    }

    /// The tree of a folder and the number of entries in it, if they are known.
    pub(super) fn known(&self, folder: FolderId) -> Option<(ObjectId, usize)> {
        self.folder(folder.0)?.known
    }

    /// The folders right in `folder`, sorted by their names.
    pub(super) fn below(&self, folder: FolderId) -> Vec<(&[u8], FolderId)> {
        let next = |at: usize| self.places.get(at).map(|place| place.next as usize);
        let Some(end) = next(folder.0) else { return Vec::new() };
        let mut children = Vec::new();
        let mut at = folder.0 + 1;
        while let Some(after) = next(at).filter(|_| at < end) {
            children.push((self.folder(at).map_or(&b""[..], |child| child.name), FolderId(at)));
            at = after.max(at + 1);
        }
        children.sort_unstable();
        children
    }

    fn folder(&self, number: usize) -> Option<Folder<'_>> {
        let bytes = self.bytes.get(self.places.get(number)?.at as usize..)?;
        read(bytes, self.id_len).map(|(folder, _)| folder)
    }
}

/// Where each folder in `bytes` is; `None` if they do not lie in each other as they say.
fn places(bytes: &[u8], id_len: usize) -> Option<Vec<Place>> {
    let mut places = Vec::with_capacity(bytes.len() / (id_len + 16));
    let mut rest = bytes;
    // The folders that are still open, with how many of theirs are to come.
    let mut open: Vec<(usize, usize)> = Vec::new();
    while !rest.is_empty() {
        let (folder, after) = read(rest, id_len)?;
        let number = places.len();
        let at = u32::try_from(bytes.len() - rest.len()).ok()?;
        places.push(Place { at, next: u32::try_from(number + 1).ok()? });
        rest = after;
        open.push((number, folder.folders));
        while let Some((folder, 0)) = open.last().copied() {
            open.pop();
            let next = u32::try_from(places.len()).ok()?;
            places.get_mut(folder)?.next = next;
            match open.last_mut() {
                Some((_, left)) => *left = left.checked_sub(1)?,
                None if rest.is_empty() => {}
                None => return None,
            }
        }
    }
    open.is_empty().then_some(places)
}

/// The folder that `bytes` begin with, and what follows it.
fn read(bytes: &[u8], id_len: usize) -> Option<(Folder<'_>, &[u8])> {
    let (name, after) = split_at(bytes, 0)?;
    let (entries, after) = split_at(after, b' ')?;
    let (folders, after) = split_at(after, b'\n')?;
    let folders = decimal(folders)?;
    if entries.starts_with(b"-") {
        return Some((Folder { name, known: None, folders }, after));
    }
    let (id, after) = after.split_at_checked(id_len)?;
    let known = Some((ObjectId::try_from(id).ok()?, decimal(entries)?));
    Some((Folder { name, known, folders }, after))
}

fn write(tree: &Tree, out: &mut Vec<u8>) {
    out.extend_from_slice(&tree.name);
    out.push(0);
    match tree.num_entries {
        Some(entries) => out.extend_from_slice(entries.to_string().as_bytes()),
        None => out.extend_from_slice(b"-1"),
    }
    out.extend_from_slice(format!(" {}\n", tree.children.len()).as_bytes());
    if tree.num_entries.is_some() {
        out.extend_from_slice(tree.id.as_bytes());
    }
    tree.children.iter().for_each(|child| write(child, out));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_lie_in_each_other() {
        let id = |byte: u8| [byte; 20];
        let bytes =
            [b"\x003 2\n".as_slice(), &id(1), b"b\x00-1 1\n", b"c\x001 0\n", &id(2), b"a\x001 0\n", &id(3)].concat();
        let folders = Folders::new(bytes.clone(), 20);
        let root = folders.root().unwrap();
        assert_eq!(folders.known(root).map(|(_, entries)| entries), Some(3));
        let names = |folder| folders.below(folder).iter().map(|(name, _)| name.to_vec()).collect::<Vec<_>>();
        assert_eq!(names(root), [b"a", b"b"]);
        let b = folders.below(root)[1].1;
        assert_eq!((folders.known(b), names(b)), (None, vec![b"c".to_vec()]));
        let c = folders.below(b)[0].1;
        assert_eq!(folders.known(c).map(|(id, _)| id.as_bytes().to_vec()), Some(id(2).to_vec()));
        for damaged in [&bytes[..bytes.len() - 21], &[bytes.as_slice(), b"d\x00-1 0\n"].concat()] {
            assert_eq!(Folders::new(damaged.to_vec(), 20).root(), None);
        }
    }
}
