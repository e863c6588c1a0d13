//! "Did you mean": the known word that another one is a slip of.

/// The longest word that is compared with others, in bytes: what is compared costs the product of both lengths.
const WORD_MAX: usize = 64;

/// The word of `known` that `word` may be meant for: the same but for case, blanks, `-` and `_`, or a letter in four away from
/// it. The nearest counts, of two as near the first in the order of the alphabet.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |word: &str| word.to_lowercase().replace(['-', '_', ' '], "");
    if word.len() > WORD_MAX {
        return None;
    }
    let word = plain(word);
    let distance = |known: &'a str| {
        let plain = plain(known);
        let distance = strsim::damerau_levenshtein(&word, &plain);
        let most = match plain.len() {
            // One letter of two is another word.
            0..=2 => 0,
            length => (length / 4).max(1),
        };
        (distance <= most).then_some((distance, known))
    };
    let known = known.into_iter().filter(|known| known.len() <= WORD_MAX);
    known.filter_map(distance).min().map(|(_, known)| known)
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
    nearest(word, known.iter().copied()).or_else(|| {
        let alike = known.iter().copied().filter(|known| shared(known) * 2 > parts.len());
        alike.min_by_key(|known| (std::cmp::Reverse(shared(known)), known.split('-').count()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_known() {
        let known = ["frontend", "db", "low", "high", "cross-agent", "permission-mode"];
        for (word, expected) in [
            ("front-end", Some("frontend")),
            ("hgih", Some("high")),
            ("lwo", Some("low")),
            ("Cross Agent", Some("cross-agent")),
            ("permision_mode", Some("permission-mode")),
            ("backend", None),
            ("medium", None),
            ("dbs", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
        assert_eq!(nearest(&"x".repeat(100), known), None);
        assert_eq!(nearest("x", ["x".repeat(100).as_str()]), None);
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
