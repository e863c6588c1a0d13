//! Words that stop a reader: none of them in what people read.

use std::fs;
use std::path::{Path, PathBuf};

use crate::docs::page::pages;
use squad_lint::rules;

/// Each is a detour around a verb or a noun; what to write instead is beside it.
const DETOURS: [(&str, &str); 56] = [
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
    ("` is no ", "is not a"),
    ("is no member", "is not a member"),
    ("takes in", "includes, accepts"),
    ("take it out", "remove it, untrack it"),
    ("take them out", "remove them, untrack them"),
    ("more precise", "more specific"),
    ("silences nothing", "suppresses nothing"),
    ("one an item", "one per item"),
    ("there twice", "duplicate, occurs twice"),
    ("all the same", "anyway"),
    ("list mark", "list marker"),
    ("for good", "permanently"),
    (", else ", "otherwise"),
    ("whoever", "everyone who"),
    ("must be there", "is required"),
    ("has to be there", "is required"),
    ("take it for", "mistake it for, read it as"),
    ("left alone", "stays unchanged"),
    ("of 1 file are", "the only file is"),
    ("nor do the others", "the others match none either"),
    ("to match it takes", "matching it takes"),
    ("line ends.", "line endings"),
];

/// What people read, each text with the name that a failure gives it.
fn texts() -> Vec<(String, String)> {
    let mut texts: Vec<(String, String)> = Vec::new();
    texts.extend(rules::all().map(|registered| (registered.rule.name.to_owned(), registered.page())));
    texts.extend(pages().into_iter().map(|page| (page.name.clone(), page.without_outputs())));
    texts.extend(reports());
    texts.extend(strings());
    texts.extend(helps());
    texts
}

/// What the findings of all fixtures say, without the lines of files that they quote.
fn reports() -> Vec<(String, String)> {
    let outputs = files(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules"), "expected.txt");
    let is_said = |line: &&str| !line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    outputs.into_iter().map(|(name, text)| (name, without_code(text.lines().filter(is_said)))).collect()
}

/// The strings of the program, without its comments and tests: errors and their helps, the words of reports.
fn strings() -> Vec<(String, String)> {
    let sources = files(Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), ".rs");
    let written = |(name, text): (String, String)| {
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines: Vec<String> = code.lines().filter(|line| !line.trim_start().starts_with("//")).map(quoted).collect();
        (name, lines.join("\n"))
    };
    sources.into_iter().filter(|(name, _)| !name.ends_with("tests.rs")).map(written).collect()
}

/// The doc comments of the command line, from which `--help` is made.
fn helps() -> Vec<(String, String)> {
    let mut sources = files(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli"), ".rs");
    sources.extend(files(Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "cli.rs"));
    let help = |line: &str| line.trim_start().strip_prefix("/// ").unwrap_or_default().to_owned();
    let helps = |text: String| text.lines().map(help).collect::<Vec<_>>().join("\n");
    sources.into_iter().map(|(name, text)| (name, helps(text))).collect()
}

/// The text between the quotes of a line of Rust. A line with one quote continues a string, or begins one.
fn quoted(line: &str) -> String {
    let line = line.replace("\\\"", "");
    match line.matches('"').count() {
        0 => String::new(),
        1 => line,
        _ => line.split('"').skip(1).step_by(2).collect::<Vec<_>>().join(" | "),
    }
}

/// Lines without what they quote from files: text between backticks is not ours.
fn without_code<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let bare = |line: &str| line.split('`').step_by(2).collect::<Vec<_>>().join("``");
    lines.map(bare).collect::<Vec<_>>().join("\n")
}

fn shown(path: &Path) -> String {
    path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(path).display().to_string()
}

/// The files below `folder` whose names end with `end`, each with its text.
fn files(folder: PathBuf, end: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(path, end));
        } else if path.to_string_lossy().ends_with(end) {
            found.push((shown(&path), fs::read_to_string(&path).unwrap_or_default()));
        }
    }
    found
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
fn strings_are_read_without_code() {
    assert_eq!(quoted(r#"    #[error("{path} is no \"x\" JSON")]"#), "{path} is no x JSON");
    assert_eq!(quoted(r#"f("a b", nobody, "c")"#), "a b | c");
    assert_eq!(quoted("let nobody = 1;"), "");
    assert_eq!(without_code(["unknown type `nobody`, expected `note`"].into_iter()), "unknown type ``, expected ``");
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
