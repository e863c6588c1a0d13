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
    let ours = matches(&parts.base, &parts.ours);
    let ours: Vec<Id> = assign(&parts.ours, &ours, &base, &mut names);
    let found = matches(&parts.base, &parts.theirs);
    // What both sides added.
    let known: HashSet<Id> = base.iter().copied().collect();
    let is_new = |(at, _): &(usize, &Part<'_>)| ours.get(*at).is_some_and(|id| !known.contains(id));
    let (new_ids, new_ours): (Vec<Id>, Vec<Part<'_>>) =
        parts.ours.iter().enumerate().filter(is_new).filter_map(|(at, part)| Some((*ours.get(at)?, *part))).unzip();
    let new_theirs: Vec<(usize, Part<'_>)> = parts
        .theirs
        .iter()
        .copied()
        .enumerate()
        .filter(|(at, _)| found.get(*at).is_some_and(Option::is_none))
        .collect();
    let added: Vec<Part<'_>> = new_theirs.iter().map(|(_, part)| *part).collect();
    let mut both = HashMap::new();
    for (place, found) in matches_by_key(&new_ours, &added, is_same_addition).into_iter().enumerate() {
        if let Some((at, _)) = new_theirs.get(place)
            && let Some(id) = found.and_then(|found| new_ids.get(found))
        {
            both.insert(*at, *id);
        }
    }
    let theirs = parts.theirs.iter().enumerate().map(|(at, part)| {
        let known = found.get(at).copied().flatten().and_then(|place| base.get(place)).or(both.get(&at));
        names.id(part, known.copied())
    });
    let theirs = theirs.collect();
    Versions { base, ours, theirs }
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

fn assign<'a>(parts: &[Part<'a>], found: &[Option<usize>], base: &[Id], names: &mut Names<'a>) -> Vec<Id> {
    let known = found.iter().map(|place| place.and_then(|place| base.get(place)).copied());
    parts.iter().zip(known).map(|(part, known)| names.id(part, known)).collect()
}

/// Whether two parts with the same key that two sides added are the same entry: two agents may write in the same second.
fn is_same_addition(one: &Part<'_>, other: &Part<'_>) -> bool {
    match one.kind {
        PartKind::Sem(_) => similarity::normal(one.title) == similarity::normal(other.title),
        PartKind::Legacy | PartKind::Item | PartKind::Line => true,
    }
}

/// For each part of `side`, its place in `base`.
fn matches(base: &[Part<'_>], side: &[Part<'_>]) -> Vec<Option<usize>> {
    let mut found = matches_by_key(base, side, |_, _| true);
    by_place(base, side, &mut found);
    found
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
/// common.
fn by_place(base: &[Part<'_>], side: &[Part<'_>], found: &mut [Option<usize>]) {
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
    for (part, found) in side.iter().zip(found).filter(|(part, _)| part.is_entry()) {
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
