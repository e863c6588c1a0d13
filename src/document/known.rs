//! The SEM entries of a document as others refer to them: read once, however often a check compares them.

use super::Document;
use crate::formats::sem::{EntryType, FieldName};
use crate::formats::timestamp::Timestamp;
use crate::text::Span;

/// An SEM entry as others refer to it.
#[derive(Clone, Copy, Debug)]
pub struct KnownEntry {
    /// The whole entry.
    pub span: Span,
    /// Its header line.
    pub header: Span,
    /// Its timestamp.
    pub at: Timestamp,
    /// Its type.
    pub entry_type: EntryType,
    /// The timestamp of the entry that it replaces.
    pub supersedes: Option<Timestamp>,
}

impl Document {
    /// The SEM entries with a timestamp and a type, in the order of the text.
    pub fn known_entries(&self) -> &[KnownEntry] {
        self.known.get_or_init(|| {
            let known = self.entries.sem(self.text()).filter_map(|entry| {
                Some(KnownEntry {
                    span: entry.span(),
                    header: entry.header().line,
                    at: entry.timestamp()?,
                    entry_type: entry.entry_type()?,
                    supersedes: entry.stamp(FieldName::Supersedes).and_then(|(_, reading)| reading.moment()),
                })
            });
            known.collect()
        })
    }
}
