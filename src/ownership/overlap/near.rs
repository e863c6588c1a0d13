//! Of many globs, the pairs that can have a path in common. Most have none: their paths begin or end with other names.

use std::collections::{BTreeMap, HashSet};
use std::ops::Bound::{Excluded, Unbounded};

use super::PathGlob;
use super::names::{file_name, head};
use crate::ownership::glob::{Alternative, Part};

/// How many bytes of the end of a path are compared.
const TAIL_MAX: usize = 64;

/// A glob without braces, by what all of its paths begin and end with.
struct Entry<'g> {
    glob: usize,
    /// Whether it is of the second list.
    is_second: bool,
    /// The names at the start.
    head: &'g [Part],
    /// The bytes at the end, the last one first; `/` is before each name.
    tail: Vec<u8>,
}

/// Calls `look` with the places of two globs, once for each pair that may have a path in common, the later place first, until it
/// says that this is enough. For pairs that it leaves out there is no such path.
pub fn near(globs: &[&PathGlob], look: impl FnMut(usize, usize) -> bool) {
    search(globs, |_| false, false, look);
}

/// The same for pairs of a glob before the place `second` and one from there on.
pub fn near_between(globs: &[&PathGlob], second: usize, look: impl FnMut(usize, usize) -> bool) {
    search(globs, |glob| glob >= second, true, look);
}

/// Compares the globs of two lists, or with `across` false those of one.
fn search(
    globs: &[&PathGlob],
    is_second: impl Fn(usize) -> bool,
    across: bool,
    mut look: impl FnMut(usize, usize) -> bool,
) {
    let folders: HashSet<&[u8]> = globs.iter().flat_map(|glob| glob.folders()).collect();
    let entries = globs.iter().enumerate();
    let entries = entries.flat_map(|(glob, paths)| {
        let (is_second, folders) = (is_second(glob), &folders);
        paths.alternatives.iter().map(move |own| Entry::new(glob, is_second, own, folders))
    });
    let mut entries: Vec<Entry<'_>> = entries.collect();
    // In the order of their heads, each comes after those whose heads are the start of its own.
    entries.sort_by_key(|entry| (entry.head, entry.glob));
    let has_one = |glob: usize| globs.get(glob).is_some_and(|glob| glob.alternatives.len() == 1);
    let mut seen: HashSet<(usize, usize)> = HashSet::new();
    // Those whose heads are the start of this one's.
    let mut above: Vec<&Entry<'_>> = Vec::new();
    let mut tails: BTreeMap<&[u8], Lists<'_, '_>> = BTreeMap::new();
    for entry in &entries {
        while let Some(last) = above.pop_if(|last| !entry.head.starts_with(last.head)) {
            if let Some(same) = tails.get_mut(last.tail.as_slice()) {
                same.of(last.is_second).pop();
                if same.first.is_empty() && same.second.is_empty() {
                    tails.remove(last.tail.as_slice());
                }
            }
        }
        let tail = entry.tail.as_slice();
        let shorter = (0..=tail.len()).filter_map(|len| tails.get(tail.get(..len)?));
        let longer =
            tails.range::<[u8], _>((Excluded(tail), Unbounded)).take_while(|(other, _)| other.starts_with(tail));
        let wanted = entry.is_second != across;
        let same_end = shorter.chain(longer.map(|(_, entries)| entries)).flat_map(|lists| lists.get(wanted)).copied();
        for other in same_end.filter(|other| other.glob != entry.glob) {
            let pair = (entry.glob.max(other.glob), entry.glob.min(other.glob));
            // Only the alternatives of braces can meet twice.
            if !(has_one(pair.0) && has_one(pair.1) || seen.insert(pair)) {
                continue;
            }
            if !look(pair.0, pair.1) {
                return;
            }
        }
        above.push(entry);
        tails.entry(tail).or_default().of(entry.is_second).push(entry);
    }
}

/// Entries of the first list, and of the second one.
#[derive(Default)]
struct Lists<'e, 'g> {
    first: Vec<&'e Entry<'g>>,
    second: Vec<&'e Entry<'g>>,
}

impl<'e, 'g> Lists<'e, 'g> {
    fn get(&self, is_second: bool) -> &[&'e Entry<'g>] {
        if is_second { &self.second } else { &self.first }
    }

    fn of(&mut self, is_second: bool) -> &mut Vec<&'e Entry<'g>> {
        if is_second { &mut self.second } else { &mut self.first }
    }
}

impl<'g> Entry<'g> {
    /// The entry of `alternative`, one of those of the glob at the place `glob`. The globs have `folders` as names of folders.
    fn new(glob: usize, is_second: bool, alternative: &'g Alternative, folders: &HashSet<&[u8]>) -> Self {
        let is_file = file_name(alternative).is_some_and(|name| !folders.contains(name));
        let is_open = alternative.names_folder && !is_file;
        let tail = if is_open { Vec::new() } else { tail(&alternative.parts) };
        Self { glob, is_second, head: head(&alternative.parts), tail }
    }
}

/// The bytes with which all paths end that `parts` match, the last one first.
fn tail(parts: &[Part]) -> Vec<u8> {
    let names = parts.iter().rev().map_while(|part| if let Part::Name(name) = part { Some(name) } else { None });
    let mut tail: Vec<u8> = names.clone().flat_map(|name| name.iter().rev().chain(b"/")).copied().collect();
    match parts.iter().rev().nth(names.count()) {
        Some(Part::Pattern(pattern)) => tail.extend(pattern.end().iter().rev()),
        Some(_) => {}
        // Nothing is before the first name.
        None => tail.push(0),
    }
    tail.truncate(TAIL_MAX);
    tail
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ownership::overlap::Meeting;

    fn pairs(globs: &[&str]) -> Vec<(usize, usize)> {
        let globs: Vec<PathGlob> = globs.iter().map(|glob| PathGlob::parse(glob).unwrap()).collect();
        let mut pairs = Vec::new();
        near(&globs.iter().collect::<Vec<_>>(), |one, other| {
            pairs.push((one, other));
            true
        });
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn most_pairs_are_left_out() {
        assert_eq!(
            pairs(&["src/**", "lib/**", "**/a.ts", "**/b.ts", "src/a.ts"]),
            [(2, 0), (2, 1), (3, 0), (3, 1), (4, 0), (4, 2)]
        );
        assert_eq!(pairs(&["conf.d", "conf.d/a.conf", "x/conf.d"]), [(1, 0)]);
        assert_eq!(pairs(&["{a.d,b.d}", "b.d/*.x", "**/a.d", "c/a.d/y"]), [(1, 0), (2, 0), (2, 1), (3, 2)]);
        for path in ["conf.d", "docs/v1.2", "README"] {
            for below in ["*.md", "?.md", "*/x.md", "**/*.md", "x.md"] {
                let below = format!("{path}/{below}");
                assert_eq!(pairs(&[path, &below]), [(1, 0)], "{path} {below}");
                assert_eq!(pairs(&[&below, path]), [(1, 0)], "{below} {path}");
            }
        }
        let many: Vec<String> = (0..5000).map(|at| format!("**/part{at}/index.ts")).collect();
        assert_eq!(pairs(&many.iter().map(String::as_str).collect::<Vec<_>>()), []);
        // A pair of braces comes once.
        assert_eq!(pairs(&["{a,b}/x", "{a,b}/**"]), [(1, 0)]);
    }

    proptest! {
        #[test]
        fn a_pair_that_is_left_out_has_no_path_in_common(
            globs in prop::collection::vec("(a\\.b|README|b/a\\.b)(/\\*\\.a|/\\?|/\\*/b|/\\*\\*/a|/b)?|(a|b|ab|a\\.b|\\*\\*|\\*|a\\*|\\*b|\\*\\.b|\\?|\\{a,b\\.a\\}|\\.a)(/(a|b|a\\.b|\\*\\*|\\*b|a\\*)){0,3}", 2..8)
        ) {
            let found = pairs(&globs.iter().map(String::as_str).collect::<Vec<_>>());
            let read: Vec<PathGlob> = globs.iter().map(|glob| PathGlob::parse(glob).unwrap()).collect();
            for one in 0..read.len() {
                for other in 0..one {
                    let meeting = read[one].common_path(&read[other], &[], &mut 100_000);
                    prop_assert!(
                        found.contains(&(one, other)) || meeting == Meeting::Never,
                        "{} {}: {meeting:?}", globs[one], globs[other]
                    );
                }
            }
        }
    }
}
