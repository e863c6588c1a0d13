//! What the entries of a memory add up to, and how its files grew.

mod chart;
pub mod html;
pub mod json;
pub mod text;

use std::collections::BTreeMap;

use bstr::{BStr, BString};

use super::record::{DAY, Record};
use crate::formats::learnings::Date;
use crate::formats::roster::author_names;
use crate::formats::sem::{EntryType, Scope};
use crate::formats::timestamp::Timestamp;
use crate::select::growth::Sample;

/// How many entries there are of each type, and of none, in the order of [`EntryType::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts(pub [usize; 5]);

impl Counts {
    /// The names of the types, and of none.
    pub const NAMES: [&'static str; 5] = ["decision", "memory", "note", "directive", "other"];

    fn add(&mut self, kind: Option<EntryType>) {
        let place = kind.and_then(|kind| EntryType::ALL.iter().position(|one| *one == kind));
        if let Some(count) = self.0.get_mut(place.unwrap_or(EntryType::ALL.len())) {
            *count += 1;
        }
    }

    /// All together.
    pub fn total(self) -> usize {
        self.0.iter().sum()
    }

    /// Each name with its count.
    pub fn named(self) -> impl Iterator<Item = (&'static str, usize)> {
        Self::NAMES.into_iter().zip(self.0)
    }
}

/// A file and how it grew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The file.
    pub path: BString,
    /// Its size in bytes, as it was read.
    pub bytes: u64,
    /// Its size in bytes after commits of its history, the oldest first; 0 where it was not there.
    pub history: Vec<(Date, u64)>,
}

/// The numbers.
#[derive(Debug, Default)]
pub struct Stats {
    /// All entries.
    pub types: Counts,
    /// How many entries have each scope.
    pub scopes: Vec<(&'static str, usize)>,
    /// The authors, the one with the most entries first.
    pub authors: Vec<(String, Counts)>,
    /// The weeks that have entries, by their Mondays.
    pub weeks: BTreeMap<i64, Counts>,
    /// How many entries have no date, or one in the future.
    pub without_week: usize,
    /// The files, the largest first.
    pub files: Vec<Growth>,
}

impl Stats {
    /// The numbers of `records` at `now`; `files` are their files with their sizes in bytes, `history` the sizes before.
    pub fn of(records: &[Record<'_>], now: Timestamp, files: Vec<(&BStr, u64)>, history: &[Sample]) -> Self {
        let mut stats = Self::default();
        let mut authors: BTreeMap<String, Counts> = BTreeMap::new();
        let mut scopes: BTreeMap<&str, usize> = BTreeMap::new();
        for record in records {
            stats.types.add(record.kind);
            *scopes.entry(scope(record)).or_default() += 1;
            authors.entry(author(record)).or_default().add(record.kind);
            match record.when.day().map(|day| monday(Timestamp::of_day(day).unix())) {
                Some(week) if week <= now.unix() => stats.weeks.entry(week).or_default().add(record.kind),
                _ => stats.without_week += 1,
            }
        }
        stats.scopes = scopes.into_iter().collect();
        stats.scopes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        stats.authors = authors.into_iter().collect();
        stats.authors.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.total()));
        stats.files = files.into_iter().map(|(path, bytes)| growth(path, bytes, history)).collect();
        stats.files.sort_by(|one, other| other.bytes.cmp(&one.bytes).then_with(|| one.path.cmp(&other.path)));
        stats
    }

    /// The last `count` weeks up to the last one with an entry, also those without any.
    pub fn last_weeks(&self, count: usize) -> Vec<(Date, Counts)> {
        let Some((last, _)) = self.weeks.last_key_value() else { return Vec::new() };
        let first = self.weeks.first_key_value().map_or(*last, |(first, _)| *first);
        let weeks = (0..count).rev().filter_map(|back| {
            let week = last.checked_sub(i64::try_from(back).ok()?.checked_mul(7 * DAY)?)?;
            (week >= first).then(|| (day(week), self.weeks.get(&week).copied().unwrap_or_default()))
        });
        // One entry with a wrong date makes a long time of nothing.
        weeks.skip_while(|(_, counts)| counts.total() == 0).collect()
    }

    /// What comes before the week of `first`: the weeks with entries, and their entries.
    pub fn before(&self, first: Date) -> (usize, usize) {
        let older = self.weeks.range(..Timestamp::of_day(first).unix());
        older.fold((0, 0), |(weeks, entries), (_, counts)| (weeks + 1, entries + counts.total()))
    }
}

/// The Monday of the week of a moment, in seconds since 1970: that year began on a Thursday.
fn monday(seconds: i64) -> i64 {
    let days = seconds.div_euclid(DAY) + 3;
    (days.div_euclid(7) * 7 - 3) * DAY
}

/// The day of a moment, in UTC.
pub fn day(seconds: i64) -> Date {
    Timestamp::from_unix(seconds).day()
}

fn scope(record: &Record<'_>) -> &'static str {
    match record.scope {
        Some(Scope::Team) => "team",
        Some(Scope::Project) => "project",
        Some(Scope::Agent(_)) => "agent",
        Some(Scope::Skill(_)) => "skill",
        None => "none",
    }
}

/// The name of who made an entry, without a role and in lower case, so that `Keaton (Lead)` is `keaton`.
fn author(record: &Record<'_>) -> String {
    let names = record.author.as_deref().map(author_names).unwrap_or_default();
    names.into_iter().next().unwrap_or_else(|| "unknown".to_owned())
}

fn growth(path: &BStr, bytes: u64, history: &[Sample]) -> Growth {
    let sizes = history.iter().map(|sample| (day(sample.seconds), sample.sizes.get(path).copied().unwrap_or(0)));
    let history = sizes.skip_while(|(_, size)| *size == 0).collect();
    Growth { path: path.to_owned(), bytes, history }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_begins_on_monday() {
        let week = |text: &str| Timestamp::read(text).map(|at| day(monday(at.unix())).to_string());
        assert_eq!(week("2026-02-15T23:59:59+0000").as_deref(), Some("2026-02-09"));
        assert_eq!(week("2026-02-16T00:00:00+0000").as_deref(), Some("2026-02-16"));
        assert_eq!(week("1969-12-31T00:00:00+0000").as_deref(), Some("1969-12-29"));
    }
}
