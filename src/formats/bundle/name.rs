//! Names in a bundle that become names of files and folders.

use std::collections::HashSet;

use crate::formats::roster::is_built_in;
use crate::text::hidden;

/// What makes `name` unfit to be the name of a file or folder on one system or another; `None` for a name that is fit.
pub fn hazard(name: &str) -> Option<&'static str> {
    let is_outside_of_names = |c: char| !c.is_ascii_graphic() && c != ' ' && (!c.is_alphanumeric() || is_rewritten(c));
    match name {
        "" => Some("is empty"),
        "__proto__" => Some("is a part of the language for programs in JavaScript"),
        "." | ".." => Some("points outside its folder"),
        _ if name.contains(['/', '\\']) => Some("points to another folder"),
        _ if name.contains(':') => Some("has a colon, which names a drive or a stream on Windows"),
        _ if name.contains('\0') => Some("has a NUL, which ends a name"),
        _ if name.contains(char::is_control) => Some("has a control character"),
        _ if name.contains(['<', '>', '"', '|', '?', '*']) => {
            Some("has a character that Windows does not allow in names")
        }
        _ if name.ends_with([' ', '.']) => Some("ends with a character that Windows drops"),
        _ if name.starts_with('-') => Some("begins with a hyphen, as options of programs do"),
        _ if name.starts_with('~') => Some("begins with a tilde, which shells replace by a folder"),
        _ if name.contains(['$', '`', ';', '&', '(', ')', '{', '}', '!']) => Some("has a character that shells act on"),
        _ if name.starts_with(' ') => Some("begins with a blank"),
        // `.git` would make a repository of the folder, and `.gitattributes` tells git what to do in it.
        _ if name.starts_with('.') => Some("begins with a dot, as what git and other programs keep for themselves"),
        _ if is_short_git(name) => Some("is another name of `.git` on Windows"),
        _ if is_device(name) => Some("is the name of a device on Windows"),
        _ if name.contains(hidden::is_blank) => Some("has a character that is not shown"),
        _ if name.contains(is_outside_of_names) => Some("has a character that some systems ignore or rewrite in names"),
        _ if name.len() > LONGEST => Some("is longer than names of files can be"),
        _ => None,
    }
}

/// Whether systems that compose the characters of names, as macOS does, have another one for the letter `c`: two names that differ here
/// are one name there.
fn is_rewritten(c: char) -> bool {
    matches!(c,
        // The parts of Korean syllables.
        '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97f}' | '\u{d7b0}'..='\u{d7ff}'
        // Second forms of Chinese characters; those between have one form.
        | '\u{f900}'..='\u{fa0d}' | '\u{fa10}' | '\u{fa12}' | '\u{fa15}'..='\u{fa1e}' | '\u{fa20}' | '\u{fa22}'
        | '\u{fa25}' | '\u{fa26}' | '\u{fa2a}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}'
        // Second forms of Hebrew and Greek letters, and letters for units.
        | '\u{fb1d}' | '\u{fb1f}' | '\u{fb2a}'..='\u{fb4e}'
        | '\u{1f71}' | '\u{1f73}' | '\u{1f75}' | '\u{1f77}' | '\u{1f79}' | '\u{1f7b}' | '\u{1f7d}'
        | '\u{1fbb}' | '\u{1fbe}' | '\u{1fc9}' | '\u{1fcb}' | '\u{1fd3}' | '\u{1fdb}' | '\u{1fe3}' | '\u{1feb}'
        | '\u{1ff9}' | '\u{1ffb}' | '\u{2126}' | '\u{212a}' | '\u{212b}'
    )
}

/// The longest name, in bytes. Systems allow 255; the name of a file can get an ending.
const LONGEST: usize = 200;

/// Whether Windows may have given `.git` this short name: `GIT~1`.
fn is_short_git(name: &str) -> bool {
    let start = name.get(..4).filter(|start| start.eq_ignore_ascii_case("git~"));
    start.is_some() && name.get(4..).is_some_and(|rest| rest.bytes().next().is_some_and(|byte| byte.is_ascii_digit()))
}

/// Whether Windows has a device of that name, whatever ending the name has: `con`, `NUL.txt`, `COM1`.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    let is_one_of = |words: &[&str]| words.iter().any(|word| stem.eq_ignore_ascii_case(word));
    let numbered = stem.get(..3).filter(|word| word.eq_ignore_ascii_case("com") || word.eq_ignore_ascii_case("lpt"));
    let number = numbered.and_then(|_| stem.get(3..)).unwrap_or_default();
    let is_number = matches!(number, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³");
    is_number || is_one_of(&["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"])
}

/// `name` as file systems compare names that ignore case.
pub fn folded(name: &str) -> String {
    // `ẞ` is `SS` only by way of `ß`.
    name.to_lowercase().to_uppercase().to_lowercase()
}

/// Those of `names`, the folders of agents, that are the second one of an agent that every squad has: Squad creates both `Rai` and
/// `rai`, and reads the one in lower case.
pub fn second_folders<'n>(names: impl Iterator<Item = &'n str>) -> HashSet<&'n str> {
    let built_in: HashSet<&str> = names.filter(|name| is_built_in(name)).collect();
    let is_second = |name: &&str| {
        let lower = name.to_lowercase();
        **name != lower && built_in.contains(lower.as_str())
    };
    built_in.iter().copied().filter(is_second).collect()
}

/// Whether the import of Squad accepts `name` as that of an agent.
pub fn is_name_for_squad(name: &str) -> bool {
    let is_other = |byte: &u8| b"._-".contains(byte);
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || is_other(&byte))
        && name.bytes().next().is_some_and(|byte| !is_other(&byte))
        && !name.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_the_import_of_squad_accepts() {
        for (name, expected) in [
            ("keaton", true),
            ("Fact-Checker_2.0", true),
            ("mary ann", false),
            ("-a", false),
            ("a..b", false),
            ("zoë", false),
        ] {
            assert_eq!(is_name_for_squad(name), expected, "{name}");
        }
    }

    #[test]
    fn folders_that_squad_creates_twice() {
        let folders = ["Rai", "rai", "Keaton", "keaton", "Scribe"];
        assert_eq!(second_folders(folders.into_iter()), HashSet::from(["Rai"]));
    }

    #[test]
    fn names_that_are_fit() {
        for name in [
            "keaton",
            "Fact Checker",
            "v1.2_x-y",
            "jürgen",
            "李",
            "가나",
            "山\u{fa11}",
            "ά",
            "common",
            "com",
            "com10",
            "constructor",
            "git",
            "git~x",
            "a.b",
        ] {
            assert_eq!(hazard(name), None, "{name}");
        }
    }

    #[test]
    fn names_that_are_not() {
        for name in [
            "",
            ".",
            "..",
            "../x",
            "a/b",
            "a\\b",
            "/etc",
            "C:",
            "C:x",
            "a\0b",
            "a\nb",
            "con",
            "NUL.txt",
            "Com1",
            "lpt9.a.b",
            "com¹",
            "aux ",
            "a.",
            "a ",
            " a",
            "__proto__",
            "a*b",
            "a?b",
            "a\u{200d}b",
            "e\u{301}",
            "\u{feff}a",
            "a\u{202e}b",
            ".git",
            ".GIT",
            ".gitattributes",
            "...a",
            "git~1",
            "GIT~2",
            "a\u{3164}",
            "\u{115f}",
            "\u{1160}a",
            "a\u{ffa0}b",
            "-rf",
            "~",
            "~root",
            "$(id)",
            "a;b",
            "`id`",
            "\u{1100}\u{1161}",
            "\u{f900}",
            "\u{2f800}",
            "\u{fb2a}",
            "\u{1f71}",
            "\u{212b}",
        ] {
            assert!(hazard(name).is_some(), "{name:?}");
        }
        assert!(hazard(&"a".repeat(201)).is_some());
    }

    #[test]
    fn names_that_are_one_to_some_systems() {
        for (one, other) in [("Keaton", "keaton"), ("straße", "STRASSE"), ("ſ", "s"), ("\u{212a}", "k")] {
            assert_eq!(folded(one), folded(other), "{one} {other}");
        }
        assert_ne!(folded("keaton"), folded("keyton"));
        assert_eq!(folded("Wei\u{1e9e}"), folded("weiß"));
        // Whatever the case of a letter.
        for letter in '\0'..=char::MAX {
            let letter = letter.to_string();
            let [lower, upper] = [letter.to_lowercase(), letter.to_uppercase()];
            assert!(folded(&letter) == folded(&lower) && folded(&letter) == folded(&upper), "{letter}");
        }
    }
}
