//! Text between entries that both sides added at two places: it stands once, at the first of them.

use foldhash::{HashMap, HashSet};
use std::collections::VecDeque;
use std::ops::Range;

use super::identity::Id;
use super::parts::Part;
use super::piece::Piece;
use super::section::sections;
use super::versions::Versions;

/// The pieces without what both sides added, and one of them behind the other.
pub fn once(pieces: Vec<Piece>, parts: &Versions<Vec<Part<'_>>>, ids: &Versions<Vec<Id>>) -> Vec<Piece> {
    let base: HashSet<Id> = ids.base.iter().copied().collect();
    let ours = blocks(&parts.ours, &ids.ours, &base);
    if ours.is_empty() {
        return pieces;
    }
    let mut known: HashMap<Key<'_>, VecDeque<Range<usize>>> = HashMap::default();
    for (key, places) in ours {
        known.entry(key).or_default().push_back(places);
    }
    let (in_ours, in_theirs) = (by_place(&pieces, |places| places.ours), by_place(&pieces, |places| places.theirs));
    let mut twice: HashSet<usize> = HashSet::default();
    for (key, of_theirs) in blocks(&parts.theirs, &ids.theirs, &base) {
        let Some(of_ours) = known.get_mut(&key).and_then(VecDeque::pop_front) else { continue };
        let lines = |parts: &[Part<'_>], places: Range<usize>, found: &HashMap<usize, usize>| -> Option<Vec<usize>> {
            let lines = places.filter(|place| parts.get(*place).is_some_and(|part| !part.is_entry()));
            lines.map(|place| found.get(&place).copied()).collect()
        };
        let of_ours = lines(&parts.ours, of_ours, &in_ours);
        let of_theirs = lines(&parts.theirs, of_theirs, &in_theirs);
        if let (Some(one), Some(other)) = (of_ours, of_theirs)
            && one.iter().all(|piece| !other.contains(piece))
        {
            twice.extend(if one.first() < other.first() { other } else { one });
        }
    }
    let pieces = pieces.into_iter().enumerate();
    pieces.filter(|(at, _)| !twice.contains(at)).map(|(_, piece)| piece).collect()
}

/// What a block is known by: its parts, and the section that it is in.
type Key<'a> = (Vec<Id>, &'a str);

/// The blocks of a side that the base has no part of: a heading with all below it, or a paragraph, which begin with a line.
fn blocks<'a>(parts: &[Part<'a>], ids: &[Id], base: &HashSet<Id>) -> Vec<(Key<'a>, Range<usize>)> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut is_open = false;
    for (at, (part, id)) in parts.iter().zip(ids).enumerate() {
        if base.contains(id) {
            is_open = false;
            continue;
        }
        let first = found.last().filter(|_| is_open).and_then(|block| parts.get(block.start));
        let goes_on = match (first.and_then(|first| first.level), part.level) {
            (Some(above), Some(own)) => own > above,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => {
                let before = at.checked_sub(1).and_then(|before| parts.get(before));
                !part.is_entry() && before.is_some_and(|before| before.tail.matches('\n').count() < 2)
            }
        };
        match found.last_mut().filter(|_| first.is_some() && goes_on) {
            Some(block) => block.end = at + 1,
            None => found.push(at..at + 1),
        }
        is_open = true;
    }
    found.retain(|block| parts.get(block.start).is_some_and(|part| !part.is_entry()));
    if found.is_empty() {
        return Vec::new();
    }
    let sections = sections(parts);
    let key = |block: Range<usize>| {
        let section = sections.get(block.start).copied().unwrap_or_default();
        ((ids.get(block.clone()).unwrap_or_default().to_vec(), section), block)
    };
    found.into_iter().map(key).collect()
}

/// The pieces that are lines which one side alone has, by their places there.
fn by_place(pieces: &[Piece], place: impl Fn(&Versions<Option<usize>>) -> Option<usize>) -> HashMap<usize, usize> {
    let lines = pieces.iter().enumerate().filter_map(|(at, piece)| match piece {
        Piece::Line(_, places) if places.base.is_none() => Some((place(places)?, at)),
        Piece::Line(..) | Piece::Entry(_) | Piece::Lines(_) | Piece::Disputed(_) => None,
    });
    lines.collect()
}
