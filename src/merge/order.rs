//! The order of the merged parts.
//!
//! Entries are one element each here, so an entry that one side changed is equal in all versions. Where both sides added entries at
//! one place, these are ordered by their moments, and each side keeps its own order.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::identity::Id;
use super::regions::{Region, regions};
use super::versions::Versions;

/// A piece of the merged file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// An entry.
    Entry(Id),
    /// A line, with its places in the versions that have it here.
    Line(Id, Versions<Option<usize>>),
    /// The parts at these places, which only a merge by lines can join: both sides changed the lines between entries.
    Region(Versions<Range<usize>>),
}

/// What decides about the order.
#[derive(Debug)]
pub struct Facts {
    /// The entries, each with its moment.
    pub moments: HashMap<Id, Option<i64>>,
    /// What must come first where two entries are put at one place: an item or a section after an entry would be a part of it.
    pub ranks: HashMap<Id, u8>,
    /// The lines that are headings: entries do not move across them.
    pub headings: HashSet<Id>,
    /// The entries that are in the merged file.
    pub kept: HashSet<Id>,
    /// Whether the newest entry of the file comes first.
    pub newest_first: bool,
}

/// The pieces of the merged file, in order. Each entry that is kept is in it once.
pub fn order(ids: &Versions<Vec<Id>>, facts: &Facts) -> Vec<Piece> {
    let lists = Versions { base: ids.base.as_slice(), ours: ids.ours.as_slice(), theirs: ids.theirs.as_slice() };
    let mut pieces = Vec::new();
    for region in regions(&lists) {
        resolve(&region, &lists, facts, &mut pieces);
    }
    let in_regions: Vec<Id> = pieces.iter().filter_map(|piece| region_ids(piece, &lists)).flatten().collect();
    let mut seen: HashSet<Id> = in_regions.into_iter().collect();
    pieces.retain(|piece| match piece {
        Piece::Entry(id) => facts.kept.contains(id) && seen.insert(*id),
        Piece::Line(..) | Piece::Region(_) => true,
    });
    for list in [lists.ours, lists.theirs] {
        put_back(list, facts, &mut seen, &mut pieces);
    }
    pieces
}

/// The parts of a region that is merged by lines.
fn region_ids<'a>(piece: &'a Piece, lists: &Versions<&'a [Id]>) -> Option<impl Iterator<Item = Id> + use<'a>> {
    let Piece::Region(places) = piece else { return None };
    let part = |list: &'a [Id], range: &Range<usize>| list.get(range.clone()).unwrap_or_default().iter().copied();
    Some(part(lists.ours, &places.ours).chain(part(lists.theirs, &places.theirs)))
}

/// Adds the entries of a side that are kept and have no place: one side removed or moved them, and the other changed them.
fn put_back(list: &[Id], facts: &Facts, seen: &mut HashSet<Id>, pieces: &mut Vec<Piece>) {
    let mut before: Option<Id> = None;
    for id in list.iter().copied().filter(|id| facts.moments.contains_key(id)) {
        if facts.kept.contains(&id) && seen.insert(id) {
            let place = before.and_then(|before| pieces.iter().position(|piece| *piece == Piece::Entry(before)));
            let first = || pieces.iter().position(|piece| matches!(piece, Piece::Entry(_))).unwrap_or(pieces.len());
            let place = place.map_or_else(first, |place| place + 1);
            pieces.insert(place, Piece::Entry(id));
        }
        before = Some(id).filter(|id| facts.kept.contains(id)).or(before);
    }
}

fn resolve(region: &Region, lists: &Versions<&[Id]>, facts: &Facts, out: &mut Vec<Piece>) {
    let part = region.of(lists);
    let piece = |id: Id, places| match facts.moments.contains_key(&id) {
        true => Piece::Entry(id),
        false => Piece::Line(id, places),
    };
    let start = region.places.clone().map(|range| range.start);
    let nowhere = Versions { base: None, ours: None, theirs: None };
    let ours_at = |step: usize| Versions { ours: Some(start.ours + step), ..nowhere };
    let theirs_at = |step: usize| Versions { theirs: Some(start.theirs + step), ..nowhere };
    if region.equal {
        let all_at = |step: usize| start.map(|start| Some(start + step));
        out.extend(part.base.iter().enumerate().map(|(step, id)| piece(*id, all_at(step))));
    } else if part.base == part.theirs || part.ours == part.theirs {
        out.extend(part.ours.iter().enumerate().map(|(step, id)| piece(*id, ours_at(step))));
    } else if part.base == part.ours {
        out.extend(part.theirs.iter().enumerate().map(|(step, id)| piece(*id, theirs_at(step))));
    } else {
        let is_line = |id: &Id| !facts.moments.contains_key(id);
        let lines = part.map(|ids| ids.iter().copied().filter(is_line).collect::<Vec<Id>>());
        let lines =
            Versions { base: lines.base.as_slice(), ours: lines.ours.as_slice(), theirs: lines.theirs.as_slice() };
        if lines.trivial().is_none() {
            out.push(Piece::Region(region.places.clone()));
            return;
        }
        let starts_file = start.ours == 0 || start.theirs == 0;
        let of_theirs = lines.base == lines.ours && lines.ours != lines.theirs;
        let (spine, other) = if of_theirs { (part.theirs, part.ours) } else { (part.ours, part.theirs) };
        let at = |step| if of_theirs { theirs_at(step) } else { ours_at(step) };
        let steps = interleave(spine, other, starts_file, facts);
        out.extend(steps.into_iter().map(|step| match step {
            Step::Spine(step, id) => piece(id, at(step)),
            Step::Other(id) => Piece::Entry(id),
        }));
    }
}

/// Where the next part comes from.
enum Step {
    /// From the spine: its place and number.
    Spine(usize, Id),
    /// An entry that only the other side has.
    Other(Id),
}

/// The parts of `spine`, and between them the entries of `other` that it lacks.
fn interleave(spine: &[Id], other: &[Id], starts_file: bool, facts: &Facts) -> Vec<Step> {
    let places: HashMap<Id, usize> = spine.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    let in_other: HashSet<Id> = other.iter().copied().collect();
    let mut out = Vec::with_capacity(spine.len() + other.len());
    let mut rest = spine.iter().copied().enumerate().peekable();
    let (mut spine_moment, mut other_moment) = (None, None);
    let mut saw_entry = !starts_file;
    for id in other.iter().copied().filter(|id| facts.moments.contains_key(id)) {
        other_moment = facts.moments.get(&id).copied().flatten().or(other_moment);
        let common = places.get(&id).copied();
        while let Some(&(place, next)) = rest.peek() {
            let goes_first = match (common, facts.moments.get(&next)) {
                (Some(common), _) => place <= common,
                (None, Some(moment)) => {
                    let moment = moment.or(spine_moment);
                    let is_before = match facts.ranks.get(&next).cmp(&facts.ranks.get(&id)) {
                        Ordering::Less => true,
                        Ordering::Greater => false,
                        Ordering::Equal => is_before(moment, other_moment, facts.newest_first),
                    };
                    is_before && !in_other.contains(&next)
                }
                // An entry stays in the section that it is in.
                (None, None) => !(saw_entry && facts.headings.contains(&next)),
            };
            if !goes_first {
                break;
            }
            if let Some(moment) = facts.moments.get(&next) {
                spine_moment = moment.or(spine_moment);
                saw_entry = true;
            }
            out.push(Step::Spine(place, next));
            rest.next();
        }
        if common.is_none() {
            saw_entry = true;
            out.push(Step::Other(id));
        }
    }
    out.extend(rest.map(|(place, id)| Step::Spine(place, id)));
    out
}

/// Whether an entry of the spine comes before one of the other side.
fn is_before(spine: Option<i64>, other: Option<i64>, newest_first: bool) -> bool {
    match spine.zip(other) {
        Some((spine, other)) if newest_first => spine >= other,
        Some((spine, other)) => spine <= other,
        None => true,
    }
}
