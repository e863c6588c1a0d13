//! Finds entries that were given another date. They are known by their titles and by what they say.

use foldhash::{HashMap, HashSet};
use std::hash::Hash;

use super::left::{Left, gone, left};
use super::parts::{Part, PartKind};
use super::versions::Versions;
use super::words::{SIMILAR, SIMILAR_ADDED, likeness, words_of};
use crate::formats::legacy;
use crate::text::{Span, similarity};

/// What an entry is apart from its date.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Said<'a> {
    is_sem: bool,
    is_item: bool,
    title: String,
    lines: Vec<&'a str>,
    /// Whether it says so much that no other entry says the same.
    is_enough: bool,
}

impl<'a> Said<'a> {
    fn of(part: &Part<'a>) -> Option<Self> {
        let (is_sem, is_item) = (matches!(part.kind, PartKind::Sem(_)), part.kind == PartKind::Item);
        let title = title(part);
        let lines: Vec<&str> = part.body.lines().skip(1).filter(|line| !is_date(line)).collect();
        let is_enough = !is_item && !words_of(part).is_empty();
        let says = is_enough || !title.is_empty();
        says.then_some(Self { is_sem, is_item, title, lines, is_enough })
    }
}

/// The words of the title of an entry, without its date.
fn title(part: &Part<'_>) -> String {
    let date = legacy::find_date(part.title, Span::new(0, part.title.len()));
    let (start, end) = date.map_or((0, 0), |date| (date.start(), date.end()));
    let title = [part.title.get(..start), part.title.get(end..)].map(Option::unwrap_or_default).concat();
    similarity::normal(&title)
}

/// Whether a line is the field with the date of an entry: `**timestamp:** 2026-02-15`, `- Date: 2026-02-15`.
fn is_date(line: &str) -> bool {
    let name = line.trim_start_matches(['-', '*', '+', '_', ' ']).split(':').next().unwrap_or_default();
    let name = name.trim_end_matches(['*', '_', ' ']);
    ["timestamp", "date"].iter().any(|date| name.eq_ignore_ascii_case(date))
}

/// What is left of one version, and what each of it says, perhaps at a place.
type Heard<'a, K> = (usize, K, Said<'a>);

/// What is left of `parts`.
fn heard<'a>(parts: &[Part<'a>], left: Vec<Left>) -> Vec<Heard<'a, Option<usize>>> {
    let said = |left: Left| Some((left.at, left.after, Said::of(parts.get(left.at)?)?));
    left.into_iter().filter_map(said).collect()
}

/// The pairs that say the same: at the same place, or else those that say enough, where one of each version is left. For the place of the
/// new one, the place of the old one.
fn same<K: Copy + Eq + Hash>(old: &[Heard<'_, K>], new: &[Heard<'_, K>]) -> Vec<(usize, usize)> {
    let mut here: HashMap<(K, &Said<'_>), usize> = HashMap::default();
    here.extend(old.iter().map(|(place, after, said)| ((*after, said), *place)));
    let mut out: Vec<(usize, usize)> = Vec::new();
    for (at, after, said) in new {
        out.extend(here.remove(&(*after, said)).map(|place| (*at, place)));
    }
    let (of_new, of_old): (HashSet<usize>, HashSet<usize>) = out.iter().copied().unzip();
    let mut elsewhere: HashMap<&Said<'_>, (Vec<usize>, Vec<usize>)> = HashMap::default();
    for (place, _, said) in old.iter().filter(|(place, _, said)| said.is_enough && !of_old.contains(place)) {
        elsewhere.entry(said).or_default().0.push(*place);
    }
    for (at, _, said) in new.iter().filter(|(at, _, said)| said.is_enough && !of_new.contains(at)) {
        elsewhere.entry(said).or_default().1.push(*at);
    }
    out.extend(elsewhere.into_values().filter_map(|(old, new)| match (old.as_slice(), new.as_slice()) {
        ([place], [at]) => Some((*at, *place)),
        _ => None,
    }));
    out
}

/// The pairs at the same place that have one title and so many words in common, in a hundred. For the place of the new one, the place of
/// the old one.
fn alike(old: (&[Part<'_>], &[Left]), new: (&[Part<'_>], &[Left]), least: usize) -> Vec<(usize, usize)> {
    type Named = (Option<usize>, bool, String);
    let name = |parts: &[Part<'_>], left: &Left| -> Option<Named> {
        let part = parts.get(left.at).filter(|part| part.kind != PartKind::Item)?;
        Some((left.after, matches!(part.kind, PartKind::Sem(_)), title(part))).filter(|(.., title)| !title.is_empty())
    };
    let mut known: HashMap<Named, usize> = HashMap::default();
    known.extend(old.1.iter().filter_map(|left| Some((name(old.0, left)?, left.at))));
    let mut out = Vec::new();
    for left in new.1 {
        let Some(name) = name(new.0, left) else { continue };
        let Some(place) = known.get(&name).copied() else { continue };
        let words = |parts: &[Part<'_>], at: usize| parts.get(at).map(words_of).unwrap_or_default();
        if likeness(&words(new.0, left.at), &words(old.0, place)) >= least {
            known.remove(&name);
            out.push((left.at, place));
        }
    }
    out
}

fn set(found: &mut [Option<usize>], pairs: Vec<(usize, usize)>) {
    for (at, place) in pairs {
        if let Some(found) = found.get_mut(at) {
            *found = Some(place);
        }
    }
}

/// Finds entries that were given another date, and nothing else.
pub fn alone(base: &[Part<'_>], side: &[Part<'_>], found: &mut [Option<usize>]) {
    let new = heard(side, left(side, found, &HashSet::default()));
    if !new.is_empty() {
        set(found, same(&heard(base, gone(base, found)), &new));
    }
}

/// Finds entries that were given another date, and that were changed, at the same place. What both sides added is left out.
pub fn and_changed(base: &[Part<'_>], side: &[Part<'_>], found: &mut [Option<usize>], added: &HashSet<usize>) {
    let new = left(side, found, added);
    if !new.is_empty() {
        set(found, alike((base, &gone(base, found)), (side, &new), SIMILAR));
    }
}

/// Finds entries of a side that were given another date, and else say what the other side made of them.
pub fn as_changed_by(
    (other, of_other): (&[Part<'_>], &[Option<usize>]),
    (side, found): (&[Part<'_>], &mut Vec<Option<usize>>),
    added: &HashSet<usize>,
) {
    let new = left(side, found, added);
    if new.is_empty() {
        return;
    }
    let taken: HashSet<usize> = found.iter().flatten().copied().collect();
    let open = other.iter().zip(of_other).filter_map(|(part, place)| Some((part, (*place)?)));
    let open = open.filter(|(part, place)| part.is_entry() && !taken.contains(place));
    // Where they are says nothing: what the other side made of them may be anywhere.
    let old: Vec<_> = open.filter_map(|(part, place)| Some((place, "old", Said::of(part)?))).collect();
    let new: Vec<_> = heard(side, new).into_iter().map(|(at, _, said)| (at, "new", said)).collect();
    let pairs = same(&old, &new);
    set(found, pairs);
}

/// The entries that both sides added, with those that have another date on each side: for the place in `theirs`, the place in `ours`.
pub fn by_both(
    parts: &Versions<Vec<Part<'_>>>,
    mut both: HashMap<usize, usize>,
    of_ours: &[Option<usize>],
    of_theirs: &[Option<usize>],
) -> HashMap<usize, usize> {
    let lefts = |both: &HashMap<usize, usize>| {
        let ours = left(&parts.ours, of_ours, &both.values().copied().collect());
        (ours, left(&parts.theirs, of_theirs, &both.keys().copied().collect()))
    };
    let (ours, theirs) = lefts(&both);
    both.extend(same(&heard(&parts.ours, ours), &heard(&parts.theirs, theirs)));
    let (ours, theirs) = lefts(&both);
    both.extend(alike((&parts.ours, &ours), (&parts.theirs, &theirs), SIMILAR_ADDED));
    both
}
