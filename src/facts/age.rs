//! Between which commits the history of the repository lies.

use std::collections::BTreeSet;

use super::{Gather, Run};
use crate::formats::legacy::{LegacyEntry, day};
use crate::formats::timestamp::Timestamp;
use crate::git::age::Age;

/// How much older than the first commit an entry may be, in seconds: people plan before they commit.
const BEFORE: i64 = 7 * 86_400;

/// How much newer than the last commit an entry may be, in seconds: clocks and time zones differ, and work is committed later.
pub const AFTER: i64 = 2 * 86_400;

/// A team that worked before the first commit has entries of so many days before it, each no further from the next than so many seconds.
const ELSEWHERE: (usize, i64) = (3, 30 * 86_400);

/// How old the repository is, and its team. Commits are read until one shows that no entry is older than the repository. After a
/// change none is read, since a hook asks; nor on a state branch, whose entries are older than itself, or of another tree
/// than that of `HEAD`.
#[derive(Debug, Default)]
pub struct Fact {
    /// When the first commit was made, in seconds; see [`Age::first`].
    pub first: Option<i64>,
    /// When the newest commit was made, in seconds; see [`Age::last`].
    pub last: Option<i64>,
    /// So many seconds those two were from UTC where they were made.
    pub offsets: (i64, i64),
    /// The first day that an entry can be of; `None` without a first commit.
    pub earliest: Option<Ymd>,
}

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        if run.changes().is_some() || run.is_state_branch() || !run.sees_work_tree() {
            return Self::default();
        }
        let days = run.documents.iter().flat_map(|document| {
            let text = document.text();
            document.entries.legacy().filter_map(|entry| own_day(text, entry))
        });
        let days: BTreeSet<Ymd> = days.collect();
        let oldest = days.first().and_then(|day| day.midnight());
        let since = oldest.map(|oldest| oldest.saturating_add(BEFORE));
        let Age { first, last, offsets } = since.and_then(|since| run.git(|git| git.age(since))).unwrap_or_default();
        Self { first, last, offsets, earliest: first.and_then(|first| earliest(first, &days)) }
    }
}

impl Fact {
    /// The last moment that an entry can be of, in seconds: two days after the last commit, or now if there is none.
    pub fn latest(&self, run: &Run<'_>) -> i64 {
        let now = run.options.now.unix();
        self.last.map_or(now, |last| now.min(last.saturating_add(AFTER)))
    }
}

/// The first day that an entry can be of in a repository whose first commit was made at `first`, and whose entries are of `days`.
fn earliest(first: i64, days: &BTreeSet<Ymd>) -> Option<Ymd> {
    let usual = day_at(first.saturating_sub(BEFORE))?;
    let (mut reached, mut earliest, mut count) = (first, usual, 0);
    for day in days.range(..usual).rev() {
        let at = day.midnight()?;
        if reached - at > ELSEWHERE.1 {
            break;
        }
        (reached, earliest, count) = (at, *day, count + 1);
    }
    Some(if count >= ELSEWHERE.0 { earliest } else { usual })
}

/// The day of a moment, in UTC.
pub fn day_at(seconds: i64) -> Option<Ymd> {
    let at = jiff::Timestamp::from_second(seconds).ok()?;
    let date = jiff::tz::Offset::UTC.to_datetime(at).date();
    Some(Ymd(date.year().try_into().ok()?, date.month().try_into().ok()?, date.day().try_into().ok()?))
}

/// A day: year, month and day of the month. Its order is that of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ymd(pub u16, pub u8, pub u8);

impl Ymd {
    /// The moment at which it begins in UTC, in seconds.
    pub fn midnight(self) -> Option<i64> {
        Some(Timestamp::midnight(self.0, self.1, self.2)?.unix())
    }
}

/// The day that `entry` gives as its own: at the start of its heading, or in a field. A day elsewhere in the heading may be
/// that of a plan.
pub fn own_day(text: &str, entry: &LegacyEntry) -> Option<Ymd> {
    let date = entry.date?;
    let is_own = date.end <= entry.title.start || date.start >= entry.heading.end;
    let (year, month, day) = day::find(date.of(text)).filter(|_| is_own)?.date?;
    Some(Ymd(year, month, day))
}
