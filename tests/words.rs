//! Words that stop a reader: none of them in what people read.

use crate::docs::page::pages;
use squad_lint::rules;

/// Each is a detour around a verb or a noun; what to write instead is beside it.
const DETOURS: [(&str, &str); 34] = [
    ("nobody", "name who it is: no agent, no member, no reader"),
    ("is told", "is reported"),
    ("are told", "are reported"),
    ("be told", "be reported"),
    ("told by", "reported by"),
    ("of which", "whose, or a sentence of its own"),
    ("of whom", "whose, or a sentence of its own"),
    ("what is there", "what was found"),
    ("all there is", "everything"),
    ("all that there is", "everything"),
    ("how much there is", "number of"),
    ("that there is not", "unknown"),
    ("stands", "is"),
    ("stood", "was"),
    ("standing", "that is"),
    ("what holds", "what applies"),
    ("who is no", "who is not a"),
    ("that is no ", "that is not a"),
    ("that is none", "an invalid, an unknown"),
    ("that are none", "invalid, unknown"),
    ("is none of", "is not one of"),
    ("are no entries", "are not entries"),
    ("one a line", "one per line"),
    ("finding a line", "finding per line"),
    ("passed over", "ignored, skipped"),
    ("is looked at", "is checked"),
    ("are looked at", "are checked"),
    ("come back to", "refer to"),
    ("came back to", "referred to"),
    ("but for", "except for, apart from"),
    ("of the team's own", "custom"),
    ("of before", "from before"),
    ("are gone", "no longer exist, were deleted"),
    ("seed 0", "name the document"),
];

/// What people read, each text with the name that a failure gives it.
fn texts() -> Vec<(String, String)> {
    let mut texts: Vec<(String, String)> = Vec::new();
    texts.extend(rules::all().map(|registered| (registered.rule.name.to_owned(), registered.page())));
    texts.extend(pages().into_iter().map(|page| (page.name.clone(), page.without_outputs())));
    texts
}

#[test]
fn no_sentence_takes_a_detour() {
    let mut wrong = Vec::new();
    for (name, text) in texts() {
        let mut before = String::new();
        for (at, line) in text.lines().enumerate() {
            // Two lines at a time: a detour can begin at the end of one.
            let line = line.trim().to_lowercase();
            let joined = format!("{before} {line}");
            for (detour, better) in DETOURS {
                if find(&joined, detour).is_some_and(|end| end > before.len()) {
                    wrong.push(format!("{name}:{}: `{detour}` ({better}): {joined}", at + 1));
                }
            }
            before = line;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The end of the last place in `text` where `words` are whole words.
fn find(text: &str, words: &str) -> Option<usize> {
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut places = text.rmatch_indices(words);
    let found = places.find(|(at, _)| {
        let opens = words.starts_with(char::is_alphanumeric) && is_part(text[..*at].chars().next_back());
        let behind = &text[at + words.len()..];
        // `seed 0` is the start of a number, and so is a detour that ends with a blank.
        let goes_on = words.ends_with(char::is_alphabetic) && is_part(behind.chars().next());
        !opens && !goes_on
    });
    found.map(|(at, _)| at + words.len())
}

#[test]
fn detours_are_found_as_words() {
    assert_eq!(find("this stands here", "stands"), Some(11));
    assert_eq!(find("grandstands", "stands"), None);
    assert_eq!(find("see seed 001", "seed 0"), Some(10));
    assert_eq!(find("linseed 0", "seed 0"), None);
    assert_eq!(find("for a member that is no one", "that is no "), Some(24));
    assert_eq!(find("that is not one", "that is no "), None);
}
