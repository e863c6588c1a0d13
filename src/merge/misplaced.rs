//! Entries that a merge would put into the section of other ones, or that it would have twice.

use foldhash::{HashMap, HashSet};
use std::ops::Range;

use super::identity::Id;
use super::lines;
use super::parts::Part;
use super::piece::{Piece, places_text};
use super::section::Above;
use super::tally::{Place, places};
use super::versions::{Markers, Versions};
use crate::formats::legacy;
use crate::formats::legacy::rejected::is_rejected;
use crate::text::Span;

/// The entries that would be in a section in which no side has them, with either side of each conflict. If the title of their section is
/// gone from the merged file, they may be in the section of what they are beside: one side gave it another title. The title of the file
/// is no section. And the entries that would be there twice.
pub fn misplaced(
    pieces: &[Piece],
    parts: &Versions<Vec<Part<'_>>>,
    ids: &Versions<Vec<Id>>,
    markers: &Markers<'_>,
) -> HashSet<Id> {
    let headings = headings(parts, ids);
    let of_sides = of_sides(parts, ids, &headings);
    let mut walk = Walk::new(parts, ids, markers, &headings);
    for piece in pieces {
        walk.piece(piece);
    }
    let Walk { found, mut titles, twice, .. } = walk;
    // What was above all sections may be in one that a side began.
    titles.extend(found.iter().map(|(_, section)| *section).filter(|section| section.is_empty()));
    let is_in_none = |id: &Id, section: &str| of_sides.get(id).is_some_and(|sides| !sides.contains(&section));
    let mut misplaced: HashSet<Id> =
        found.iter().filter(|(id, section)| is_in_none(id, section)).map(|(id, _)| *id).collect();
    if !misplaced.is_empty() {
        let found: HashMap<Id, &str> = found.into_iter().collect();
        let of_base: HashSet<Id> = ids.base.iter().copied().collect();
        let is_renamed =
            |id: &Id| of_sides.get(id).is_some_and(|sides| sides.iter().all(|title| !titles.contains(title)));
        for (parts, ids) in [(&parts.ours, &ids.ours), (&parts.theirs, &ids.theirs)] {
            let beside = beside(parts, ids, &of_base, &headings);
            misplaced.retain(|id| {
                let section = found.get(id);
                let is_beside = |beside: &Vec<Id>| beside.iter().any(|other| found.get(other) == section);
                !(is_renamed(id) && beside.get(id).is_some_and(is_beside))
            });
        }
    }
    misplaced.extend(twice);
    misplaced
}

/// Whether a text that was merged by lines alone has an entry in another section than both sides, where a title says more of an entry than
/// what it is about. Elsewhere it is where git has it.
pub fn is_misplaced(
    text: &str,
    parts: &Versions<Vec<Part<'_>>>,
    ids: &Versions<Vec<Id>>,
    markers: &Markers<'_>,
) -> bool {
    let headings = headings(parts, ids);
    let of_sides = of_sides(parts, ids, &headings);
    let mut walk = Walk::new(parts, ids, markers, &headings);
    walk.text(text.as_bytes(), &ids.map(|ids| 0..ids.len()));
    let is_elsewhere = |(id, section): &(Id, &str)| {
        let sides = of_sides.get(id).filter(|sides| !sides.contains(section));
        sides.is_some_and(|sides| sides.iter().chain([section]).any(|title| decides(title)))
    };
    walk.found.iter().any(is_elsewhere)
}

/// Whether the title of a section says whether the entries below it apply, or when they were made.
fn decides(line: &str) -> bool {
    is_rejected(line.trim_matches(['#', ' '])) || legacy::find_date(line, Span::new(0, line.len())).is_some()
}

/// The sections in which the sides have each entry.
fn of_sides<'a>(
    parts: &Versions<Vec<Part<'a>>>,
    ids: &Versions<Vec<Id>>,
    headings: &HashSet<Id>,
) -> HashMap<Id, Vec<&'a str>> {
    let mut of_sides: HashMap<Id, Vec<&str>> = HashMap::default();
    for (parts, ids) in [(&parts.ours, &ids.ours), (&parts.theirs, &ids.theirs)] {
        for (id, section) in in_sections(parts, ids, headings) {
            of_sides.entry(id).or_default().push(section);
        }
    }
    of_sides
}

/// For each entry, the last one before it and the first one behind it in its section that the base has, too.
fn beside(parts: &[Part<'_>], ids: &[Id], of_base: &HashSet<Id>, headings: &HashSet<Id>) -> HashMap<Id, Vec<Id>> {
    let mut out: HashMap<Id, Vec<Id>> = HashMap::default();
    let all = in_sections(parts, ids, headings);
    let mut look = |all: &mut dyn Iterator<Item = &(Id, &str)>| {
        let mut last: Option<(Id, &str)> = None;
        for (id, section) in all {
            let known = last.filter(|(_, other)| other == section).map(|(known, _)| known);
            out.entry(*id).or_default().extend(known);
            if of_base.contains(id) || last.is_some_and(|(_, other)| other != *section) {
                last = Some((*id, *section)).filter(|_| of_base.contains(id));
            }
        }
    };
    look(&mut all.iter());
    look(&mut all.iter().rev());
    out
}

/// The headings that begin a section in any version. What continues with an entry is a part of it, and a heading in it is no section; but
/// a side may put its entry before a heading in which the other side has entries.
fn headings(parts: &Versions<Vec<Part<'_>>>, ids: &Versions<Vec<Id>>) -> HashSet<Id> {
    let all = [(&parts.base, &ids.base), (&parts.ours, &ids.ours), (&parts.theirs, &ids.theirs)];
    let all = all.into_iter().flat_map(|(parts, ids)| parts.iter().zip(ids));
    all.filter(|(part, _)| part.is_section()).map(|(_, id)| *id).collect()
}

/// The entries of a side, each with its section. What continues with an entry is a part of it.
fn in_sections<'a>(parts: &[Part<'a>], ids: &[Id], headings: &HashSet<Id>) -> Vec<(Id, &'a str)> {
    let (mut above, mut out) = (Above::default(), Vec::new());
    for (part, id) in parts.iter().zip(ids) {
        match part.level.filter(|_| headings.contains(id)) {
            Some(level) => above.enter(level, part.body.trim_end()),
            None if part.is_entry() && !part.goes_on => out.push((*id, below_title(above.nearest()))),
            None => {}
        }
    }
    out
}

/// The sections of the entries of a version, as people see them: a title may begin one also where `memory` reads it as a part of the entry
/// before it.
#[derive(Debug)]
pub struct InSections<'a> {
    of_entries: HashMap<Id, &'a str>,
    titles: HashSet<&'a str>,
}

impl<'a> InSections<'a> {
    /// Those of the three versions.
    pub fn of(parts: &Versions<Vec<Part<'a>>>, ids: &Versions<Vec<Id>>) -> Versions<Self> {
        let all = [(&parts.base, &ids.base), (&parts.ours, &ids.ours), (&parts.theirs, &ids.theirs)];
        let all = all.into_iter().flat_map(|(parts, ids)| parts.iter().zip(ids));
        let headings = all.filter(|(part, _)| part.is_title()).map(|(_, id)| *id).collect();
        let of = |parts: &[Part<'a>], ids: &[Id]| {
            let titles = parts.iter().filter(|part| part.is_title()).map(|part| part.body.trim_end());
            Self { of_entries: in_sections(parts, ids, &headings).into_iter().collect(), titles: titles.collect() }
        };
        Versions {
            base: of(&parts.base, &ids.base),
            ours: of(&parts.ours, &ids.ours),
            theirs: of(&parts.theirs, &ids.theirs),
        }
    }

    /// The section of an entry.
    pub fn get(&self, id: Id) -> Option<&'a str> {
        self.of_entries.get(&id).copied()
    }

    /// Whether an entry is in another section than in the base, where the section of the base is still there.
    pub fn is_moved(&self, id: Id, base: &Self) -> bool {
        let old = base.get(id);
        old.is_some_and(|title| title.is_empty() || self.titles.contains(title))
            && self.get(id).is_some_and(|new| Some(new) != old)
    }
}

/// A walk over the merged file.
struct Walk<'w, 'a> {
    parts: &'w Versions<Vec<Part<'a>>>,
    ids: &'w Versions<Vec<Id>>,
    markers: &'w Markers<'w>,
    /// Those that begin a section.
    headings: &'w HashSet<Id>,
    /// The headings above, with our side of each conflict and with theirs.
    above: [Above<'a>; 2],
    /// The entries, each with its section.
    found: Vec<(Id, &'a str)>,
    /// Those that the file has with our side of each conflict, and with theirs.
    seen: [HashSet<Id>; 2],
    /// Those that it has twice then.
    twice: HashSet<Id>,
    /// The titles of all sections.
    titles: HashSet<&'a str>,
}

impl<'w, 'a> Walk<'w, 'a> {
    fn new(
        parts: &'w Versions<Vec<Part<'a>>>,
        ids: &'w Versions<Vec<Id>>,
        markers: &'w Markers<'w>,
        headings: &'w HashSet<Id>,
    ) -> Self {
        Self {
            parts,
            ids,
            markers,
            headings,
            above: [Above::default(), Above::default()],
            found: Vec::new(),
            seen: [HashSet::default(), HashSet::default()],
            twice: HashSet::default(),
            titles: HashSet::default(),
        }
    }

    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Entry(id) => self.entry(*id, [true, true]),
            Piece::Line(id, places) => {
                let of = |parts: &Versions<Vec<Part<'a>>>| -> Option<Part<'a>> {
                    let ours = places.ours.and_then(|place| parts.ours.get(place));
                    let theirs = || places.theirs.and_then(|place| parts.theirs.get(place));
                    ours.or_else(theirs).or_else(|| places.base.and_then(|place| parts.base.get(place))).copied()
                };
                if let Some(part) = of(self.parts).filter(|_| self.headings.contains(id)) {
                    self.line(&part, [true, true]);
                }
            }
            Piece::Lines(places) => {
                let texts = places_text(self.parts, places);
                self.text(&lines::merge(texts.map(String::as_bytes), self.markers).0, places);
            }
            Piece::Disputed(places) => {
                let texts = places_text(self.parts, places);
                self.text(&lines::conflict(texts.map(String::as_bytes), self.markers), places);
            }
        }
    }

    fn entry(&mut self, id: Id, taken: [bool; 2]) {
        let sides = self.above.iter().zip(&mut self.seen).zip(taken);
        for ((above, seen), _) in sides.filter(|(_, is_taken)| *is_taken) {
            self.found.push((id, below_title(above.nearest())));
            if !seen.insert(id) {
                self.twice.insert(id);
            }
        }
    }

    fn line(&mut self, part: &Part<'a>, taken: [bool; 2]) {
        let Some(level) = part.level else { return };
        let title = part.body.trim_end();
        self.titles.insert(title);
        for (above, _) in self.above.iter_mut().zip(taken).filter(|(_, is_taken)| *is_taken) {
            above.enter(level, title);
        }
    }

    /// A text that was merged by lines, of the parts at these places.
    fn text(&mut self, text: &[u8], of: &Versions<Range<usize>>) {
        let mut known: HashMap<&str, (Id, Part<'a>)> = HashMap::default();
        let lists = [
            (&self.parts.base, &self.ids.base, &of.base),
            (&self.parts.theirs, &self.ids.theirs, &of.theirs),
            (&self.parts.ours, &self.ids.ours, &of.ours),
        ];
        for (parts, ids, range) in lists {
            let parts = parts.get(range.clone()).unwrap_or_default().iter();
            let ids = ids.get(range.clone()).unwrap_or_default();
            let is_known = |part: &Part<'_>, id: &Id| self.headings.contains(id) || part.is_entry() && !part.goes_on;
            for (part, id) in parts.zip(ids).filter(|(part, id)| is_known(part, id)) {
                known.extend(part.body.lines().next().map(|line| (line.trim_end(), (*id, *part))));
            }
        }
        if known.is_empty() {
            return;
        }
        let Ok(text) = std::str::from_utf8(text) else { return };
        for (place, line) in places(text, self.markers) {
            let Some((id, part)) = known.get(line).copied() else { continue };
            let taken =
                [matches!(place, Place::Outside | Place::Ours), matches!(place, Place::Outside | Place::Theirs)];
            if part.is_entry() {
                self.entry(id, taken);
            } else {
                self.line(&part, taken);
            }
        }
    }
}

/// `section`, unless it is the title of the file.
fn below_title(section: &str) -> &str {
    if section.starts_with("# ") { "" } else { section }
}
