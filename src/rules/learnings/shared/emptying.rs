//! How many lines of a file go with its entries, and what becomes of a section that loses its last one.

use crate::formats::learnings::Learnings;
use crate::text::{Span, lines};

/// What happens to a section with its last entry.
#[derive(Clone)]
pub(super) struct Emptying {
    entries: usize,
    /// So many lines go beside those of its entries.
    lines: u64,
    /// So many come.
    placeholders: u64,
}

impl Emptying {
    /// Whether no entry is left.
    pub(super) fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// With one entry less: how many lines are gone if `gone` were so far.
    pub(super) fn without_one(&mut self, gone: u64) -> u64 {
        self.entries = self.entries.saturating_sub(1);
        if self.entries == 0 { (gone + self.lines).saturating_sub(self.placeholders) } else { gone }
    }
}

/// What happens to each section with its last entry: a section of the team's own without other text goes, and any other one gets a
/// placeholder.
pub(super) fn left(text: &str, learnings: &Learnings) -> Vec<Emptying> {
    let mut entries = learnings.entries.iter().peekable();
    let mut left = Vec::with_capacity(learnings.sections.len());
    for section in &learnings.sections {
        while entries.next_if(|entry| entry.span.start < section.body.start).is_some() {}
        let (mut at, mut lines, mut held, mut is_blank) = (section.body.start(), 1, 0, true);
        let mut gap = |from: usize, to: usize| {
            let gap = Span::new(from, to);
            is_blank &= gap.of(text).trim().is_empty();
            lines += count(text, gap);
        };
        while let Some(entry) = entries.next_if(|entry| entry.span.end <= section.body.end) {
            gap(at, entry.span.start());
            at = entry.span.end();
            held += 1;
        }
        gap(at, section.body.end());
        let holds_none = section.span.end() == section.body.end();
        let goes = section.kind.is_none() && holds_none && is_blank && held > 0;
        if section.span.end() >= text.trim_end().len() {
            // At the end of the file, the blank lines above it go with it.
            let above = text.get(..section.span.start()).unwrap_or_default();
            lines += above.lines().rev().take_while(|line| line.trim().is_empty()).count() as u64;
        }
        left.push(Emptying { entries: held, lines: if goes { lines } else { 0 }, placeholders: u64::from(!goes) });
    }
    left
}

/// How many lines of a file go when entries are archived.
pub struct Gone {
    /// Those of the entries.
    pub of_entries: u64,
    /// With what becomes of the sections: one without entries goes as a whole, or gets a placeholder.
    pub all: u64,
}

/// How many lines go with the entries at these places.
pub fn lines_gone(text: &str, learnings: &Learnings, places: &[usize]) -> Gone {
    let mut left = left(text, learnings);
    let (mut of_entries, mut all) = (0, 0);
    for entry in places.iter().filter_map(|place| learnings.entries.get(*place)) {
        let own = count(text, entry.span);
        of_entries += own;
        all += own;
        if let Some(section) = entry.section.and_then(|place| left.get_mut(place)) {
            all = section.without_one(all);
        }
    }
    Gone { of_entries, all }
}

/// The lines of `span`.
pub(super) fn count(text: &str, span: Span) -> u64 {
    lines(text, span).count() as u64
}
