//! Entries that a merge would put into the section of other ones, or that it would have twice.

use foldhash::{HashMap, HashSet};
use std::ops::Range;

use super::identity::Id;
use super::lines;
use super::parts::{Part, PartKind};
use super::piece::{Piece, places_text};
use super::section::Above;
use super::tally::{Place, places};
use super::versions::{Markers, Versions};
use crate::formats::legacy;
use crate::formats::legacy::rejected::is_rejected;
use crate::text::Span;

/// Where an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Under<'a> {
    /// The title of its section; empty if it is in none.
    title: &'a str,
    /// Whether a title above it says that it does not apply.
    is_rejected: bool,
}

impl<'a> Under<'a> {
    fn of(above: &Above<'a>) -> Self {
        Self { title: below_title(above.nearest()), is_rejected: above.is_rejected() }
    }
}

/// The entries that would be in a section in which no side has them, with either side of each conflict. If the title of their section is
/// gone from the merged file, they may be in the section of what they are beside: one side gave it another title. So they may if one side
/// put a new title above what they are beside. The title of the file is no section. And the entries that would be there twice, and those that would apply, or not, as no side has them.
pub fn misplaced(
    pieces: &[Piece],
    parts: &Versions<Vec<Part<'_>>>,
    ids: &Versions<Vec<Id>>,
    markers: &Markers<'_>,
) -> HashSet<Id> {
    let headings = headings(parts, ids);
    let sides = Sides::of(parts, ids, &headings);
    let mut walk = Walk::new(parts, ids, markers, &headings);
    for piece in pieces {
        walk.piece(piece);
    }
    let found = walk.all();
    let Walk { mut titles, twice, .. } = walk;
    // What was above all sections may be in one that a side began.
    titles.extend(found.iter().map(|(_, under)| under.title).filter(|title| title.is_empty()));
    let updates = updates(parts, ids);
    let is_in_none = |(id, under): &&(Id, Under<'_>)| {
        !updates.contains(id) && sides.get(*id).is_some_and(|mut sides| sides.all(|side| side.title != under.title))
    };
    let mut misplaced: HashSet<Id> = found.iter().filter(is_in_none).map(|(id, _)| *id).collect();
    if !misplaced.is_empty() {
        let found: HashMap<Id, Under<'_>> = found.iter().copied().collect();
        let is_renamed = |id: Id| sides.get(id).is_some_and(|mut sides| sides.all(|side| !titles.contains(side.title)));
        let all = [(&parts.ours, &ids.ours, &ids.theirs), (&parts.theirs, &ids.theirs, &ids.ours)];
        for ((parts, ids, of_other), titles) in all.into_iter().zip(&sides.titles_of_sides) {
            let beside = beside(parts, ids, &of_other.iter().copied().collect(), &headings);
            misplaced.retain(|id| {
                let under = found.get(id);
                let is_beside = |beside: &Vec<Id>| beside.iter().any(|other| found.get(other) == under);
                let may_be = under.is_some_and(|under| sides.may_have(*id, *under));
                let is_below_new = || under.is_some_and(|under| sides.is_below_new_title(*id, *under, titles));
                !(may_be && (is_renamed(*id) || is_below_new()) && beside.get(id).is_some_and(is_beside))
            });
        }
    }
    misplaced.extend(found.iter().filter(|(id, under)| sides.is_foreign(*id, *under)).map(|(id, _)| *id));
    misplaced.extend(sides.put_in_force(&walk.found, &titles));
    misplaced.extend(sides.moved_back(&walk.found).difference(&updates));
    misplaced.extend(twice);
    misplaced
}

/// The updates: they are for the whole team, below whatever title they stand.
fn updates(parts: &Versions<Vec<Part<'_>>>, ids: &Versions<Vec<Id>>) -> HashSet<Id> {
    let all = [(&parts.base, &ids.base), (&parts.ours, &ids.ours), (&parts.theirs, &ids.theirs)];
    let all = all.into_iter().flat_map(|(parts, ids)| parts.iter().zip(ids));
    all.filter(|(part, _)| part.kind == PartKind::Update).map(|(_, id)| *id).collect()
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
    let sides = Sides::of(parts, ids, &headings);
    let mut walk = Walk::new(parts, ids, markers, &headings);
    walk.text(text.as_bytes(), &ids.map(|ids| 0..ids.len()));
    let is_elsewhere = |(id, under): &(Id, Under<'_>)| {
        let is_in_none = || sides.get(*id).is_some_and(|mut sides| sides.all(|side| side.title != under.title));
        sides.is_foreign(*id, *under) || is_in_none() && sides.decides(*id, *under)
    };
    walk.all().iter().any(is_elsewhere)
        || !sides.put_in_force(&walk.found, &walk.titles).is_empty()
        || !sides.moved_back(&walk.found).is_empty()
        || !walk.twice.is_empty() && has_twice(&walk.twice, parts, ids)
}

/// Whether one of these entries is known by its first line: no version has that twice.
fn has_twice(twice: &HashSet<Id>, parts: &Versions<Vec<Part<'_>>>, ids: &Versions<Vec<Id>>) -> bool {
    fn first<'a>(part: &Part<'a>) -> &'a str {
        part.body.lines().next().unwrap_or_default()
    }
    let all = [(&parts.base, &ids.base), (&parts.ours, &ids.ours), (&parts.theirs, &ids.theirs)];
    let each = all.into_iter().flat_map(|(parts, ids)| parts.iter().zip(ids));
    // The same item in two sections is two items.
    let is_one = |part: &Part<'_>| matches!(part.kind, PartKind::Sem(_) | PartKind::Legacy);
    let twice = each.filter(|(part, id)| is_one(part) && twice.contains(id));
    let mut lines: HashSet<&str> = twice.map(|(part, _)| first(part)).collect();
    for (parts, _) in all {
        let mut seen: HashSet<&str> = HashSet::default();
        for line in parts.iter().map(first) {
            if !seen.insert(line) {
                lines.remove(line);
            }
        }
    }
    !lines.is_empty()
}

/// The new titles that one side gave to sections whose titles the other side removed, so that their entries are in other sections: neither
/// may win in silence.
pub fn disputed_titles(parts: &Versions<Vec<Part<'_>>>, ids: &Versions<Vec<Id>>) -> HashSet<Id> {
    fn titles<'a>(parts: &[Part<'a>]) -> HashSet<&'a str> {
        parts.iter().filter(|part| part.is_title()).map(|part| part.body.trim_end()).collect()
    }
    let all = parts.map(|parts| titles(parts));
    let gone: HashSet<&str> =
        all.base.iter().copied().filter(|title| !all.ours.contains(title) && !all.theirs.contains(title)).collect();
    if gone.is_empty() {
        return HashSet::default();
    }
    let sections = InSections::of(parts, ids);
    let mut found: HashSet<&str> = HashSet::default();
    for id in ids.base.iter().filter(|id| sections.base.get(**id).is_some_and(|title| gone.contains(title))) {
        if let (Some(ours), Some(theirs)) = (sections.ours.get(*id), sections.theirs.get(*id))
            && ours != theirs
        {
            found.extend([ours, theirs].into_iter().filter(|title| !title.is_empty() && !all.base.contains(title)));
        }
    }
    let both = parts.ours.iter().zip(&ids.ours).chain(parts.theirs.iter().zip(&ids.theirs));
    both.filter(|(part, _)| part.is_title() && found.contains(part.body.trim_end())).map(|(_, id)| *id).collect()
}

/// Whether the title of a section says whether the entries below it apply, or when they were made.
fn decides(line: &str) -> bool {
    is_rejected(line.trim_matches(['#', ' '])) || legacy::find_date(line, Span::new(0, line.len())).is_some()
}

/// Where the three versions have each entry.
struct Sides<'a> {
    base: HashMap<Id, Under<'a>>,
    sides: [HashMap<Id, Under<'a>>; 2],
    /// The titles of the sections of the base.
    titles: HashSet<&'a str>,
    /// Those of each side.
    titles_of_sides: [HashSet<&'a str>; 2],
    /// The entries that each side changed.
    changed: [HashSet<Id>; 2],
}

impl<'a> Sides<'a> {
    fn of(parts: &Versions<Vec<Part<'a>>>, ids: &Versions<Vec<Id>>, headings: &HashSet<Id>) -> Self {
        let base: HashMap<Id, Under<'a>> = in_sections(&parts.base, &ids.base, headings).into_iter().collect();
        let all = [(&parts.ours, &ids.ours), (&parts.theirs, &ids.theirs)];
        // Only what is below such a title in the base can come into force.
        let old =
            ids.base.iter().zip(&parts.base).filter(|(id, _)| base.get(id).is_some_and(|under| under.is_rejected));
        let old: HashMap<Id, &str> = old.map(|(id, part)| (*id, part.body)).collect();
        let changed = all.map(|(parts, ids)| {
            let is_changed = |(id, part): &(&Id, &Part<'a>)| old.get(id).is_some_and(|old| *old != part.body);
            ids.iter().zip(parts).filter(is_changed).map(|(id, _)| *id).collect()
        });
        let sides = all.map(|(parts, ids)| in_sections(parts, ids, headings).into_iter().collect());
        let titles = |parts: &[Part<'a>]| -> HashSet<&'a str> {
            parts.iter().filter(|part| part.level.is_some()).map(|part| part.body.trim_end()).collect()
        };
        let titles_of_sides = [titles(&parts.ours), titles(&parts.theirs)];
        Self { base, sides, titles: titles(&parts.base), titles_of_sides, changed }
    }

    /// Where the sides have an entry; `None` if none has it.
    fn get(&self, id: Id) -> Option<impl Iterator<Item = Under<'a>>> {
        let mut all = self.sides.iter().filter_map(move |side| side.get(&id).copied()).peekable();
        all.peek().is_some().then_some(all)
    }

    /// Whether an entry would apply that no side has so, or would not.
    fn is_foreign(&self, id: Id, under: Under<'_>) -> bool {
        self.get(id).is_some_and(|mut sides| sides.all(|side| side.is_rejected != under.is_rejected))
    }

    /// Whether the title above an entry there, or in a side, says more than what it is about.
    fn decides(&self, id: Id, under: Under<'_>) -> bool {
        decides(under.title) || self.get(id).is_some_and(|mut sides| sides.any(|side| decides(side.title)))
    }

    /// Whether an entry may be there, as what it is beside: below another title for its section, or in a section that was beside its own
    /// and whose title says no more than what it is about.
    fn may_have(&self, id: Id, under: Under<'_>) -> bool {
        let is_known = under.title.is_empty() || self.titles.contains(under.title);
        !(is_known && self.decides(id, under))
    }

    /// Whether an entry would be below a title that neither the base nor the side with these titles has, and which says no more than what
    /// it is about: the other side put it above what the entry is beside.
    fn is_below_new_title(&self, id: Id, under: Under<'_>, titles: &HashSet<&str>) -> bool {
        !under.title.is_empty()
            && !self.titles.contains(under.title)
            && !titles.contains(under.title)
            && !self.decides(id, under)
    }

    /// The entries that would be in the section of the base with either side of each conflict, while one side alone has them in another one
    /// beside it.
    fn moved_back(&self, found: &[Vec<(Id, Under<'a>)>; 2]) -> HashSet<Id> {
        let is_moved = |id: &Id, old: Under<'a>| {
            let mut all = self.sides.iter().zip(&self.titles_of_sides).filter_map(|(side, titles)| {
                let is_beside = old.title.is_empty() || titles.contains(old.title);
                side.get(id).map(|new| new.title != old.title && is_beside)
            });
            let (one, other) = (all.next(), all.next());
            one.zip(other).is_some_and(|(one, other)| one != other)
        };
        let stays = |(id, under): &(Id, Under<'a>)| {
            self.base.get(id).is_some_and(|old| old.title == under.title && is_moved(id, *old))
        };
        let [ours, theirs] = found
            .each_ref()
            .map(|found| found.iter().copied().filter(stays).map(|(id, _)| id).collect::<HashSet<Id>>());
        ours.intersection(&theirs).copied().collect()
    }

    /// The entries that would apply with either side of each conflict as one side took away no more than the title above them, while
    /// the other one changed them below it.
    fn put_in_force(&self, found: &[Vec<(Id, Under<'a>)>; 2], titles: &HashSet<&str>) -> HashSet<Id> {
        let [ours, theirs] = found;
        let applying = |found: &[(Id, Under<'a>)]| -> HashSet<Id> {
            found.iter().filter(|(_, under)| !under.is_rejected).map(|(id, _)| *id).collect()
        };
        let (ours, theirs) = (applying(ours), applying(theirs));
        let is_changed = |id: &Id| {
            let both = self.sides.iter().zip(&self.changed);
            let mut keeping = both.filter(|(side, _)| side.get(id).is_some_and(|under| under.is_rejected));
            keeping.any(|(_, changed)| changed.contains(id))
        };
        let is_untitled = |id: &Id| {
            self.base.get(id).is_some_and(|under| under.is_rejected && !titles.contains(under.title))
                && self.sides.iter().any(|side| {
                    side.get(id).is_some_and(|under| {
                        !under.is_rejected && (under.title.is_empty() || self.titles.contains(under.title))
                    })
                })
        };
        ours.into_iter().filter(|id| theirs.contains(id) && is_untitled(id) && is_changed(id)).collect()
    }
}

/// For each entry, the last one before it and the first one behind it in its section that the other side has, too.
fn beside(parts: &[Part<'_>], ids: &[Id], of_other: &HashSet<Id>, headings: &HashSet<Id>) -> HashMap<Id, Vec<Id>> {
    let mut out: HashMap<Id, Vec<Id>> = HashMap::default();
    let all = in_sections(parts, ids, headings);
    let mut look = |all: &mut dyn Iterator<Item = &(Id, Under<'_>)>| {
        let mut last: Option<(Id, Under<'_>)> = None;
        for (id, section) in all {
            let known = last.filter(|(_, other)| other == section).map(|(known, _)| known);
            out.entry(*id).or_default().extend(known);
            if of_other.contains(id) || last.is_some_and(|(_, other)| other != *section) {
                last = Some((*id, *section)).filter(|_| of_other.contains(id));
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
fn in_sections<'a>(parts: &[Part<'a>], ids: &[Id], headings: &HashSet<Id>) -> Vec<(Id, Under<'a>)> {
    let (mut above, mut out) = (Above::default(), Vec::new());
    for (part, id) in parts.iter().zip(ids) {
        match part.level.filter(|_| headings.contains(id)) {
            Some(level) => above.enter(level, part.body.trim_end()),
            None if part.is_entry() && !part.goes_on => out.push((*id, Under::of(&above))),
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
        let updates = updates(parts, ids);
        let of = |parts: &[Part<'a>], ids: &[Id]| {
            let titles = parts.iter().filter(|part| part.is_title()).map(|part| part.body.trim_end());
            let of_entries = in_sections(parts, ids, &headings).into_iter().map(|(id, under)| (id, under.title));
            let of_entries = of_entries.filter(|(id, _)| !updates.contains(id));
            Self { of_entries: of_entries.collect(), titles: titles.collect() }
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

    /// Whether it is below a title of the base, or one that says more than what the entries below it are about: a new title may be put
    /// above an entry that stays where it is.
    pub fn is_taken_along(&self, id: Id, base: &Self) -> bool {
        self.is_moved(id, base)
            && self.get(id).is_some_and(|new| new.is_empty() || base.titles.contains(new) || decides(new))
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
    /// The entries, each with its section, with our side of each conflict, and with theirs.
    found: [Vec<(Id, Under<'a>)>; 2],
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
            found: [Vec::new(), Vec::new()],
            seen: [HashSet::default(), HashSet::default()],
            twice: HashSet::default(),
            titles: HashSet::default(),
        }
    }

    /// All entries, each with its section.
    fn all(&self) -> Vec<(Id, Under<'a>)> {
        self.found.concat()
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
        let sides = self.above.iter().zip(&mut self.seen).zip(&mut self.found).zip(taken);
        for (((above, seen), found), _) in sides.filter(|(_, is_taken)| *is_taken) {
            found.push((id, Under::of(above)));
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
