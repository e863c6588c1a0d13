//! The branch that is checked out.

use bstr::BString;

use super::{Gather, Run};
use crate::git::repository::Git;

/// Its short name, such as `main`; `None` without git and for a detached HEAD.
pub type Fact = Option<BString>;

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        run.git(Git::branch).flatten()
    }
}
