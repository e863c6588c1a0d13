//! The types of entries.

use crate::text::suggest::{Tolerance, nearest};

/// The four types of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryType {
    /// An agreement of the team.
    Decision,
    /// Something learned from work.
    Memory,
    /// Information.
    Note,
    /// A rule that a person stated.
    Directive,
}

impl EntryType {
    /// All four, in the specification's order.
    pub const ALL: [Self; 4] = [Self::Decision, Self::Memory, Self::Note, Self::Directive];

    /// The word in a header and in a `type` field.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Memory => "memory",
            Self::Note => "note",
            Self::Directive => "directive",
        }
    }

    /// The type that `word` names exactly.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "decision" => Self::Decision,
            "memory" => Self::Memory,
            "note" => Self::Note,
            "directive" => Self::Directive,
            _ => return None,
        })
    }

    /// The type that `word` may be meant for.
    pub fn nearest(word: &str, tolerance: Tolerance) -> Option<Self> {
        nearest(word, Self::ALL.map(Self::as_str), tolerance).and_then(Self::from_word)
    }
}
