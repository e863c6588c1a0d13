//! What one side moved while the other one removed it, or moved it elsewhere. Neither may win in silence: these are conflicts.

use foldhash::{HashMap, HashSet};
use std::ops::Range;

use super::identity::Id;
use super::piece::Piece;
use super::rising::is_rising;
use super::versions::Versions;

/// The parts of a side that it moved for certain: those that no longest part of the base in the same order has. Of two that changed places,
/// either may be the one that moved. What occurs more than once in the base is not looked at.
pub fn moved(base: &[Id], side: &[Id]) -> HashSet<Id> {
    let places: HashMap<Id, usize> = base.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    let list: Vec<(usize, Id)> = side.iter().filter_map(|id| Some((*places.get(id)?, *id))).collect();
    let is_rising = is_rising(&list.iter().map(|(place, _)| *place).collect::<Vec<usize>>());
    let mut moved: HashSet<Id> = list.iter().map(|(_, id)| *id).collect();
    for ((_, id), _) in list.iter().zip(is_rising).filter(|(_, is_rising)| *is_rising) {
        moved.remove(id);
    }
    moved
}

/// Makes conflicts of the lines in `pieces` that one side moved here and the other one removed, or moved elsewhere, and of those in
/// `returned`.
pub fn dispute(pieces: Vec<Piece>, ids: &Versions<Vec<Id>>, returned: &HashSet<Id>) -> Vec<Piece> {
    let mut disputed = disputed(&pieces, ids);
    disputed.extend(returned);
    if disputed.is_empty() {
        return pieces;
    }
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match piece {
            Piece::Line(id, places) if disputed.contains(&id) => {
                let range = |place: Option<usize>| place.map_or(0..0, |place| place..place + 1);
                let places = places.map(|place| range(*place));
                match out.last_mut() {
                    Some(Piece::Disputed(last)) if follows(last, &places) => {
                        last.ours.end = last.ours.end.max(places.ours.end);
                        last.theirs.end = last.theirs.end.max(places.theirs.end);
                    }
                    _ => out.push(Piece::Disputed(places)),
                }
            }
            Piece::Lines(places) => {
                let has = |ids: &[Id], range: &Range<usize>| {
                    ids.get(range.clone()).unwrap_or_default().iter().any(|id| disputed.contains(id))
                };
                let is_disputed = has(&ids.ours, &places.ours) || has(&ids.theirs, &places.theirs);
                out.push(if is_disputed { Piece::Disputed(places) } else { Piece::Lines(places) });
            }
            piece => out.push(piece),
        }
    }
    out
}

/// Whether the lines at `places` are the next ones of the same side.
fn follows(last: &Versions<Range<usize>>, places: &Versions<Range<usize>>) -> bool {
    let next =
        |last: &Range<usize>, next: &Range<usize>| !next.is_empty() && !last.is_empty() && last.end == next.start;
    next(&last.ours, &places.ours) && last.theirs.is_empty() && places.theirs.is_empty()
        || next(&last.theirs, &places.theirs) && last.ours.is_empty() && places.ours.is_empty()
}

/// How often a line is put at another place than in the base, by each side.
#[derive(Clone, Copy, Default)]
struct Puts {
    ours: usize,
    theirs: usize,
}

/// The lines that are once in the base, and that one side has elsewhere while the other one removed them or has them at a third place.
fn disputed(pieces: &[Piece], ids: &Versions<Vec<Id>>) -> HashSet<Id> {
    let mut puts: HashMap<Id, Puts> = HashMap::default();
    for piece in pieces {
        match piece {
            // Both sides put it there, or it was there.
            Piece::Line(_, Versions { base: Some(_), .. } | Versions { ours: Some(_), theirs: Some(_), .. })
            | Piece::Entry(_)
            | Piece::Disputed(_) => {}
            Piece::Line(id, Versions { ours, .. }) => {
                let puts = puts.entry(*id).or_default();
                puts.ours += usize::from(ours.is_some());
                puts.theirs += usize::from(ours.is_none());
            }
            Piece::Lines(places) => {
                let of = |ids: &[Id], range: &Range<usize>| ids.get(range.clone()).unwrap_or_default().to_vec();
                let (base, ours, theirs) =
                    (of(&ids.base, &places.base), of(&ids.ours, &places.ours), of(&ids.theirs, &places.theirs));
                let base: HashSet<Id> = base.into_iter().collect();
                for id in ours.into_iter().filter(|id| !base.contains(id)) {
                    puts.entry(id).or_default().ours += 1;
                }
                for id in theirs.into_iter().filter(|id| !base.contains(id)) {
                    puts.entry(id).or_default().theirs += 1;
                }
            }
        }
    }
    if puts.is_empty() {
        return HashSet::default();
    }
    let count = |ids: &[Id]| {
        let mut counts: HashMap<Id, usize> = HashMap::default();
        for id in ids.iter().filter(|id| puts.contains_key(id)) {
            *counts.entry(*id).or_default() += 1;
        }
        counts
    };
    let counts = ids.map(|ids| count(ids));
    let is_disputed = |id: &Id, puts: &Puts| {
        let Versions { base, ours, theirs } = counts.map(|counts| counts.get(id).copied().unwrap_or(0));
        base == 1 && matches!((ours, theirs, puts.ours, puts.theirs), (1, 0, 1, _) | (0, 1, _, 1) | (1, 1, 1, 1))
    };
    puts.iter().filter(|(id, puts)| is_disputed(id, puts)).map(|(id, _)| *id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moved_for_certain() {
        let found = |side: &[Id]| {
            let mut moved: Vec<Id> = moved(&[1, 2, 3, 4, 5], side).into_iter().collect();
            moved.sort_unstable();
            moved
        };
        assert_eq!(found(&[1, 2, 3, 4, 5]), Vec::<Id>::new());
        assert_eq!(found(&[5, 1, 2, 9, 3, 4]), [5]);
        assert_eq!(found(&[2, 3, 4, 1]), [1]);
        assert_eq!(found(&[3, 5]), Vec::<Id>::new());
        // Either of two may have moved past the other one.
        assert_eq!(found(&[1, 3, 2, 4, 5]), Vec::<Id>::new());
        assert_eq!(found(&[5, 2, 1, 3, 4]), [5]);
    }
}
