//! The sections that parts are in: equal items of two sections are two items.

use foldhash::HashMap;

use super::identity::Id;
use super::parts::{Part, PartKind};
use super::piece::Piece;
use super::versions::Versions;

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

/// Whether an entry would be in a section in which no side has it: one side renamed the title below which the other one added it, or
/// the title behind it. The title of the file is no section.
pub fn leaves_its_section(pieces: &[Piece], parts: &Versions<Vec<Part<'_>>>, ids: &Versions<Vec<Id>>) -> bool {
    let mut of_sides: HashMap<Id, Vec<&str>> = HashMap::default();
    for (parts, ids) in [(&parts.ours, &ids.ours), (&parts.theirs, &ids.theirs)] {
        for ((id, part), section) in ids.iter().zip(parts).zip(sections(parts)) {
            if part.is_entry() {
                of_sides.entry(*id).or_default().push(below_title(section));
            }
        }
    }
    // `None` behind lines that were merged as lines: these may have any heading.
    let mut above: Option<Vec<(usize, &str)>> = Some(Vec::new());
    for piece in pieces {
        match piece {
            Piece::Lines(_) | Piece::Disputed(_) => above = None,
            Piece::Line(_, places) => {
                let ours = places.ours.and_then(|place| parts.ours.get(place));
                let theirs = || places.theirs.and_then(|place| parts.theirs.get(place));
                let part = ours.or_else(theirs).or_else(|| places.base.and_then(|place| parts.base.get(place)));
                if let Some((part, level)) = part.and_then(|part| Some((part, level(part)?))) {
                    let open = above.get_or_insert_default();
                    open.retain(|(other, _)| *other < level);
                    open.push((level, part.body.trim_end()));
                }
            }
            Piece::Entry(id) => {
                let Some(open) = &above else { continue };
                let section = below_title(open.last().map_or("", |(_, title)| *title));
                if of_sides.get(id).is_some_and(|sides| !sides.contains(&section)) {
                    return true;
                }
            }
        }
    }
    false
}

/// `section`, unless it is the title of the file.
fn below_title(section: &str) -> &str {
    if section.starts_with("# ") { "" } else { section }
}
