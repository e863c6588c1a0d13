//! Names in a bundle that become names of files and folders.

/// What makes `name` unfit to be the name of a file or folder on one system or another; `None` for a name that is fit.
pub fn hazard(name: &str) -> Option<&'static str> {
    let is_outside_of_names = |c: char| !c.is_ascii_graphic() && c != ' ' && !c.is_alphanumeric();
    match name {
        "" => Some("is empty"),
        "__proto__" => Some("is a part of the language for programs in JavaScript"),
        "." | ".." => Some("leads out of its folder"),
        _ if name.contains(['/', '\\']) => Some("leads to another folder"),
        _ if name.contains(':') => Some("has a colon, which names a drive or a stream on Windows"),
        _ if name.contains('\0') => Some("has a NUL, which ends a name"),
        _ if name.contains(char::is_control) => Some("has a control character"),
        _ if name.contains(['<', '>', '"', '|', '?', '*']) => {
            Some("has a character that Windows does not allow in names")
        }
        _ if name.ends_with([' ', '.']) => Some("ends with a character that Windows drops"),
        _ if name.starts_with(' ') => Some("begins with a blank"),
        _ if is_device(name) => Some("is the name of a device on Windows"),
        _ if name.contains(is_outside_of_names) => Some("has a character that some systems ignore or rewrite in names"),
        _ if name.len() > LONGEST => Some("is longer than names of files can be"),
        _ => None,
    }
}

/// The longest name, in bytes. Systems allow 255; the name of a file can get an ending.
const LONGEST: usize = 200;

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
    name.to_uppercase().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_fit() {
        for name in
            ["keaton", "Fact Checker", "v1.2_x-y", "jürgen", "李", "common", "com", "com10", "constructor", "...a"]
        {
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
    }
}
