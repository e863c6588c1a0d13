//! "Did you mean": the known word that another one is a slip of.

/// The longest word that is compared with others, in bytes: what is compared costs the product of both lengths.
const WORD_MAX: usize = 64;

/// The shortest known word, in letters, whose misspellings are certain. Those of shorter ones are words: `chore` for
/// `core`, `tangs` for `tags`, `nate` for `note`.
const LONG: usize = 6;

/// How far a word may be from the known one that it is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tolerance {
    /// For a message, which a person reads: the same except for case, blanks, `-`, `_`, a plural in `-ies`, or a letter in four
    /// away.
    Help,
    /// For a fix, which writes the known word: it can be meant and nothing else.
    ///
    /// The words are the same except for case, blanks, `-` and `_`. Or, with as many parts, one of them has a final `s`; or two
    /// neighbouring letters are swapped; or one letter is doubled, or is there once for twice; or, in a known word of six letters
    /// and more, one letter between the first and the last is missing, too many, or a vowel for another.
    ///
    /// Of the 104,000 words of an English word list none but plurals and `summery` is so near to the name of a section, a field
    /// or a type of entry, and none of 9,400 headings that teams were seen to use. One edit of any kind would be too much:
    /// `References` and `Preferences`, `node` and `note`, `superseded` and `supersedes` are words of their own.
    Sure,
}

/// The word of `known` that `word` may be meant for. The nearest counts, of two as near the first in the order of the alphabet.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>, tolerance: Tolerance) -> Option<&'a str> {
    nearest_outlined(word, outlined(known), tolerance)
}

/// As [`nearest`], with an outline of each known word, for words that are known for long and compared with many others.
pub fn nearest_outlined<'a>(
    word: &str,
    known: impl IntoIterator<Item = (&'a str, Outline)>,
    tolerance: Tolerance,
) -> Option<&'a str> {
    measured(word, known, tolerance).min().map(|(_, known)| known)
}

/// The words of `known` that `word` may be meant for, to be shown: the nearest first.
pub fn all_near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut near: Vec<_> = measured(word, outlined(known), Tolerance::Help).collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().map(|(_, known)| known).collect()
}

fn outlined<'a>(known: impl IntoIterator<Item = &'a str>) -> impl Iterator<Item = (&'a str, Outline)> {
    known.into_iter().filter(|known| known.len() <= WORD_MAX).map(|known| (known, Outline::of(known)))
}

fn measured<'a>(
    word: &str,
    known: impl IntoIterator<Item = (&'a str, Outline)>,
    tolerance: Tolerance,
) -> impl Iterator<Item = (usize, &'a str)> {
    let plain = |word: &str| word.to_lowercase().replace(['-', '_', ' '], "");
    // `PR References` is not a slip of `Preferences`, though the letters are.
    let count = |word: &str| word.split(['-', '_', ' ']).count();
    let parts = count(word);
    let word = (word.len() <= WORD_MAX).then(|| plain(word));
    let of_word = word.as_deref().map_or(0, letters);
    let may_be_near = move |(known, outline): &(&str, Outline)| known.len() <= WORD_MAX && !outline.is_far(of_word);
    known.into_iter().filter(may_be_near).filter_map(move |(known, _)| {
        let (word, plain) = (word.as_deref()?, plain(known));
        let most = match tolerance {
            Tolerance::Help => most(plain.chars().count()),
            Tolerance::Sure => 1,
        };
        let distance = match tolerance {
            Tolerance::Help if is_plural(word, &plain) || is_plural(&plain, word) => 1,
            // Nearly all words are too far apart by the letters that only one of them has: each is an edit.
            _ if apart(of_word, letters(&plain)) > most => return None,
            Tolerance::Help | Tolerance::Sure => strsim::damerau_levenshtein(word, &plain),
        };
        let is_near = match tolerance {
            Tolerance::Help => distance <= most,
            Tolerance::Sure => distance == 0 || distance == 1 && parts == count(known) && is_slip(word, &plain),
        };
        is_near.then_some((distance, known))
    })
}

/// A bit for each letter in `word`; some letters share theirs.
fn letters(word: &str) -> u64 {
    word.chars().fold(0, |letters, letter| letters | 1 << (u32::from(letter) % 64))
}

/// How many letters at least only one of two words has.
fn apart(one: u64, other: u64) -> usize {
    (one & !other).count_ones().max((other & !one).count_ones()) as usize
}

/// What is enough of a known word to see that nearly all other words are too far away from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outline {
    letters: u64,
    /// How many letters at most may be in only one of two words, whatever is tolerated.
    most_apart: usize,
}

impl Outline {
    /// That of `known`.
    pub fn of(known: &str) -> Self {
        let plain = known.chars().filter(|letter| !matches!(letter, '-' | '_' | ' ')).flat_map(char::to_lowercase);
        let (letters, count) =
            plain.fold((0, 0), |(letters, count), letter| (letters | 1 << (u32::from(letter) % 64), count + 1));
        // A plural in `-ies` has three letters of its own.
        Self { letters, most_apart: most(count).max(3) }
    }

    /// Whether its word is too far away from one with the letters `of_word`.
    fn is_far(self, of_word: u64) -> bool {
        apart(of_word, self.letters) > self.most_apart
    }
}

/// How many edits away from a known word of so many letters another one may be.
fn most(letters: usize) -> usize {
    match letters {
        // One letter of two is another word.
        0..=2 => 0,
        letters => (letters / 4).max(1),
    }
}

/// Whether `word` is the plural in `-ies` of `other`, which is three edits away.
fn is_plural(word: &str, other: &str) -> bool {
    word.strip_suffix("ies").is_some_and(|stem| Some(stem) == other.strip_suffix('y'))
}

/// Whether `word`, which is at most one edit away from `known`, can be meant for nothing else.
fn is_slip(word: &str, known: &str) -> bool {
    let (word, known): (Vec<char>, Vec<char>) = (word.chars().collect(), known.chars().collect());
    let start = word.iter().zip(&known).take_while(|(a, b)| a == b).count();
    let rest = word.len().min(known.len()) - start;
    let end = word.iter().rev().zip(known.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let differing = |letters: &[char]| letters.get(start..letters.len() - end).unwrap_or_default().to_vec();
    let is_inside = start > 0 && end > 0 && known.len() >= LONG;
    let is_vowel = |letter: char| matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u');
    match (differing(&word).as_slice(), differing(&known).as_slice()) {
        ([letter], []) | ([], [letter]) => {
            let is_doubled = start > 0 && word.get(start - 1) == Some(letter);
            is_doubled || is_inside || end == 0 && *letter == 's' && start > 0
        }
        ([a], [b]) => is_inside && is_vowel(*a) && is_vowel(*b),
        // With one edit between them nothing differs, or two neighbours are swapped.
        _ => true,
    }
}

/// As [`nearest`], for keys and words of several parts: also the one of `known` that has more than half of the parts of `word`,
/// in any order, and the fewest others. So `never` finds `never-tracked`, and `decisions-max` finds `max-decisions-bytes`.
pub fn nearest_key<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    if word.len() > WORD_MAX {
        return None;
    }
    let parts: Vec<&str> = word.split(['-', '_', ' ']).collect();
    let has = |known: &str, part: &str| part.len() >= 3 && known.split('-').any(|own| own.starts_with(part));
    let shared = |known: &str| parts.iter().filter(|part| has(known, part)).count();
    nearest(word, known.iter().copied(), Tolerance::Help).or_else(|| {
        let alike = known.iter().copied().filter(|known| shared(known) * 2 > parts.len());
        alike.min_by_key(|known| (std::cmp::Reverse(shared(known)), known.split('-').count()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_never_further_apart_than_words() {
        let words = ["", "agent-0", "verbal", "vebral", "decisión", "DECISIÓN", "日本", "日木語", "aaaa", "abcd"];
        for (one, other) in words.iter().flat_map(|one| words.map(|other| (*one, other))) {
            let distance = strsim::damerau_levenshtein(one, other);
            assert!(apart(letters(one), letters(other)) <= distance, "{one} {other}");
        }
        assert_eq!(apart(letters("verbal"), letters("agent0")), 4);
    }

    #[test]
    fn no_near_word_is_far_by_its_outline() {
        let known = ["Frontend", "jest-spies", "policy", "decisión", "DECISIÓN LOG", "日本語", "ΣΊΣΥΦΟΣ", "a", ""];
        for (word, expected) in [
            ("front-end", Some("Frontend")),
            ("jest spy", Some("jest-spies")),
            ("policies", Some("policy")),
            ("decision", Some("decisión")),
            ("decisión-log", Some("DECISIÓN LOG")),
            ("日木語", Some("日本語")),
            ("verbal", None),
        ] {
            assert_eq!(nearest(word, known, Tolerance::Help), expected, "{word}");
            let outlined = known.map(|known| (known, Outline::of(known)));
            assert_eq!(nearest_outlined(word, outlined, Tolerance::Help), expected, "{word}");
        }
    }

    #[test]
    fn a_slip_is_known() {
        let known = ["frontend", "low", "high", "cross-agent", "permission-mode"];
        for (word, expected) in [
            ("front-end", Some("frontend")),
            ("hgih", Some("high")),
            ("lwo", Some("low")),
            ("Cross Agent", Some("cross-agent")),
            ("permision_mode", Some("permission-mode")),
            ("cross-agents", Some("cross-agent")),
            ("backend", None),
            ("medium", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known, Tolerance::Help), expected, "{word}");
        }
        assert_eq!(nearest(&"x".repeat(100), known, Tolerance::Help), None);
        assert_eq!(nearest("x", ["x".repeat(100).as_str()], Tolerance::Help), None);
        assert_eq!(nearest("jest-spy", ["jest-spies"], Tolerance::Help), Some("jest-spies"));
        assert_eq!(all_near("lo", ["high", "log", "low", "lo"]), ["lo", "log", "low"]);
    }

    #[test]
    fn what_is_written_is_certain() {
        let known = ["Preferences", "Codebase Patterns", "Gotchas", "tags", "note", "author", "supersedes", "related"];
        for (word, expected) in [
            ("PREFERENCES", Some("Preferences")),
            ("Preference", Some("Preferences")),
            ("Prefrences", Some("Preferences")),
            ("Prefferences", Some("Preferences")),
            ("Preferances", Some("Preferences")),
            ("Preefrences", Some("Preferences")),
            ("code-base_patterns", Some("Codebase Patterns")),
            ("Codbase Patterns", Some("Codebase Patterns")),
            ("Gothcas", Some("Gotchas")),
            ("Gotcha", Some("Gotchas")),
            ("Tag", Some("tags")),
            ("tgas", Some("tags")),
            ("notes", Some("note")),
            ("auther", Some("author")),
            ("authr", Some("author")),
        ] {
            assert_eq!(nearest(word, known, Tolerance::Sure), expected, "{word}");
        }
        for word in [
            "References",
            "PR References",
            "Reference",
            "node",
            "not",
            "none",
            "noted",
            "nate",
            "vote",
            "ages",
            "stages",
            "tangs",
            "superseded",
            "relaxed",
            "relayed",
            "elated",
            "relate",
            "authored",
            "Gotcha 1",
            "",
        ] {
            assert_eq!(nearest(word, known, Tolerance::Sure), None, "{word}");
        }
    }
    #[test]
    fn a_key_is_known_by_its_parts() {
        let known =
            ["max-core-lines", "max-lines", "max-task-relevant-lines", "similarity-threshold", "stale-after-days"];
        for (word, expected) in [
            ("lines-max", Some("max-lines")),
            ("core-max", Some("max-core-lines")),
            ("task_relevant_max", Some("max-task-relevant-lines")),
            ("stale-after", Some("stale-after-days")),
            ("similarity", Some("similarity-threshold")),
            ("sim", Some("similarity-threshold")),
            ("max-lnies", Some("max-lines")),
            ("max-everything", None),
            ("color", None),
            ("", None),
        ] {
            assert_eq!(nearest_key(word, &known), expected, "{word}");
        }
        assert_eq!(nearest_key(&"max-".repeat(100), &known), None);
    }
}
