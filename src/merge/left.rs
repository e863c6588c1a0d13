//! The entries of one version that another one seems to lack.

use foldhash::HashSet;

use super::parts::Part;

/// An entry that another version does not have.
pub struct Left {
    /// Its place.
    pub at: usize,
    /// The place in the base of the last entry before it that the other version has.
    pub after: Option<usize>,
}

/// The entries of `parts` that have no place in `found`, but those at `known`.
pub fn left(parts: &[Part<'_>], found: &[Option<usize>], known: &HashSet<usize>) -> Vec<Left> {
    let mut after = None;
    let entries = parts.iter().zip(found).enumerate().filter(|(_, (part, _))| part.is_entry());
    let mut out = Vec::new();
    for (at, (_, found)) in entries {
        if found.is_some() {
            after = *found;
        } else if !known.contains(&at) {
            out.push(Left { at, after });
        }
    }
    out
}

/// The entries of the base that no part of a side is, which `found` says.
pub fn gone(base: &[Part<'_>], found: &[Option<usize>]) -> Vec<Left> {
    let taken: HashSet<usize> = found.iter().flatten().copied().collect();
    let of_base: Vec<_> = (0..base.len()).map(|place| Some(place).filter(|place| taken.contains(place))).collect();
    left(base, &of_base, &HashSet::default())
}
