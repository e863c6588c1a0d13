//! Words that say where something was archived, and words that say that it was not.

use std::ops::Range;

/// `archived to x.md`, `Archived decisions in x.md`: bytes of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// All of it.
    pub(super) whole: Range<usize>,
    /// `to`, `in` or the like.
    pub(super) word: Range<usize>,
    /// The path, without backticks.
    pub(super) path: Range<usize>,
}

/// How many characters, of the same sentence, may be between `archived` and the word before the path.
const BETWEEN: usize = 80;

/// All such words in `text`, in order.
pub(super) fn said(text: &str) -> impl Iterator<Item = Said> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let said = next(text, from)?;
        from = said.whole.end;
        Some(said)
    })
}

fn next(text: &str, from: usize) -> Option<Said> {
    const ARCHIVED: &[u8] = b"archived";
    let bytes = text.as_bytes();
    let windows = bytes.get(from..)?.windows(ARCHIVED.len()).enumerate();
    let found = windows.filter(|(_, window)| window.eq_ignore_ascii_case(ARCHIVED)).map(|(at, _)| from + at);
    let mut places = found.filter(|at| is_word_start(bytes, *at) && !is_word(bytes, Some(at + ARCHIVED.len())));
    places.find_map(|start| {
        let behind = start + ARCHIVED.len();
        let mut near = text.get(behind..)?.char_indices().take(BETWEEN + 1);
        let ends = |c: char| matches!(c, '\n' | '.' | ';' | '!' | '?' | '|' | '`');
        let last = near.clone().find(|(_, c)| ends(*c)).map_or(usize::MAX, |(gap, _)| gap);
        let place = |(gap, _)| (gap <= last).then(|| place(bytes, behind + gap))?;
        let (word, path, end) = near.find_map(place)?;
        Some(Said { whole: start..end, word, path })
    })
}

/// `to the file "x.md"` at byte `at`: the first word, the path, and where all of it ends.
fn place(bytes: &[u8], at: usize) -> Option<(Range<usize>, Range<usize>, usize)> {
    const WORDS: [&[u8]; 5] = [b"to", b"into", b"in", b"at", b"under"];
    if !is_word_start(bytes, at) {
        return None;
    }
    let is_blank = |byte: &u8| matches!(byte, b'\t'..=b'\r' | b' ');
    let mut ends = WORDS.iter().filter_map(|word| after(bytes, at, word));
    let end = ends.find(|end| bytes.get(*end).is_some_and(is_blank))?;
    let blanks = bytes.get(end..)?.iter().take_while(|byte| is_blank(byte)).count();
    let (path, whole) = (1..=blanks).rev().find_map(|blanks| path(bytes, end + blanks))?;
    Some((at..end, path, whole))
}

/// The path at byte `at`, after words and marks that lead to it, and where it ends with its backticks.
fn path(bytes: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    const WORDS: [&[u8]; 6] = [b"the ", b"a ", b"new ", b"file ", b"folder ", b"archive "];
    let behind_word = |at: &usize| WORDS.iter().find_map(|word| after(bytes, *at, word));
    let places: Vec<usize> = std::iter::successors(Some(at), behind_word).take(4).collect();
    places.into_iter().rev().find_map(|at| {
        let rest = bytes.get(at..)?;
        let marks = rest.iter().take(3).take_while(|byte| matches!(byte, b'"' | b'\'' | b'*' | b'_' | b'(')).count();
        (0..=marks).rev().find_map(|marks| target(bytes, at + marks))
    })
}

/// `` `x.md` `` or `x.md` at byte `at`, likewise.
fn target(bytes: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let rest = bytes.get(at..)?;
    if let Some(quoted) = rest.strip_prefix(b"`") {
        let len = memchr::memchr2(b'`', b'\n', quoted).filter(|len| *len > 0 && quoted.get(*len) == Some(&b'`'))?;
        return Some((at + 1..at + 1 + len, at + len + 2));
    }
    let ends = |byte: &u8| b" \t\r\n`[]()<>,;|".contains(byte);
    let len = rest.iter().position(ends).unwrap_or(rest.len());
    (len > 0).then_some((at..at + len, at + len))
}

/// Whether `sentence` says what someone is to do, would do, or did not do.
pub(super) fn is_undone(sentence: &str) -> bool {
    const PHRASES: [&[u8]; 45] = [
        b"if",
        b"when",
        b"whenever",
        b"once",
        b"should",
        b"must",
        b"shall",
        b"will",
        b"would",
        b"could",
        b"might",
        b"can",
        b"need to",
        b"needs to",
        b"to be",
        b"be",
        b"being",
        b"get",
        b"gets",
        b"until",
        b"unless",
        b"not",
        b"never",
        b"no longer",
        b"always",
        b"every time",
        b"each time",
        b"automatically",
        b"periodically",
        b"exceed",
        b"exceeds",
        b"e.g.",
        b"for example",
        b"example",
        b"todo",
        b"tbd",
        b"plan",
        b"plans",
        b"planned",
        b"propose",
        b"proposed",
        b"proposal",
        b"want",
        b"wants",
        b"wanted",
    ];
    let bytes = sentence.as_bytes();
    // `May` is a month.
    let may = |at: usize| bytes.get(at..).filter(|rest| rest.starts_with(b"may")).map(|_| at + 3);
    let phrase = |at: usize| {
        let ends = PHRASES.iter().filter_map(|phrase| after(bytes, at, phrase)).chain(may(at));
        ends.into_iter().any(|end| is_word(bytes, end.checked_sub(1)) != is_word(bytes, Some(end)))
    };
    let negation = |at: usize| {
        let end = after(bytes, at, b"n't").or_else(|| after(bytes, at, "n’t".as_bytes()));
        end.is_some_and(|end| !is_word(bytes, Some(end)))
    };
    bytes.iter().enumerate().any(|(at, byte)| match byte {
        b'?' => true,
        b'n' | b'N' if negation(at) => true,
        _ => is_word_start(bytes, at) && phrase(at),
    })
}

/// Where `word`, in any case of ASCII letters, ends if it is at byte `at`.
fn after(bytes: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    let end = at + word.len();
    bytes.get(at..end)?.eq_ignore_ascii_case(word).then_some(end)
}

/// Whether no word goes on at byte `at`.
fn is_word_start(bytes: &[u8], at: usize) -> bool {
    !is_word(bytes, at.checked_sub(1))
}

/// Whether the byte at `at` is part of an ASCII word.
fn is_word(bytes: &[u8], at: Option<usize>) -> bool {
    at.and_then(|at| bytes.get(at)).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    #[test]
    fn paths_behind_words() {
        let paths = |text: &'static str| -> Vec<&str> { said(text).map(|said| &text[said.path]).collect() };
        assert_eq!(paths("Archived to x.md, and archived\u{a0}é under the new file \"y.md\""), ["x.md", "y.md\""]);
        assert_eq!(paths("archived in \n the `a b`; archived at the archive (_z"), ["a b", "z"]);
        assert_eq!(paths("archived to the"), ["the"]);
        assert_eq!(paths("unarchived to x. archived. To y. archivedto z, archived to `x\n"), [""; 0]);
        let far = format!("archived {} to x", "é".repeat(BETWEEN - 2));
        assert_eq!(said(&far).count(), 1);
        assert_eq!(said(&far.replace(" to", "  to")).count(), 0);
    }

    proptest! {
        #[test]
        fn patterns_say_the_same(
            words in prop::collection::vec(
                "(?i)archived?|archive|the|a|new|file|to|into|in|under|[tT]o be|[mM]ay|n[’']t|e\\.g\\.|needs? to|plans?|if|x\\.md|\
                 [`\"*(_.,;!?|\\[é\n\t\x0b-]| {1,2}|(ab ){20,40}|propose[ds]?",
                0..16,
            ),
            gap in " ?",
        ) {
            let text = words.join(&gap);
            let pattern = Regex::new(concat!(
                r"(?i-u)\barchived\b(?u:[^\n.;!?|`]{0,80}?)\b(?<word>to|into|in|at|under)\s+",
                r#"(?:(?:the|a|new|file|folder|archive) ){0,3}["'*_(]{0,3}"#,
                r"(?u:`(?<quoted>[^`\n]+)`|(?<bare>[^ \t\r\n`\[\]()<>,;|]+))",
            ));
            let expected: Vec<Said> = pattern.unwrap().captures_iter(&text).map(|found| Said {
                whole: found.get(0).unwrap().range(),
                word: found.name("word").unwrap().range(),
                path: found.name("quoted").or_else(|| found.name("bare")).unwrap().range(),
            }).collect();
            prop_assert_eq!(said(&text).collect::<Vec<_>>(), expected, "{}", text);

            let pattern = Regex::new(concat!(
                r"(?i-u)\b(?:if|when|whenever|once|should|must|shall|will|would|could|might|(?-i:may)|can|needs? to|to be|be|being",
                r"|gets?|until|unless|not|never|no longer|always|every time|each time|automatically|periodically|exceeds?",
                r"|e\.g\.|for example|example|todo|tbd|plan|plans|planned|proposed?|proposal|want|wants|wanted)\b|n(?:'|’)t\b|\?",
            ));
            prop_assert_eq!(is_undone(&text), pattern.unwrap().is_match(&text), "{}", text);
        }
    }
}
