//! Between which commits the history of the repository lies.

use super::{Gather, Run};
use crate::formats::legacy::LegacyEntry;
use crate::formats::timestamp::Timestamp;
use crate::git::age::Age;

/// How much older than the first commit an entry may be, in seconds: people plan before they commit.
pub const BEFORE: i64 = 7 * 86_400;

/// See [`Age`]. Commits are read until one shows that no entry is older than the repository. After a
/// change none is read, since a hook asks.
pub type Fact = Age;

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        if run.changes().is_some() {
            return Self::default();
        }
        let oldest = run.documents.iter().flat_map(|document| {
            let text = document.text();
            document.entries.legacy().filter_map(|entry| Some(day_of(text, entry)?.unix()))
        });
        oldest.min().and_then(|oldest| run.git(|git| git.age(oldest.saturating_add(BEFORE)))).unwrap_or_default()
    }
}

/// The start of the day that `entry` gives as its own: at the start of its heading, or in a field. A day elsewhere in the
/// heading may be that of a plan.
pub fn day_of(text: &str, entry: &LegacyEntry) -> Option<Timestamp> {
    let date = entry.date?;
    let is_own = date.end <= entry.title.start || date.start >= entry.heading.end;
    Timestamp::read(&format!("{}T00:00:00+0000", date.of(text).get(..10).filter(|_| is_own)?))
}
