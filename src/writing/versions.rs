//! Versions of one entry: which of them can hold the lines of another one is found without comparing them all.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The versions of one entry, by the numbers that they were added with.
#[derive(Debug, Default)]
pub(super) struct Versions {
    /// Those that have a line.
    with: HashMap<u64, Vec<usize>>,
    /// Those that were added with this line as the one that fewest others had.
    rare: HashMap<u64, Vec<usize>>,
}

impl Versions {
    /// Adds a version with these lines.
    pub(super) fn add<'t>(&mut self, version: usize, lines: impl Iterator<Item = &'t str>) {
        let lines: Vec<u64> = lines.map(hash).collect();
        let count = |line: &&u64| self.with.get(line).map_or(0, Vec::len);
        if let Some(rare) = lines.iter().min_by_key(count) {
            self.rare.entry(*rare).or_default().push(version);
        }
        self.extend(version, lines);
    }

    /// Notes that a version has these lines now, among which are those that it had.
    pub(super) fn grow<'t>(&mut self, version: usize, lines: impl Iterator<Item = &'t str>) {
        let lines: Vec<u64> = lines.map(hash).collect();
        self.extend(version, lines);
    }

    fn extend(&mut self, version: usize, lines: Vec<u64>) {
        for line in lines {
            let with = self.with.entry(line).or_default();
            if with.last() != Some(&version) {
                with.push(version);
            }
        }
    }

    /// The versions that may have all of these lines, and those that may have no other lines, in their order.
    pub(super) fn near<'t>(&self, lines: impl Iterator<Item = &'t str>) -> Vec<usize> {
        let lines: Vec<u64> = lines.map(hash).collect();
        let with = |line: &u64| self.with.get(line).map_or(&[][..], Vec::as_slice);
        let holders = lines.iter().map(with).min_by_key(|with| with.len()).unwrap_or_default();
        let held = lines.iter().filter_map(|line| self.rare.get(line)).flatten();
        let mut near: Vec<usize> = holders.iter().chain(held).copied().collect();
        near.sort_unstable();
        near.dedup();
        near
    }
}

fn hash(line: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    line.hash(&mut hasher);
    hasher.finish()
}
