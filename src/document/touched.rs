//! What a change touched in a file: the findings about the rest are not its own.
//!
//! The unit is what a person would name: an entry, or in prose a section. It is touched when a changed line is in it and
//! the old file did not hold it just so: an entry that only moved, or is beside one that was deleted, is as it was.

use crate::diagnostic::Diagnostic;
use crate::text::Span;

/// The touched parts of one file, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    spans: Vec<Span>,
}

impl Touched {
    /// These parts, which are in order.
    pub(super) fn of(spans: Vec<Span>) -> Self {
        Self { spans }
    }

    /// The parts.
    #[cfg(test)]
    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Whether the change touched what is found. A finding about the whole file is about each of its lines.
    pub fn holds(&self, found: &Diagnostic) -> bool {
        found.span.is_none_or(|span| self.overlaps(span))
    }

    /// Whether the change touched one of the further places of `found` in the same file.
    pub fn holds_related(&self, found: &Diagnostic) -> bool {
        let here = found.related.iter().filter(|related| related.path.as_ref().is_none_or(|path| *path == found.path));
        here.map(|related| related.span).any(|span| self.overlaps(span))
    }

    /// Whether the change touched what is at `span`.
    pub fn overlaps(&self, span: Span) -> bool {
        let end = span.end.max(span.start.saturating_add(1));
        let first = self.spans.partition_point(|touched| touched.end <= span.start);
        self.spans.get(first).is_some_and(|touched| touched.start < end)
    }
}
