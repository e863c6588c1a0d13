//! Finds how much of some texts occurs in others, by runs of words: line ends, marks and order may differ.

use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt};

/// How many words make a run.
const RUN: usize = 4;

/// Words that occur this often in one text belong to the form of its entries, and tell nothing about one of them.
const COMMON: u32 = 3;

/// Texts that are looked for, and what has been found of them, in texts of kind `K`.
#[derive(Debug)]
pub struct ShingleIndex<K> {
    wanted: HashMap<u64, Wanted>,
    /// The numbers of words in the parts that are shorter than a run.
    short: BTreeSet<usize>,
    /// The runs of each text.
    texts: Vec<Vec<u64>>,
    /// The kinds of the texts that have been looked through.
    searched: Vec<K>,
}

/// A run of words that is looked for.
#[derive(Debug, Default)]
struct Wanted {
    /// The numbers of the texts in which it was found.
    found_in: Vec<usize>,
    /// How often it is in the last one of them.
    times: u32,
    is_common: bool,
}

impl<K> Default for ShingleIndex<K> {
    fn default() -> Self {
        Self { wanted: HashMap::new(), short: BTreeSet::new(), texts: Vec::new(), searched: Vec::new() }
    }
}

impl<K> ShingleIndex<K> {
    /// Looks for the text that has these parts, too. Its place is the number of those before it.
    pub fn add<'a>(&mut self, parts: impl IntoIterator<Item = &'a str>) {
        let mut runs = Vec::new();
        for part in parts {
            let words = hashed_words(part);
            if words.len() < RUN {
                self.short.insert(words.len());
            }
            runs.extend(hashes(&words, words.len().min(RUN)));
        }
        let runs = once(runs);
        for run in &runs {
            self.wanted.entry(*run).or_default();
        }
        self.texts.push(runs);
    }

    /// Notes what of the texts is in `text`.
    pub fn scan(&mut self, text: &str, kind: K) {
        let number = self.searched.len();
        self.searched.push(kind);
        let words = hashed_words(text);
        let runs = self.short.iter().chain([&RUN]).flat_map(|length| hashes(&words, *length));
        for run in runs {
            let Some(wanted) = self.wanted.get_mut(&run) else { continue };
            if wanted.found_in.last() == Some(&number) {
                wanted.times += 1;
            } else {
                wanted.found_in.push(number);
                wanted.times = 1;
            }
            wanted.is_common |= wanted.times >= COMMON;
        }
    }

    /// How many of a hundred runs of the text at `place` are in one of the texts that were looked through and are of a
    /// wanted kind: in that which has most of them.
    pub fn coverage(&self, place: usize, is_wanted: impl Fn(&K) -> bool) -> usize {
        let runs = self.texts.get(place).into_iter().flatten().filter_map(|run| self.wanted.get(run));
        let (common, own): (Vec<&Wanted>, Vec<&Wanted>) = runs.partition(|wanted| wanted.is_common);
        let own = if own.is_empty() { common } else { own };
        let mut counts: HashMap<usize, usize> = HashMap::new();
        let of_kind = |text: &&usize| self.searched.get(**text).is_some_and(&is_wanted);
        for text in own.iter().flat_map(|wanted| &wanted.found_in).filter(of_kind) {
            *counts.entry(*text).or_default() += 1;
        }
        counts.values().max().map_or(0, |most| most * 100 / own.len().max(1))
    }
}

/// The hash of each run of words in `text`, once. A text of fewer words is a run.
pub fn runs(text: &str) -> Vec<u64> {
    let words = hashed_words(text);
    once(hashes(&words, words.len().min(RUN)).collect())
}

fn once(mut runs: Vec<u64>) -> Vec<u64> {
    runs.sort_unstable();
    runs.dedup();
    runs
}

/// The words of `text`: letters and digits, in small letters.
pub fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// A hash of each of the [`words`] of `text`: whole histories are looked through, and a word by itself would take room.
fn hashed_words(text: &str) -> Vec<u64> {
    // A word has six bytes and what parts it from the next one, or more.
    let mut words = Vec::with_capacity(text.len() / 6);
    let mut hash = BASIS;
    let (bytes, mut at) = (text.as_bytes(), 0);
    while let Some(&byte) = bytes.get(at) {
        let letter = LETTERS.get(usize::from(byte)).copied().unwrap_or_default();
        if letter > 0 {
            hash = mixed(hash, u64::from(letter));
            at += 1;
        } else if byte.is_ascii() {
            if hash != BASIS {
                words.push(hash);
                hash = BASIS;
            }
            at += 1;
        } else {
            let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { break };
            at += c.len_utf8();
            if c.is_alphanumeric() {
                c.to_lowercase().for_each(|c| hash = mixed(hash, u64::from(u32::from(c))));
            } else if hash != BASIS {
                words.push(hash);
                hash = BASIS;
            }
        }
    }
    words.extend((hash != BASIS).then_some(hash));
    words
}

/// Each ASCII letter and digit, in small letters; 0 for all other bytes.
#[allow(clippy::indexing_slicing, reason = "the compiler makes it")]
static LETTERS: [u8; 256] = {
    let (mut letters, mut byte) = ([0; 256], 0_u8);
    while byte < 128 {
        if byte.is_ascii_alphanumeric() {
            letters[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    letters
};

/// Where the hash of FNV-1a begins.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// One step of FNV-1a. It is not a secret: who writes text with equal hashes makes his own entries look alike.
fn mixed(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x0100_0000_01b3)
}

/// Each run of `length` words, which is not 0.
fn hashes(words: &[u64], length: usize) -> impl Iterator<Item = u64> + '_ {
    words
        .windows(length.max(1))
        .filter(move |_| length > 0)
        .map(|run| run.iter().fold(BASIS, |hash, word| mixed(hash.rotate_left(23), *word)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A word has a hash, and the same one in capitals.
        #[test]
        fn hashes_are_those_of_the_words(text in "[a-cA1Äßé ,.\n]{0,40}") {
            let alone = |word: String| hashed_words(&word);
            let expected: Vec<u64> = words(&text).into_iter().flat_map(alone).collect();
            prop_assert_eq!(hashed_words(&text), expected);
        }
    }

    #[test]
    fn marks_and_line_ends_do_not_count() {
        let mut index = ShingleIndex::default();
        index.add(["We use **tabs**, never blanks,\nin all files of the shell."]);
        index.add(["Nothing of this stands anywhere in it."]);
        index.scan("### 2026-02-10: Tabs\n\n- we use tabs never\n  blanks in all files of the shell\n", ());
        assert_eq!((index.coverage(0, |()| true), index.coverage(1, |()| true)), (100, 0));
    }

    #[test]
    fn what_is_scattered_over_texts_stands_in_none() {
        let mut index = ShingleIndex::default();
        index.add(["one two three four five six seven eight"]);
        index.scan("one two three four five", ());
        index.scan("four five six seven eight", ());
        assert_eq!(index.coverage(0, |()| true), 40);
    }
    #[test]
    fn what_stands_everywhere_tells_nothing() {
        let mut index = ShingleIndex::default();
        let entry = |what: &str| format!("By: Brady. What: {what}. Why: it was asked for by a user.\n");
        index.add([entry("all files are indented with tabs").as_str()]);
        index.scan(&[entry("names start with a number"), entry("no pull request on Fridays"), entry("x")].concat(), ());
        assert_eq!(index.coverage(0, |()| true), 0);
    }

    #[test]
    fn short_parts_are_looked_for_as_they_are() {
        let mut index = ShingleIndex::default();
        index.add(["Tabs", "Never blanks.", ""]);
        index.scan("Tabs: that is what we use; never blanks.", ());
        assert_eq!(index.coverage(0, |()| true), 100);
    }
}
