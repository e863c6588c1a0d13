//! What a text is, in which a missing entry could be.

use bstr::{BString, ByteSlice};

use super::Missing;

/// With so many of a hundred runs of its words in some file, an entry is edited or moved and not lost, where a title like its own is
/// there as well, or where they came with the change.
pub(super) const STANDS_AGAIN: usize = 15;

/// What a text is, in which a missing entry could be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// Whether it is a file of an agent.
    pub of_agent: bool,
    /// Whether it came with the change.
    pub is_new: bool,
}

impl Kind {
    /// Whether the entry could be kept in such a text. A note in the history of an agent about a decision is not the decision.
    pub(super) fn can_hold(self, one: &Missing) -> bool {
        is_of_agent(&one.lost.old_path) || !self.of_agent
    }
}

/// Whether the file at `path` is one of an agent.
pub(super) fn is_of_agent(path: &BString) -> bool {
    path.contains_str("/agents/") || path.starts_with(b"agents/")
}
