//! Entries that a merge would put into the section of other ones.

use foldhash::HashMap;

use super::identity::Id;
use super::parts::Part;
use super::piece::Piece;
use super::section::{level, sections};
use super::versions::Versions;

/// Whether an entry would be in a section in which no side has it: one side renamed the title above or below the place
/// where the other side added it. The title of the file is no section.
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
