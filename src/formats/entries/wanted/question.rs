//! What is asked for, as far as the text of a file tells it.

use crate::formats::sem::Header;

/// What is asked for.
pub trait Wanted: Sync {
    /// Whether `text` has anything that is asked for.
    fn has(&self, text: &str) -> bool;

    /// The first place from `at` on where `text` has something that is asked for, or that tells more of what is, wherever that is.
    fn next(&self, text: &str, at: usize) -> Option<usize>;

    /// Whether an entry from before SEM can be asked for.
    fn has_older(&self) -> bool;

    /// Whether what is asked for can be in a part that is `one` entry with this header, and nothing else.
    fn is_in(&self, header: &Header, one: &str) -> bool;
}
