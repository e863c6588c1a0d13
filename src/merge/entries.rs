//! Merges the entries of a file, and puts the text together.

use foldhash::{HashMap, HashSet};
use std::borrow::Cow;
use std::cell::LazyCell;

use super::arranged;
use super::by_lines::ByLines;
use super::fences;
use super::identity::{Id, identify};
use super::joined::{Joined, Way, Wrong};
use super::line_ends::LineEnds;
use super::lines;
use super::misplaced::{InSections, disputed_titles, is_misplaced, misplaced};
use super::moved::moved;
use super::once::once;
use super::order::{Facts, order};
use super::outcome::{Outcome, outcome, tail};
use super::parts::{self, Base, Part, PartKind};
use super::piece::{Piece, places_text};
use super::reread::{Reread, before_sections};
use super::section;
use super::tally::Tally;
use super::versions::{Markers, Versions};
use crate::dialects::FileKind;

/// Merges three texts of this kind. Returns the text and the number of conflicts in it.
///
/// # Errors
/// Why only a merge by lines is right.
pub fn merge(texts: Versions<&str>, kind: &FileKind, markers: &Markers<'_>) -> Result<(String, usize), ByLines> {
    let line_ends = LineEnds::of(texts);
    let unified = line_ends.unified();
    let unified = Versions { base: &*unified.base, ours: &*unified.ours, theirs: &*unified.theirs };
    let (text, conflicts) = match unified.trivial() {
        Some(text) => (text.to_owned(), 0),
        None => merge_lines(&unified, kind, markers)?,
    };
    Ok((line_ends.restored(text, conflicts), conflicts))
}

/// Merges texts in which each line ends with `\n`.
fn merge_lines(texts: &Versions<&str>, kind: &FileKind, markers: &Markers<'_>) -> Result<(String, usize), ByLines> {
    let (parts, ids, shortened) = read(texts, kind);
    let mut merging = Merging::of(&parts, &ids, &shortened, &HashSet::default(), None, markers);
    let mut tally = Tally::of(texts);
    let returned = tally.returned(&merging.text, markers);
    if !returned.is_empty() {
        merging = Merging::of(&parts, &ids, &shortened, &returned, None, markers);
    }
    let mut wrong = Wrong::default();
    let reread = Reread { kind, shortened: &shortened, is_of_lines: false };
    let mut ways = Way::ALL.into_iter();
    let mut failed = None;
    while merging.has_wrong(&mut tally, &parts, &ids, markers, &reread, &mut wrong) {
        let Some(joined) = ways.find_map(|way| Joined::around(&wrong, &parts, &ids, way)) else {
            failed = Some(if wrong.lines.is_empty() { ByLines::Swallowed } else { ByLines::Lost });
            break;
        };
        merging = Merging::of(&parts, &ids, &shortened, &returned, Some(&joined), markers);
    }
    if failed.is_some() || merging.conflicts > 0 {
        let (by_lines, conflicts) = lines::merge(texts.map(|text| text.as_bytes()), markers);
        let by_lines = String::from_utf8(by_lines).ok().filter(|_| conflicts == 0);
        // Where git has no conflict, and nothing is wrong, whichever side is ours, there is none.
        let swapped = Versions { base: texts.base, ours: texts.theirs, theirs: texts.ours };
        let is_right = |text: &String| [texts, &swapped].into_iter().all(|texts| is_right(text, texts, kind, markers));
        if let Some(text) = by_lines.filter(is_right) {
            return Ok((text, 0));
        }
    }
    match failed {
        Some(reason) => Err(reason),
        None => Ok((merging.text, merging.conflicts)),
    }
}

/// Whether a text that was merged by lines alone has all entries, each once, and as it should be.
fn is_right(text: &str, texts: &Versions<&str>, kind: &FileKind, markers: &Markers<'_>) -> bool {
    let (parts, ids, shortened) = read(texts, kind);
    let outcomes = outcomes(&parts, &ids, &HashSet::default(), markers);
    let entries: Vec<Piece> = outcomes.keys().copied().map(Piece::Entry).collect();
    let mut tally = Tally::of(texts);
    let reread = Reread { kind, shortened: &shortened, is_of_lines: true };
    tally.returned(text, markers).is_empty()
        && tally.wrong(&parts, &ids, text, markers).is_empty()
        && !is_misplaced(text, &parts, &ids, markers)
        && reread.torn(text, &outcomes, &entries, &HashSet::default()).is_empty()
}

/// The parts of three texts, identified, and the entries of which `memory` may read more.
fn read<'a>(texts: &Versions<&'a str>, kind: &FileKind) -> (Versions<Vec<Part<'a>>>, Versions<Vec<Id>>, HashSet<Id>) {
    let base = parts::read(texts.base, kind, &Base::default());
    let lines = Base::of(&base);
    let (ours, theirs) = (parts::read(texts.ours, kind, &lines), parts::read(texts.theirs, kind, &lines));
    let mut parts = Versions { base, ours, theirs };
    let mut ids = identify(&parts);
    let shortened = shorten(&mut parts, &ids);
    arranged::arrange(&mut parts, &mut ids);
    (parts, ids, shortened)
}

/// A merge of parts that are identified.
struct Merging<'a> {
    /// Where a section begins that `memory` reads as a part of the new entry before it.
    read_on: Versions<Vec<bool>>,
    outcomes: HashMap<Id, Outcome<'a>>,
    pieces: Vec<Piece>,
    text: String,
    conflicts: usize,
}

impl<'a> Merging<'a> {
    /// A merge in which what has one of the lines `returned`, and is no conflict by itself, is one.
    fn of(
        parts: &Versions<Vec<Part<'a>>>,
        ids: &Versions<Vec<Id>>,
        shortened: &HashSet<Id>,
        returned: &HashSet<&str>,
        joined: Option<&Joined>,
        markers: &Markers<'_>,
    ) -> Self {
        let outcomes = outcomes(parts, ids, returned, markers);
        let facts = facts(parts, ids, shortened, outcomes.keys().copied().collect());
        let mut disputed = lines_with(parts, ids, returned);
        disputed.extend(disputed_titles(parts, ids));
        let pieces = once(order(ids, parts, &facts, &disputed, joined), parts, ids);
        let (text, conflicts) = Text { parts, ids, outcomes: &outcomes, markers }.print(&pieces);
        Self { read_on: facts.read_on, outcomes, pieces, text, conflicts }
    }

    /// Adds what would be wrong to `wrong`, and says whether anything is.
    fn has_wrong<'t>(
        &self,
        tally: &mut Tally<'t>,
        parts: &Versions<Vec<Part<'a>>>,
        ids: &Versions<Vec<Id>>,
        markers: &Markers<'_>,
        reread: &Reread<'_>,
        wrong: &mut Wrong<'t>,
    ) -> bool {
        let mut entries = misplaced(&self.pieces, parts, ids, markers);
        if self.conflicts > 0 {
            entries.extend(fences::cut(&self.text, parts, ids, markers));
        } else {
            entries.extend(reread.torn(
                &self.text,
                &self.outcomes,
                &self.pieces,
                &before_sections(&self.pieces, parts, &self.read_on),
            ));
        }
        wrong.add(tally.wrong(parts, ids, &self.text, markers), entries)
    }
}

/// The lines between entries that are among `wanted`.
fn lines_with(parts: &Versions<Vec<Part<'_>>>, ids: &Versions<Vec<Id>>, wanted: &HashSet<&str>) -> HashSet<Id> {
    if wanted.is_empty() {
        return HashSet::default();
    }
    let both = parts.ours.iter().zip(&ids.ours).chain(parts.theirs.iter().zip(&ids.theirs));
    both.filter(|(part, _)| !part.is_entry() && wanted.contains(part.body.trim_end())).map(|(_, id)| *id).collect()
}

/// Shortens what `memory` reads as an entry where it takes more for its end: parts of the base behind an entry that a side put before
/// them, and a section that a side put behind an entry of the base, or that both sides have. The other side may change the lines there, or
/// add something before it. Returns these entries.
fn shorten(parts: &mut Versions<Vec<Part<'_>>>, ids: &Versions<Vec<Id>>) -> HashSet<Id> {
    let set = |ids: &[Id]| ids.iter().copied().collect::<HashSet<Id>>();
    let (of_base, of_ours, of_theirs) = (set(&ids.base), set(&ids.ours), set(&ids.theirs));
    // What the base has, and does not read as a part of an entry.
    let own = parts.base.iter().zip(&ids.base).filter(|(part, _)| !part.is_read_on);
    let own: HashSet<Id> = own.map(|(_, id)| *id).collect();
    let mut out = HashSet::default();
    for (parts, ids, of_other) in [(&mut parts.ours, &ids.ours, &of_theirs), (&mut parts.theirs, &ids.theirs, &of_ours)]
    {
        // The place of the entry that is read on, how long it is so far, and whether the base has it.
        let mut open: Option<(usize, usize, bool)> = None;
        let mut ends: Vec<(usize, usize)> = Vec::new();
        for (at, (part, id)) in parts.iter().zip(ids).enumerate() {
            let len = part.body.len() + part.tail.len();
            if !part.is_read_on {
                open = Some((at, len, of_base.contains(id))).filter(|_| !part.whole.is_empty());
                continue;
            }
            let Some((entry, behind, is_of_base)) = open else { continue };
            let is_of_others = match is_of_base {
                true => part.is_section() || own.contains(id),
                false => of_base.contains(id) || part.is_section() && of_other.contains(id),
            };
            if is_of_others {
                ends.push((entry, behind));
            }
            open = Some((entry, behind + len, is_of_base)).filter(|_| !is_of_others);
        }
        for (at, end) in ends {
            if let (Some(part), Some(id)) = (parts.get_mut(at), ids.get(at)) {
                part.whole = part.whole.get(..end).unwrap_or(part.whole).trim_end();
                out.insert(*id);
            }
        }
    }
    out
}

/// What becomes of each entry; those that are removed are not in it.
fn outcomes<'a>(
    parts: &Versions<Vec<Part<'a>>>,
    ids: &Versions<Vec<Id>>,
    returned: &HashSet<&str>,
    markers: &Markers<'_>,
) -> HashMap<Id, Outcome<'a>> {
    let mut found: HashMap<Id, Versions<Option<&Part<'a>>>> = HashMap::default();
    for (id, part) in ids.base.iter().zip(&parts.base).filter(|(_, part)| part.is_entry()) {
        found.entry(*id).or_default().base = Some(part);
    }
    for (id, part) in ids.ours.iter().zip(&parts.ours).filter(|(_, part)| part.is_entry()) {
        found.entry(*id).or_default().ours = Some(part);
    }
    for (id, part) in ids.theirs.iter().zip(&parts.theirs).filter(|(_, part)| part.is_entry()) {
        found.entry(*id).or_default().theirs = Some(part);
    }
    // Most merges need neither of them.
    let moved_by_us = LazyCell::new(|| moved(&ids.base, &ids.ours));
    let moved_by_them = LazyCell::new(|| moved(&ids.base, &ids.theirs));
    let sections = LazyCell::new(|| InSections::of(parts, ids));
    let is_disputed = |id: Id, versions: &Versions<Option<&Part<'a>>>| match *versions {
        Versions { base: Some(_), ours: Some(_), theirs: None } => {
            moved_by_us.contains(&id) || sections.ours.is_moved(id, &sections.base)
        }
        Versions { base: Some(_), ours: None, theirs: Some(_) } => {
            moved_by_them.contains(&id) || sections.theirs.is_moved(id, &sections.base)
        }
        _ => false,
    };
    let has_returned = |body: &str| !returned.is_empty() && body.lines().any(|line| returned.contains(line.trim_end()));
    let outcome = |(id, versions)| {
        let merged = outcome(&versions, is_disputed(id, &versions), markers)?;
        if has_returned(&merged.body) {
            return Some((id, outcome(&versions, true, markers)?));
        }
        Some((id, merged))
    };
    found.into_iter().filter_map(outcome).collect()
}

fn facts(
    parts: &Versions<Vec<Part<'_>>>,
    ids: &Versions<Vec<Id>>,
    shortened: &HashSet<Id>,
    kept: HashSet<Id>,
) -> Facts {
    let newest_first = is_newest_first(parts);
    let mut facts = Facts {
        moments: HashMap::default(),
        ranks: HashMap::default(),
        headings: HashSet::default(),
        sections: parts.map(|parts| section::begins(parts)),
        anchors: arranged::anchors(parts, ids),
        goes_on: parts.map(|parts| parts.iter().map(|part| part.goes_on).collect()),
        read_on: Versions {
            base: Vec::new(),
            ours: read_on(&parts.ours, &ids.ours, shortened),
            theirs: read_on(&parts.theirs, &ids.theirs, shortened),
        },
        parts_of_entries: HashSet::default(),
        kept,
        newest_first,
    };
    let lists = [(&parts.base, &ids.base, true), (&parts.theirs, &ids.theirs, false), (&parts.ours, &ids.ours, false)];
    for (parts, ids, is_base) in lists {
        for (part, id) in parts.iter().zip(ids) {
            if part.is_entry() {
                facts.moments.insert(*id, part.moment);
                facts.parts_of_entries.extend(Some(*id).filter(|_| part.goes_on));
                // An update after an older entry would be a part of it as well.
                facts.ranks.insert(*id, (part.kind.rank(), part.kind != PartKind::Update));
            }
        }
        // A heading that a side added with a text below it continues with what is above; one with entries below it begins a section.
        let mut is_section = true;
        for (part, id) in parts.iter().zip(ids).rev() {
            let is_heading = part.level.is_some();
            if is_heading && (is_section || is_base) {
                facts.headings.insert(*id);
            }
            is_section = part.kind.rank() > 0 || is_heading && is_section;
        }
    }
    facts
}

/// For each part of a side, whether it begins a section that `memory` reads as a part of the entry before it.
fn read_on(parts: &[Part<'_>], ids: &[Id], shortened: &HashSet<Id>) -> Vec<bool> {
    let mut is_whole = false;
    let is_read_on = |(part, id): (&Part<'_>, &Id)| {
        is_whole = if part.is_read_on { is_whole } else { !shortened.contains(id) };
        is_whole && part.is_read_on && part.is_section()
    };
    parts.iter().zip(ids).map(is_read_on).collect()
}

/// Whether dates go down more often than up, from an entry to the next.
fn is_newest_first(parts: &Versions<Vec<Part<'_>>>) -> bool {
    let (mut up, mut down) = (0usize, 0usize);
    for parts in parts.iter() {
        let moments: Vec<i64> = parts.iter().filter_map(|part| part.moment).collect();
        for (one, next) in moments.iter().zip(moments.iter().skip(1)) {
            up += usize::from(one < next);
            down += usize::from(one > next);
        }
    }
    down > up
}

/// What the merged text is made of.
struct Text<'t, 'a> {
    parts: &'t Versions<Vec<Part<'a>>>,
    ids: &'t Versions<Vec<Id>>,
    outcomes: &'t HashMap<Id, Outcome<'a>>,
    markers: &'t Markers<'t>,
}

/// A piece as text.
struct Printed<'t> {
    /// Its number and kind, if it is one part.
    part: Option<(Id, PartKind)>,
    body: Cow<'t, str>,
    tail: &'t str,
    /// Whether the rules of the tail are in the body.
    is_closed: bool,
}

impl Printed<'_> {
    /// What follows it: this tail, without the rules that the body has.
    fn end<'a>(&self, tail: &'a str) -> &'a str {
        if self.is_closed { blank_end(tail) } else { tail }
    }
}

/// The blank lines at the end of a tail, after its last rule.
fn blank_end(tail: &str) -> &str {
    tail.get(tail.trim_end().len()..).unwrap_or_default()
}

impl<'t, 'a: 't> Text<'t, 'a> {
    /// The text, and the number of conflicts in it.
    fn print(&self, pieces: &[Piece]) -> (String, usize) {
        let mut conflicts = 0;
        let printed: Vec<Printed<'t>> = pieces.iter().filter_map(|piece| self.piece(piece, &mut conflicts)).collect();
        let (pairs, gaps, end) = (self.pairs(), self.gaps(), self.end());
        let mut out = String::with_capacity(printed.iter().map(|piece| piece.body.len() + piece.tail.len()).sum());
        let mut rest = printed.iter().peekable();
        while let Some(piece) = rest.next() {
            out.push_str(&piece.body);
            match (piece.part, rest.peek().map(|next| next.part)) {
                (Some(_), None) if piece.tail.contains('\n') => {
                    out.push_str(piece.end(piece.tail).trim_end());
                    out.push_str(if end.is_empty() { "\n" } else { end });
                }
                (Some((id, kind)), Some(Some((next, next_kind)))) => {
                    if let Some(tails) = pairs.get(&(id, next)) {
                        // Behind an entry, what this very pair has between it; a line may occur more than once.
                        let is_entry = kind != PartKind::Line;
                        out.push_str(piece.end(if is_entry { tail(tails) } else { piece.tail }));
                        continue;
                    }
                    let is_list = kind == PartKind::Item && next_kind == PartKind::Item;
                    let usual = gaps.get(&is_list).copied().unwrap_or(if is_list { "\n" } else { "\n\n" });
                    let fits = !is_list && piece.tail.matches('\n').count() > 1;
                    let gap = piece.end(if fits { piece.tail } else { usual });
                    // What was the last entry of a file has no blank line after its rule.
                    let (rules, blank) = gap.split_at(gap.trim_end().len());
                    out.push_str(rules);
                    out.push_str(if blank.len() < blank_end(usual).len() { blank_end(usual) } else { blank });
                }
                _ => out.push_str(piece.end(piece.tail)),
            }
        }
        (out, conflicts)
    }

    /// Each part with the one after it, and what is between them.
    fn pairs(&self) -> HashMap<(Id, Id), Versions<Option<&'t str>>> {
        let mut found: HashMap<(Id, Id), Versions<Option<&'t str>>> = HashMap::default();
        let lists = [&self.ids.base, &self.ids.ours, &self.ids.theirs].into_iter().zip(self.parts.iter());
        for (version, (ids, parts)) in lists.enumerate() {
            for ((id, next), part) in ids.iter().zip(ids.iter().skip(1)).zip(parts) {
                let tails = found.entry((*id, *next)).or_default();
                if let Some(tail) = [&mut tails.base, &mut tails.ours, &mut tails.theirs].into_iter().nth(version) {
                    *tail = Some(part.tail);
                }
            }
        }
        found
    }

    /// The blank lines at the end of the file: these belong to the file, whichever entry is its last one.
    fn end(&self) -> &'t str {
        let blank = |parts: &Vec<Part<'a>>| {
            let tail = parts.last()?.tail;
            tail.get(tail.trim_end().len()..)
        };
        tail(&self.parts.map(blank))
    }

    /// What is most often between two items (`true`), and between two entries.
    fn gaps(&self) -> HashMap<bool, &'t str> {
        let mut counts: HashMap<(bool, &'t str), usize> = HashMap::default();
        for parts in self.parts.iter() {
            for (part, next) in parts.iter().zip(parts.iter().skip(1)) {
                if part.is_entry() && next.is_entry() {
                    let is_list = part.kind == PartKind::Item && next.kind == PartKind::Item;
                    // Without a blank line, an update would not end.
                    if is_list || part.tail.matches('\n').count() > 1 {
                        *counts.entry((is_list, part.tail)).or_default() += 1;
                    }
                }
            }
        }
        let mut best: Vec<_> = counts.into_iter().map(|((is_list, tail), count)| (count, tail, is_list)).collect();
        best.sort_unstable();
        best.into_iter().map(|(_, tail, is_list)| (is_list, tail)).collect()
    }

    fn piece(&self, piece: &Piece, conflicts: &mut usize) -> Option<Printed<'t>> {
        match piece {
            Piece::Entry(id) => {
                let outcome = self.outcomes.get(id)?;
                *conflicts += outcome.conflicts;
                let part = Some((*id, outcome.kind));
                let (body, is_closed) = (Cow::Borrowed(&*outcome.body), outcome.is_closed);
                Some(Printed { part, body, tail: outcome.tail, is_closed })
            }
            Piece::Line(id, places) => {
                let found = Versions {
                    base: places.base.and_then(|place| self.parts.base.get(place)),
                    ours: places.ours.and_then(|place| self.parts.ours.get(place)),
                    theirs: places.theirs.and_then(|place| self.parts.theirs.get(place)),
                };
                let part = found.ours.or(found.theirs).or(found.base)?;
                let tail = tail(&found.map(|part| part.map(|part| part.tail)));
                Some(Printed { part: Some((*id, part.kind)), body: Cow::Borrowed(part.body), tail, is_closed: false })
            }
            Piece::Lines(places) => {
                let texts = places_text(self.parts, places);
                let (merged, count) = lines::merge(texts.map(String::as_bytes), self.markers);
                *conflicts += count;
                Some(Printed {
                    part: None,
                    body: Cow::Owned(String::from_utf8(merged).ok()?),
                    tail: "",
                    is_closed: false,
                })
            }
            Piece::Disputed(places) => {
                let texts = places_text(self.parts, places);
                let merged = lines::conflict(texts.map(String::as_bytes), self.markers);
                *conflicts += 1;
                Some(Printed {
                    part: None,
                    body: Cow::Owned(String::from_utf8(merged).ok()?),
                    tail: "",
                    is_closed: false,
                })
            }
        }
    }
}
