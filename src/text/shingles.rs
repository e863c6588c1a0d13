//! Finds how much of some texts occurs in others, by runs of words: line ends, marks and order may differ.

use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt};

/// How many words make a run.
const RUN: usize = 4;

/// Words that occur this often in one text belong to the form of its entries, and tell nothing about one of them.
const COMMON: u16 = 3;

/// Texts that are looked for, and what has been found of them, in texts of kind `K`.
#[derive(Debug)]
pub struct ShingleIndex<K> {
    wanted: HashMap<u64, Wanted>,
    /// Which runs can be among those that are looked for: it rules out nearly all others without a look at the map,
    /// which is too large for the near memory of the processor.
    sieve: Sieve,
    /// The numbers of words in the parts that are shorter than a run.
    short: BTreeSet<usize>,
    /// The runs of each text.
    texts: Vec<Vec<u64>>,
    /// Where runs were found. Those of one run are a chain, and all of them have one piece of memory.
    found: Vec<Found>,
    /// The words of the last text, for their memory.
    words: Vec<u64>,
    /// The kinds of the texts that have been looked through.
    searched: Vec<K>,
}

/// A run of words that is looked for.
#[derive(Clone, Copy, Debug, Default)]
struct Wanted {
    /// The place in [`ShingleIndex::found`], from 1 on, of the last text in which it was found.
    last: u32,
    /// How often it is in that text.
    times: u16,
    is_common: bool,
}

/// A text in which a run was found.
#[derive(Clone, Copy, Debug)]
struct Found {
    /// The number of the text.
    text: u32,
    /// The place, from 1 on, of the text before in which the same run was found.
    before: u32,
}

impl<K> Default for ShingleIndex<K> {
    fn default() -> Self {
        Self {
            wanted: HashMap::new(),
            sieve: Sieve::default(),
            short: BTreeSet::new(),
            texts: Vec::new(),
            found: Vec::new(),
            words: Vec::new(),
            searched: Vec::new(),
        }
    }
}

/// A bit for each value of the high bits of a hash.
#[derive(Debug, Default)]
struct Sieve(Vec<u64>);

impl Sieve {
    /// So many high bits count: the bits fill 128 kB.
    const BITS: u32 = 20;

    fn place(hash: u64) -> (usize, u64) {
        let value = hash >> (u64::BITS - Self::BITS);
        (usize::try_from(value / 64).unwrap_or_default(), 1 << (value % 64))
    }

    fn add(&mut self, hash: u64) {
        self.0.resize(1 << (Self::BITS - 6), 0);
        let (word, bit) = Self::place(hash);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    fn may_have(&self, hash: u64) -> bool {
        let (word, bit) = Self::place(hash);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }
}

impl<K> ShingleIndex<K> {
    /// Looks for the text that has these parts, too. Its place is the number of those before it.
    pub fn add<'a>(&mut self, parts: impl IntoIterator<Item = &'a str>) {
        let mut runs = Vec::new();
        for part in parts {
            let words = &mut self.words;
            hash_words(part, words);
            if words.len() < RUN {
                self.short.insert(words.len());
            }
            runs.extend(hashes(words, words.len().min(RUN)));
        }
        let runs = once(runs);
        for run in &runs {
            self.wanted.entry(*run).or_default();
            self.sieve.add(*run);
        }
        self.texts.push(runs);
    }

    /// Notes what of the texts is in `text`.
    pub fn scan(&mut self, text: &str, kind: K) {
        let Ok(text_number) = u32::try_from(self.searched.len()) else { return };
        self.searched.push(kind);
        hash_words(text, &mut self.words);
        let runs = self.short.iter().chain([&RUN]).flat_map(|length| hashes(&self.words, *length));
        for run in runs.filter(|run| self.sieve.may_have(*run)) {
            let Some(wanted) = self.wanted.get_mut(&run) else { continue };
            if nth(&self.found, wanted.last).is_some_and(|last| last.text == text_number) {
                wanted.times = wanted.times.saturating_add(1);
            } else {
                self.found.push(Found { text: text_number, before: wanted.last });
                wanted.last = u32::try_from(self.found.len()).unwrap_or_default();
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
        let mut counts: HashMap<u32, usize> = HashMap::new();
        let of_kind = |text: &u32| self.searched.get(*text as usize).is_some_and(&is_wanted);
        let chain = |last: u32| std::iter::successors(nth(&self.found, last), |one| nth(&self.found, one.before));
        for text in own.iter().flat_map(|wanted| chain(wanted.last)).map(|one| one.text).filter(of_kind) {
            *counts.entry(text).or_default() += 1;
        }
        counts.values().max().map_or(0, |most| most * 100 / own.len().max(1))
    }
}

/// The one at `place`, from 1 on: 0 is none.
fn nth(found: &[Found], place: u32) -> Option<Found> {
    found.get((place as usize).checked_sub(1)?).copied()
}

/// The hash of each run of words in `text`, once. A text of fewer words is a run.
pub fn runs(text: &str) -> Vec<u64> {
    let mut words = Vec::new();
    hash_words(text, &mut words);
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

/// Puts a hash of each of the [`words`] of `text` into `words`: whole histories are looked through, and a word by itself would take
/// room.
fn hash_words(text: &str, words: &mut Vec<u64>) {
    words.clear();
    let (bytes, mut at) = (text.as_bytes(), 0);
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        // Nearly all words are short, and to look at each letter takes longer.
        if let Some(window) = rest.first_chunk().map(|window| u64::from_le_bytes(*window)) {
            let others = !letters(window) & (EACH << 7);
            let len = others.trailing_zeros() as usize / 8;
            if others & others.wrapping_neg() & window == 0 && len < STEP {
                if len > 0 {
                    words.push(mixed(BASIS.rotate_left(TURN), padded(window | SMALL, len)));
                }
                at += len + 1;
                continue;
            }
        }
        let len = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if rest.get(len).is_none_or(u8::is_ascii) {
            if len > 0 {
                words.push(hash_of(rest, len, SMALL));
            }
            // The next byte is no letter.
            at += len + 1;
            continue;
        }
        let Some(rest) = text.get(at..) else { break };
        let len = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        if len > 0 {
            let word: String = rest.chars().take_while(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
            words.push(hash_of(word.as_bytes(), word.len(), 0));
        }
        at += len + rest.get(len..).and_then(|end| end.chars().next()).map_or(0, char::len_utf8);
    }
}

/// The highest bit of each byte of `window` that is an ASCII letter or digit.
fn letters(window: u64) -> u64 {
    const HIGH: u64 = EACH << 7;
    let low = window & !HIGH;
    // The sums of bytes below 128 stay in their bytes.
    let at_least = |bytes: u64, least: u8| bytes + EACH * u64::from(128 - least);
    let small = low | SMALL;
    let is_letter = at_least(small, b'a') & !at_least(small, b'z' + 1);
    let is_digit = at_least(low, b'0') & !at_least(low, b'9' + 1);
    (is_letter | is_digit) & !window & HIGH
}

/// A one in each byte.
const EACH: u64 = u64::MAX / 255;

/// As many bytes as are hashed at once.
const STEP: usize = 8;

/// What makes ASCII letters small ones. It leaves digits as they are.
const SMALL: u64 = u64::from_le_bytes([b' '; STEP]);

/// The hash of the first `len` of `bytes`, with the bits of `fold` in each step.
fn hash_of(bytes: &[u8], len: usize, fold: u64) -> u64 {
    let mut hash = BASIS;
    for at in (0..len).step_by(STEP) {
        let rest = bytes.get(at..).unwrap_or_default();
        let step = rest.first_chunk().copied().unwrap_or_else(|| {
            let mut step = [0; STEP];
            step.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            step
        });
        let step = u64::from_le_bytes(step) | fold;
        hash = mixed(hash.rotate_left(TURN), padded(step, len - at));
    }
    hash
}

/// The first `len` bytes of `step`, and blanks behind them.
fn padded(step: u64, len: usize) -> u64 {
    let behind = match len {
        ..STEP => u64::MAX << (8 * len),
        _ => 0,
    };
    step & !behind | SMALL & behind
}

/// By so many bits a hash is turned before the next step.
const TURN: u32 = 23;

/// Where a hash begins.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// One step of a hash: a factor with bits in all places carries each byte to the high bits. It is not a secret: who writes text with
/// equal hashes makes his own entries look alike.
fn mixed(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Each run of `length` words, which is not 0.
fn hashes(words: &[u64], length: usize) -> impl Iterator<Item = u64> + '_ {
    words
        .windows(length.max(1))
        .filter(move |_| length > 0)
        .map(|run| run.iter().fold(BASIS, |hash, word| mixed(hash.rotate_left(TURN), *word)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hashed_words(text: &str) -> Vec<u64> {
        let mut words = vec![0];
        hash_words(text, &mut words);
        words
    }

    #[test]
    fn letters_of_a_window() {
        for byte in 0..=u8::MAX {
            for place in 0..STEP {
                let mut window = [b'-', b'z', 0xff, b'/', b':', b'0', 0, b'Z'];
                window[place] = byte;
                let expected = window.map(|byte| if byte.is_ascii_alphanumeric() { 0x80 } else { 0 });
                assert_eq!(letters(u64::from_le_bytes(window)).to_le_bytes(), expected, "{window:?}");
            }
        }
    }

    proptest! {
        /// A word has a hash, and the same one in capitals.
        #[test]
        fn hashes_are_those_of_the_words(text in "([a-cA1Äßé\u{212a}]{0,12}[ ,.\n—]){0,9}[a-c]{0,12}") {
            let alone = |word: String| hashed_words(&word);
            let expected: Vec<u64> = words(&text).into_iter().flat_map(alone).collect();
            prop_assert_eq!(hashed_words(&text), expected);
        }
    }

    #[test]
    fn a_hash_is_that_of_one_word() {
        let long = "abcdefghijklmnopq";
        let prefixes = (1..=long.len()).filter_map(|end| long.get(..end)).map(str::to_owned);
        let texts: Vec<String> = prefixes.chain(["é", "ê", "р", "ѐ", "1", "aé", "éa"].map(str::to_owned)).collect();
        let hashes: BTreeSet<u64> = texts.iter().flat_map(|text| hashed_words(text)).collect();
        assert_eq!(hashes.len(), texts.len());
        for text in &texts {
            let around = format!("—{}—x, {text}", text.to_uppercase());
            let found = hashed_words(&around);
            assert_eq!(found.first(), found.last(), "{text}");
            assert_eq!(found.first(), hashed_words(text).first(), "{text}");
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
