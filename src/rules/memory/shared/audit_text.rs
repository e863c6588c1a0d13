//! The text of an audit before a change or after it.

use bstr::{BStr, ByteSlice};

use crate::facts::Run;
use crate::formats::audit::{LostLine, lost_line};
use crate::fs::path::join;
use crate::select::read_error::ReadError;

/// An audit of so many bytes is compared by its lines, also where it has too many to be checked.
pub const MOST: u64 = 256 << 20;

/// An audit before a change or after it.
pub enum Text {
    /// All of it.
    Bytes(Vec<u8>),
    /// It has so many bytes that only their number is known.
    Long(u64),
}

impl Text {
    /// What reading it with at most [`MOST`] bytes gave; `None` if there is none, or if it cannot be read.
    pub fn of(read: Result<Option<Vec<u8>>, ReadError>) -> Option<Self> {
        match read {
            Ok(bytes) => Some(Self::Bytes(bytes?)),
            Err(ReadError::TooBig { size, .. }) => Some(Self::Long(size)),
            Err(_) => None,
        }
    }

    fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Long(len) => *len,
        }
    }

    /// What of it `new` lacks: its first line, or one with the number 0 where that cannot be told.
    pub fn lost_in(&self, new: &Self) -> Option<LostLine> {
        match (self, new) {
            (Self::Bytes(old), Self::Bytes(new)) => lost_line(old, new),
            _ => (new.len() < self.len()).then_some(LostLine { line: 0, instead: None, next: None }),
        }
    }
}

/// Whether an archive of the state root has all lines of `old`: a full audit becomes `audit.1.jsonl`.
pub fn is_archived(run: &Run<'_>, root: &BStr, old: &Text) -> bool {
    (1..=3).any(|number| {
        let path = join(root, &format!("memory/audit.{number}.jsonl"));
        Text::of(run.input.read(path.as_bstr(), MOST).map(Some)).is_some_and(|file| old.lost_in(&file).is_none())
    })
}
