//! What is left of the protocol's templates: `task_[timestamp]_[sequence]`, `high|medium|low`.
//!
//! Teams choose their own names, and some have brackets: a task `page-[id]`, a file `app/[id]/page.tsx`. So only words that the
//! specification itself has in IDs are templates inside of a name, and a path is one only as a whole.

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

/// Those that the specification has inside of an ID, as in `sess_[timestamp]_[hash]`.
const INSIDE: [&str; 4] = ["hash", "iso-timestamp", "sequence", "timestamp"];

/// What the templates have before a word in brackets, as in `task_[id]`.
const BEFORE: [&str; 8] = ["agent", "err", "error", "metrics", "msg", "sess", "session", "task"];

/// Whether `word` is one that the templates have in brackets.
pub(super) fn is_blank(word: &str) -> bool {
    BLANKS.binary_search(&normal(word).as_str()).is_ok()
}

fn normal(word: &str) -> String {
    word.trim().to_ascii_lowercase().replace(['_', ' '], "-")
}

/// The texts in brackets in `text`: each with its brackets, and without.
fn in_brackets(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.char_indices().filter_map(|(start, open)| {
        let close = match open {
            '[' => ']',
            '<' => '>',
            '{' => '}',
            _ => return None,
        };
        let rest = text.get(start + 1..)?;
        let word = rest.get(..rest.find(close)?)?;
        Some((text.get(start..start + word.len() + 2)?, word))
    })
}

/// The part of the name `text` that is left of a template, such as `[timestamp]`.
pub(super) fn blank(text: &str) -> Option<&str> {
    if let Some((part, _)) = in_brackets(text).find(|(_, word)| INSIDE.contains(&normal(word).as_str())) {
        return Some(part);
    }
    let (first, _) = in_brackets(text).find(|(_, word)| is_blank(word))?;
    // Nothing else is in it that a team has chosen.
    let blanks = in_brackets(text).filter(|(_, word)| is_blank(word));
    let rest = blanks.fold(text.to_owned(), |rest, (part, _)| rest.replace(part, " ")).to_ascii_lowercase();
    let mut words = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.all(|word| BEFORE.contains(&word)).then_some(first)
}

/// Whether a part of the name `text` is left of a template, such as `[timestamp]`.
pub fn is_template(text: &str) -> bool {
    blank(text).is_some()
}

/// Whether the path or glob `text` is one of a template: as a whole a word in brackets, such as `[filename]` or `<path to file>`.
pub(super) fn is_path(text: &str) -> bool {
    let text = text.trim();
    let word = in_brackets(text).find(|(part, _)| *part == text).map(|(_, word)| normal(word));
    word.is_some_and(|word| {
        word == "filename" || word.contains('-') && word.split('-').any(|word| matches!(word, "file" | "path"))
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
            ("[agent]-[task-id]", Some("[agent]")),
            ("agent-{name}", Some("{name}")),
            ("[agent name]", Some("[agent name]")),
            ("frontend[1]", None),
            ("é[hash]", Some("[hash]")),
            ("a[b]", None),
            ("[", None),
            ("[]", None),
            ("timestamp", None),
            // Names that a team has chosen.
            ("page-[id]", None),
            ("GET /users/{id}", None),
            ("rename-<name>", None),
            ("routes/<id>.ts", None),
        ] {
            assert_eq!(blank(text), expected, "{text}");
        }
        assert!(is_choice("high|medium|low", &["high"]) && is_choice("high | low", &["low"]));
        assert!(!is_choice("high", &["high"]) && !is_choice("a|b", &["high"]));
    }

    #[test]
    fn a_path_is_a_template_as_a_whole() {
        for (text, expected) in [
            ("[filename]", true),
            ("[file path]", true),
            ("<path/to/file>", false),
            ("<path to file>", true),
            ("{file_path}", true),
            ("app/[id]/page.tsx", false),
            ("[id]", false),
            ("src/{name}/x.ts", false),
            ("[filename].ts", false),
            ("app/[file-path]/page.tsx", false),
            ("", false),
        ] {
            assert_eq!(is_path(text), expected, "{text}");
        }
    }
}
