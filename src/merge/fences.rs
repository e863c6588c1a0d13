//! Code fences that a conflict cuts: with one of its sides, what follows is code, and with the other one it is not.

use foldhash::HashSet;

use super::identity::Id;
use super::parts::Part;
use super::tally::{Place, places};
use super::versions::{Markers, Versions};
use super::words::field;

/// Whether a text, line by line, is in a code fence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fence(Option<u8>);

impl Fence {
    /// Goes on to what is behind a line.
    pub fn pass(&mut self, line: &[u8]) {
        let line = line.trim_ascii_start();
        let sign = if line.starts_with(b"```") { b'`' } else { b'~' };
        if sign == b'`' || line.starts_with(b"~~~") {
            match self.0 {
                None => self.0 = Some(sign),
                Some(open) if open == sign => self.0 = None,
                Some(_) => {}
            }
        }
    }
}

/// The entries whose conflicts cut a fence.
pub fn cut(
    merged: &str,
    parts: &Versions<Vec<Part<'_>>>,
    ids: &Versions<Vec<Id>>,
    markers: &Markers<'_>,
) -> HashSet<Id> {
    let mut lines: HashSet<&str> = HashSet::default();
    let (mut ours, mut theirs) = (Fence::default(), Fence::default());
    let mut conflict: Vec<&str> = Vec::new();
    for (place, line) in places(merged, markers) {
        if place == Place::Outside && !line.is_empty() && !conflict.is_empty() {
            if ours != theirs {
                lines.extend(conflict.iter().filter(|line| field(line).is_none()));
                theirs = ours;
            }
            conflict.clear();
        }
        if matches!(place, Place::Outside | Place::Ours) {
            ours.pass(line.as_bytes());
        }
        if matches!(place, Place::Outside | Place::Theirs) {
            theirs.pass(line.as_bytes());
        }
        if place != Place::Outside && !matches!(line, "" | "---") {
            conflict.push(line);
        }
    }
    if lines.is_empty() {
        return HashSet::default();
    }
    let all = [(&parts.base, &ids.base), (&parts.ours, &ids.ours), (&parts.theirs, &ids.theirs)];
    let all = all.into_iter().flat_map(|(parts, ids)| parts.iter().zip(ids));
    all.filter(|(part, _)| part.body.lines().any(|line| lines.contains(line.trim_end()))).map(|(_, id)| *id).collect()
}
