//! One entry with what replaced it, and what it relates to.

use std::collections::{HashMap, HashSet};

use super::record::Record;
use super::records::mentions;
use crate::formats::timestamp::Timestamp;

/// One entry among all.
#[derive(Debug)]
pub struct Shown<'r, 'd> {
    /// The entry.
    pub record: &'r Record<'d>,
    /// From the first entry of its chain to the one that applies now, itself included: each replaces the one before.
    pub chain: Vec<&'r Record<'d>>,
    /// What it refers to, each with the entries that are meant.
    pub related: Vec<(&'d str, &'d str, Vec<&'r Record<'d>>)>,
    /// The entries that refer to it, and do not replace it, the newest first.
    pub referring: Vec<&'r Record<'d>>,
}

/// All entries by the moments that identify them.
#[derive(Debug)]
pub struct Moments<'r, 'd> {
    all: &'r [Record<'d>],
    by_moment: HashMap<i64, Vec<&'r Record<'d>>>,
}

impl<'r, 'd> Moments<'r, 'd> {
    /// Those of `all`.
    pub fn of(all: &'r [Record<'d>]) -> Self {
        let mut by_moment: HashMap<i64, Vec<&'r Record<'d>>> = HashMap::new();
        for record in all {
            if let Some(at) = record.when.moment() {
                by_moment.entry(at.unix()).or_default().push(record);
            }
        }
        Self { all, by_moment }
    }

    /// The entries of that moment.
    pub fn at(&self, at: Timestamp) -> &[&'r Record<'d>] {
        self.by_moment.get(&at.unix()).map_or(&[], Vec::as_slice)
    }

    /// The entry of that moment that the team of `beside` keeps.
    fn beside(&self, beside: &Record<'_>, at: Timestamp) -> Option<&'r Record<'d>> {
        self.at(at).iter().copied().find(|record| record.home() == beside.home())
    }

    /// `record` with everything around it.
    pub fn show(&self, record: &'r Record<'d>) -> Shown<'r, 'd> {
        // Where entries replace each other in a circle, each is in the chain once.
        let mut seen = HashSet::new();
        let mut chain = vec![record];
        let mut follow = |from: &'r Record<'d>, next: fn(&Record<'_>) -> Option<Timestamp>| {
            let (mut at, mut steps) = (from, Vec::new());
            while let Some(other) = next(at).and_then(|moment| self.beside(from, moment)) {
                let is_new = !std::ptr::eq(other, record) && seen.insert(std::ptr::from_ref(other).addr());
                if !is_new {
                    break;
                }
                steps.push(other);
                at = other;
            }
            steps
        };
        let later = follow(record, |record| record.superseded_by);
        let earlier = follow(record, |record| record.supersedes);
        chain.splice(0..0, earlier.into_iter().rev());
        chain.extend(later);
        let text = record.document.text();
        let related = record.related.iter().map(|item| {
            let meant = item.reading.moment().map_or(&[][..], |at| self.at(at));
            let meant = meant.iter().copied().filter(|other| other.home() == record.home()).collect();
            (item.kind.of(text), item.identifier().of(text), meant)
        });
        let referring = record.when.moment().map(|own| {
            let own = move |other: &&Record<'_>| mentions(other, own) && other.home() == record.home();
            self.all.iter().filter(own)
        });
        let in_chain = |other: &&Record<'_>| chain.iter().any(|one| std::ptr::eq(*one, *other));
        Shown {
            record,
            related: related.collect(),
            referring: referring.into_iter().flatten().filter(|other| !in_chain(other)).collect(),
            chain,
        }
    }
}
