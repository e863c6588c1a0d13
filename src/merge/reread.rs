//! Reads a merged text again: an entry may take the heading or the end of another one for a part of itself.

use foldhash::{HashMap, HashSet};

use super::identity::Id;
use super::outcome::Outcome;
use super::parts::{self, Base, Part, PartKind};
use super::piece::Piece;
use crate::dialects::FileKind;

/// What a merged text is read with.
pub struct Reread<'a> {
    /// The kind of the file.
    pub kind: &'a FileKind,
    /// The entries that a side put before parts of the base.
    pub before_base: &'a HashSet<Id>,
}

impl Reread<'_> {
    /// The entries that are not read as often as they should be, or, where at most one side changed all that `memory` reads as the
    /// entry, not as that side has them.
    pub fn torn(&self, text: &str, outcomes: &HashMap<Id, Outcome<'_>>, pieces: &[Piece]) -> HashSet<Id> {
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
        let mut torn: HashSet<Id> = self.not_whole(&parts, entries());
        if counts.values().any(|count| *count < 0) {
            let lacking = entries().filter(|(_, outcome)| counted(outcome.kind) && is_lacking(outcome));
            torn.extend(lacking.map(|(id, _)| id));
        }
        torn
    }

    /// The entries that are not read as a whole.
    fn not_whole<'o>(&self, parts: &[Part<'_>], entries: impl Iterator<Item = (Id, &'o Outcome<'o>)>) -> HashSet<Id> {
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
        missing.retain(|(id, whole)| {
            let wanted = said(whole);
            let is_whole = |lines: &Vec<&str>| {
                lines.starts_with(&wanted) && (lines.len() == wanted.len() || self.before_base.contains(id))
            };
            let same = left.get_mut(&wanted.first().copied());
            same.is_none_or(|same| same.iter().position(is_whole).map(|at| same.swap_remove(at)).is_none())
        });
        missing.into_iter().map(|(id, _)| id).collect()
    }
}

fn first(body: &str) -> &str {
    body.lines().next().unwrap_or_default()
}

/// The lines of an entry: the blank lines and rules in it may be others.
fn said(whole: &str) -> Vec<&str> {
    whole.lines().map(str::trim_end).filter(|line| !matches!(*line, "" | "---")).collect()
}
