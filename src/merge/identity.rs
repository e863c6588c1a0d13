//! Finds the same part in three versions of a file, whatever its place.

use std::collections::{HashMap, HashSet, VecDeque};

use super::parts::{Part, PartKind};
use super::versions::Versions;
use crate::text::similarity;

/// With so many of their words in common, in a hundred, two entries at the same place are versions of one.
const SIMILAR: usize = 50;

/// The number by which a part is known in all three versions. Equal lines have the same number, and so may occur more than once; an
/// entry occurs at most once in a version.
pub type Id = usize;

/// The numbers of all parts, version by version.
pub fn identify(parts: &Versions<Vec<Part<'_>>>) -> Versions<Vec<Id>> {
    let mut names = Names { lines: HashMap::new(), next: 0 };
    let base: Vec<Id> = parts.base.iter().map(|part| names.id(part, None)).collect();
    let mut of_ours = matches_by_key(&parts.base, &parts.ours, |_, _| true);
    let mut of_theirs = matches_by_key(&parts.base, &parts.theirs, |_, _| true);
    // What both sides added is no new version of what the base has.
    let both = added_by_both(parts, &of_ours, &of_theirs);
    by_place(&parts.base, &parts.ours, &mut of_ours, &both.values().copied().collect());
    by_place(&parts.base, &parts.theirs, &mut of_theirs, &both.keys().copied().collect());
    let known = |found: &[Option<usize>], at: usize| {
        found.get(at).copied().flatten().and_then(|place| base.get(place)).copied()
    };
    let ours: Vec<Id> = parts.ours.iter().enumerate().map(|(at, part)| names.id(part, known(&of_ours, at))).collect();
    let theirs = parts.theirs.iter().enumerate().map(|(at, part)| {
        let added = || both.get(&at).and_then(|place| ours.get(*place)).copied();
        names.id(part, known(&of_theirs, at).or_else(added))
    });
    let theirs = theirs.collect();
    Versions { base, ours, theirs }
}

/// The entries that both sides added: for the place in `theirs`, the place in `ours`.
fn added_by_both(
    parts: &Versions<Vec<Part<'_>>>,
    of_ours: &[Option<usize>],
    of_theirs: &[Option<usize>],
) -> HashMap<usize, usize> {
    fn new<'a>(parts: &[Part<'a>], found: &[Option<usize>]) -> (Vec<usize>, Vec<Part<'a>>) {
        let parts = parts.iter().zip(found).enumerate();
        parts.filter(|(_, (_, found))| found.is_none()).map(|(at, (part, _))| (at, *part)).unzip()
    }
    let (places, ours) = new(&parts.ours, of_ours);
    let (at, theirs) = new(&parts.theirs, of_theirs);
    let found = matches_by_key(&ours, &theirs, is_same_addition);
    at.into_iter().zip(found).filter_map(|(at, found)| Some((at, *places.get(found?)?))).collect()
}

/// Gives out numbers.
struct Names<'a> {
    lines: HashMap<&'a str, Id>,
    next: Id,
}

impl<'a> Names<'a> {
    /// The number of a part: that of the same line, the one that is known, or a new one.
    fn id(&mut self, part: &Part<'a>, known: Option<Id>) -> Id {
        let new = self.next;
        let id = match part.kind {
            PartKind::Line => *self.lines.entry(part.body).or_insert(new),
            _ => known.unwrap_or(new),
        };
        self.next += usize::from(id == new);
        id
    }
}

/// Whether two parts with the same key that two sides added are the same entry: two agents may write in the same second.
fn is_same_addition(one: &Part<'_>, other: &Part<'_>) -> bool {
    match one.kind {
        PartKind::Sem(_) => similarity::normal(one.title) == similarity::normal(other.title),
        _ => true,
    }
}

/// For each part of `side`, the place in `base` of the part with its key: one with the same text first, then the next.
fn matches_by_key(
    base: &[Part<'_>],
    side: &[Part<'_>],
    is_same: impl Fn(&Part<'_>, &Part<'_>) -> bool,
) -> Vec<Option<usize>> {
    let mut found = vec![None; side.len()];
    let mut taken = vec![false; base.len()];
    let mut exact: HashMap<(PartKind, &str), VecDeque<usize>> = HashMap::new();
    for (place, part) in base.iter().enumerate().filter(|(_, part)| part.is_entry()) {
        exact.entry((part.kind, part.body)).or_default().push_back(place);
    }
    for (part, found) in side.iter().zip(&mut found).filter(|(part, _)| part.is_entry()) {
        *found = exact.get_mut(&(part.kind, part.body)).and_then(VecDeque::pop_front);
        if let Some(taken) = found.and_then(|place| taken.get_mut(place)) {
            *taken = true;
        }
    }
    let mut keys: HashMap<_, VecDeque<usize>> = HashMap::new();
    let free = base.iter().zip(&taken).enumerate().filter(|(_, (part, taken))| part.is_entry() && !**taken);
    for (place, (part, _)) in free {
        keys.entry(part.key()).or_default().push_back(place);
    }
    let open = side.iter().zip(&mut found).filter(|(part, found)| part.is_entry() && found.is_none());
    for (part, found) in open {
        let Some(places) = keys.get_mut(&part.key()) else { continue };
        let same = places.iter().position(|place| base.get(*place).is_some_and(|other| is_same(part, other)));
        *found = same.and_then(|same| places.remove(same));
    }
    found
}

/// Finds entries that were given another title: those that are left between the same two neighbours, and have most words in
/// common. What both sides added is left out.
fn by_place(base: &[Part<'_>], side: &[Part<'_>], found: &mut [Option<usize>], added: &HashSet<usize>) {
    let taken: HashSet<usize> = found.iter().flatten().copied().collect();
    // The entries of the base that are left, by the place of the last entry before them that is not.
    let mut left: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    let mut last = None;
    for (place, _) in base.iter().enumerate().filter(|(_, part)| part.is_entry()) {
        if taken.contains(&place) {
            last = Some(place);
        } else {
            left.entry(last).or_default().push(place);
        }
    }
    if left.is_empty() {
        return;
    }
    let mut last = None;
    let entries = side.iter().zip(found).enumerate().filter(|(_, (part, _))| part.is_entry());
    for (_, (part, found)) in entries.filter(|(at, _)| !added.contains(at)) {
        if found.is_some() {
            last = *found;
            continue;
        }
        let Some(places) = left.get_mut(&last) else { continue };
        let likeness = |place: &usize| base.get(*place).map_or(0, |other| likeness(part, other));
        let best = places.iter().enumerate().map(|(at, place)| (likeness(place), at)).max();
        if let Some((_, at)) = best.filter(|(likeness, _)| *likeness >= SIMILAR) {
            *found = Some(places.remove(at));
        }
    }
}

/// How many of their words two parts have in common, in a hundred; 0 for parts of two kinds.
fn likeness(one: &Part<'_>, other: &Part<'_>) -> usize {
    if std::mem::discriminant(&one.kind) != std::mem::discriminant(&other.kind) {
        return 0;
    }
    let words = |text: &str| {
        let mut words = HashSet::new();
        similarity::words(text, |word| {
            words.insert(word.to_owned());
        });
        words
    };
    let (one, other) = (words(one.body), words(other.body));
    let all = one.union(&other).count();
    one.intersection(&other).count() * 100 / all.max(1)
}
