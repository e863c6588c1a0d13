//! One difference between two bundles.

use serde::Serialize;

/// One difference between two bundles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What happened on the way from the first bundle to the second one.
    pub change: Change,
    /// The agent, if it is about one.
    pub agent: Option<String>,
    /// The file that it is about: `charter.md`, `casting/policy.json`, or a field such as `exported_from`; `None` for a whole agent.
    pub file: Option<String>,
    /// The heading of the section, such as `## Learnings`; empty for the text before the first heading. `None` for a whole file; if no
    /// line of it was added or removed, the order of its sections differs.
    pub section: Option<String>,
    /// How many lines only the second bundle has.
    pub added: usize,
    /// How many lines only the first bundle has.
    pub removed: usize,
}

/// How a part differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// Only the second bundle has it.
    Added,
    /// Only the first bundle has it.
    Removed,
    /// Both have it, and not the same.
    Changed,
}

impl Change {
    /// The lower-case word, such as `added`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }
}

/// A difference of a file as a whole, without lines.
pub(super) fn whole(change: Change, agent: Option<&str>, file: &str) -> Difference {
    Difference {
        change,
        agent: agent.map(str::to_owned),
        file: Some(file.to_owned()),
        section: None,
        added: 0,
        removed: 0,
    }
}
