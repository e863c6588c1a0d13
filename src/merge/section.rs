//! The sections that parts are in: equal items of two sections are two items.

use super::parts::Part;
use crate::formats::legacy::rejected::is_rejected;

/// The headings above a place, each of a lower level than the next, and whether it or one above it says that entries do not apply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Above<'a>(Vec<(u8, &'a str, bool)>);

impl<'a> Above<'a> {
    /// Goes below a heading of this level.
    pub fn enter(&mut self, level: u8, heading: &'a str) {
        self.leave(level);
        let is_rejected = self.is_rejected() || is_rejected(heading.trim_matches(['#', ' ']));
        self.0.push((level, heading, is_rejected));
    }

    fn leave(&mut self, level: u8) {
        self.0.retain(|(other, ..)| *other < level);
    }

    /// The nearest heading; empty before the first one.
    pub fn nearest(&self) -> &'a str {
        self.0.last().map_or("", |(_, heading, _)| *heading)
    }

    /// Whether a heading says that the entries below it do not apply.
    pub fn is_rejected(&self) -> bool {
        self.0.last().is_some_and(|(.., is_rejected)| *is_rejected)
    }
}

/// For each part, the heading of the section that it is in, which for a heading is that above it; empty before the first one.
pub fn sections<'a>(parts: &[Part<'a>]) -> Vec<&'a str> {
    let mut above = Above::default();
    let section = |part: &Part<'a>| {
        let Some(level) = part.level else { return above.nearest() };
        above.leave(level);
        let section = above.nearest();
        above.enter(level, part.body.trim_end());
        section
    };
    parts.iter().map(section).collect()
}

/// For each part, whether a section begins with it: it is a heading, and neither the title of the file nor a part of an entry.
pub fn begins(parts: &[Part<'_>]) -> Vec<bool> {
    let mut is_top = true;
    let begins = |part: &Part<'_>| {
        let begins = part.is_section() && part.level.is_some_and(|level| level > 1 || !is_top);
        is_top &= !begins && !part.is_entry();
        begins
    };
    parts.iter().map(begins).collect()
}
