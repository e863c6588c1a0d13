//! How much an entry matters to an agent, and why.

use std::cmp::Reverse;

use super::about::Naming;
use super::settled::is_settled;
use super::wish::Wish;
use crate::formats::sem::{EntryType, Scope};
use crate::formats::timestamp::Timestamp;
use crate::memory::record::{DAY, Record};

/// Why an entry matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is of this type.
    Type(EntryType),
    /// Its scope is the agent alone.
    Own,
    /// The agent wrote it.
    Written,
    /// So many days old.
    Days(i64),
    /// It says a day that is to come.
    Future,
    /// It names a file at hand.
    Names(Naming),
    /// Its section says that it was rejected, and so its type brings nothing.
    Rejected,
    /// Its own title says that it was replaced, and so its type brings nothing.
    Replaced,
    /// It is a directive that was carried out, or is for later.
    Settled,
}

impl Reason {
    /// The points that it brings.
    fn points(&self) -> u32 {
        match self {
            Self::Type(EntryType::Directive | EntryType::Decision) => 20,
            Self::Type(EntryType::Memory) => 10,
            Self::Type(EntryType::Note) | Self::Future | Self::Rejected | Self::Replaced | Self::Settled => 0,
            Self::Own => 15,
            Self::Written => 5,
            // 30 for one of today, half of it for each month that has passed.
            Self::Days(days) => match u32::try_from(days / 30) {
                Ok(months) if months < 5 => (30_u32 >> months).saturating_sub(half_month(*days)),
                _ => 0,
            },
            Self::Names(naming) => naming.points(),
        }
    }

    /// What it says, in a few words.
    pub fn words(&self) -> String {
        match self {
            Self::Type(kind) => kind.as_str().to_owned(),
            Self::Own => "for this agent".to_owned(),
            Self::Written => "by this agent".to_owned(),
            Self::Future => "dated in the future, and so of unknown age".to_owned(),
            Self::Rejected => "in a section of rejected entries".to_owned(),
            Self::Replaced => "replaced, according to its title".to_owned(),
            Self::Settled => "carried out, or for later".to_owned(),
            Self::Days(0) => "of today".to_owned(),
            Self::Days(1) => "1 day old".to_owned(),
            Self::Days(days) => format!("{days} days old"),
            Self::Names(naming) => format!("names `{}`", naming.text()),
        }
    }
}

/// What half a month more takes off: a quarter of what that month starts with.
fn half_month(days: i64) -> u32 {
    let months = u32::try_from(days / 30).unwrap_or(u32::MAX).min(31);
    if days % 30 >= 15 { (30_u32 >> months) / 4 } else { 0 }
}

/// An entry with the reasons why it matters.
#[derive(Debug)]
pub struct Scored<'r, 'd> {
    /// The entry.
    pub record: &'r Record<'d>,
    /// The reasons.
    pub reasons: Vec<Reason>,
    /// The sum of their points.
    pub points: u32,
    /// Whether it is in a file of the agent.
    is_kept: bool,
    /// The moment that it is sorted by; none for one that is to come.
    at: Option<i64>,
}

impl Scored<'_, '_> {
    /// Entries of a higher rank are taken first: by points, then by their dates; of copies, the one that the agent keeps, then one
    /// that no other agent keeps.
    pub(super) fn rank(&self) -> (u32, Option<i64>, u8) {
        (self.points, self.at, self.kept())
    }

    /// Of entries that say the same, the one that comes first stays: by its type, then by its day, then as in `rank`.
    pub(super) fn rank_of_copies(&self) -> (u8, Option<i64>, u8, Option<i64>) {
        let kind = match self.record.kind {
            Some(EntryType::Directive) => 3,
            Some(EntryType::Decision) => 2,
            Some(EntryType::Memory) => 1,
            Some(EntryType::Note) | None => 0,
        };
        (kind, self.at.map(|at| at.div_euclid(DAY)), self.kept(), self.at)
    }

    fn kept(&self) -> u8 {
        match self.record.keeper() {
            _ if self.is_kept => 2,
            Some(_) => 0,
            None => 1,
        }
    }

    /// Whether its section says that it was rejected, or its title that it was replaced.
    pub(super) fn is_rejected(&self) -> bool {
        self.reasons.iter().any(|reason| matches!(reason, Reason::Rejected | Reason::Replaced))
    }

    /// Whether it is a directive that applies from now on.
    pub(super) fn is_directive(&self) -> bool {
        self.record.kind == Some(EntryType::Directive) && !self.is_rejected() && !self.is_settled()
    }

    /// Whether it is a directive that was carried out, or is for later.
    pub(super) fn is_settled(&self) -> bool {
        self.reasons.contains(&Reason::Settled)
    }

    /// Whether it names a file at hand.
    pub(super) fn is_about(&self) -> bool {
        let is_name = |reason: &Reason| matches!(reason, Reason::Names(_));
        self.reasons.iter().any(is_name)
    }

    /// Whether it is for the agent alone.
    pub(super) fn is_own(&self) -> bool {
        self.reasons.contains(&Reason::Own)
    }
}

/// What entries are weighed by.
pub(super) struct Scale<'a> {
    wish: &'a Wish<'a>,
}

impl<'a> Scale<'a> {
    pub(super) fn new(wish: &'a Wish<'a>) -> Self {
        Self { wish }
    }

    pub(super) fn score<'r, 'd>(&self, record: &'r Record<'d>) -> Scored<'r, 'd> {
        let Wish { agent, about, now, .. } = *self.wish;
        let what = match record.kind {
            _ if record.sections.are_rejected() => Some(Reason::Rejected),
            _ if record.says_replaced() => Some(Reason::Replaced),
            kind => kind.map(Reason::Type),
        };
        let is_settled = what == Some(Reason::Type(EntryType::Directive)) && is_settled(record);
        let mut reasons: Vec<Reason> = what.into_iter().chain(is_settled.then_some(Reason::Settled)).collect();
        if !about.is_empty() {
            let text = record.text().to_lowercase();
            let named = about.iter().filter_map(|file| file.named_in(&text));
            let best = named.max_by_key(|naming| (naming.points(), Reverse(naming.text().to_owned())));
            reasons.extend(best.map(Reason::Names));
        }
        let is_own =
            matches!(record.scope, Some(Scope::Agent(_))) || record.scope.is_none() && record.keeper().is_some();
        reasons.extend(is_own.then_some(Reason::Own));
        let is_written = record.author.as_deref().is_some_and(|author| agent.is(record, author));
        reasons.extend((is_written && !is_own).then_some(Reason::Written));
        let at = record.when.unix().filter(|at| at.saturating_sub(now.unix()) <= DAY);
        reasons.extend(record.when.unix().map(|own| at.map_or(Reason::Future, |_| Reason::Days(age(own, now)))));
        let points = reasons.iter().map(Reason::points).sum();
        let is_kept = record.keeper().is_some_and(|keeper| agent.is(record, keeper));
        Scored { record, reasons, points, is_kept, at }
    }
}

/// The days from a moment to `now`; 0 for one of later today, or of a day that has begun somewhere.
fn age(at: i64, now: Timestamp) -> i64 {
    (now.unix().saturating_sub(at) / DAY).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_older_brings_less() {
        let points: Vec<u32> =
            [0, 14, 15, 30, 45, 60, 120, 149, 150, 10_000].map(|days| Reason::Days(days).points()).into();
        assert_eq!(points, [30, 30, 23, 15, 12, 7, 1, 1, 0, 0]);
        assert!(points.is_sorted_by(|one, other| one >= other));
    }
}
