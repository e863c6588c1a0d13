//! How much of what two texts say is the same: the words that both have, of all words that they have. Which pairs are worth
//! comparing an inverted index of rare words says, so that ten thousand texts cost no more than ten times what a thousand do.

use std::collections::HashMap;

use rapidfuzz::distance::{indel, lcs_seq};

/// Texts of fewer words than these are too short to tell: one other word, and they say another thing.
const MIN_WORDS: usize = 6;
/// With so many texts before it, at most, is a text compared: those that share its rarest words, the nearest first.
pub const MAX_CANDIDATES: usize = 64;

/// Two texts that are alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The place of the earlier text.
    pub first: usize,
    /// The place of the later text.
    pub second: usize,
    /// Twice the words that both have, divided by the words of both: 1 for the same words, whatever their order.
    pub score: f64,
}

/// The pairs among `texts` whose score is at least `threshold` (more than 0, at most 1), in the order of the later text, then
/// of the earlier one.
///
/// Every pair is found among [`MAX_CANDIDATES`] texts and fewer. Among more, a text that shares its words with more than so
/// many others is compared with some of them only: the cost grows with the number of words, not with its square.
///
/// Two texts that name different things by number (`v1` and `v2`) are not a pair, nor are texts of fewer than six words.
pub fn pairs(texts: &[&str], threshold: f64) -> Vec<Pair> {
    let bags = bags(texts);
    let places = bags.iter().flat_map(|bag| &bag.words).map(|(place, _)| place + 1).max().unwrap_or_default();
    let mut texts_with: Vec<Vec<usize>> = vec![Vec::new(); places];
    let mut met = vec![usize::MAX; texts.len()];
    let mut found = Vec::new();
    for (second, bag) in bags.iter().enumerate().filter(|(_, bag)| bag.words.len() >= MIN_WORDS) {
        let mut left = MAX_CANDIDATES;
        // Whatever is alike enough shares one of these: see `rare`.
        let rare = bag.words.get(..rare(bag.words.len(), threshold)).unwrap_or_default();
        for (place, _) in rare.iter().filter(|(_, time)| *time == 0) {
            let Some(before) = texts_with.get_mut(*place) else { continue };
            for &first in before.iter().rev().take(MAX_CANDIDATES) {
                if left == 0 {
                    break;
                }
                if met.get_mut(first).is_none_or(|met| std::mem::replace(met, second) == second) {
                    continue;
                }
                left -= 1;
                let score = bags.get(first).map_or(0.0, |other| score(other, bag));
                if score >= threshold {
                    found.push(Pair { first, second, score });
                }
            }
            before.push(second);
        }
    }
    found.sort_unstable_by_key(|pair| (pair.second, pair.first));
    found
}

/// How many of a text's `len` words, the rarest first, have to be looked up. A text that scores `threshold` with it has at
/// least `threshold / (2 - threshold)` times its words, and so the two share at least that part of them: where the rarest
/// words of both are left out of that, one of the others is still among them.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn rare(len: usize, threshold: f64) -> usize {
    // A word more than needed where rounding makes it so.
    let shared = (len as f64 * threshold / (2.0 - threshold) - 1e-9).ceil().max(1.0) as usize;
    (len + 1).saturating_sub(shared)
}

/// The words of a text.
#[derive(Debug, Default)]
struct Bag {
    /// Each word by its place in the order of rarity, with how often it came before: two texts that have a word twice share
    /// both. Sorted.
    words: Vec<(usize, u32)>,
    /// The places alone.
    places: Vec<u64>,
    /// Those that tell things apart by number.
    numbered: Vec<u64>,
}

/// The words of each text. A word is rarer the fewer texts have it.
fn bags(texts: &[&str]) -> Vec<Bag> {
    #[derive(Default)]
    struct Word {
        texts: usize,
        numbered: bool,
        place: usize,
    }
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut known: Vec<Word> = Vec::new();
    let mut bags = Vec::with_capacity(texts.len());
    for text in texts {
        let mut bag = Bag::default();
        words(text, |word| {
            let number = numbers.get(word).copied().unwrap_or_else(|| {
                known.push(Word { numbered: is_numbered(word), ..Word::default() });
                *numbers.entry(word.to_owned()).or_insert(known.len() - 1)
            });
            bag.words.push((number, 0));
        });
        bag.words.sort_unstable();
        for same in bag.words.chunk_by_mut(|a, b| a.0 == b.0) {
            for (time, word) in (0..).zip(&mut *same) {
                word.1 = time;
            }
            if let Some(word) = same.first().and_then(|(number, _)| known.get_mut(*number)) {
                word.texts += 1;
            }
        }
        bags.push(bag);
    }
    let mut order: Vec<(usize, usize)> = known.iter().map(|word| word.texts).zip(0..).collect();
    order.sort_unstable();
    for (place, (_, number)) in order.into_iter().enumerate() {
        if let Some(word) = known.get_mut(number) {
            word.place = place;
        }
    }
    for bag in &mut bags {
        for (number, time) in &mut bag.words {
            if let Some(word) = known.get(*number) {
                *number = word.place;
                if word.numbered && *time == 0 {
                    bag.numbered.push(word.place as u64);
                }
            }
        }
        bag.words.sort_unstable();
        bag.places = bag.words.iter().map(|(place, _)| *place as u64).collect();
        bag.numbered.sort_unstable();
    }
    bags
}

/// The score of two texts; 0 where both have a number that the other lacks. Of two sorted lists the longest common
/// subsequence is what they share.
fn score(a: &Bag, b: &Bag) -> f64 {
    let fewer = a.numbered.len().min(b.numbered.len());
    if fewer > 0 && lcs_seq::similarity(a.numbered.iter().copied(), b.numbered.iter().copied()) < fewer {
        return 0.0;
    }
    indel::normalized_similarity(a.places.iter().copied(), b.places.iter().copied())
}

/// Whether a word is letters and a number: `v2`, `p50`.
fn is_numbered(word: &str) -> bool {
    word.starts_with(char::is_alphabetic) && word.ends_with(char::is_numeric)
}

/// Hands the words of a text to `take`, in small letters: runs of letters and digits, `camelCase` as two of them, and each
/// character of a script that writes no blanks between words as one.
pub fn words(text: &str, mut take: impl FnMut(&str)) {
    let mut word = String::new();
    let mut before_small = false;
    for c in text.chars() {
        let alone = is_ideograph(c);
        let ends = !c.is_alphanumeric() || alone || (before_small && c.is_uppercase());
        if ends && !word.is_empty() {
            take(&word);
            word.clear();
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        if alone {
            take(&word);
            word.clear();
        }
        before_small = c.is_lowercase();
    }
    if !word.is_empty() {
        take(&word);
    }
}

/// Whether a character is a word by itself: Han, Hiragana, Katakana, Thai, Lao, Khmer, Burmese.
fn is_ideograph(c: char) -> bool {
    c.is_alphanumeric()
        && matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
            | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The text without what only looks different: which blanks are in it, emphasis by `*`, a full stop at the end, and, outside
/// code spans, the case of its letters.
pub fn normal(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    let mut is_code = false;
    for word in text.split_whitespace() {
        let start = normal.len();
        if start > 0 {
            normal.push(' ');
        }
        let empty = normal.len();
        for c in word.chars() {
            match c {
                '`' => {
                    is_code = !is_code;
                    normal.push(c);
                }
                '*' if !is_code => {}
                _ if is_code => normal.push(c),
                _ => normal.extend(c.to_lowercase()),
            }
        }
        if normal.len() == empty {
            normal.truncate(start);
        }
    }
    let len = normal.trim_end_matches(['.', ' ']).len();
    normal.truncate(len);
    normal
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All pairs, by comparing each text with each.
    fn by_force(texts: &[&str], threshold: f64) -> Vec<Pair> {
        let bags = bags(texts);
        let mut found = Vec::new();
        for second in 0..bags.len() {
            for first in 0..second {
                let score = score(&bags[first], &bags[second]);
                if bags[second].words.len().min(bags[first].words.len()) >= MIN_WORDS && score >= threshold {
                    found.push(Pair { first, second, score });
                }
            }
        }
        found
    }

    fn as_strs(texts: &[String]) -> Vec<&str> {
        texts.iter().map(String::as_str).collect()
    }

    fn words_of(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        words(text, |word| all.push(word.to_owned()));
        all
    }

    proptest! {
        #[test]
        fn finds_what_comparing_all_finds(
            texts in prop::collection::vec(prop::collection::vec("[abcdef][123]?", 0..14), 0..MAX_CANDIDATES),
            threshold in 0.05f64..=1.0,
        ) {
            let texts: Vec<String> = texts.into_iter().map(|words| words.join(" ")).collect();
            let texts = as_strs(&texts);
            prop_assert_eq!(pairs(&texts, threshold), by_force(&texts, threshold));
        }

        /// The score is what a diff of the sorted words calls the ratio of what is equal.
        #[test]
        fn the_score_is_the_ratio_of_a_diff(a in "[a-e ]{8,60}", b in "[a-e ]{8,60}") {
            let (mut left, mut right) = (words_of(&a), words_of(&b));
            left.sort();
            right.sort();
            let lcs = similar::capture_diff_slices(similar::Algorithm::Lcs, &left, &right);
            let ratio = similar::diff_ratio(&lcs, left.len(), right.len());
            let [first, second] = <[Bag; 2]>::try_from(bags(&[&a, &b])).unwrap();
            if left.len() + right.len() > 0 {
                prop_assert!((score(&first, &second) - f64::from(ratio)).abs() < 1e-5);
            }
        }

        #[test]
        fn takes_any_text(texts in prop::collection::vec(any::<String>(), 0..8), threshold in 0.0f64..=1.0) {
            let texts = as_strs(&texts);
            for pair in pairs(&texts, threshold) {
                prop_assert!(pair.first < pair.second && pair.second < texts.len());
                prop_assert!(pair.score >= threshold && pair.score <= 1.0);
            }
            for text in texts {
                let once = normal(text);
                prop_assert_eq!(normal(&once), once);
            }
        }
    }

    #[test]
    fn what_is_said_in_other_words_is_alike() {
        let texts = [
            "Use `satisfies EventType` on event literal objects — compile-time safety without widening inferred type",
            "Migration v1: `ALTER TABLE tasks ADD COLUMN close_reason TEXT` (nullable)",
            "`satisfies EventType` on event literals for compile-time safety without widening",
            "Migration v2: `ALTER TABLE tasks ADD COLUMN notes TEXT` (nullable)",
            "Use zod",
            "Use zod",
        ];
        let found: Vec<(usize, usize)> = pairs(&texts, 0.6).iter().map(|pair| (pair.first, pair.second)).collect();
        assert_eq!(found, [(0, 2)]);
    }

    #[test]
    fn words_are_what_people_call_words() {
        assert_eq!(
            words_of("`EventStore.getAll()` — n't 用户Id v1.2"),
            ["event", "store", "get", "all", "n", "t", "用", "户", "id", "v1", "2"]
        );
    }

    #[test]
    fn what_differs_in_more_than_its_looks_is_not_equal() {
        assert_eq!(normal("Use  **zod** in\n the API."), normal("use zod in the api"));
        assert_ne!(normal("Use `Id`"), normal("Use `id`"));
        assert_ne!(normal("a needs b"), normal("b needs a"));
    }

    /// The cost is counted in comparisons, not in seconds.
    #[test]
    fn a_thousand_texts_of_the_same_words_are_compared_with_a_few_each() {
        let texts: Vec<String> = (0..1000).map(|at| format!("the same words for all of them {at}")).collect();
        let found = pairs(&as_strs(&texts), 0.6);
        assert!(found.len() <= 1000 * MAX_CANDIDATES, "{}", found.len());
        assert!((1..1000).all(|at| found.iter().any(|pair| pair.second == at && pair.first == at - 1)));
    }
}
