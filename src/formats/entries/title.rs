//! Which headings are titles of sections, by the heading that comes next.

use super::{Builder, Open};
use crate::formats::legacy;
use crate::formats::legacy::rejected::is_rejected;
use crate::formats::markdown::{Mark, MarkKind};
use crate::formats::sem::header;
use crate::text::Span;

impl Builder<'_> {
    /// Whether a heading is the title of a section: its first content is the heading of an entry. Below a title that says that entries do
    /// not apply, a text may come first.
    pub(super) fn opens_section(&self, at: usize, upper: legacy::Heading, above: legacy::Above<'_>) -> bool {
        let says_rejected = || self.is_outside(upper) && is_rejected(upper.line.of(self.text).trim_matches(['#', ' ']));
        self.is_above_entry(at, upper, above, |_| says_rejected())
    }

    /// Whether a heading is the title of a section with a text of its own: the deeper heading of an entry follows it. A rule before that
    /// ends a document, whose last part this is.
    pub(super) fn is_above_text(&self, at: usize, upper: legacy::Heading) -> bool {
        let Open::Legacy { entry, .. } = &self.open else { return false };
        let above = legacy::Above::Legacy { entry, gap: legacy::Gap::Text, marks: self.marks };
        self.ends_entry(upper)
            && self.is_above_entry(at, upper, above, |between| !between.lines().any(|line| line.trim() == "---"))
    }

    /// Whether a title ends the entry above it, if there is one, by its level, and as nothing else does.
    fn ends_entry(&self, upper: legacy::Heading) -> bool {
        self.is_outside(upper) && legacy::stands_alone(self.text, upper.line)
    }

    /// Whether a heading is not deeper than the entry above it.
    fn is_outside(&self, upper: legacy::Heading) -> bool {
        !matches!(&self.open, Open::Legacy { entry, .. } if upper.level > entry.level)
    }

    /// Whether the next heading is that of an entry below this one, with no other text before it than it `may_have`.
    fn is_above_entry(
        &self,
        at: usize,
        upper: legacy::Heading,
        above: legacy::Above<'_>,
        may_have: impl Fn(&str) -> bool,
    ) -> bool {
        if matches!(self.open, Open::Sem { .. }) {
            return false;
        }
        let is_heading = |(_, mark): &(usize, &Mark)| matches!(mark.kind, MarkKind::Heading(_));
        let Some((next, mark)) = self.marks.iter().enumerate().skip(at + 1).find(is_heading) else { return false };
        let MarkKind::Heading(level) = mark.kind else { return false };
        let between = Span::new(upper.line.end(), mark.line.start()).of(self.text);
        let is_first = legacy::Gap::of(between) == legacy::Gap::Nothing;
        if !is_first && !may_have(between) {
            return false;
        }
        let below = Span::new(mark.next as usize, self.section_end(next));
        let lower = legacy::Heading { line: mark.line, level, below };
        // An empty `#### Context` is the last part of the entry above.
        let is_below = level > upper.level || is_first && !legacy::is_part_of(self.text, upper.line);
        let is_sem = || header::parse(self.text, mark.line, level, || self.sem_fields_below(next)).is_some();
        is_below && is_sem() || legacy::is_section(self.text, upper, lower, above)
    }
}
