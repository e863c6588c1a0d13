//! Finds the same part in three versions of a file, whatever its place.

use std::collections::VecDeque;

use foldhash::{HashMap, HashSet};

use super::pairs::{Rule, pairs};
use super::parts::{Part, PartKind};
use super::versions::Versions;
use crate::formats::legacy;
use crate::text::{Span, similarity};

/// With so many of their words in common, in a hundred, two entries at the same place are versions of one.
const SIMILAR: usize = 50;

/// The same for entries that both sides added: they may be about one subject, and different all the same.
const SIMILAR_ADDED: usize = 60;

/// An entry that both sides added under another title needs so many different words to be recognised.
const MANY_WORDS: usize = 20;

/// A shorter line may be in any entry, in bytes.
const LONG_LINE: usize = 12;

/// A longer text between `**` and `:**` is not a label, in bytes.
const LONGEST_LABEL: usize = 24;

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
    // What both sides added is no new version of what the base has.
    let both = added_by_both(parts, &of_ours, &of_theirs);
    let (added_by_us, added_by_them) = (both.values().copied().collect(), both.keys().copied().collect());
    by_place(&parts.base, &parts.ours, &mut of_ours, &added_by_us);
    by_place(&parts.base, &parts.theirs, &mut of_theirs, &added_by_them);
    redated(&parts.base, &parts.ours, &mut of_ours, &added_by_us);
    redated(&parts.base, &parts.theirs, &mut of_theirs, &added_by_them);
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
    let taken: HashSet<usize> = found.iter().flatten().copied().collect();
    let of_base: Vec<_> = (0..base.len()).map(|place| Some(place).filter(|place| taken.contains(place))).collect();
    let (old, new) = (left(base, &of_base, &HashSet::default()), left(side, found, added));
    for (at, place) in alike((base, &old), (side, &new), SIMILAR) {
        if let Some(found) = found.get_mut(at) {
            *found = Some(place);
        }
    }
}

/// Finds entries that were given another date, and nothing else: those that are left between the same two neighbours, with one title, and
/// say the same word for word. What both sides added is left out.
fn redated(base: &[Part<'_>], side: &[Part<'_>], found: &mut [Option<usize>], added: &HashSet<usize>) {
    type Said<'p> = (Option<usize>, bool, String, Vec<&'p str>);
    fn said<'p>(part: &Part<'p>, after: Option<usize>) -> Option<Said<'p>> {
        let is_sem = matches!(part.kind, PartKind::Sem(_));
        let is_date = |line: &&str| {
            field(line)
                .is_some_and(|(name, _)| ["timestamp", "date"].iter().any(|date| name.eq_ignore_ascii_case(date)))
        };
        let lines: Vec<&str> = part.body.lines().skip(1).filter(|line| !is_date(line)).collect();
        let says = !words_of(part).is_empty() && (is_sem || part.kind == PartKind::Legacy);
        let date = legacy::find_date(part.title, Span::new(0, part.title.len()));
        let (start, end) = date.map_or((0, 0), |date| (date.start(), date.end()));
        let title = [part.title.get(..start), part.title.get(end..)].map(Option::unwrap_or_default).concat();
        says.then(|| (after, is_sem, similarity::normal(&title), lines))
    }
    let taken: HashSet<usize> = found.iter().flatten().copied().collect();
    let of_base: Vec<_> = (0..base.len()).map(|place| Some(place).filter(|place| taken.contains(place))).collect();
    let new = left(side, found, added);
    if new.is_empty() {
        return;
    }
    let mut old: HashMap<Said<'_>, usize> = HashMap::default();
    for left in left(base, &of_base, &HashSet::default()) {
        old.extend(base.get(left.at).and_then(|part| said(part, left.after)).map(|said| (said, left.at)));
    }
    for left in new {
        let said = side.get(left.at).and_then(|part| said(part, left.after));
        if let Some(place) = said.and_then(|said| old.remove(&said))
            && let Some(found) = found.get_mut(left.at)
        {
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

/// An entry that another version does not have.
struct Left {
    /// Its place.
    at: usize,
    /// The place in the base of the last entry before it that the other version has.
    after: Option<usize>,
}

/// The entries of `parts` that have no place in `found`, but those at `known`.
fn left(parts: &[Part<'_>], found: &[Option<usize>], known: &HashSet<usize>) -> Vec<Left> {
    let mut after = None;
    let entries = parts.iter().zip(found).enumerate().filter(|(_, (part, _))| part.is_entry());
    let mut out = Vec::new();
    for (at, (_, found)) in entries {
        if found.is_some() {
            after = *found;
        } else if !known.contains(&at) {
            out.push(Left { at, after });
        }
    }
    out
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

/// Fields whose values say nothing of what an entry is about, in lower case.
const ABOUT_ITSELF: [&str; 8] = ["type", "timestamp", "date", "author", "by", "contributors", "scope", "tags"];

/// The name and the value of a field.
pub fn field(line: &str) -> Option<(&str, &str)> {
    let field = line.strip_prefix("**")?.split_once(":**")?;
    Some(field).filter(|(name, _)| name.len() < LONGEST_LABEL)
}

/// Whether a line is a field that says nothing of what an entry is about.
pub fn is_about_itself(line: &str) -> bool {
    field(line).is_some_and(|(name, _)| ABOUT_ITSELF.iter().any(|one| name.eq_ignore_ascii_case(one)))
}

/// The words of what an entry says, each once, as sorted hashes: its title may be new, and all entries of a file have the same fields.
fn words_of(part: &Part<'_>) -> Vec<u64> {
    let mut words = Vec::with_capacity(part.body.len() / 5);
    let has_title = matches!(part.kind, PartKind::Sem(_) | PartKind::Legacy | PartKind::Section);
    for line in part.body.lines().skip(usize::from(has_title)) {
        match field(line) {
            Some(_) if is_about_itself(line) => {}
            Some((_, value)) => add_words(value, &mut words),
            None => add_words(line, &mut words),
        }
    }
    words.sort_unstable();
    words.dedup();
    words
}

/// Adds the words of a text as hashes. A character outside ASCII is a word by itself: some scripts have no blanks.
fn add_words(text: &str, words: &mut Vec<u64>) {
    let mut word = Word::default();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
            continue;
        }
        words.extend(word.take());
        if !c.is_ascii() && c.is_alphanumeric() {
            word.push(c);
            words.extend(word.take());
        }
    }
    words.extend(word.take());
}

/// A word as a hash (FNV-1a): far cheaper than the words themselves, and two that are mistaken for one do not matter.
#[derive(Default)]
struct Word(Option<u64>);

impl Word {
    fn push(&mut self, c: char) {
        let before = self.0.unwrap_or(0xcbf2_9ce4_8422_2325);
        self.0 = Some((before ^ u64::from(u32::from(c))).wrapping_mul(0x0100_0000_01b3));
    }

    fn take(&mut self) -> Option<u64> {
        self.0.take()
    }
}

/// How many of their words two texts have in common, in a hundred.
fn likeness(one: &[u64], other: &[u64]) -> usize {
    let (mut common, mut rest) = (0, other);
    for word in one {
        while let Some((first, behind)) = rest.split_first()
            && first <= word
        {
            common += usize::from(first == word);
            rest = behind;
        }
    }
    common * 100 / (one.len() + other.len() - common).max(1)
}
