//! The entries of an index file: all of its bytes, or of those that are looked at alone.
//!
//! To keep a file of many megabytes takes longer than to read it: the system has to find memory for each page. Who compares the
//! index with a tree looks at few entries, so the others are stepped over in one small buffer and not kept.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// So many entries are read at once: a page or two.
const PART: usize = 32;

/// The size of the buffer in which entries are stepped over.
const WINDOW: usize = 1 << 16;

/// The length of what is before the first entry.
const HEADER: usize = 12;

/// The entries.
#[derive(Debug)]
pub(super) struct Entries {
    /// Where each begins in the file.
    starts: Vec<u32>,
    /// Where the last one ends.
    end: usize,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    /// Those of the file.
    Whole(Vec<u8>),
    /// The file, and those of each [`PART`] entries, once one of them was looked at.
    Parts { file: Mutex<File>, parts: Vec<OnceLock<Vec<u8>>>, is_lost: AtomicBool },
}

impl Entries {
    /// Those in `bytes`, an index file; `fixed` is the length of what is before a path without extended flags. `None` for a file that is
    /// damaged or of another kind.
    pub(super) fn whole(bytes: Vec<u8>, fixed: usize) -> Option<Self> {
        let count = count(&bytes, bytes.len(), fixed)?;
        let (starts, end) = starts(count, |at| Some(entry_len(path(bytes.get(at..)?, fixed)?.end)))?;
        Some(Self { starts, end, bytes: Bytes::Whole(bytes) })
    }

    /// Those in `file`, as [`Entries::whole`], and the bytes that follow them.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) fn in_parts(file: File, fixed: usize) -> io::Result<Option<(Self, Vec<u8>)>> {
        let len = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
        let mut window = Window { file, bytes: vec![0; WINDOW], start: 0, end: 0, error: None };
        let found = window.get(0, HEADER).and_then(|header| count(header, len, fixed)).and_then(|count| {
            starts(count, |at| {
                let flags = short(window.get(at + fixed - 2, 2)?, 0)?;
                // A path that is longer than fits the flags is for who has all bytes.
                Some(entry_len(path_start(flags, fixed) + path_len(flags)?))
            })
        });
        if let Some(error) = window.error {
            return Err(error);
        }
        let Some((starts, end)) = found.filter(|(_, end)| *end <= len) else { return Ok(None) };
        let mut file = window.file;
        let mut rest = Vec::with_capacity(len - end);
        file.seek(SeekFrom::Start(end as u64))?;
        file.read_to_end(&mut rest)?;
        let parts = std::iter::repeat_with(OnceLock::new).take(starts.len().div_ceil(PART)).collect();
        let bytes = Bytes::Parts { file: Mutex::new(file), parts, is_lost: AtomicBool::new(false) };
        Ok(Some((Self { starts, end, bytes }, rest)))
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// What follows the entries, where all bytes are kept.
    pub(super) fn rest(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Whole(bytes) => bytes.get(self.end..).unwrap_or_default(),
            Bytes::Parts { .. } => &[],
        }
    }

    /// The bytes of the entry at `at`, and perhaps of others after it.
    pub(super) fn get(&self, at: usize) -> Option<&[u8]> {
        let start = *self.starts.get(at)? as usize;
        match &self.bytes {
            Bytes::Whole(bytes) => bytes.get(start..),
            Bytes::Parts { parts, .. } => {
                let number = at / PART;
                let from = *self.starts.get(number * PART)? as usize;
                let part = parts.get(number)?.get_or_init(|| self.read(number, from).unwrap_or_default());
                part.get(start - from..)
            }
        }
    }

    /// Whether an entry could not be read again. It was seen without bytes.
    pub(super) fn is_lost(&self) -> bool {
        match &self.bytes {
            Bytes::Whole(_) => false,
            Bytes::Parts { is_lost, .. } => is_lost.load(Ordering::Relaxed),
        }
    }

    fn read(&self, number: usize, from: usize) -> Option<Vec<u8>> {
        let Bytes::Parts { file, is_lost, .. } = &self.bytes else { return None };
        let end = self.starts.get((number + 1) * PART).map_or(self.end, |start| *start as usize);
        let mut part = vec![0; end.checked_sub(from)?];
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        let result = file.seek(SeekFrom::Start(from as u64)).and_then(|_| file.read_exact(&mut part));
        is_lost.fetch_or(result.is_err(), Ordering::Relaxed);
        result.ok().map(|()| part)
    }
}

/// The number of entries in a file of `len` bytes that begins with `header`; `None` for one of another kind.
fn count(header: &[u8], len: usize, fixed: usize) -> Option<usize> {
    let (magic, version, count) = (header.get(..4)?, number(header, 4)?, number(header, 8)?);
    if magic != b"DIRC" || !matches!(version, 2 | 3) || u32::try_from(len).is_err() {
        return None;
    }
    // A damaged count must not make room for what the file cannot hold.
    usize::try_from(count).ok().filter(|count| *count <= len / fixed)
}

/// Where each of `count` entries begins, and where the last one ends; `len` says how long the one at a place is.
fn starts(count: usize, mut len: impl FnMut(usize) -> Option<usize>) -> Option<(Vec<u32>, usize)> {
    let mut starts = Vec::with_capacity(count);
    let mut at = HEADER;
    for _ in 0..count {
        starts.push(u32::try_from(at).ok()?);
        at += len(at)?;
    }
    Some((starts, at))
}

/// A part of a file that moves through it.
struct Window {
    file: File,
    bytes: Vec<u8>,
    /// Where in the file it begins, and how many bytes it has.
    start: usize,
    end: usize,
    error: Option<io::Error>,
}

impl Window {
    /// The `len` bytes at `at`, which is not before any place that was asked for.
    fn get(&mut self, at: usize, len: usize) -> Option<&[u8]> {
        let mut from = at.checked_sub(self.start)?;
        if from + len > self.end {
            // Nothing between is of use, but an entry is shorter than the window.
            let left = from.min(self.end);
            self.bytes.copy_within(left..self.end, 0);
            (self.start, self.end) = (self.start + left, self.end - left);
            from = at - self.start;
            while self.end < from + len {
                match self.file.read(self.bytes.get_mut(self.end..)?) {
                    Ok(0) => return None,
                    Ok(read) => self.end += read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => {
                        self.error = Some(error);
                        return None;
                    }
                }
            }
        }
        self.bytes.get(from..from + len)
    }
}

/// Where the path of an entry begins; `flags` are those of the entry, `fixed` is the length of what is before it without extended flags.
fn path_start(flags: u16, fixed: usize) -> usize {
    fixed + if flags & 0x4000 == 0 { 0 } else { 2 }
}

/// Where the path of `entry` is.
pub(super) fn path(entry: &[u8], fixed: usize) -> Option<Range<usize>> {
    let flags = short(entry, fixed - 2)?;
    let from = path_start(flags, fixed);
    let len = match path_len(flags) {
        Some(len) => len,
        // It ends with its NUL.
        None => memchr::memchr(0, entry.get(from..)?)?,
    };
    (from + len <= entry.len()).then_some(from..from + len)
}

/// The length of a path; `None` if it does not fit the flags.
fn path_len(flags: u16) -> Option<usize> {
    Some(usize::from(flags & 0xfff)).filter(|len| *len < 0xfff)
}

/// The length of an entry whose path ends at `end`: one to eight NUL follow.
fn entry_len(end: usize) -> usize {
    (end + 8) & !7
}

pub(super) fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|four| u32::from_be_bytes(*four))
}

pub(super) fn short(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|two| u16::from_be_bytes(*two))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    const FIXED: usize = 62;

    /// An index file with entries at these paths, and what follows them.
    fn index(paths: &[String], rest: &[u8]) -> Vec<u8> {
        let mut bytes = b"DIRC\x00\x00\x00\x02".to_vec();
        bytes.extend(u32::try_from(paths.len()).unwrap().to_be_bytes());
        for path in paths {
            let start = bytes.len();
            bytes.extend([7; FIXED - 2]);
            bytes.extend(u16::try_from(path.len().min(0xfff)).unwrap().to_be_bytes());
            bytes.extend(path.as_bytes());
            bytes.resize(start + entry_len(FIXED + path.len()), 0);
        }
        bytes.extend(rest);
        bytes
    }

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        file
    }

    fn path_of(entries: &Entries, at: usize) -> Option<&[u8]> {
        let entry = entries.get(at)?;
        entry.get(path(entry, FIXED)?)
    }

    #[test]
    fn entries_are_the_same_whole_and_in_parts() {
        // More than one window holds.
        let paths: Vec<String> = (0..3000).map(|at| format!("folder/{at:04}/{}", "x".repeat(at % 90))).collect();
        let bytes = index(&paths, b"TREE and more");
        let whole = Entries::whole(bytes.clone(), FIXED).unwrap();
        let (parts, rest) = Entries::in_parts(file(&bytes), FIXED).unwrap().unwrap();
        assert!(bytes.len() > 2 * WINDOW);
        assert_eq!((rest.as_slice(), whole.rest()), (b"TREE and more".as_slice(), b"TREE and more".as_slice()));
        assert_eq!((whole.len(), parts.len()), (paths.len(), paths.len()));
        // Backwards, so that no part is looked at in the order of the file.
        for (at, expected) in paths.iter().enumerate().rev() {
            assert_eq!(path_of(&parts, at), Some(expected.as_bytes()));
            assert_eq!(path_of(&whole, at), Some(expected.as_bytes()));
        }
        assert_eq!((path_of(&parts, paths.len()), parts.is_lost()), (None, false));
    }

    #[test]
    fn an_entry_that_is_lost_is_known() {
        let bytes = index(&["a".to_owned(), "b".to_owned()], &[]);
        let file = file(&bytes);
        let (parts, _) = Entries::in_parts(file.try_clone().unwrap(), FIXED).unwrap().unwrap();
        file.set_len(80).unwrap();
        assert_eq!((path_of(&parts, 1), parts.is_lost()), (None, true));
    }

    #[test]
    fn what_is_damaged_or_long_is_for_another_reader() {
        let long = index(&["x".repeat(5000)], &[]);
        assert!(Entries::in_parts(file(&long), FIXED).unwrap().is_none());
        assert_eq!(path_of(&Entries::whole(long, FIXED).unwrap(), 0).map(<[u8]>::len), Some(5000));
        let bytes = index(&["a".to_owned(), "b".to_owned()], &[]);
        for damaged in [&bytes[..bytes.len() - 20], &bytes[..11], &[b"DIRC\x00\x00\x00\x04", &bytes[8..]].concat()] {
            assert!(Entries::in_parts(file(damaged), FIXED).unwrap().is_none());
        }
    }
}
