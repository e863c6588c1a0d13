//! The files of state that the merge driver is for: by their kinds, and as patterns for `.gitattributes`.

use super::learnings::{LEARNINGS, LEARNINGS_ARCHIVE, TEAM_DECISIONS};
use super::squad::{ARCHIVE, DECISIONS, HISTORY, INBOX, MERGED};
use super::{FileKind, Root, default_roots};

/// Whether branches add entries to files of this kind, and the merge driver is for them.
pub fn is_merged(kind: &FileKind) -> bool {
    [&DECISIONS, &INBOX, &HISTORY, &ARCHIVE, &LEARNINGS, &LEARNINGS_ARCHIVE, &TEAM_DECISIONS].contains(&kind)
}

/// The files of such kinds in a state root that a configuration names `glob`, as patterns of git.
pub fn merged_in(glob: &str) -> &'static [&'static str] {
    let is_same =
        |root: &&Root| glob.strip_suffix(root.glob).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    default_roots().find(is_same).map_or(MERGED, |root| root.merged)
}
