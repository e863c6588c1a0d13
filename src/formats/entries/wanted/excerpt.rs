//! The parts of a file that are asked for, put together while it is read: most of a long file is never in memory.

use memchr::memchr_iter;

use super::borders::{Borders, Places, are_mostly};
use super::question::Wanted;
use crate::formats::markdown::{find_rare, front_matter};
use crate::text::{Gap, Span};

/// The parts of a text that are asked for, and where others are left out.
#[derive(Debug, Default)]
pub struct Excerpt {
    /// The parts, each of which ends before the header of an entry, or with the text.
    pub text: String,
    /// Where something is left out.
    pub gaps: Vec<Gap>,
}

/// Makes an excerpt of a text that comes in blocks.
pub struct Excerpts<'w> {
    wanted: &'w dyn Wanted,
    made: Excerpt,
    /// The lines that are left out up to here.
    left_out: usize,
}

/// Begins a conflict, whose end may be far away.
const CONFLICT: &[u8] = b"<<<<<<<";

impl<'w> Excerpts<'w> {
    /// Of what is `wanted`.
    pub fn new(wanted: &'w dyn Wanted) -> Self {
        Self { wanted, made: Excerpt::default(), left_out: 0 }
    }

    /// Takes the next part of the text from the start of `text`, which is the `last` of it or continues after it, and returns its length in
    /// bytes: that of all of the last one, else 0 where it needs more. `None` if only the whole text tells what is in it.
    pub fn take(&mut self, text: &str, is_last: bool) -> Option<usize> {
        let is_first = self.made.text.is_empty() && self.left_out == 0;
        if find_rare(text.as_bytes(), CONFLICT).is_some() || is_first && are_mostly(text, self.wanted) {
            return None;
        }
        // Where it ends is not known yet: what looks like an entry may be in it.
        let begins_front_matter = is_first && text.trim_start_matches('\u{feff}').starts_with("---");
        if begins_front_matter && !is_last && front_matter(text).is_none() {
            return None;
        }
        let borders = Borders::of(text)?;
        let borders = match is_last {
            true => borders,
            false => match borders.up_to_last() {
                Some(borders) => borders,
                None => return Some(0),
            },
        };
        let text = borders.text();
        let mut places = Places::of(text, self.wanted);
        let mut taken = 0;
        if let Some(first) = places.next(0) {
            for hit in borders.hits(places, first, self.wanted) {
                for part in borders.with_sections(taken, hit.start()) {
                    taken = self.keep(text, taken, part);
                }
                taken = self.keep(text, taken, hit);
            }
        }
        for part in borders.with_sections(taken, text.len()) {
            taken = self.keep(text, taken, part);
        }
        self.leave_out(text.get(taken..)?);
        Some(text.len())
    }

    /// Leaves out what is between `taken` and `part`, and keeps the part. Returns its end.
    fn keep(&mut self, text: &str, taken: usize, part: Span) -> usize {
        self.leave_out(text.get(taken..part.start()).unwrap_or_default());
        if self.made.gaps.last().map_or(0, |gap| gap.lines) < self.left_out {
            self.made.gaps.push(Gap { at: self.made.text.len(), lines: self.left_out });
        }
        self.made.text.push_str(part.of(text));
        part.end()
    }

    fn leave_out(&mut self, text: &str) {
        self.left_out += memchr_iter(b'\n', text.as_bytes()).count();
    }

    /// The excerpt.
    pub fn finish(self) -> Excerpt {
        self.made
    }
}
