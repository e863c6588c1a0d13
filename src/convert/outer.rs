//! The headings above an entry.

use crate::formats::legacy::LegacyEntry;
use crate::formats::markdown::{Mark, MarkKind};
use crate::text::Span;

/// The headings that a place in a text is under.
#[derive(Debug)]
pub(super) struct Outer<'a> {
    /// The marks that have not been passed.
    marks: &'a [Mark],
    /// The headings above, each of a lower level than the one before.
    open: Vec<(u8, Span)>,
}

impl<'a> Outer<'a> {
    pub(super) fn of(marks: &'a [Mark]) -> Self {
        Self { marks, open: Vec::new() }
    }

    /// The nearest heading of a higher level above `entry`, which is after those asked for before.
    pub(super) fn above(&mut self, entry: &LegacyEntry) -> Option<Span> {
        while let Some((mark, rest)) = self.marks.split_first()
            && mark.line.start() < entry.heading.start()
        {
            if let MarkKind::Heading(level) = mark.kind {
                self.open.retain(|(above, _)| *above < level);
                self.open.push((level, mark.line));
            }
            self.marks = rest;
        }
        self.open.iter().rfind(|(level, _)| *level < entry.level).map(|(_, line)| *line)
    }
}
