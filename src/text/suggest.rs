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
        (distance <= (plain.len() / 4).max(1)).then_some((distance, known))
    };
    let known = known.into_iter().filter(|known| known.len() <= WORD_MAX);
    known.filter_map(distance).min().map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_known() {
        let known = ["frontend", "low", "high", "cross-agent", "permission-mode"];
        for (word, expected) in [
            ("front-end", Some("frontend")),
            ("hgih", Some("high")),
            ("lwo", Some("low")),
            ("Cross Agent", Some("cross-agent")),
            ("permision_mode", Some("permission-mode")),
            ("backend", None),
            ("medium", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
        assert_eq!(nearest(&"x".repeat(100), known), None);
        assert_eq!(nearest("x", ["x".repeat(100).as_str()]), None);
    }
}
