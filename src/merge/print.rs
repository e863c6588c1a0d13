//! Puts the text of a merged file together.

use foldhash::HashMap;
use std::borrow::Cow;

use super::identity::Id;
use super::lines;
use super::outcome::{Outcome, tail};
use super::parts::{Part, PartKind};
use super::piece::{Piece, places_text};
use super::versions::{Markers, Versions};

/// What the merged text is made of.
pub struct Text<'t, 'a> {
    pub parts: &'t Versions<Vec<Part<'a>>>,
    pub ids: &'t Versions<Vec<Id>>,
    pub outcomes: &'t HashMap<Id, Outcome<'a>>,
    pub markers: &'t Markers<'t>,
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
    pub fn print(&self, pieces: &[Piece]) -> (String, usize) {
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
                // What is left between parts that moved away can be the same on both sides, or nothing.
                let merged = if texts.ours == texts.theirs {
                    texts.ours.into_bytes()
                } else {
                    *conflicts += 1;
                    lines::conflict(texts.map(String::as_bytes), self.markers)
                };
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
