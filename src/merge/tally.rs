//! Whether a merged text has each line as often as the three versions demand. This counts the lines of the texts and asks no other step
//! of the merge where they went: a line that is an item in one version and text of a comment in another one is the same line here.

use foldhash::{HashMap, HashSet};

use super::identity::Id;
use super::parts::Part;
use super::versions::{Markers, Versions};
use super::words::{field, is_about_itself};
use crate::formats::legacy;
use crate::text::Span;

/// How often a line is in each text.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    of: Versions<usize>,
    merged: usize,
    /// Of these, outside of the conflicts.
    outside: usize,
    /// In the text with our side of each conflict, and in that with theirs.
    taken: Taken,
}

#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    ours: usize,
    theirs: usize,
}

/// What may be less or more: what both sides did is in the merged text once.
#[derive(Clone, Copy, Debug, Default)]
struct Both {
    added: usize,
    removed: usize,
}

/// The lines of the three texts, but for blank ones and rules: these belong to no entry.
pub struct Tally<'a> {
    counts: HashMap<&'a str, Counts>,
}

impl<'a> Tally<'a> {
    pub fn of(texts: &Versions<&'a str>) -> Self {
        let mut counts: HashMap<&str, Counts> = HashMap::default();
        lines(texts.base).for_each(|line| counts.entry(line).or_default().of.base += 1);
        lines(texts.ours).for_each(|line| counts.entry(line).or_default().of.ours += 1);
        lines(texts.theirs).for_each(|line| counts.entry(line).or_default().of.theirs += 1);
        Self { counts }
    }

    /// The lines that a side removed, that the base has once, and that the merged text has again outside of its conflicts. What many
    /// entries have says nothing: a field, or the heading `### Context`.
    pub fn returned(&self, merged: &str, markers: &Markers<'_>) -> HashSet<&'a str> {
        let is_removed = |of: &Versions<usize>| of.base == 1 && of.ours.min(of.theirs) == 0 && of.ours != of.theirs;
        let removed = self.counts.iter().filter(|(line, counts)| {
            is_removed(&counts.of) && field(line).is_none() && !is_part(line) //
        });
        // How often each of them may be there: what the other side added elsewhere.
        let mut removed: HashMap<&'a str, usize> =
            removed.map(|(line, counts)| (*line, counts.of.ours.max(counts.of.theirs) - 1)).collect();
        if removed.is_empty() {
            return HashSet::default();
        }
        let mut found = HashSet::default();
        for line in outside_of_conflicts(merged, markers) {
            if let Some((line, left)) = removed.get_key_value(line).map(|(line, left)| (*line, *left)) {
                match left.checked_sub(1) {
                    Some(left) => drop(removed.insert(line, left)),
                    None => drop(found.insert(line)),
                }
            }
        }
        found
    }

    /// The lines that the merged text lacks, or has too often outside of its conflicts, which have lines of both sides; and those that
    /// would be wrong in the text of somebody who takes one side of each conflict.
    pub fn wrong(
        &mut self,
        parts: &Versions<Vec<Part<'_>>>,
        ids: &Versions<Vec<Id>>,
        merged: &str,
        markers: &Markers<'_>,
    ) -> HashSet<&'a str> {
        for counts in self.counts.values_mut() {
            *counts = Counts { of: counts.of, ..Counts::default() };
        }
        for (place, line) in places(merged, markers) {
            if let Some(counts) = self.counts.get_mut(line) {
                counts.add(place);
            }
        }
        let counts = &self.counts;
        let is_off = |counts: &Counts, both: Both| counts.is_below(both) || counts.is_above(both);
        let off = counts.iter().filter(|(_, counts)| is_off(counts, Both::default()));
        let mut off: HashMap<&str, Both> = off.map(|(line, _)| (*line, Both::default())).collect();
        if !off.is_empty() {
            add_both(parts, ids, counts, &mut off);
        }
        let is_wrong = |line: &str, counts: &Counts| {
            off.get(line).is_some_and(|both| is_off(counts, *both))
                || counts.is_taken_wrong() && field(line).is_none() && !is_inner_part(line)
        };
        counts.iter().filter(|(line, counts)| is_wrong(line, counts)).map(|(line, _)| *line).collect()
    }
}

/// Where a line of the merged text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In no conflict.
    Outside,
    /// In our side of a conflict.
    Ours,
    /// In what a conflict shows of the base.
    Base,
    /// In their side of a conflict.
    Theirs,
}

/// The lines of `merged`, but for the marks of conflicts, each with its place.
pub fn places<'m>(merged: &'m str, markers: &Markers<'_>) -> impl Iterator<Item = (Place, &'m str)> + use<'m> {
    let [start, base, middle, end] = ["<", "|", "=", ">"].map(|sign| sign.repeat(markers.size));
    let mut place = Place::Outside;
    merged.split('\n').map(str::trim_end).filter_map(move |line| {
        let is = |sign: &str| line.strip_prefix(sign).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        let next = match place {
            Place::Outside if is(&start) => Place::Ours,
            Place::Ours if is(&base) => Place::Base,
            Place::Ours | Place::Base if line == middle => Place::Theirs,
            Place::Theirs if is(&end) => Place::Outside,
            _ => return Some((place, line)),
        };
        place = next;
        None
    })
}

/// The texts with our side of each conflict, and with theirs.
pub fn taken(merged: &str, markers: &Markers<'_>) -> [String; 2] {
    let (mut ours, mut theirs) = (String::with_capacity(merged.len()), String::with_capacity(merged.len()));
    for (place, line) in places(merged, markers) {
        if matches!(place, Place::Outside | Place::Ours) {
            ours.extend([line, "\n"]);
        }
        if matches!(place, Place::Outside | Place::Theirs) {
            theirs.extend([line, "\n"]);
        }
    }
    [ours, theirs]
}

/// The lines of `merged` that are in no conflict.
fn outside_of_conflicts<'m>(merged: &'m str, markers: &Markers<'_>) -> impl Iterator<Item = &'m str> + use<'m> {
    places(merged, markers).filter(|(place, _)| *place == Place::Outside).map(|(_, line)| line)
}

/// Whether a line is a heading that documents have for their parts.
fn is_part(line: &str) -> bool {
    line.starts_with("##") && legacy::is_part_of(line, Span::new(0, line.len()))
}

/// Whether a line is such a heading below the level of titles.
fn is_inner_part(line: &str) -> bool {
    line.starts_with("###") && is_part(line)
}

/// The lines of a text, but for blank ones and rules: these belong to no entry.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(str::trim_end).filter(|line| !matches!(line.trim_start(), "" | "---"))
}

fn each_line<'a>(texts: &[&'a str]) -> impl Iterator<Item = &'a str> {
    texts.iter().flat_map(|text| lines(text))
}

impl Counts {
    /// Counts the line once more, at this place of the merged text.
    fn add(&mut self, place: Place) {
        self.merged += 1;
        self.outside += usize::from(place == Place::Outside);
        self.taken.ours += usize::from(matches!(place, Place::Outside | Place::Ours));
        self.taken.theirs += usize::from(matches!(place, Place::Outside | Place::Theirs));
    }

    /// Whether a line that no version has twice is wrong in the text with one side of each conflict: it lacks a line of that side, or
    /// has one which that side removed, or twice. What the other side added or removed may be there.
    fn is_taken_wrong(&self) -> bool {
        let Versions { base, ours, theirs } = self.of;
        let is_wrong = |own: usize, other: usize, taken: usize| match (base, own, other) {
            (0, 0, 1) | (1, 1, 0) => taken > 1,
            // Both added it: to one entry, or to two.
            (0, 1, 1) => taken == 0 || taken > 2,
            _ => taken != own,
        };
        base.max(ours).max(theirs) == 1
            && (is_wrong(ours, theirs, self.taken.ours) || is_wrong(theirs, ours, self.taken.theirs))
    }

    /// Whether it is less often in the merged text than all that the sides kept and added.
    fn is_below(&self, both: Both) -> bool {
        let Versions { base, ours, theirs } = self.of;
        let shared = ours.min(theirs).saturating_sub(base);
        self.merged + base + both.added.max(shared) < ours + theirs
    }

    /// Whether it is more often in it, outside of conflicts.
    fn is_above(&self, both: Both) -> bool {
        let Versions { base, ours, theirs } = self.of;
        let shared = base.saturating_sub(ours.max(theirs));
        self.outside + base > ours + theirs + both.removed.max(shared)
    }
}

/// Counts how often both sides added or removed the lines in `off`, entry by entry: what an entry says may be in another one, too.
fn add_both(
    parts: &Versions<Vec<Part<'_>>>,
    ids: &Versions<Vec<Id>>,
    counts: &HashMap<&str, Counts>,
    off: &mut HashMap<&str, Both>,
) {
    // For text between entries, the counts of the whole texts say it.
    let between = parts.map(|parts| {
        let mut counts: HashMap<&str, usize> = HashMap::default();
        for line in parts.iter().filter(|part| !part.is_entry()).flat_map(|part| lines(part.body)) {
            *counts.entry(line).or_default() += usize::from(off.contains_key(line));
        }
        counts
    });
    let count = |counts: &HashMap<&str, usize>, line: &str| counts.get(line).copied().unwrap_or(0);
    let is_moved = |line: &&str| {
        let [base, ours, theirs] = [&between.base, &between.ours, &between.theirs].map(|counts| count(counts, line));
        ours.max(theirs) > base
    };
    let moved: HashSet<&str> = off.keys().copied().filter(|line| is_moved(line)).collect();
    let mut found: HashMap<Id, Versions<Vec<&str>>> = HashMap::default();
    for (id, part) in ids.base.iter().zip(&parts.base).filter(|(_, part)| part.is_entry()) {
        found.entry(*id).or_default().base.push(part.body);
    }
    for (id, part) in ids.ours.iter().zip(&parts.ours).filter(|(_, part)| part.is_entry()) {
        found.entry(*id).or_default().ours.push(part.body);
    }
    for (id, part) in ids.theirs.iter().zip(&parts.theirs).filter(|(_, part)| part.is_entry()) {
        found.entry(*id).or_default().theirs.push(part.body);
    }
    for bodies in found.values().filter(|bodies| bodies.base != bodies.ours && bodies.base != bodies.theirs) {
        let is_gone = bodies.ours.is_empty() && bodies.theirs.is_empty();
        if is_gone && !is_removed(&bodies.base, counts) {
            continue;
        }
        let mut own: HashMap<&str, Versions<usize>> = HashMap::default();
        each_line(&bodies.base).for_each(|line| own.entry(line).or_default().base += 1);
        each_line(&bodies.ours).for_each(|line| own.entry(line).or_default().ours += 1);
        each_line(&bodies.theirs).for_each(|line| own.entry(line).or_default().theirs += 1);
        for (line, Versions { base, ours, theirs }) in own {
            if let Some(both) = off.get_mut(line) {
                both.added += ours.min(theirs).saturating_sub(base);
                // A field of an entry that stays may be a field of another one, too; other text moved there, and so did one between entries.
                if is_gone || field(line).is_some() && !moved.contains(line) {
                    both.removed += base.saturating_sub(ours.max(theirs));
                }
            }
        }
    }
}

/// Of the text of an entry that is removed, in a hundred, so much at most is elsewhere: a heading such as `### Context`.
const COMMON: usize = 25;

/// Whether what an entry says is in neither side: else one of them has it as something else, such as text in a comment.
fn is_removed(bodies: &[&str], counts: &HashMap<&str, Counts>) -> bool {
    let (mut all, mut of_ours, mut of_theirs) = (0, 0, 0);
    for line in each_line(bodies).filter(|line| !is_about_itself(line)) {
        let found = counts.get(line).copied().unwrap_or_default().of;
        all += line.len();
        of_ours += if found.ours > 0 { line.len() } else { 0 };
        of_theirs += if found.theirs > 0 { line.len() } else { 0 };
    }
    of_ours.max(of_theirs) * 100 <= all * COMMON
}
