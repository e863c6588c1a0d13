//! What a merged file is made of.

use std::ops::Range;

use super::identity::Id;
use super::versions::Versions;

/// A piece of the merged file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// An entry.
    Entry(Id),
    /// A line, with its places in the versions that have it here.
    Line(Id, Versions<Option<usize>>),
    /// The lines at these places, which both sides changed. Only a merge by lines can join them.
    Lines(Versions<Range<usize>>),
    /// A conflict: one side moved lines at these places that the other one removed or moved elsewhere.
    Disputed(Versions<Range<usize>>),
}
