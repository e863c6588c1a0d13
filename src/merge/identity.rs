//! Finds the same part in three versions of a file, whatever its place.

use std::collections::VecDeque;

use foldhash::{HashMap, HashSet};

use super::left::{Left, gone, left};
use super::pairs::{Rule, pairs};
use super::parts::{Part, PartKind};
use super::redated;
use super::versions::Versions;
use super::words::{SIMILAR, SIMILAR_ADDED, likeness, words_of};
use crate::text::similarity;

/// An entry that both sides added under another title needs so many different words to be recognised.
const MANY_WORDS: usize = 20;

/// A shorter line may be in any entry, in bytes.
const LONG_LINE: usize = 12;

/// Seconds.
const DAY: i64 = 24 * 60 * 60;

/// With so many entries, at most, is an entry compared.
const NEAR: usize = 16;

/// The number by which a part is known in all three versions. Equal lines have the same number, and so may occur more than once; an
/// entry occurs at most once in a version.
pub type Id = usize;

/// The numbers of all parts, version by version.
pub fn identify(parts: &Versions<Vec<Part<'_>>>) -> Versions<Vec<Id>> {
    let mut names = Names { lines: HashMap::default(), next: 0 };
    let base: Vec<Id> = parts.base.iter().map(|part| names.id(part, None)).collect();
    let of_base = Rule { is_same: is_same_entry, items_move: true };
    let mut of_ours = pairs(&parts.base, &parts.ours, of_base);
    let mut of_theirs = pairs(&parts.base, &parts.theirs, of_base);
    redated::alone(&parts.base, &parts.ours, &mut of_ours);
    redated::alone(&parts.base, &parts.theirs, &mut of_theirs);
    // What both sides added is no new version of what the base has.
    let both = added_by_both(parts, &of_ours, &of_theirs);
    let (added_by_us, added_by_them) = (both.values().copied().collect(), both.keys().copied().collect());
    by_place(&parts.base, &parts.ours, &mut of_ours, &added_by_us);
    by_place(&parts.base, &parts.theirs, &mut of_theirs, &added_by_them);
    redated::and_changed(&parts.base, &parts.ours, &mut of_ours, &added_by_us);
    redated::and_changed(&parts.base, &parts.theirs, &mut of_theirs, &added_by_them);
    redated::as_changed_by((&parts.ours, &of_ours), (&parts.theirs, &mut of_theirs), &added_by_them);
    redated::as_changed_by((&parts.theirs, &of_theirs), (&parts.ours, &mut of_ours), &added_by_us);
    let both = redated::by_both(parts, both, &of_ours, &of_theirs);
    let both = with_retitled(parts, both, &of_ours, &of_theirs);
    moved_and_changed(parts, &both, &mut of_ours, &mut of_theirs);
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
    // The same item in two sections is there twice.
    let found = pairs(&ours, &theirs, Rule { is_same: is_same_addition, items_move: false });
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

/// Whether a part of a side is the part of the base with the same key: an entry may be removed, and another one added in its second.
fn is_same_entry(one: &Part<'_>, other: &Part<'_>) -> bool {
    match one.kind {
        PartKind::Sem(_) => is_same_addition(one, other) || likeness(&words_of(one), &words_of(other)) >= SIMILAR,
        PartKind::Legacy | PartKind::Section | PartKind::Update | PartKind::Item | PartKind::Line => true,
    }
}

/// Whether two parts with the same key that two sides added are the same entry: two agents may write in the same second, and many
/// entries have a section `### Details`.
fn is_same_addition(one: &Part<'_>, other: &Part<'_>) -> bool {
    match one.kind {
        PartKind::Sem(_) => similarity::normal(one.title) == similarity::normal(other.title),
        PartKind::Section => likeness(&words_of(one), &words_of(other)) >= SIMILAR,
        PartKind::Legacy | PartKind::Update | PartKind::Item | PartKind::Line => true,
    }
}

/// Finds entries that were given another title: those that are left between the same two neighbours, and have most words in
/// common. What both sides added is left out.
fn by_place(base: &[Part<'_>], side: &[Part<'_>], found: &mut [Option<usize>], added: &HashSet<usize>) {
    let (old, new) = (gone(base, found), left(side, found, added));
    for (at, place) in alike((base, &old), (side, &new), SIMILAR) {
        if let Some(found) = found.get_mut(at) {
            *found = Some(place);
        }
    }
}

/// The entries that both sides added, with those that have another title on each side: for the place in `theirs`, the place in
/// `ours`. Entries with a timestamp and items are what their title says.
fn with_retitled(
    parts: &Versions<Vec<Part<'_>>>,
    mut both: HashMap<usize, usize>,
    of_ours: &[Option<usize>],
    of_theirs: &[Option<usize>],
) -> HashMap<usize, usize> {
    let mut ours = left(&parts.ours, of_ours, &both.values().copied().collect());
    let mut theirs = left(&parts.theirs, of_theirs, &both.keys().copied().collect());
    for (left, parts) in [(&mut ours, &parts.ours), (&mut theirs, &parts.theirs)] {
        left.retain(|left| {
            parts.get(left.at).is_some_and(|part| !matches!(part.kind, PartKind::Sem(_) | PartKind::Item))
        });
    }
    both.extend(alike((&parts.ours, &ours), (&parts.theirs, &theirs), SIMILAR_ADDED));
    both
}

/// Finds the entries of the base that neither side seems to have, and that one moved and changed: they share a line and most of their
/// words.
fn moved_and_changed(
    parts: &Versions<Vec<Part<'_>>>,
    both: &HashMap<usize, usize>,
    of_ours: &mut [Option<usize>],
    of_theirs: &mut [Option<usize>],
) {
    let known: HashSet<usize> = of_ours.iter().chain(of_theirs.iter()).flatten().copied().collect();
    let gone = parts.base.iter().enumerate().filter(|(place, part)| part.is_entry() && !known.contains(place));
    // A line of several entries tells nothing.
    let mut lines: HashMap<&str, Option<usize>> = HashMap::default();
    for (place, part) in gone {
        for line in part.body.lines().map(str::trim).filter(|line| line.len() >= LONG_LINE) {
            lines.entry(line).and_modify(|known| *known = None).or_insert(Some(place));
        }
    }
    if lines.is_empty() {
        return;
    }
    let (added_by_us, added_by_them): (HashSet<usize>, HashSet<usize>) =
        (both.values().copied().collect(), both.keys().copied().collect());
    for (parts_of, found, added) in [(&parts.ours, of_ours, &added_by_us), (&parts.theirs, of_theirs, &added_by_them)] {
        let mut taken: HashSet<usize> = HashSet::default();
        for (at, (part, found)) in parts_of.iter().zip(found).enumerate() {
            if found.is_some() || !part.is_entry() || added.contains(&at) {
                continue;
            }
            let mut shared = part.body.lines().filter_map(|line| lines.get(line.trim()).copied().flatten());
            let place = shared.find(|place| !taken.contains(place));
            *found = place.filter(|place| {
                parts
                    .base
                    .get(*place)
                    .is_some_and(|old| can_be(part, old) && likeness(&words_of(part), &words_of(old)) >= SIMILAR)
            });
            taken.extend(*found);
        }
    }
}

/// An entry of the old version, its place, and its words.
type OldPart<'a> = (&'a Part<'a>, usize, Vec<u64>);

/// The pairs of entries at the same place that have so many words in common: for the place of the new one, the place of the old one.
fn alike(old: (&[Part<'_>], &[Left]), new: (&[Part<'_>], &[Left]), least: usize) -> Vec<(usize, usize)> {
    let mut groups: HashMap<Option<usize>, VecDeque<OldPart<'_>>> = HashMap::default();
    let wanted: HashSet<Option<usize>> = new.1.iter().map(|left| left.after).collect();
    for left in old.1.iter().filter(|left| wanted.contains(&left.after)) {
        if let Some(part) = old.0.get(left.at) {
            groups.entry(left.after).or_default().push_back((part, left.at, words_of(part)));
        }
    }
    let mut out = Vec::new();
    for left in new.1 {
        let (Some(part), Some(group)) = (new.0.get(left.at), groups.get_mut(&left.after)) else { continue };
        let words = words_of(part);
        let near = group.iter().take(NEAR).enumerate();
        let of_kind = near.filter(|(_, (other, ..))| can_be(part, other));
        let best = of_kind.map(|(at, (.., other))| (likeness(&words, other), at)).max();
        let is_enough = |likeness: usize| likeness >= least && (least == SIMILAR || words.len() >= MANY_WORDS);
        if let Some((_, place, _)) =
            best.filter(|(likeness, _)| is_enough(*likeness)).and_then(|(_, at)| group.remove(at))
        {
            out.push((left.at, place));
        }
    }
    out
}

/// Whether an entry can be a version of another one with another title or at another place. A timestamp names an SEM entry, and a day
/// tells older ones apart; a new title may have the first date of an entry.
fn can_be(one: &Part<'_>, other: &Part<'_>) -> bool {
    let is_older = |kind| matches!(kind, PartKind::Legacy | PartKind::Section | PartKind::Update);
    let is_of_kind = std::mem::discriminant(&one.kind) == std::mem::discriminant(&other.kind)
        || is_older(one.kind) && is_older(other.kind);
    let is_sem = matches!(one.kind, PartKind::Sem(_));
    let is_of_time = |(own, its): (i64, i64)| own == its || !is_sem && own.div_euclid(DAY) == its.div_euclid(DAY);
    is_of_kind && one.moment.zip(other.moment).is_none_or(is_of_time)
}
