//! Text between entries that both sides added at two places: it stands once, at the first of them. A section that both added with an
//! entry in common has its title once, with the entries of both.

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
    let mut pieces: Vec<Piece> = pieces.filter(|(at, _)| !twice.contains(at)).map(|(_, piece)| piece).collect();
    let sections = Sections::of(parts, ids, &base);
    for pair in &sections.pairs {
        pieces = sections.with_one_title(pieces, pair);
    }
    pieces
}

/// The new sections of both sides that have one title and an entry in common.
struct Sections<'s, 'a> {
    parts: &'s Versions<Vec<Part<'a>>>,
    ids: &'s Versions<Vec<Id>>,
    /// The places of each in ours and in theirs.
    pairs: Vec<(Range<usize>, Range<usize>)>,
}

/// A section of one side: its parts, each with the piece that it is.
type Placed = Vec<(Id, usize)>;

impl<'s, 'a> Sections<'s, 'a> {
    fn of(parts: &'s Versions<Vec<Part<'a>>>, ids: &'s Versions<Vec<Id>>, base: &HashSet<Id>) -> Self {
        let mut of_ours: HashMap<(Id, &str), Vec<Range<usize>>> = HashMap::default();
        for (title, places) in titled(&parts.ours, &ids.ours, base) {
            of_ours.entry(title).or_default().push(places);
        }
        let mut pairs = Vec::new();
        for (title, theirs) in titled(&parts.theirs, &ids.theirs, base) {
            // Of two with the same title, either may be meant.
            if let Some([ours]) = of_ours.remove(&title).as_deref() {
                pairs.push((ours.clone(), theirs));
            }
        }
        Self { parts, ids, pairs }
    }

    /// The pieces, where the title of this pair stands once, if it stands twice. The entries that both sections have say how those of the
    /// other section go among the rest.
    fn with_one_title(&self, pieces: Vec<Piece>, (ours, theirs): &(Range<usize>, Range<usize>)) -> Vec<Piece> {
        let entries = pieces.iter().enumerate().filter_map(|(at, piece)| match piece {
            Piece::Entry(id) => Some((*id, at)),
            Piece::Line(..) | Piece::Lines(_) | Piece::Disputed(_) => None,
        });
        let entries: HashMap<Id, usize> = entries.collect();
        let is_entry = |id: &Id| entries.contains_key(id);
        let placed = |parts: &[Part<'_>], ids: &[Id], places: &Range<usize>, lines: &HashMap<usize, usize>| {
            let place = |at: usize| {
                let (part, id) = (parts.get(at)?, *ids.get(at)?);
                let piece = if part.is_entry() { entries.get(&id) } else { lines.get(&at) };
                Some((id, *piece?))
            };
            places.clone().map(place).collect::<Option<Placed>>()
        };
        let of_ours = placed(&self.parts.ours, &self.ids.ours, ours, &by_place(&pieces, |places| places.ours));
        let of_theirs =
            placed(&self.parts.theirs, &self.ids.theirs, theirs, &by_place(&pieces, |places| places.theirs));
        let Some((ours, theirs)) = of_ours.zip(of_theirs) else { return pieces };
        let has = |list: &Placed, id: Id| list.iter().any(|(other, _)| *other == id);
        let is_twice = ours.first().map(|(_, piece)| piece) != theirs.first().map(|(_, piece)| piece);
        let has_all_lines = |one: &Placed, other: &Placed| other.iter().all(|(id, _)| is_entry(id) || has(one, *id));
        let (kept, other) = if has_all_lines(&ours, &theirs) { (ours, theirs) } else { (theirs, ours) };
        let has_common = kept.iter().any(|(id, _)| is_entry(id) && has(&other, *id));
        if !is_twice || !has_common || !has_all_lines(&kept, &other) {
            return pieces;
        }
        let mut all: Vec<usize> = kept.iter().map(|(_, piece)| *piece).collect();
        let mut next = kept.iter().position(|(id, _)| is_entry(id)).unwrap_or(kept.len());
        for (_, piece) in other.iter().filter(|(id, _)| is_entry(id)) {
            if let Some(known) = all.iter().position(|known| known == piece) {
                next = known + 1;
            } else {
                all.insert(next.min(all.len()), *piece);
                next += 1;
            }
        }
        let gone: HashSet<usize> = kept.iter().chain(&other).map(|(_, piece)| *piece).collect();
        let start = kept.first().map(|(_, piece)| *piece);
        let mut out = Vec::with_capacity(pieces.len());
        for (at, piece) in pieces.iter().enumerate() {
            if Some(at) == start {
                out.extend(all.iter().filter_map(|at| pieces.get(*at).cloned()));
            } else if !gone.contains(&at) {
                out.push(piece.clone());
            }
        }
        out
    }
}

/// The new sections of a side, each with its title and the section that it is in.
fn titled<'a>(parts: &[Part<'a>], ids: &[Id], base: &HashSet<Id>) -> Vec<((Id, &'a str), Range<usize>)> {
    let sections = blocks(parts, ids, base).into_iter().filter_map(|((of, above), places)| {
        let is_title = parts.get(places.start).is_some_and(|part| part.level.is_some());
        Some(((*of.first().filter(|_| is_title)?, above), places))
    });
    sections.collect()
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
