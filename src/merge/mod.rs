//! Merges three versions of a memory file, entry by entry. It reads and writes no files.
//!
//! 1. `parts.rs` cuts each version into parts: entries, list items, and the lines between them.
//! 2. `identity.rs` finds the same entry in the three versions, whatever its place. `pairs.rs` compares two versions,
//!    `redated.rs` finds what has another date, `left.rs` what is left, `words.rs` compares what entries say, and `section.rs` tells equal
//!    items apart.
//! 3. `arranged.rs` puts the sections in one order, and `order.rs` merges the three lists of parts. `regions.rs` finds the places
//!    where they differ (`rising.rs` finds what stays in order in long lists), `groups.rs` cuts these into sections, `settled.rs`
//!    finds the entries that the sides have at different places, `moved.rs` what moved on one side and is gone on the other, and
//!    `once.rs` what both sides added at two places.
//! 4. `outcome.rs` merges each entry by itself, and `print.rs` puts the text together. `lines.rs` merges by lines, and
//!    `line_ends.rs` lets all three versions have the same line ends meanwhile.
//! 5. `reread.rs` reads the merged text again, `misplaced.rs` compares the sections of its entries, `tally.rs` counts its lines, also in
//!    the text of somebody who takes one side of each conflict, and `fences.rs` looks for code fences that a conflict cuts. A line that
//!    one side removed and that is back makes a conflict of what has it. Where something else is wrong, `joined.rs` finds the place
//!    around it, which is merged by lines, or else is a conflict. Where that does not help, a short file is a conflict as a whole, and a
//!    long one is merged by lines.
//! 6. Where a conflict is left, and `lines.rs` merges the whole file without one, or with smaller ones at the same places, that is taken if
//!    it has each entry once, as it should be. `disputed.rs` compares conflicts, and `as_git.rs` compares lines as git does.

mod arranged;
mod as_git;
mod by_lines;
mod disputed;
pub mod entries;
mod fences;
mod groups;
mod identity;
mod joined;
mod left;
mod line_ends;
pub mod lines;
mod misplaced;
mod moved;
mod once;
mod order;
mod outcome;
mod pairs;
pub mod parts;
mod piece;
mod print;
mod redated;
mod regions;
mod reread;
mod rising;
mod section;
mod settled;
mod tally;
mod versions;
mod words;

pub use by_lines::ByLines;
pub use versions::{Markers, Style, Versions};

use crate::dialects::FileKind;
use crate::text::conflict;

/// A merged file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Its content, with markers around each conflict.
    pub bytes: Vec<u8>,
    /// How many conflicts it has.
    pub conflicts: usize,
    /// Why it was merged by lines, as in a file that is not UTF-8; `None` if it was merged by entries.
    pub by_lines: Option<ByLines>,
}

/// Merges three versions of a file of this kind. The base is empty if both sides added the file.
pub fn merge(versions: Versions<&[u8]>, kind: Option<&FileKind>, markers: &Markers<'_>) -> Merged {
    if let Some(same) = versions.trivial() {
        return Merged { bytes: same.to_vec(), conflicts: 0, by_lines: None };
    }
    let by_lines = match by_entries(&versions, kind, markers) {
        Ok(merged) => return merged,
        Err(reason) => reason,
    };
    let (bytes, conflicts) = lines::merge(versions, markers);
    Merged { bytes, conflicts, by_lines: Some(by_lines) }
}

fn by_entries(versions: &Versions<&[u8]>, kind: Option<&FileKind>, markers: &Markers<'_>) -> Result<Merged, ByLines> {
    let kind = kind.filter(|kind| parts::has_parts(kind)).ok_or(ByLines::NoEntries)?;
    if versions.iter().any(|bytes| conflict::first_line(bytes).is_some()) {
        return Err(ByLines::Unresolved);
    }
    let read = |bytes| std::str::from_utf8(bytes).map_err(|_| ByLines::NotUtf8);
    let texts = Versions { base: read(versions.base)?, ours: read(versions.ours)?, theirs: read(versions.theirs)? };
    let (text, conflicts) = entries::merge(texts, kind, markers)?;
    Ok(Merged { bytes: text.into_bytes(), conflicts, by_lines: None })
}

#[cfg(test)]
mod tests;
