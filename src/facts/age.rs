//! Between which commits the history of the repository lies.

use super::{Gather, Run};
use crate::formats::legacy::{LegacyEntry, day};
use crate::formats::timestamp::Timestamp;
use crate::git::age::Age;

/// How much older than the first commit an entry may be, in seconds: people plan before they commit.
pub const BEFORE: i64 = 7 * 86_400;

/// See [`Age`]. Commits are read until one shows that no entry is older than the repository. After a
/// change none is read, since a hook asks; nor on a state branch, whose entries are older than itself, or of another tree
/// than that of `HEAD`.
pub type Fact = Age;

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        if run.changes().is_some() || run.is_state_branch() || !run.sees_work_tree() {
            return Self::default();
        }
        let days = run.documents.iter().flat_map(|document| {
            let text = document.text();
            document.entries.legacy().filter_map(|entry| own_day(text, entry))
        });
        let oldest = days.min().and_then(|Ymd(year, month, day)| Timestamp::midnight(year, month, day));
        let since = oldest.map(|oldest| oldest.unix().saturating_add(BEFORE));
        since.and_then(|since| run.git(|git| git.age(since))).unwrap_or_default()
    }
}

/// A day: year, month and day of the month. Its order is that of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ymd(pub u16, pub u8, pub u8);

/// The day that `entry` gives as its own: at the start of its heading, or in a field. A day elsewhere in the heading may be
/// that of a plan.
pub fn own_day(text: &str, entry: &LegacyEntry) -> Option<Ymd> {
    let date = entry.date?;
    let is_own = date.end <= entry.title.start || date.start >= entry.heading.end;
    let (year, month, day) = day::find(date.of(text)).filter(|_| is_own)?.date?;
    Some(Ymd(year, month, day))
}
