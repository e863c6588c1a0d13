//! The state files after a change.

use super::{Gather, Run};
use crate::select::selected::Selected;

/// All of them, in the order of their paths; empty without a change.
#[derive(Debug)]
pub struct Listed(pub(super) Vec<Selected>);

/// The files of the run: see [`super::files::all`], which rules ask.
pub type Fact = Listed;

impl Gather for Listed {
    fn gather(run: &Run<'_>) -> Self {
        let Some(changes) = run.changes() else { return Self(Vec::new()) };
        Self(run.git(|_| changes.files(run.input.roots, run.input.excludes, None)).unwrap_or_default())
    }
}
