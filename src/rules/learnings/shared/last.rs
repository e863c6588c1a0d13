//! What stays of a section in which all entries are too old.

use std::collections::{HashMap, HashSet};

use crate::facts::staleness::StaleEntry;
use crate::formats::learnings::{Date, Learnings};

/// The places of the `stale` entries that go, in file order: if nothing else is left of a section, those that were confirmed last
/// stay.
pub fn without_last(learnings: &Learnings, stale: &[StaleEntry]) -> Vec<usize> {
    let section = |place: usize| learnings.entries.get(place).and_then(|entry| entry.section);
    let is_stale: HashSet<usize> = stale.iter().map(|aged| aged.entry).collect();
    let fresh = learnings
        .entries
        .iter()
        .enumerate()
        .filter(|(place, entry)| !entry.placeholder && entry.newest().is_some() && !is_stale.contains(place));
    let has_fresh: HashSet<Option<usize>> = fresh.map(|(_, entry)| entry.section).collect();
    let mut last: HashMap<Option<usize>, Date> = HashMap::new();
    for aged in stale {
        let day = last.entry(section(aged.entry)).or_insert(aged.day);
        *day = aged.day.max(*day);
    }
    let goes = |aged: &&StaleEntry| {
        let section = section(aged.entry);
        has_fresh.contains(&section) || last.get(&section) != Some(&aged.day)
    };
    let mut going: Vec<usize> = stale.iter().filter(goes).map(|aged| aged.entry).collect();
    going.sort_unstable();
    going
}
