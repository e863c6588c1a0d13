//! What is left of the protocol's templates: `task_[timestamp]_[sequence]`, `high|medium|low`.

/// The words that the templates have in brackets, with `-` for `_`.
const BLANKS: [&str; 17] = [
    "agent",
    "agent-id",
    "agent-name",
    "date",
    "filename",
    "from-agent",
    "hash",
    "id",
    "iso-timestamp",
    "name",
    "number",
    "sequence",
    "session-id",
    "task-id",
    "time",
    "timestamp",
    "to-agent",
];

/// Whether `word` is one that the templates have in brackets.
pub(super) fn is_blank(word: &str) -> bool {
    let word = word.trim().to_ascii_lowercase().replace(['_', ' '], "-");
    BLANKS.binary_search(&word.as_str()).is_ok()
}

/// The part of `text` that is left of a template, such as `[timestamp]`.
pub(super) fn blank(text: &str) -> Option<&str> {
    text.char_indices().find_map(|(start, open)| {
        let close = match open {
            '[' => ']',
            '<' => '>',
            '{' => '}',
            _ => return None,
        };
        let rest = text.get(start + 1..)?;
        let word = rest.get(..rest.find(close)?)?;
        is_blank(word).then(|| text.get(start..start + word.len() + 2))?
    })
}

/// Whether `text` is a choice of the template, such as `high|medium|low`: at least one of its parts is one of `words`.
pub(super) fn is_choice(text: &str, words: &[&str]) -> bool {
    text.contains('|') && text.split('|').any(|part| words.contains(&part.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_words_of_the_template_in_brackets() {
        assert!(BLANKS.is_sorted());
        for (text, expected) in [
            ("sess_[timestamp]_[hash]", Some("[timestamp]")),
            ("task_<TASK_ID>", Some("<TASK_ID>")),
            ("{agent}", Some("{agent}")),
            ("frontend[1]", None),
            ("é[hash]", Some("[hash]")),
            ("a[b]", None),
            ("[", None),
            ("[]", None),
            ("timestamp", None),
        ] {
            assert_eq!(blank(text), expected, "{text}");
        }
        assert!(is_choice("high|medium|low", &["high"]) && is_choice("high | low", &["low"]));
        assert!(!is_choice("high", &["high"]) && !is_choice("a|b", &["high"]));
    }
}
