//! Text between entries that both sides added at two places: it stands once, at the first of them. A section that both added with an
//! entry or a text in common has its title once, with the entries of both.

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
        let lines = |parts: &[Part<'_>], places: &Range<usize>, found: &HashMap<usize, usize>| -> Option<Vec<usize>> {
            let lines = places.clone().filter(|place| parts.get(*place).is_some_and(|part| !part.is_entry()));
            lines.map(|place| found.get(&place).copied()).collect()
        };
        let one = lines(&parts.ours, &of_ours, &in_ours);
        let other = lines(&parts.theirs, &of_theirs, &in_theirs);
        if let (Some(one), Some(other)) = (one, other)
            && one.iter().all(|piece| !other.contains(piece))
        {
            twice.extend(if one.first() < other.first() { other } else { one });
        }
    }
    let pieces = pieces.into_iter().enumerate();
    let pieces: Vec<Piece> = pieces.filter(|(at, _)| !twice.contains(at)).map(|(_, piece)| piece).collect();
    Sections::of(parts, ids, &base).with_one_title(pieces)
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

    /// The pieces, where the title of each pair that has two of them stands once.
    fn with_one_title(&self, pieces: Vec<Piece>) -> Vec<Piece> {
        if self.pairs.is_empty() {
            return pieces;
        }
        let entries = pieces.iter().enumerate().filter_map(|(at, piece)| match piece {
            Piece::Entry(id) => Some((*id, at)),
            Piece::Line(..) | Piece::Lines(_) | Piece::Disputed(_) => None,
        });
        let places = Places {
            entries: entries.collect(),
            ours: by_place(&pieces, |places| places.ours),
            theirs: by_place(&pieces, |places| places.theirs),
            titles: self.titles(&pieces),
        };
        let (mut joined, mut gone): (HashMap<usize, Vec<usize>>, HashSet<usize>) = Default::default();
        for pair in &self.pairs {
            // One section may be in another one: what has moved stays there.
            if let Some((start, all, both)) = self.joined(pair, &places)
                && !both.iter().any(|at| gone.contains(at))
            {
                joined.insert(start, all);
                gone.extend(both);
            }
        }
        if joined.is_empty() {
            return pieces;
        }
        let mut out = Vec::with_capacity(pieces.len());
        for (at, piece) in pieces.iter().enumerate() {
            if let Some(all) = joined.get(&at) {
                out.extend(all.iter().filter_map(|at| pieces.get(*at).cloned()));
            } else if !gone.contains(&at) {
                out.push(piece.clone());
            }
        }
        out
    }

    /// Where a section with one title begins, if this pair has two, its pieces, and those of both. The entries that both have say how those
    /// of the other one go among the rest.
    fn joined(
        &self,
        (ours, theirs): &(Range<usize>, Range<usize>),
        places: &Places,
    ) -> Option<(usize, Vec<usize>, Vec<usize>)> {
        let placed = |parts: &[Part<'_>], ids: &[Id], section: &Range<usize>, lines: &HashMap<usize, usize>| {
            let place = |at: usize| {
                let (part, id) = (parts.get(at)?, *ids.get(at)?);
                let piece = if part.is_entry() { places.entries.get(&id) } else { lines.get(&at) };
                Some((id, *piece?))
            };
            section.clone().map(place).collect::<Option<Placed>>()
        };
        let has_items = |parts: &[Part<'_>], section: &Range<usize>| {
            let mut parts = parts.get(section.clone()).unwrap_or_default().iter();
            parts.any(|part| part.is_entry() && part.kind.rank() < 2)
        };
        // They are a part of the text, and after an entry, of that.
        let has_items = has_items(&self.parts.ours, ours) || has_items(&self.parts.theirs, theirs);
        let ours = placed(&self.parts.ours, &self.ids.ours, ours, &places.ours)?;
        let theirs = placed(&self.parts.theirs, &self.ids.theirs, theirs, &places.theirs)?;
        let titles = [ours.first()?.1, theirs.first()?.1];
        let (start, last) = (titles.iter().copied().min()?, titles.iter().copied().max()?);
        if start == last {
            return None;
        }
        let is_entry = |id: &Id| places.entries.contains_key(id);
        let known = |list: &Placed| list.iter().map(|(id, _)| *id).collect::<HashSet<Id>>();
        let (of_ours, of_theirs) = (known(&ours), known(&theirs));
        let has_all_lines =
            |one: &HashSet<Id>, other: &Placed| other.iter().all(|(id, _)| is_entry(id) || one.contains(id));
        // If each has all lines of the other one, the first one of both stays, whichever side that is.
        let is_first = titles.iter().is_sorted();
        let (kept, other, of_kept) = match (has_all_lines(&of_ours, &theirs), has_all_lines(&of_theirs, &ours)) {
            (true, true) if !is_first => (theirs, ours, of_theirs),
            (true, _) => (ours, theirs, of_ours),
            (false, _) => (theirs, ours, of_theirs),
        };
        // An entry, or a text below the title.
        let is_common = |(id, _): &&(Id, usize)| of_kept.contains(id);
        let has_common = other.iter().skip(1).any(|common| is_common(&common));
        if !has_common || !has_all_lines(&of_kept, &other) {
            return None;
        }
        let both = || kept.iter().chain(&other);
        let is_text = !other.iter().filter(is_common).any(|(id, _)| is_entry(id));
        if is_text && !has_items && places.titles.get(start + 1) == places.titles.get(last) {
            // What is between them is in the section, and so is what is behind: the entries stay where they are.
            let lines = |list: &Placed| list.iter().filter(|(id, _)| !is_entry(id)).map(|(_, piece)| *piece).collect();
            let all: Vec<usize> = lines(&kept);
            return Some((start, all, both().filter(|(id, _)| !is_entry(id)).map(|(_, piece)| *piece).collect()));
        }
        let (mut last, mut behind): (Option<usize>, HashMap<Option<usize>, Vec<usize>>) = Default::default();
        for (id, piece) in other.iter().filter(|(id, _)| is_entry(id)) {
            if of_kept.contains(id) {
                last = Some(*piece);
            } else {
                behind.entry(last).or_default().push(*piece);
            }
        }
        let mut all = Vec::with_capacity(kept.len() + other.len());
        let mut before = behind.remove(&None);
        for (id, piece) in &kept {
            all.extend(is_entry(id).then(|| before.take()).flatten().unwrap_or_default());
            all.push(*piece);
            all.extend(behind.remove(&Some(*piece)).unwrap_or_default());
        }
        all.extend(before.unwrap_or_default());
        Some((start, all, both().map(|(_, piece)| *piece).collect()))
    }

    /// For each piece, how many before it are titles of sections, or may have one.
    fn titles(&self, pieces: &[Piece]) -> Vec<usize> {
        let is_title = |parts: &[Part<'_>], place: Option<usize>| {
            place.and_then(|place| parts.get(place)).is_some_and(|part| part.level.is_some())
        };
        let has_title = |piece: &Piece| match piece {
            Piece::Line(_, Versions { base, ours, theirs }) => {
                is_title(&self.parts.base, *base)
                    || is_title(&self.parts.ours, *ours)
                    || is_title(&self.parts.theirs, *theirs)
            }
            Piece::Entry(_) => false,
            Piece::Lines(_) | Piece::Disputed(_) => true,
        };
        let mut count = 0;
        let before = |piece: &Piece| {
            let before = count;
            count += usize::from(has_title(piece));
            before
        };
        pieces.iter().map(before).collect()
    }
}

/// Which piece is what: the entries, and the lines that each side added by their places in it.
struct Places {
    entries: HashMap<Id, usize>,
    ours: HashMap<usize, usize>,
    theirs: HashMap<usize, usize>,
    /// For each piece, how many titles of sections are before it.
    titles: Vec<usize>,
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
