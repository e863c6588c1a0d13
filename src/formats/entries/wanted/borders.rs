//! Where the parts of a text begin, and which of them have what is asked for.

use memchr::memchr_iter;
use memchr::memmem::{Finder, FinderRev};

use super::question::Wanted;
use crate::formats::markdown::{Shut, is_free_heading};
use crate::formats::sem::{Header, header};
use crate::text::{Span, line_end};

/// The places of what is asked for, each of which is looked for once.
pub(super) struct Places<'a> {
    text: &'a str,
    wanted: &'a dyn Wanted,
    next: Option<usize>,
}

impl<'a> Places<'a> {
    pub(super) fn of(text: &'a str, wanted: &'a dyn Wanted) -> Self {
        Self { text, wanted, next: wanted.next(text, 0) }
    }

    /// The first of them from `at` on, which is not before the one that was asked for last.
    pub(super) fn next(&mut self, at: usize) -> Option<usize> {
        if self.next.is_some_and(|next| next < at) {
            self.next = self.wanted.next(self.text, at);
        }
        self.next
    }
}

/// Where the parts of a text begin.
pub(super) struct Borders<'a> {
    text: &'a str,
    shut: Shut,
    forward: Finder<'static>,
    backward: FinderRev<'static>,
}

/// A heading after a blank line.
const HEADING: &str = "\n\n#";

impl<'a> Borders<'a> {
    pub(super) fn of(text: &'a str) -> Option<Self> {
        let shut = Shut::of(text)?;
        Some(Self { text, shut, forward: Finder::new(HEADING), backward: FinderRev::new(HEADING) })
    }

    /// The header at `start`, if a part begins there.
    fn header(&self, start: usize) -> Option<Header> {
        let bytes = self.text.as_bytes();
        if !is_free_heading(bytes, start) || self.shut.holds(start) {
            return None;
        }
        let line = Span::new(start, line_end(bytes, start).0);
        let level = line.of(self.text).bytes().take_while(|&byte| byte == b'#').count();
        header::parse(self.text, line, u8::try_from(level).ok()?, || false)
    }

    /// The parts that are `wanted`, those that follow each other as one, from that of the `first` of the `places` on.
    pub(super) fn hits<'b>(
        &'b self,
        mut places: Places<'b>,
        first: usize,
        wanted: &'b dyn Wanted,
    ) -> impl Iterator<Item = Span> + use<'a, 'b> {
        let mut next = Some(first);
        std::iter::from_fn(move || {
            loop {
                let hit = next?;
                let (start, mut end) = (self.before(hit), self.after(hit));
                next = places.next(end);
                if !self.can_be_in(start, end, wanted) {
                    continue;
                }
                while let Some(hit) = next {
                    let behind = self.after(hit);
                    if self.before(hit) != end || !self.can_be_in(end, behind, wanted) {
                        break;
                    }
                    end = behind;
                    next = places.next(end);
                }
                return Some(Span::new(start, end));
            }
        })
    }

    /// The same borders of the text up to the last one after its start; `None` if there is none.
    pub(super) fn up_to_last(self) -> Option<Self> {
        let mut end = self.text.len();
        while let Some(found) = self.text.as_bytes().get(..end).and_then(|part| self.backward.rfind(part)) {
            let start = found + 2;
            // The line may go on after the text.
            let is_whole = || line_end(self.text.as_bytes(), start).0 < self.text.len();
            if is_whole() && self.header(start).is_some() {
                return Some(Self { text: self.text.get(..start)?, ..self });
            }
            end = start;
        }
        None
    }

    /// Whether most parts of the text are `wanted`: then all of it is parsed sooner than they are found.
    fn are_mostly(&self, wanted: &dyn Wanted) -> bool {
        let mut places = Places::of(self.text, wanted);
        let (mut start, mut hits, mut all) = (0, 0, 0);
        while start < self.text.len() {
            let end = self.after(start);
            let is_hit = places.next(start).is_some_and(|hit| hit < end) && self.can_be_in(start, end, wanted);
            (start, hits, all) = (end, hits + usize::from(is_hit), all + 1);
        }
        all >= FEW && hits * 2 > all
    }

    /// The text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// The start of the part that `at` is in.
    fn before(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        // A hit may be in the header itself.
        let mut end = bytes.len().min(at + 1);
        while let Some(found) = bytes.get(..end).and_then(|part| self.backward.rfind(part)) {
            if self.header(found + 2).is_some() {
                return found + 2;
            }
            end = found + 2;
        }
        0
    }

    /// The end of the part that `at` is in.
    pub(super) fn after(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        // The first byte of a header is in its part.
        let mut from = at.saturating_sub(1);
        while let Some(found) = bytes.get(from..).and_then(|part| self.forward.find(part)) {
            let start = from + found + 2;
            if start > at && self.header(start).is_some() {
                return start;
            }
            from = start - 1;
        }
        bytes.len()
    }

    /// The parts of the text from `start` to `end`, which begin and end parts, that have headings under which entries of other parts
    /// may be.
    pub(super) fn with_sections(&self, start: usize, end: usize) -> impl Iterator<Item = Span> {
        let mut at = start;
        std::iter::from_fn(move || {
            let bytes = self.text.as_bytes();
            let high = |at: usize| -> Option<usize> {
                let mut signs = memchr_iter(b'#', bytes.get(at..end)?).map(|found| at + found);
                signs.find(|found| is_high(bytes, *found) && !self.shut.holds(*found))
            };
            let found = high(at)?;
            let part = Span::new(self.before(found).max(start), self.after(found).min(end));
            at = part.end();
            Some(part)
        })
    }

    /// Whether what is asked for can be in this part. One with more headings than its header may have more entries.
    pub(super) fn can_be_in(&self, start: usize, end: usize, wanted: &dyn Wanted) -> bool {
        let part = self.text.get(start..end).unwrap_or_default();
        self.single(start, end).is_none_or(|header| wanted.is_in(&header, part))
    }

    /// The header of the only entry in this part: no other line in it looks like a heading.
    pub(super) fn single(&self, start: usize, end: usize) -> Option<Header> {
        let header = self.header(start)?;
        let behind = self.text.as_bytes().get(header.line.end()..end).unwrap_or_default();
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
        let starts_line =
            |at: usize| behind.get(..at).and_then(|before| before.iter().rev().find(|byte| !is_blank(byte)));
        let has_more = memchr_iter(b'#', behind).any(|at| starts_line(at) == Some(&b'\n'));
        (!has_more).then_some(header)
    }
}

/// Whether most parts of a long text are `wanted`, as those at its start tell.
pub(super) fn are_mostly(text: &str, wanted: &dyn Wanted) -> bool {
    let start = (0..=SAMPLE.min(text.len())).rev().find_map(|end| text.get(..end));
    start.and_then(Borders::of).is_some_and(|borders| borders.are_mostly(wanted))
}

/// So many bytes tell what is in the others.
const SAMPLE: usize = 32 << 10;

/// Fewer parts tell nothing.
const FEW: usize = 16;

/// The level of the headers of SEM entries.
pub(super) const LEVEL: u8 = 3;

/// Whether the `#` at `at` may begin a heading above those of SEM entries.
fn is_high(bytes: &[u8], at: usize) -> bool {
    let signs = bytes.get(at..).unwrap_or_default().iter().take(LEVEL.into());
    let count = signs.take_while(|byte| **byte == b'#').count();
    let before = bytes.get(..at).unwrap_or_default();
    let before = before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
    count < LEVEL.into() && matches!(before, None | Some(b'\n' | 0xBF))
}
