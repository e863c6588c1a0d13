//! Reads a merged text again: an entry may take the heading or the end of another one for a part of itself.

use std::ops::Range;

use foldhash::{HashMap, HashSet};

use super::identity::Id;
use super::outcome::Outcome;
use super::parts::{self, Base, Part, PartKind, is_update};
use super::piece::Piece;
use super::versions::Versions;
use crate::dialects::FileKind;
use crate::formats::legacy;
use crate::text::Span;

/// What a merged text is read with.
pub struct Reread<'a> {
    /// The kind of the file.
    pub kind: &'a FileKind,
    /// The entries that readers may take more for.
    pub shortened: &'a HashSet<Id>,
    /// Whether lines alone were merged: then a title of a section is where git has it, also if readers take it for the end of an entry.
    pub is_of_lines: bool,
}

impl Reread<'_> {
    /// The entries that are not read as often as they should be, or, where at most one side changed all that `memory` reads as the
    /// entry, not as that side has them.
    pub fn torn(
        &self,
        text: &str,
        outcomes: &HashMap<Id, Outcome<'_>>,
        pieces: &[Piece],
        ids: &Versions<Vec<Id>>,
        before_sections: &HashSet<Id>,
    ) -> HashSet<Id> {
        let parts = parts::read(text, self.kind, &Base::default());
        // The items of prose may be after a section now, as the prose is.
        let has_sections = parts::has_sections(self.kind);
        let counted = |kind: PartKind| kind != PartKind::Line && !(kind == PartKind::Item && has_sections);
        let mut counts: HashMap<&str, i64> = HashMap::default();
        for part in parts.iter().filter(|part| counted(part.kind)) {
            *counts.entry(first(part.body)).or_default() += 1;
        }
        let entries = || {
            pieces.iter().filter_map(|piece| match piece {
                Piece::Entry(id) => outcomes.get(id).map(|outcome| (*id, outcome)),
                Piece::Line(..) | Piece::Lines(_) | Piece::Disputed(_) => None,
            })
        };
        for (_, outcome) in entries().filter(|(_, outcome)| counted(outcome.kind)) {
            *counts.entry(first(&outcome.body)).or_default() -= 1;
        }
        let is_lacking = |outcome: &Outcome<'_>| counts.get(first(&outcome.body)).is_some_and(|count| *count < 0);
        // The entries among lines that were merged by lines may run into each other as well.
        let among_lines = among_lines(pieces, ids);
        let in_lines = among_lines.iter().filter_map(|id| outcomes.get(id).map(|outcome| (*id, outcome)));
        let mut torn: HashSet<Id> = self.not_whole(&parts, entries().chain(in_lines), before_sections);
        if counts.values().any(|count| *count < 0) {
            let lacking = entries().filter(|(_, outcome)| counted(outcome.kind) && is_lacking(outcome));
            torn.extend(lacking.map(|(id, _)| id));
        }
        torn
    }

    /// The entries that are not read as a whole.
    fn not_whole<'o>(
        &self,
        parts: &[Part<'_>],
        entries: impl Iterator<Item = (Id, &'o Outcome<'o>)>,
        before_sections: &HashSet<Id>,
    ) -> HashSet<Id> {
        let mut found: HashMap<&str, usize> = HashMap::default();
        for part in parts.iter().filter(|part| !part.whole.is_empty()) {
            *found.entry(part.whole).or_default() += 1;
        }
        let mut missing = Vec::new();
        for (id, whole) in entries.filter_map(|(id, outcome)| Some((id, outcome.whole?))) {
            match found.get_mut(whole).filter(|count| **count > 0) {
                Some(count) => *count -= 1,
                None => missing.push((id, whole)),
            }
        }
        if missing.is_empty() {
            return HashSet::default();
        }
        let left = found.into_iter().flat_map(|(whole, count)| std::iter::repeat_n(said(whole), count));
        let mut left: HashMap<Option<&str>, Vec<Vec<&str>>> = left.fold(HashMap::default(), |mut left, lines| {
            left.entry(lines.first().copied()).or_default().push(lines);
            left
        });
        let is_read_on = |id: &Id, line: Option<&&str>| {
            self.shortened.contains(id)
                || before_sections.contains(id)
                || self.is_of_lines && line.is_some_and(|line| is_title(line))
        };
        missing.retain(|(id, whole)| {
            let wanted = said(whole);
            // Updates are for the whole team: the entry that they were behind may be gone.
            let is_of_team =
                |behind: Option<&[&str]>| behind.is_some_and(|lines| lines.iter().all(|line| is_update(line)));
            let is_whole = |lines: &Vec<&str>| {
                let (behind, next) = (lines.get(wanted.len()..), lines.get(wanted.len()));
                lines.starts_with(&wanted) && (is_of_team(behind) || is_read_on(id, next))
            };
            let same = left.get_mut(&wanted.first().copied());
            same.is_none_or(|same| same.iter().position(is_whole).map(|at| same.swap_remove(at)).is_none())
        });
        missing.into_iter().map(|(id, _)| id).collect()
    }
}

/// What both sides have among the lines of `pieces`.
pub fn among_lines(pieces: &[Piece], ids: &Versions<Vec<Id>>) -> HashSet<Id> {
    let of = |ids: &[Id], places: &Range<usize>| ids.get(places.clone()).unwrap_or_default().to_vec();
    let lines = pieces.iter().filter_map(|piece| match piece {
        Piece::Lines(places) => Some([of(&ids.ours, &places.ours), of(&ids.theirs, &places.theirs)].concat()),
        Piece::Entry(_) | Piece::Line(..) | Piece::Disputed(_) => None,
    });
    lines.flatten().collect()
}

/// The entries right before a section that `memory` reads as a part of what is before it: in the side it does so as well, and the entry
/// there is older than the section. `of_new` says which sections are behind new entries.
pub fn before_sections(pieces: &[Piece], parts: &Versions<Vec<Part<'_>>>, of_new: &Versions<Vec<bool>>) -> HashSet<Id> {
    let is_read_on = |parts: &[Part<'_>], of_new: &[bool], place: Option<usize>| {
        let part = place.and_then(|place| parts.get(place));
        part.is_some_and(|part| part.is_read_on && part.is_section())
            && place.and_then(|place| of_new.get(place)) == Some(&false)
    };
    let pairs = pieces.iter().zip(pieces.iter().skip(1));
    let before = pairs.filter_map(|(piece, next)| match (piece, next) {
        (Piece::Entry(id), Piece::Line(_, at))
            if is_read_on(&parts.ours, &of_new.ours, at.ours)
                || is_read_on(&parts.theirs, &of_new.theirs, at.theirs) =>
        {
            Some(*id)
        }
        _ => None,
    });
    before.collect()
}

/// Whether a line is a title of the first two levels that documents do not have for their parts.
fn is_title(line: &str) -> bool {
    let is_heading = line.starts_with("# ") || line.starts_with("## ");
    is_heading && !legacy::is_part_of(line, Span::new(0, line.len()))
}

fn first(body: &str) -> &str {
    body.lines().next().unwrap_or_default()
}

/// The lines of an entry: the blank lines and rules in it may be others.
fn said(whole: &str) -> Vec<&str> {
    whole.lines().map(str::trim_end).filter(|line| !matches!(*line, "" | "---")).collect()
}
