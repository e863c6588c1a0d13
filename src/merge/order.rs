//! The order of the merged parts.
//!
//! Entries are one element each here, so an entry that one side changed is equal in all versions. Where both sides added entries at
//! one place, these are ordered by their moments, and each side keeps its own order.

use foldhash::{HashMap, HashSet};
use std::cmp::Ordering;
use std::ops::Range;

use super::groups::{Pair, pairs};
use super::identity::Id;
use super::joined::Joined;
use super::moved::dispute;
use super::parts::Part;
use super::piece::Piece;
use super::regions::{Region, regions, regions_between, single};
use super::settled::Settled;
use super::versions::Versions;

/// What decides about the order.
#[derive(Debug)]
pub struct Facts {
    /// The entries, each with its moment.
    pub moments: HashMap<Id, Option<i64>>,
    /// What must come first where two entries are put at one place: an item or a section after an entry would be a part of it.
    pub ranks: HashMap<Id, (u8, bool)>,
    /// The lines that are headings of sections with entries, or of the base: entries do not move across them.
    pub headings: HashSet<Id>,
    /// Where sections begin.
    pub sections: Versions<Vec<bool>>,
    /// The titles of sections that no entry moves, by their places.
    pub anchors: Vec<Versions<usize>>,
    /// The places of the parts that continue with the entry before them: nothing comes between them and it.
    pub goes_on: Versions<Vec<bool>>,
    /// The places where a section begins that `memory` reads as a part of the new entry before it: nothing comes between them either.
    pub read_on: Versions<Vec<bool>>,
    /// The entries and items that continue with the entry before them.
    pub parts_of_entries: HashSet<Id>,
    /// The entries that are in the merged file.
    pub kept: HashSet<Id>,
    /// Whether the newest entry of the file comes first.
    pub newest_first: bool,
}

/// The pieces of the merged file, in order. Each entry that is kept is in it once, but for what is `joined`. The lines `returned` are
/// conflicts.
pub fn order(
    ids: &Versions<Vec<Id>>,
    parts: &Versions<Vec<Part<'_>>>,
    facts: &Facts,
    returned: &HashSet<Id>,
    joined: Option<&Joined>,
) -> Vec<Piece> {
    let lists = Versions { base: ids.base.as_slice(), ours: ids.ours.as_slice(), theirs: ids.theirs.as_slice() };
    let mut pieces = Vec::new();
    let mut seen: HashSet<Id> = HashSet::default();
    let all = if joined.is_some() { single(&lists, &facts.anchors) } else { regions_between(&lists, &facts.anchors) };
    let settled = Settled::of(&all, parts, ids, |id| !facts.is_line(id));
    let mut put: Option<Piece> = joined.and_then(|joined| joined.piece(&all));
    for (at, region) in all.iter().enumerate() {
        if joined.is_some_and(|joined| joined.has(at)) {
            pieces.extend(put.take());
            let Versions { base, ours, theirs } = region.of(&lists);
            seen.extend(base.iter().chain(ours).chain(theirs));
        } else {
            resolve(region, &lists, facts, &settled, &mut pieces);
        }
    }
    let mut pieces = dispute(pieces, ids, returned);
    pieces.retain(|piece| match piece {
        Piece::Entry(id) => facts.kept.contains(id) && seen.insert(*id),
        Piece::Line(..) | Piece::Lines(_) | Piece::Disputed(_) => true,
    });
    seen.extend(settled.disputed());
    for piece in &pieces {
        if let Piece::Disputed(places) = piece {
            seen.extend(lists.ours.get(places.ours.clone()).into_iter().flatten());
            seen.extend(lists.theirs.get(places.theirs.clone()).into_iter().flatten());
        }
    }
    put_back(lists.theirs, |id| settled.is_theirs(id), facts, &mut seen, &mut pieces);
    for list in [lists.ours, lists.theirs] {
        put_back(list, |_| true, facts, &mut seen, &mut pieces);
    }
    pieces
}

/// Adds the `wanted` entries of a side that are kept and have no place: one side removed or moved them, and the other changed them.
fn put_back(list: &[Id], wanted: impl Fn(Id) -> bool, facts: &Facts, seen: &mut HashSet<Id>, pieces: &mut Vec<Piece>) {
    let entries = pieces.iter().enumerate().filter_map(|(place, piece)| match piece {
        Piece::Entry(id) => Some((*id, place)),
        Piece::Line(..) | Piece::Lines(_) | Piece::Disputed(_) => None,
    });
    let places: HashMap<Id, usize> = entries.collect();
    let first = places.values().copied().min().unwrap_or(pieces.len());
    // The entries to add before each piece.
    let mut added: HashMap<usize, Vec<Id>> = HashMap::default();
    let mut next = first;
    for id in list.iter().copied().filter(|id| facts.kept.contains(id)) {
        if let Some(place) = places.get(&id) {
            let behind = pieces.iter().skip(place + 1);
            next = place + 1 + behind.take_while(|piece| facts.piece_goes_on(piece)).count();
        } else if wanted(id) && seen.insert(id) {
            added.entry(next).or_default().push(id);
        }
    }
    if added.is_empty() {
        return;
    }
    let old = std::mem::take(pieces);
    let end = old.len();
    for (place, piece) in old.into_iter().enumerate() {
        pieces.extend(added.remove(&place).unwrap_or_default().into_iter().map(Piece::Entry));
        pieces.push(piece);
    }
    pieces.extend(added.remove(&end).unwrap_or_default().into_iter().map(Piece::Entry));
}

/// A part of a region that both sides changed.
struct Chunk<'a> {
    /// The lines of the base that are in it on one side at least.
    base: Vec<Id>,
    ours: &'a [Id],
    theirs: &'a [Id],
    /// The places of its region in the base, and where it begins on both sides.
    places: Versions<Range<usize>>,
}

impl Chunk<'_> {
    /// Whether nothing comes between the last entry of a side and what is behind the chunk.
    fn is_held(&self, of_theirs: bool, facts: &Facts) -> bool {
        let (list, end) = match of_theirs {
            true => (&facts.read_on.theirs, self.places.theirs.end),
            false => (&facts.read_on.ours, self.places.ours.end),
        };
        list.get(end) == Some(&true)
    }
}

fn resolve(region: &Region, lists: &Versions<&[Id]>, facts: &Facts, settled: &Settled, out: &mut Vec<Piece>) {
    let part = region.of(lists);
    let first = out.len();
    let start = starts(&region.places);
    if region.equal {
        let all_at = |step: usize| start.map(|start| Some(start + step));
        out.extend(part.base.iter().enumerate().map(|(step, id)| facts.piece(*id, all_at(step))));
    } else if part.base == part.theirs || part.ours == part.theirs {
        out.extend(part.ours.iter().enumerate().map(|(step, id)| facts.piece(*id, ours_at(start.ours + step))));
    } else if part.base == part.ours {
        out.extend(part.theirs.iter().enumerate().map(|(step, id)| facts.piece(*id, theirs_at(start.theirs + step))));
    } else {
        for pair in pairs(&region.places, lists, &facts.sections) {
            let (first, ours, theirs) = (out.len(), pair.ours.clone(), pair.theirs.clone());
            if pair.is_disputed && is_new(&pair, lists, facts) {
                let base = start.base..start.base;
                out.push(Piece::Disputed(Versions { base, ours, theirs }));
                continue;
            }
            both(pair, region, lists, facts, out);
            settled.settle(out, first, &ours, &theirs);
        }
        return;
    }
    settled.settle(out, first, &region.places.ours, &region.places.theirs);
}

/// Whether no entry of a pair is anywhere else.
fn is_new(pair: &Pair, lists: &Versions<&[Id]>, facts: &Facts) -> bool {
    let of = |ids: &[Id], range: &Range<usize>| -> HashSet<Id> {
        let ids = ids.get(range.clone()).unwrap_or_default().iter().copied();
        ids.filter(|id| !facts.is_line(*id)).collect()
    };
    let (ours, theirs) = (of(lists.ours, &pair.ours), of(lists.theirs, &pair.theirs));
    let lacks = |list: &[Id], some: &HashSet<Id>| some.is_empty() || !list.iter().any(|id| some.contains(id));
    lacks(lists.base, &ours) && lacks(lists.theirs, &ours) && lacks(lists.base, &theirs) && lacks(lists.ours, &theirs)
}

/// Merges what both sides changed.
fn both(pair: Pair, region: &Region, lists: &Versions<&[Id]>, facts: &Facts, out: &mut Vec<Piece>) {
    let base = region.of(lists).base;
    let places = Versions { base: region.places.base.clone(), ours: pair.ours, theirs: pair.theirs };
    let start = starts(&places);
    // What both sides have, the base may lack: a heading that both added.
    let part = Region { equal: false, places }.of(lists);
    let sides = Versions { base: part.ours, ours: part.ours, theirs: part.theirs };
    for inner in regions(&sides) {
        let Versions { ours, theirs, .. } = inner.of(&sides);
        let at = starts(&inner.places);
        let at = Versions { base: start.base, ours: start.ours + at.ours, theirs: start.theirs + at.theirs };
        if inner.equal {
            let both_at = |step| Versions { base: None, ours: Some(at.ours + step), theirs: Some(at.theirs + step) };
            out.extend(ours.iter().enumerate().map(|(step, id)| facts.piece(*id, both_at(step))));
            continue;
        }
        let here: HashSet<Id> = ours.iter().chain(theirs).copied().collect();
        let base = base.iter().copied().filter(|id| facts.is_line(*id) && here.contains(id)).collect();
        let places = Versions {
            base: region.places.base.clone(),
            ours: at.ours..at.ours + ours.len(),
            theirs: at.theirs..at.theirs + theirs.len(),
        };
        join(Chunk { base, ours, theirs, places }, facts, out);
    }
}

/// Among so many parts it costs little to look again whether only one side changed the lines of what is left.
const FEW: usize = 256;

/// Joins what both sides have at one place: entries by their moments, and lines that both changed by a merge of lines.
fn join(mut chunk: Chunk<'_>, facts: &Facts, out: &mut Vec<Piece>) {
    let mut look_at = usize::MAX;
    loop {
        let count = chunk.ours.len() + chunk.theirs.len();
        if count <= look_at.max(FEW) {
            // Of many parts, half must be gone first, so that all looks together cost as much as two.
            look_at = count / 2;
            if let Some(of_theirs) = only_side(&mut chunk, facts) {
                return interleave_sides(&chunk, of_theirs, facts, out);
            }
        }
        let at = starts(&chunk.places);
        let leading = |ids: &[Id], lines: bool| ids.iter().take_while(|id| facts.is_line(**id) == lines).count();
        let (mut our_count, mut their_count) = (leading(chunk.ours, true), leading(chunk.theirs, true));
        if our_count + their_count > 0 {
            out.push(Piece::Lines(Versions {
                base: chunk.places.base.clone(),
                ours: at.ours..at.ours + our_count,
                theirs: at.theirs..at.theirs + their_count,
            }));
        } else {
            (our_count, their_count) = (leading(chunk.ours, false), leading(chunk.theirs, false));
            let entries = |ids: &[Id], count: usize| ids.get(..count).unwrap_or_default().to_vec();
            let (ours, theirs) = (entries(chunk.ours, our_count), entries(chunk.theirs, their_count));
            let held = Held {
                spine: our_count == chunk.ours.len() && chunk.is_held(false, facts),
                other: their_count == chunk.theirs.len() && chunk.is_held(true, facts),
            };
            out.extend(interleave(&ours, &theirs, &[], false, held, facts).into_iter().map(|step| match step {
                Step::Spine(_, id) | Step::Other(id) => Piece::Entry(id),
            }));
        }
        chunk.ours = chunk.ours.get(our_count..).unwrap_or_default();
        chunk.theirs = chunk.theirs.get(their_count..).unwrap_or_default();
        chunk.places.ours.start += our_count;
        chunk.places.theirs.start += their_count;
    }
}

/// Whether one side at most changed the lines of a chunk: `true` for theirs, `false` for ours, or for none of them.
fn only_side(chunk: &mut Chunk<'_>, facts: &Facts) -> Option<bool> {
    let here: HashSet<Id> = chunk.ours.iter().chain(chunk.theirs).copied().collect();
    chunk.base.retain(|id| here.contains(id));
    let lines = |ids: &[Id]| ids.iter().copied().filter(|id| facts.is_line(*id)).collect::<Vec<Id>>();
    let (ours, theirs) = (lines(chunk.ours), lines(chunk.theirs));
    let lines = Versions { base: chunk.base.as_slice(), ours: ours.as_slice(), theirs: theirs.as_slice() };
    lines.trivial().map(|_| lines.base == lines.ours && lines.ours != lines.theirs)
}

/// Takes the lines of one side, and the entries of both.
fn interleave_sides(chunk: &Chunk<'_>, of_theirs: bool, facts: &Facts, out: &mut Vec<Piece>) {
    let at = starts(&chunk.places);
    let (spine, other) = if of_theirs { (chunk.theirs, chunk.ours) } else { (chunk.ours, chunk.theirs) };
    let starts_file = at.ours == 0 || at.theirs == 0;
    let (goes_on, start) = if of_theirs { (&facts.goes_on.theirs, at.theirs) } else { (&facts.goes_on.ours, at.ours) };
    let held = Held { spine: chunk.is_held(of_theirs, facts), other: chunk.is_held(!of_theirs, facts) };
    let steps = interleave(spine, other, goes_on.get(start..).unwrap_or_default(), starts_file, held, facts);
    out.extend(steps.into_iter().map(|step| match step {
        Step::Spine(step, id) if of_theirs => facts.piece(id, theirs_at(at.theirs + step)),
        Step::Spine(step, id) => facts.piece(id, ours_at(at.ours + step)),
        Step::Other(id) => Piece::Entry(id),
    }));
}

fn starts(places: &Versions<Range<usize>>) -> Versions<usize> {
    places.map(|range| range.start)
}

const NOWHERE: Versions<Option<usize>> = Versions { base: None, ours: None, theirs: None };

fn ours_at(place: usize) -> Versions<Option<usize>> {
    Versions { ours: Some(place), ..NOWHERE }
}

fn theirs_at(place: usize) -> Versions<Option<usize>> {
    Versions { theirs: Some(place), ..NOWHERE }
}

impl Facts {
    fn is_line(&self, id: Id) -> bool {
        !self.moments.contains_key(&id)
    }

    /// Whether a piece continues with the entry before it, in any version.
    fn piece_goes_on(&self, piece: &Piece) -> bool {
        let is_in = |places: Versions<Option<usize>>| {
            let goes_on =
                |list: &[bool], place: Option<usize>| place.and_then(|place| list.get(place)).is_some_and(|is| *is);
            goes_on(&self.goes_on.base, places.base)
                || goes_on(&self.goes_on.ours, places.ours)
                || goes_on(&self.goes_on.theirs, places.theirs)
        };
        match piece {
            Piece::Entry(id) => self.parts_of_entries.contains(id),
            Piece::Line(_, places) => is_in(*places),
            Piece::Lines(places) | Piece::Disputed(places) => {
                is_in(places.map(|range| Some(range.start).filter(|_| !range.is_empty())))
            }
        }
    }

    fn piece(&self, id: Id, places: Versions<Option<usize>>) -> Piece {
        if self.is_line(id) { Piece::Line(id, places) } else { Piece::Entry(id) }
    }
}

/// Where the next part comes from.
enum Step {
    /// From the spine: its place and number.
    Spine(usize, Id),
    /// An entry that only the other side has.
    Other(Id),
}

/// Whether the last entries stay the last ones: a section is behind them that `memory` reads as a part of them.
#[derive(Clone, Copy, Debug)]
struct Held {
    spine: bool,
    other: bool,
}

/// The parts of `spine`, and between them the entries of `other` that it lacks. `goes_on` says which of the spine continue with the entry
/// before them.
fn interleave(spine: &[Id], other: &[Id], goes_on: &[bool], starts_file: bool, held: Held, facts: &Facts) -> Vec<Step> {
    let is_kept = |id: &Id| facts.moments.contains_key(id) && facts.kept.contains(id);
    let last = |ids: &[Id], is_held: bool| {
        ids.iter().rposition(|id| is_kept(id) && !facts.parts_of_entries.contains(id)).filter(|_| is_held)
    };
    let (last_of_spine, last_of_other) = (last(spine, held.spine), last(other, held.other && !held.spine));
    let places: HashMap<Id, usize> = spine.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    let in_other: HashSet<Id> = other.iter().copied().collect();
    let mut out = Vec::with_capacity(spine.len() + other.len());
    let mut rest = spine.iter().copied().enumerate().peekable();
    let (mut spine_moment, mut other_moment) = (None, None);
    let mut saw_entry = !starts_file;
    // What is removed decides nothing.
    for (at, id) in other.iter().copied().enumerate().filter(|(_, id)| is_kept(id)) {
        other_moment = facts.moments.get(&id).copied().flatten().or(other_moment);
        let common = places.get(&id).copied();
        let is_part = facts.parts_of_entries.contains(&id);
        while let Some(&(place, next)) = rest.peek() {
            let goes_first = match (common, facts.moments.get(&next)) {
                (Some(common), _) => place <= common,
                (None, _) if last_of_spine.is_some_and(|last| place >= last) => false,
                (None, Some(_)) if !facts.kept.contains(&next) => true,
                (None, Some(_)) if last_of_other.is_some_and(|last| at >= last) && !in_other.contains(&next) => true,
                (None, _) if !is_part && goes_on.get(place) == Some(&true) && !in_other.contains(&next) => true,
                (None, Some(_)) if is_part && goes_on.get(place) != Some(&true) => false,
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
            if let Some(moment) = facts.moments.get(&next).filter(|_| facts.kept.contains(&next)) {
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
