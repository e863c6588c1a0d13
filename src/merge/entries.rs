//! Merges the entries of a file.

use foldhash::{HashMap, HashSet};
use std::cell::LazyCell;

use super::arranged;
use super::by_lines::ByLines;
use super::disputed::Conflicts;
use super::fences;
use super::identity::{Id, identify};
use super::joined::{Joined, Way, Wrong};
use super::line_ends::LineEnds;
use super::lines;
use super::misplaced::{InSections, disputed_titles, is_misplaced, misplaced};
use super::moved::moved;
use super::once::once;
use super::order::{Facts, order};
use super::outcome::{Outcome, outcome};
use super::parts::{self, Base, Part, PartKind};
use super::piece::Piece;
use super::print::Text;
use super::reread::{Reread, among_lines, before_sections};
use super::section;
use super::tally::{self, Tally};
use super::versions::{Markers, Versions};
use super::words::field;
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
    // With a conflict in which no more than an entry beside it is torn, if no wider one is better.
    let mut torn_beside: Option<Merging<'_>> = None;
    loop {
        let is_wrong = merging.has_wrong(&mut tally, &parts, &ids, markers, &reread, &mut wrong);
        let torn = if is_wrong { HashSet::default() } else { merging.torn_beside(&parts, &ids, markers, &reread) };
        if !is_wrong && torn.is_empty() {
            break;
        }
        wrong.entries.extend(torn);
        let Some(joined) = ways.find_map(|way| Joined::around(&wrong, &parts, &ids, way)) else {
            match torn_beside.take() {
                Some(torn) => merging = torn,
                None if is_wrong => {
                    failed = Some(if wrong.lines.is_empty() { ByLines::Swallowed } else { ByLines::Lost });
                }
                None => {}
            }
            break;
        };
        let next = Merging::of(&parts, &ids, &shortened, &returned, Some(&joined), markers);
        let last = std::mem::replace(&mut merging, next);
        torn_beside = torn_beside.or((!is_wrong).then_some(last));
    }
    if failed.is_some() || merging.conflicts > 0 {
        // Where git has no conflict, or smaller ones at the same places, and nothing is wrong, whichever side is ours, they are taken.
        let swapped = Versions { base: texts.base, ours: texts.theirs, theirs: texts.ours };
        let shown = merging.text.as_str();
        let most = if failed.is_some() { Conflicts::default() } else { Conflicts::of(shown, markers) };
        let [ours, theirs] = [texts, &swapped].map(|texts| by_lines(texts, &most, kind, markers));
        if let (Some(merged), Some(_)) = (ours, theirs) {
            return Ok(merged);
        }
    }
    match failed {
        Some(reason) => Err(reason),
        None => Ok((merging.text, merging.conflicts)),
    }
}

/// A merge by lines alone, if nothing in it is wrong, and it has no conflicts, or such as are in `most`, and smaller ones.
fn by_lines(
    texts: &Versions<&str>,
    most: &Conflicts<'_>,
    kind: &FileKind,
    markers: &Markers<'_>,
) -> Option<(String, usize)> {
    let (text, conflicts) = lines::merge(texts.map(|text| text.as_bytes()), markers);
    let text = String::from_utf8(text).ok()?;
    let is_smaller = || Conflicts::of(&text, markers).are_smaller_than(most);
    let is_taken = (conflicts == 0 || is_smaller()) && is_right(&text, conflicts, texts, kind, markers);
    is_taken.then_some((text, conflicts))
}

/// Whether a text that was merged by lines alone has all entries, each once, and as it should be. What is in its conflicts is for the
/// reader to decide.
fn is_right(text: &str, conflicts: usize, texts: &Versions<&str>, kind: &FileKind, markers: &Markers<'_>) -> bool {
    let (parts, ids, shortened) = read(texts, kind);
    let outcomes = outcomes(&parts, &ids, &HashSet::default(), Moves::OfLines, markers);
    let disputed = Conflicts::of(text, markers);
    let is_open = |outcome: &Outcome<'_>| conflicts > 0 && disputed.have_part_of(&outcome.body);
    let (open, settled): (Vec<Id>, Vec<Id>) = outcomes.keys().partition(|id| outcomes.get(id).is_some_and(is_open));
    let entries: Vec<Piece> = settled.into_iter().map(Piece::Entry).collect();
    let mut tally = Tally::of(texts);
    let reread = Reread { kind, shortened: &shortened, is_of_lines: true };
    let is_whole = |text: &str| reread.torn(text, &outcomes, &entries, &ids, &HashSet::default()).is_empty();
    // With one side of each conflict, each entry in them is as that side has it, or as it is merged.
    let are_taken = |text: &str, side: &[Part<'_>], ids: &[Id]| {
        let read = parts::read(text, kind, &Base::default());
        let found: HashSet<&str> = read.iter().map(|part| part.body).collect();
        let has = |(id, part): (&Id, &Part<'_>)| {
            found.contains(part.body) || outcomes.get(id).is_some_and(|outcome| found.contains(&*outcome.body))
        };
        let open: HashSet<Id> = open.iter().copied().collect();
        ids.iter().zip(side).filter(|(id, _)| open.contains(id)).all(has)
    };
    let is_right_beside = || {
        let [ours, theirs] = tally::taken(text, markers);
        is_whole(&ours)
            && is_whole(&theirs)
            && are_taken(&ours, &parts.ours, &ids.ours)
            && are_taken(&theirs, &parts.theirs, &ids.theirs)
            && fences::cut(text, &parts, &ids, markers).is_empty()
    };
    tally.returned(text, markers).is_empty()
        && tally.wrong(&parts, &ids, text, markers).is_empty()
        && !is_misplaced(text, &parts, &ids, markers)
        && if conflicts == 0 { is_whole(text) } else { is_right_beside() }
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
        let outcomes = outcomes(parts, ids, returned, Moves::All, markers);
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
                ids,
                &before_sections(&self.pieces, parts, &self.read_on),
            ));
        }
        wrong.add(tally.wrong(parts, ids, &self.text, markers), entries)
    }

    /// The entries beside its conflicts that are not read as they should be with one side of each conflict.
    fn torn_beside(
        &self,
        parts: &Versions<Vec<Part<'a>>>,
        ids: &Versions<Vec<Id>>,
        markers: &Markers<'_>,
        reread: &Reread<'_>,
    ) -> HashSet<Id> {
        if self.conflicts == 0 {
            return HashSet::default();
        }
        let disputed = Conflicts::of(&self.text, markers).into_lines();
        let is_beside = |outcome: &Outcome<'_>| {
            let mut lines = outcome.body.lines().map(str::trim_end);
            outcome.conflicts == 0 && !lines.any(|line| field(line).is_none() && disputed.contains(line))
        };
        let is_settled = |id: &Id| self.outcomes.get(id).is_some_and(is_beside);
        let in_lines = among_lines(&self.pieces, ids).into_iter().filter(is_settled);
        let entries = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Entry(id) => Some(*id).filter(is_settled),
            Piece::Line(..) | Piece::Lines(_) | Piece::Disputed(_) => None,
        });
        let settled: Vec<Piece> = entries.chain(in_lines).map(Piece::Entry).collect();
        let before_sections = before_sections(&self.pieces, parts, &self.read_on);
        let taken = tally::taken(&self.text, markers);
        taken.iter().flat_map(|text| reread.torn(text, &self.outcomes, &settled, ids, &before_sections)).collect()
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
/// them, a section that a side put behind an entry of the base, or that both sides have, and what is behind an entry of the base and
/// belongs to no entry in the other side. The other side may change the lines there, or add something before it. Returns these entries.
fn shorten(parts: &mut Versions<Vec<Part<'_>>>, ids: &Versions<Vec<Id>>) -> HashSet<Id> {
    let set = |ids: &[Id]| ids.iter().copied().collect::<HashSet<Id>>();
    let (of_base, of_ours, of_theirs) = (set(&ids.base), set(&ids.ours), set(&ids.theirs));
    // What a version has, and does not read as a part of an entry: a side may have put the first entry of a section below it.
    let own = |parts: &[Part<'_>], ids: &[Id]| -> HashSet<Id> {
        parts.iter().zip(ids).filter(|(part, _)| !part.is_read_on).map(|(_, id)| *id).collect()
    };
    let own = Versions {
        base: own(&parts.base, &ids.base),
        ours: own(&parts.ours, &ids.ours),
        theirs: own(&parts.theirs, &ids.theirs),
    };
    // What a side put behind an entry with another first line may have come with that.
    let first = |part: &Part<'_>| part.body.lines().next().unwrap_or_default().to_owned();
    let titles: HashSet<String> = parts.base.iter().filter(|part| !part.whole.is_empty()).map(first).collect();
    let mut out = HashSet::default();
    for (parts, ids, of_other, own_of_other) in
        [(&mut parts.ours, &ids.ours, &of_theirs, &own.theirs), (&mut parts.theirs, &ids.theirs, &of_ours, &own.ours)]
    {
        // The place of the entry that is read on, how long it is so far, and whether the base has it.
        let mut open: Option<(usize, usize, bool)> = None;
        let mut ends: Vec<(usize, usize)> = Vec::new();
        for (at, (part, id)) in parts.iter().zip(ids).enumerate() {
            let len = part.body.len() + part.tail.len();
            if !part.is_read_on {
                let is_of_base = || of_base.contains(id) && titles.contains(&first(part));
                open = (!part.whole.is_empty()).then(|| (at, len, is_of_base()));
                continue;
            }
            let Some((entry, behind, is_of_base)) = open else { continue };
            let is_of_others = match is_of_base {
                true => part.is_section() || own.base.contains(id) || own_of_other.contains(id),
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

/// What is a move of an entry to another section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moves {
    /// Also a new title above it.
    All,
    /// As git has it, which sees no more than a new title, unless that says more than what the entries below it are about.
    OfLines,
}

/// What becomes of each entry; those that are removed are not in it.
fn outcomes<'a>(
    parts: &Versions<Vec<Part<'a>>>,
    ids: &Versions<Vec<Id>>,
    returned: &HashSet<&str>,
    moves: Moves,
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
    let is_moved = |id: Id, side: &InSections<'_>, base: &InSections<'_>| match moves {
        Moves::All => side.is_moved(id, base),
        Moves::OfLines => side.is_taken_along(id, base),
    };
    let is_disputed = |id: Id, versions: &Versions<Option<&Part<'a>>>| match *versions {
        Versions { base: Some(_), ours: Some(_), theirs: None } => {
            moved_by_us.contains(&id) || is_moved(id, &sections.ours, &sections.base)
        }
        Versions { base: Some(_), ours: None, theirs: Some(_) } => {
            moved_by_them.contains(&id) || is_moved(id, &sections.theirs, &sections.base)
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
