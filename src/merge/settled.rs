//! Which side says where an entry goes that both have, at different places: the one that moved it, first of all to another section. If
//! both moved it, to different sections, neither may win in silence. What both added is at the first of both places.

use foldhash::{HashMap, HashSet};
use std::ops::Range;

use super::identity::Id;
use super::misplaced::InSections;
use super::parts::Part;
use super::piece::Piece;
use super::regions::Region;
use super::versions::Versions;

/// Who says where an entry goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Ours,
    Theirs,
    /// Each side has it where it put it, in a conflict.
    Disputed,
}

/// The entries that the sides have at different places.
#[derive(Debug, Default)]
pub struct Settled(HashMap<Id, (Who, Versions<usize>)>);

impl Settled {
    /// Those of the entries in these regions; `is_entry` tells them from lines.
    pub fn of(
        regions: &[Region],
        parts: &Versions<Vec<Part<'_>>>,
        ids: &Versions<Vec<Id>>,
        is_entry: impl Fn(Id) -> bool,
    ) -> Self {
        // The region and the place of each entry.
        let mut found: HashMap<Id, Versions<Option<(usize, usize)>>> = HashMap::default();
        for (number, region) in regions.iter().enumerate().filter(|(_, region)| !region.equal) {
            let of = |ids: &[Id], range: &Range<usize>| -> Vec<(Id, usize)> {
                let ids = ids.get(range.clone()).unwrap_or_default().iter().copied().zip(range.clone());
                ids.filter(|(id, _)| is_entry(*id)).collect()
            };
            for (id, at) in of(&ids.base, &region.places.base) {
                found.entry(id).or_default().base = Some((number, at));
            }
            for (id, at) in of(&ids.ours, &region.places.ours) {
                found.entry(id).or_default().ours = Some((number, at));
            }
            for (id, at) in of(&ids.theirs, &region.places.theirs) {
                found.entry(id).or_default().theirs = Some((number, at));
            }
        }
        found.retain(|_, at| at.ours.is_some() && at.theirs.is_some());
        if found.is_empty() {
            return Self::default();
        }
        let sections = InSections::of(parts, ids);
        let last_entry = |ids: &[Id], at: usize| ids.get(..at)?.iter().rev().copied().find(|id| is_entry(*id));
        let who = |(id, at): (Id, Versions<Option<(usize, usize)>>)| {
            let Versions { base, ours: Some((in_ours, ours)), theirs: Some((in_theirs, theirs)) } = at else {
                return None;
            };
            let is_moved = |region| base.is_none_or(|(base, _)| base != region);
            let (by_us, by_them) =
                (sections.ours.is_moved(id, &sections.base), sections.theirs.is_moved(id, &sections.base));
            let is_one = sections.ours.get(id) == sections.theirs.get(id);
            let who = match (by_us || is_moved(in_ours), by_them || is_moved(in_theirs)) {
                // Unless the other side moved it in what is that section now.
                (_, of_them) if base.is_some() && !is_one && by_us && !by_them => {
                    let before = last_entry(&ids.theirs, theirs);
                    let is_inside =
                        of_them && before.is_some_and(|last| sections.ours.get(last) == sections.ours.get(id));
                    if is_inside { Who::Theirs } else { Who::Ours }
                }
                (of_us, _) if base.is_some() && !is_one && by_them && !by_us => {
                    let before = last_entry(&ids.ours, ours);
                    let is_inside =
                        of_us && before.is_some_and(|last| sections.theirs.get(last) == sections.theirs.get(id));
                    if is_inside { Who::Ours } else { Who::Theirs }
                }
                (true, true) if base.is_some() && !is_one => Who::Disputed,
                (true, false) => Who::Ours,
                (false, true) => Who::Theirs,
                (true, true) | (false, false) => return None,
            };
            Some((id, (who, Versions { base: 0, ours, theirs })))
        };
        Self(found.into_iter().filter_map(who).collect())
    }

    /// Lets the pieces from `start` on, made of these places of the sides, have the entries that go there.
    pub fn settle(&self, pieces: &mut Vec<Piece>, start: usize, ours: &Range<usize>, theirs: &Range<usize>) {
        if !self.0.is_empty() {
            let new = pieces.split_off(start);
            pieces.extend(new.into_iter().filter_map(|piece| self.piece(piece, ours, theirs)));
        }
    }

    fn piece(&self, piece: Piece, ours: &Range<usize>, theirs: &Range<usize>) -> Option<Piece> {
        let Piece::Entry(id) = piece else { return Some(piece) };
        let Some((who, at)) = self.0.get(&id) else { return Some(piece) };
        let (is_ours, is_theirs) = (ours.contains(&at.ours), theirs.contains(&at.theirs));
        let range = |is_there: bool, at: usize| if is_there { at..at + 1 } else { 0..0 };
        match who {
            _ if is_ours == is_theirs => Some(piece),
            Who::Ours => is_ours.then_some(piece),
            Who::Theirs => is_theirs.then_some(piece),
            Who::Disputed => Some(Piece::Disputed(Versions {
                base: 0..0,
                ours: range(is_ours, at.ours),
                theirs: range(is_theirs, at.theirs),
            })),
        }
    }

    /// Whether an entry goes where their side has it.
    pub fn is_theirs(&self, id: Id) -> bool {
        self.0.get(&id).is_some_and(|(who, _)| *who == Who::Theirs)
    }

    /// The entries that are conflicts at both places.
    pub fn disputed(&self) -> HashSet<Id> {
        self.0.iter().filter(|(_, (who, _))| *who == Who::Disputed).map(|(id, _)| *id).collect()
    }
}
