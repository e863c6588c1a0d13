//! Entries that a merge would put into the section of other ones.

use foldhash::{HashMap, HashSet};

use super::identity::Id;
use super::parts::Part;
use super::piece::Piece;
use super::section::{level, sections};
use super::versions::Versions;

/// The entries that would be in a section in which no side has them, nor what they are beside: one side renamed the title above or
/// below the place where the other side added them. The title of the file is no section.
pub fn misplaced(pieces: &[Piece], parts: &Versions<Vec<Part<'_>>>, ids: &Versions<Vec<Id>>) -> HashSet<Id> {
    let mut of_sides: HashMap<Id, Vec<&str>> = HashMap::default();
    for (parts, ids) in [(&parts.ours, &ids.ours), (&parts.theirs, &ids.theirs)] {
        for ((id, part), section) in ids.iter().zip(parts).zip(sections(parts)) {
            if part.is_entry() {
                of_sides.entry(*id).or_default().push(below_title(section));
            }
        }
    }
    let found = in_merged(pieces, parts);
    let is_in_none = |id: &Id, section: &str| of_sides.get(id).is_some_and(|sides| !sides.contains(&section));
    let mut misplaced: HashSet<Id> =
        found.iter().filter(|(id, section)| is_in_none(id, section)).map(|(id, _)| *id).collect();
    if !misplaced.is_empty() {
        let found: HashMap<Id, &str> = found.into_iter().collect();
        let of_base: HashSet<Id> = ids.base.iter().copied().collect();
        for (parts, ids) in [(&parts.ours, &ids.ours), (&parts.theirs, &ids.theirs)] {
            let beside = beside(parts, ids, &of_base);
            misplaced.retain(|id| {
                let section = found.get(id);
                !beside.get(id).is_some_and(|beside| beside.iter().any(|other| found.get(other) == section))
            });
        }
    }
    misplaced
}

/// For each entry, the last one before it and the first one behind it in its section that the base has, too.
fn beside(parts: &[Part<'_>], ids: &[Id], of_base: &HashSet<Id>) -> HashMap<Id, Vec<Id>> {
    let mut out: HashMap<Id, Vec<Id>> = HashMap::default();
    let all: Vec<(Id, &str)> = {
        let all = ids.iter().zip(parts).zip(sections(parts));
        all.filter(|((_, part), _)| part.is_entry()).map(|((id, _), section)| (*id, section)).collect()
    };
    let mut look = |all: &mut dyn Iterator<Item = &(Id, &str)>| {
        let mut last: Option<(Id, &str)> = None;
        for (id, section) in all {
            let known = last.filter(|(_, other)| other == section).map(|(known, _)| known);
            out.entry(*id).or_default().extend(known);
            if of_base.contains(id) || last.is_some_and(|(_, other)| other != *section) {
                last = Some((*id, *section)).filter(|_| of_base.contains(id));
            }
        }
    };
    look(&mut all.iter());
    look(&mut all.iter().rev());
    out
}

/// The entries of the merged file, each with its section, where it is known.
fn in_merged<'a>(pieces: &[Piece], parts: &Versions<Vec<Part<'a>>>) -> Vec<(Id, &'a str)> {
    let mut found = Vec::new();
    // `None` behind lines that were merged as lines: these may have any heading.
    let mut above: Option<Vec<(usize, &'a str)>> = Some(Vec::new());
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
                found.push((*id, below_title(open.last().map_or("", |(_, title)| *title))));
            }
        }
    }
    found
}

/// `section`, unless it is the title of the file.
fn below_title(section: &str) -> &str {
    if section.starts_with("# ") { "" } else { section }
}
