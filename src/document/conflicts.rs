//! The conflicts that a merge left in a file, and what lies in them.

use super::Document;
use crate::formats::markdown::MarkKind;
use crate::text::conflict::{self, Conflict};
use crate::text::{Span, lines};

impl Document {
    /// The conflicts that a merge left outside of code fences, in their order. None overlaps the next one. A first marker without the
    /// name of a side may be an arrow that someone drew.
    pub fn conflicts(&self) -> &[Conflict] {
        self.conflicts.get_or_init(|| {
            let marks = &self.entries.outline.marks;
            let is_marker = |conflict: &Conflict| {
                let at = marks.partition_point(|mark| mark.line.start < conflict.start.start);
                let mark = marks.get(at).filter(|mark| mark.line.start == conflict.start.start);
                mark.is_some_and(|mark| matches!(mark.kind, MarkKind::Conflict(_))) && conflict.start.len() > 8
            };
            conflict::all(self.text().as_bytes()).filter(is_marker).collect()
        })
    }

    /// Whether a line of `span` that says something lies between the markers of a conflict. The markers may be its last lines: these
    /// are of the conflict after it, or of the one that it is the end of.
    pub fn is_in_conflict(&self, span: Span) -> bool {
        let conflicts = self.conflicts();
        let first = conflicts.partition_point(|conflict| conflict.end.start() <= span.start());
        let near = conflicts.iter().skip(first).take_while(|conflict| conflict.start.start() < span.end());
        near.into_iter().any(|conflict| {
            let start = conflict.start.end().max(span.start());
            let inside = Span::new(start, conflict.end.start().min(span.end()).max(start));
            lines(self.text(), inside).any(|line| {
                let words = line.of(self.text());
                !words.trim().is_empty() && !conflict::is_marker(words.as_bytes())
            })
        })
    }
}
