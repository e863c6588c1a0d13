//! The part of a file that is merged by lines where a merge of entries would lose a line, or put an entry into another section.

use std::ops::Range;

use foldhash::{HashMap, HashSet};

use super::arranged::anchors;
use super::identity::Id;
use super::parts::Part;
use super::piece::Piece;
use super::regions::{Region, single};
use super::versions::Versions;

/// What would be wrong in the merged file.
#[derive(Debug, Default)]
pub struct Wrong<'a> {
    /// Lines that it would lack, or have too often.
    pub lines: HashSet<&'a str>,
    /// Entries that would be in another section.
    pub entries: HashSet<Id>,
}

impl<'a> Wrong<'a> {
    /// Adds these, and says whether there are any.
    pub fn add(&mut self, lines: HashSet<&'a str>, entries: HashSet<Id>) -> bool {
        let is_wrong = !lines.is_empty() || !entries.is_empty();
        self.lines.extend(lines);
        self.entries.extend(entries);
        is_wrong
    }

    fn has(&self, id: Id, part: &Part<'_>) -> bool {
        self.entries.contains(&id)
            || !self.lines.is_empty() && part.body.lines().any(|line| self.lines.contains(line.trim_end()))
    }
}

/// Regions that are merged by lines, all as one. What is equal in all versions is a region for each part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// Their numbers.
    regions: Range<usize>,
    /// Whether they are a conflict, whatever a merge by lines would make of them.
    is_conflict: bool,
}

/// How the part of a file in which something is wrong is merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By lines.
    Lines,
    /// As a conflict.
    Conflict,
    /// The whole file, as a conflict.
    Whole,
}

impl Way {
    /// What is tried, one after the other.
    pub const ALL: [Self; 3] = [Self::Lines, Self::Conflict, Self::Whole];
}

impl Joined {
    /// The regions that have what is `wrong`, those between them, and those that any of their entries moved to or came from, with what is
    /// before and behind: a merge by lines needs lines that all versions have. `None` if that is the whole file, unless it is a short one
    /// that is to be a conflict.
    pub fn around(
        wrong: &Wrong<'_>,
        parts: &Versions<Vec<Part<'_>>>,
        ids: &Versions<Vec<Id>>,
        way: Way,
    ) -> Option<Self> {
        let lists = Versions { base: ids.base.as_slice(), ours: ids.ours.as_slice(), theirs: ids.theirs.as_slice() };
        let found = single(&lists, &anchors(parts, ids));
        let mut all: Option<(usize, usize)> = None;
        // Where each entry is in any version, and what each region reaches to by its entries.
        let mut spans: HashMap<Id, (usize, usize)> = HashMap::default();
        for (at, region) in found.iter().enumerate() {
            for (id, part) in in_region(region, parts, ids) {
                if part.is_entry() {
                    spans.entry(id).or_insert((at, at)).1 = at;
                }
                if wrong.has(id, part) {
                    all = Some((all.map_or(at, |(first, _)| first), at));
                }
            }
        }
        let (mut first, mut last) = all?;
        // The first and the last region of these, and of those that the entries of another one are in.
        let reached = |at: usize, first: usize, last: usize| {
            let parts = found.get(at).into_iter().flat_map(|region| in_region(region, parts, ids));
            let spans = parts.filter(|(_, part)| part.is_entry()).filter_map(|(id, _)| spans.get(&id));
            spans.fold((first, last), |(first, last), (from, to)| (first.min(*from), last.max(*to)))
        };
        let (mut start, mut end) = (first, first);
        loop {
            while end <= last || start > first {
                let at = if end <= last {
                    end += 1;
                    end - 1
                } else {
                    start -= 1;
                    start
                };
                (first, last) = reached(at, first, last);
            }
            // What is before and behind may be where an entry was that is elsewhere in a side: it would be in neither place.
            let (before, behind) = (first.saturating_sub(1), last + 1);
            let (from, to) = reached(before, before, behind);
            let (from, to) = reached(behind, from, to);
            if (from, to) == (before, behind) {
                break;
            }
            (first, last) = (from, to.min(found.len().saturating_sub(1)));
        }
        let is_conflict = way != Way::Lines;
        let regions = match way {
            Way::Whole => 0..found.len(),
            Way::Lines | Way::Conflict => first.saturating_sub(1)..(last + 2).min(found.len()),
        };
        Some(Self { regions, is_conflict })
            .filter(|joined| joined.regions.len() < found.len() || is_conflict && found.len() <= SHORT)
    }

    /// Whether these are the regions, from the one with this number on.
    pub fn has(&self, at: usize) -> bool {
        self.regions.contains(&at)
    }

    /// What they are in the merged file.
    pub fn piece(&self, all: &[Region]) -> Option<Piece> {
        let of = all.get(self.regions.clone())?;
        let (first, last) = (&of.first()?.places, &of.last()?.places);
        let places = Versions {
            base: first.base.start..last.base.end,
            ours: first.ours.start..last.ours.end,
            theirs: first.theirs.start..last.theirs.end,
        };
        Some(if self.is_conflict { Piece::Disputed(places) } else { Piece::Lines(places) })
    }
}

/// A file of so many regions may be a conflict as a whole, in which a reader sees both sides.
const SHORT: usize = 64;

/// The parts of all versions in a region.
fn in_region<'p, 'a>(
    region: &'p Region,
    parts: &'p Versions<Vec<Part<'a>>>,
    ids: &'p Versions<Vec<Id>>,
) -> impl Iterator<Item = (Id, &'p Part<'a>)> {
    fn of<'p, 'a>(
        range: &Range<usize>,
        parts: &'p [Part<'a>],
        ids: &'p [Id],
    ) -> impl Iterator<Item = (Id, &'p Part<'a>)> + use<'p, 'a> {
        let parts = parts.get(range.clone()).unwrap_or_default();
        ids.get(range.clone()).unwrap_or_default().iter().copied().zip(parts)
    }
    let places = &region.places;
    of(&places.base, &parts.base, &ids.base).chain(of(&places.ours, &parts.ours, &ids.ours)).chain(of(
        &places.theirs,
        &parts.theirs,
        &ids.theirs,
    ))
}
