//! Blocks that a change added and that are an entry it removed, word for word or nearly so: they are no sign of another entry.

use std::collections::HashMap;

use super::Missing;
use crate::text::shingles::runs;

/// A block is an entry if so many of a hundred runs of its words are that entry's, and the other way round.
const COPY: usize = 80;
/// A run of words that more entries have tells nothing.
const COMMON: usize = 64;

/// The removed entries by the runs of their words.
#[derive(Default)]
pub(super) struct Copies {
    having: HashMap<u64, Vec<usize>>,
    /// How many runs each entry has.
    counts: Vec<usize>,
}

impl Copies {
    pub(super) fn of(missing: &[Missing]) -> Self {
        let mut copies = Self::default();
        for (place, one) in missing.iter().enumerate() {
            let runs = runs(&one.text);
            copies.counts.push(runs.len());
            for run in runs {
                copies.having.entry(run).or_default().push(place);
            }
        }
        copies
    }

    /// The places of the entries that `block` is: those which are most like it. Of several in one block it is none.
    pub(super) fn owners(&self, block: &str) -> Vec<usize> {
        let runs = runs(block);
        let mut common: HashMap<usize, usize> = HashMap::new();
        let having = runs.iter().filter_map(|run| self.having.get(run)).filter(|having| having.len() <= COMMON);
        for place in having.flatten() {
            *common.entry(*place).or_default() += 1;
        }
        let share = |(place, common): (&usize, &usize)| {
            let longer = self.counts.get(*place).copied().unwrap_or(0).max(runs.len());
            (*place, *common * 100 / longer.max(1))
        };
        let shares: Vec<(usize, usize)> = common.iter().map(share).collect();
        let most = shares.iter().map(|(_, share)| *share).max().unwrap_or(0).max(COPY);
        shares.into_iter().filter(|(_, share)| *share == most).map(|(place, _)| place).collect()
    }
}
