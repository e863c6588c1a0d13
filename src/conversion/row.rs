//! What a conversion makes of legacy entries, and of their files.

use bstr::BString;

use crate::convert::Confidence;

/// A legacy entry or a charter, and what became of it.
#[derive(Debug)]
pub struct Row {
    pub(super) path: BString,
    /// What it is: `Entry` or `Charter`.
    pub(super) noun: &'static str,
    pub(super) line: usize,
    pub(super) heading: String,
    pub(super) confidence: Confidence,
    pub(super) reasons: Vec<String>,
    /// The short reason why an entry was not converted.
    pub(super) obstacle: &'static str,
    /// The new header line.
    pub(super) header: Option<String>,
    /// Why its file could not be written.
    pub(super) failure: Option<String>,
}

/// A file with legacy entries, or a charter.
#[derive(Debug)]
pub struct Changed {
    pub(super) path: BString,
    pub(super) old: Vec<u8>,
    /// What it becomes; `None` where nothing in it is converted.
    pub(super) new: Option<Vec<u8>>,
    pub(super) rows: Vec<Row>,
    /// Whether git merges it by `merge=union`, which mixes the lines of two entries.
    pub(super) merges_by_union: bool,
}
