//! Where a rule shows what it finds about an agent.

use bstr::{BStr, ByteSlice};

use crate::dialects::{roster, squad};
use crate::facts::roster::Member;
use crate::fs::path::inner_path;
use crate::rule::Document;
use crate::text::Span;

/// What the document is to the roster.
#[derive(Clone, Copy)]
pub enum Place<'a> {
    /// `team.md`.
    Team,
    /// The registry.
    Registry,
    /// The charter in a folder of this name.
    Charter(&'a BStr),
}

pub fn place_of(document: &Document) -> Option<Place<'_>> {
    if document.kind() == &squad::TEAM {
        return Some(Place::Team);
    }
    if document.kind() == &roster::REGISTRY {
        return Some(Place::Registry);
    }
    let inner = inner_path(document.path(), document.root());
    let folder = inner.strip_prefix(b"agents/")?.strip_suffix(b"/charter.md")?;
    (!folder.contains(&b'/')).then_some(Place::Charter(folder.as_bstr()))
}

/// Where the finding about a member is shown, if that is in `place`: in its row, else in its entry, else in its charter as a
/// whole.
pub fn shown_at(member: &Member, place: Place<'_>) -> Option<Option<Span>> {
    match (place, member.row, member.entry) {
        (Place::Team, Some(row), _) => Some(Some(row)),
        (Place::Registry, None, Some(entry)) => Some(Some(entry)),
        (Place::Charter(folder), None, None) => {
            (member.folders.first().is_some_and(|first| first == folder)).then_some(None)
        }
        _ => None,
    }
}
