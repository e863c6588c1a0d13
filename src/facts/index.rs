//! The index.

use super::{Gather, Run};
use crate::git::index::Index;

/// `None` without git.
pub type Fact = Option<Index>;

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        run.git(Index::of)
    }
}
