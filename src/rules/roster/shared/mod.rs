//! What the rules of this family share.

use std::sync::Arc;

use crate::facts::roster::Roster;
use crate::facts::{squads, state_roots};
use crate::rule::Context;

/// The squad of the document's state root; `None` if it is sample data, or a migration left it behind.
pub(super) fn squad(context: &Context<'_>) -> Option<Arc<Roster>> {
    let (run, root) = (context.run(), context.document.root());
    let is_used = !root.is_empty() && !squads::is_left_over(run, root) && !state_roots::is_example(run, root);
    is_used.then(|| run.roster(root))
}
