//! The sections that parts are in: equal items of two sections are two items.

use super::parts::{Part, PartKind};

/// For each part, the heading of the section that it is in, which for a heading is that above it; empty before the first one.
pub fn sections<'a>(parts: &[Part<'a>]) -> Vec<&'a str> {
    // The headings above, each of a lower level than the next.
    let mut above: Vec<(usize, &'a str)> = Vec::new();
    let section = |part: &Part<'a>| {
        let level = level(part);
        if let Some(level) = level {
            above.retain(|(other, _)| *other < level);
        }
        let section = above.last().map_or("", |(_, title)| *title);
        above.extend(level.map(|level| (level, part.body.trim_end())));
        section
    };
    parts.iter().map(section).collect()
}

/// The level of a line that is a heading.
pub fn level(part: &Part<'_>) -> Option<usize> {
    let hashes = part.body.bytes().take_while(|byte| *byte == b'#').count();
    Some(hashes).filter(|hashes| part.kind == PartKind::Line && (1..=6).contains(hashes))
}
