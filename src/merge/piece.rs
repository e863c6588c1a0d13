//! What a merged file is made of.

use std::ops::Range;

use super::identity::Id;
use super::parts::Part;
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

/// The texts of the parts at these places.
pub fn places_text(parts: &Versions<Vec<Part<'_>>>, places: &Versions<Range<usize>>) -> Versions<String> {
    let text = |parts: &[Part<'_>], range: &Range<usize>| -> String {
        let parts = parts.get(range.clone()).unwrap_or_default();
        parts.iter().flat_map(|part| [part.body, part.tail]).collect()
    };
    Versions {
        base: text(&parts.base, &places.base),
        ours: text(&parts.ours, &places.ours),
        theirs: text(&parts.theirs, &places.theirs),
    }
}
