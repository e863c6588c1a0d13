//! Which headings are compared with a missing entry. A change can remove many entries and add as many: the time to compare each of
//! them with each heading would grow with the square of their number.

use std::collections::HashMap;

use super::titled::{Heading, TitleOfDay, Wanted};
use super::{Key, Missing};

/// So many headings that have the same in common with an entry are compared with it.
const MOST: usize = 256;

/// Headings by what an entry can have in common with them: those first in which most entries can be.
#[derive(Default)]
pub(super) struct Near<'a> {
    by_key: HashMap<Key, Vec<&'a Heading>>,
    by_day: HashMap<&'a TitleOfDay, Vec<&'a Heading>>,
    by_words: HashMap<&'a [String], Vec<&'a Heading>>,
    /// Those that the change brought, or that are in a file which it leaves alone, by each word that tells what they are about.
    by_word: HashMap<&'a str, Vec<&'a Heading>>,
}

impl<'a> Near<'a> {
    pub(super) fn of(headings: &'a [Heading]) -> Self {
        let mut near = Self::default();
        let mut headings: Vec<&Heading> = headings.iter().collect();
        headings.sort_by_key(|heading| (heading.kind.of_agent, !heading.kind.is_new));
        for heading in headings {
            if let Some(key) = heading.key {
                near.by_key.entry(key).or_default().push(heading);
            }
            if let Some(of_day) = &heading.of_day {
                near.by_day.entry(of_day).or_default().push(heading);
            }
            near.by_words.entry(&heading.words).or_default().push(heading);
            for word in heading.meaning.iter().filter(|_| !heading.is_kept) {
                near.by_word.entry(word).or_default().push(heading);
            }
        }
        near
    }

    /// The headings to compare with `one`, which is `wanted`. One can be among them several times.
    pub(super) fn to(&self, one: &Missing, wanted: &Wanted) -> Vec<&'a Heading> {
        let by_key = one.key.and_then(|key| self.by_key.get(&key));
        let by_day = wanted.of_day.as_ref().and_then(|of_day| self.by_day.get(of_day));
        let by_words = self.by_words.get(wanted.words.as_slice());
        let same = [by_key, by_day, by_words].into_iter().flatten().flat_map(|found| found.iter().take(MOST));
        let mut by_word: Vec<(usize, &String, &Vec<&Heading>)> = wanted
            .meaning
            .iter()
            .filter_map(|word| self.by_word.get(word.as_str()).map(|found| (found.len(), word, found)))
            .collect();
        // A word that few headings have tells most.
        by_word.sort_unstable_by_key(|(count, word, _)| (*count, *word));
        let alike = by_word.into_iter().flat_map(|(_, _, found)| found).take(MOST);
        same.chain(alike).copied().collect()
    }
}
