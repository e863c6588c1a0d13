//! What the rules of this family share.

pub mod elsewhere;
pub mod gone;
pub mod missing;
pub mod moved;
pub mod names;
pub mod place;
pub mod routed;

use std::sync::Arc;

use bstr::BStr;

use crate::dialects::{FileKind, roster, squad};
use crate::facts::roster::Roster;
use crate::facts::{Run, unused};
use crate::rule::Document;

/// The squad of the state root at `root`; `None` if no squad uses it, and at the top of a state branch, which has no charters.
pub(super) fn squad(run: &Run<'_>, root: &BStr) -> Option<Arc<Roster>> {
    (!root.is_empty() && is_used(run, root)).then(|| run.roster(root))
}

/// Whether a squad uses the state root at `root`, which is not sample data, and which no migration left behind.
pub(super) fn is_used(run: &Run<'_>, root: &BStr) -> bool {
    !unused::is_unused(run, root)
}

/// Calls `look` with each file that names agents, after a change also with those beside it, see [`beside`](crate::facts::beside).
pub(super) fn each(run: &Run<'_>, mut look: impl FnMut(&Document, &Roster)) {
    let names_agents = |kind: &FileKind| [&squad::TEAM, &roster::REGISTRY, &squad::CHARTER].contains(&kind);
    for document in run.documents_and_beside().filter(|document| names_agents(document.kind())) {
        if let Some(roster) = self::squad(run, document.root()) {
            look(document, &roster);
        }
    }
}
