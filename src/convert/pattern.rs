//! Patterns that are compiled when they are first looked for.
//!
//! A pattern knows the letters, digits and blanks of all scripts, and to compile what they are takes most of the time of a run over a
//! short file. Most texts are in ASCII: for these, a pattern is compiled that knows no others and finds the same.

use std::ops::Range;
use std::sync::OnceLock;

use regex_automata::meta::{Config, Regex};
use regex_automata::util::captures::Captures;
use regex_automata::util::syntax;

/// A pattern of this module, compiled when it is first looked for; none that is tested fails to compile.
pub(super) struct Pattern {
    text: &'static str,
    /// What finds it in texts in ASCII.
    ascii: OnceLock<Option<Regex>>,
    /// What finds it in all others.
    any: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// This pattern.
    pub(super) const fn new(text: &'static str) -> Self {
        Self { text, ascii: OnceLock::new(), any: OnceLock::new() }
    }

    /// What finds the pattern in `text`.
    fn regex(&self, text: &str) -> Option<&Regex> {
        let (regex, compile): (_, fn(&str) -> Option<Regex>) =
            if text.is_ascii() { (&self.ascii, of_ascii) } else { (&self.any, of_any) };
        regex.get_or_init(|| compile(self.text)).as_ref()
    }

    /// Where the pattern is first found in `text`.
    pub(super) fn find(&self, text: &str) -> Option<Range<usize>> {
        Some(self.regex(text)?.find(text)?.range())
    }

    /// Each place in `text` where the pattern is found, in order.
    pub(super) fn find_all(&self, text: &str) -> impl Iterator<Item = Range<usize>> {
        self.regex(text).into_iter().flat_map(move |regex| regex.find_iter(text).map(|found| found.range()))
    }

    /// What the groups of the pattern match where it is first found in `text`.
    pub(super) fn groups<'t>(&self, text: &'t str) -> Option<Groups<'t>> {
        let regex = self.regex(text)?;
        let mut groups = regex.create_captures();
        regex.captures(text, &mut groups);
        groups.is_match().then_some(Groups { text, groups })
    }

    /// `text` with `other` at each place where the pattern is found.
    pub(super) fn replace_all(&self, text: &str, other: &str) -> String {
        let (mut out, mut at) = (String::with_capacity(text.len()), 0);
        for found in self.find_all(text) {
            out.push_str(text.get(at..found.start).unwrap_or_default());
            out.push_str(other);
            at = found.end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        out
    }
}

/// What the groups of a pattern match in a text.
pub(super) struct Groups<'t> {
    text: &'t str,
    groups: Captures,
}

impl<'t> Groups<'t> {
    /// Where the group of this number matches.
    pub(super) fn range(&self, group: usize) -> Option<Range<usize>> {
        Some(self.groups.get_group(group)?.range())
    }

    /// What the group of this number matches.
    pub(super) fn get(&self, group: usize) -> Option<&'t str> {
        self.text.get(self.range(group)?)
    }
}

/// What finds a pattern in all texts.
fn of_any(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

/// What finds a pattern in texts in ASCII. To look for words of it first would take longer to prepare than it saves.
fn of_ascii(pattern: &str) -> Option<Regex> {
    let syntax = syntax::Config::new().unicode(false).utf8(false);
    Regex::builder().configure(Config::new().auto_prefilter(false)).syntax(syntax).build(&in_ascii(pattern)).ok()
}

/// A pattern of bytes that finds in texts in ASCII what `pattern` does. A character that is none of theirs becomes a byte that is in no
/// such text.
fn in_ascii(pattern: &str) -> String {
    let classes = pattern.replace(r"\p{L}", "[A-Za-z]").replace(r"\p{Lu}", "[A-Z]").replace(r"\p{Ll}", "[a-z]");
    let mut out = String::with_capacity(classes.len());
    for c in classes.chars() {
        match c {
            '\0'..='\x7f' => out.push(c),
            _ => out.push_str(r"\xff"),
        }
    }
    out
}

/// Whether `pattern` is found in `text`.
pub(super) fn matches(pattern: &Pattern, text: &str) -> bool {
    pattern.regex(text).is_some_and(|regex| regex.is_match(text))
}

/// The first words of `text` that match `pattern`, shortened for a reason.
pub(super) fn first(pattern: &Pattern, text: &str) -> Option<String> {
    const SHOWN: usize = 24;
    let found = text.get(pattern.find(text)?)?;
    let line = found.trim().lines().next().unwrap_or_default();
    Some(line.trim_matches(|c: char| !c.is_alphanumeric()).chars().take(SHOWN).collect())
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use proc_macro2::{TokenStream, TokenTree};

    use super::*;

    /// The patterns of this module: its raw strings.
    fn patterns() -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/convert");
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        let mut patterns = Vec::new();
        for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs")) {
            let text = std::fs::read_to_string(file).unwrap();
            let product = text.split("#[cfg(test)]").next().unwrap();
            raw_strings(product.parse().unwrap(), &mut patterns);
        }
        patterns
    }

    fn raw_strings(tokens: TokenStream, out: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => raw_strings(group.stream(), out),
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let raw = text.strip_prefix('r').map(|text| text.trim_matches('#'));
                    let raw = raw.and_then(|text| text.strip_prefix('"')?.strip_suffix('"'));
                    out.extend(raw.map(str::to_owned));
                }
                _ => {}
            }
        }
    }

    /// Numbers that look random, the same ones in each run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(self.0 >> 33).unwrap() % end
        }
    }

    /// A text in ASCII from words of `pattern` and what often stands between words.
    fn text(words: &[&str], numbers: &mut Numbers) -> String {
        const OTHERS: [&str; 26] = [
            " ",
            " ",
            " ",
            "\n",
            "\r\n",
            "\t",
            "\n\n",
            ":",
            "**",
            "#",
            "## ",
            "- ",
            "-",
            "--",
            "(",
            ")",
            ".",
            ", ",
            "/",
            "_",
            "'s",
            "?",
            "1",
            "2026-02-10",
            "Keaton",
            "10:30",
        ];
        let mut out = String::new();
        for _ in 0..=numbers.below(9) {
            let word = match numbers.below(2) {
                0 => words[numbers.below(words.len())],
                _ => OTHERS[numbers.below(OTHERS.len())],
            };
            match numbers.below(4) {
                0 => out.push_str(&word.to_uppercase()),
                _ => out.push_str(word),
            }
        }
        out
    }

    #[test]
    fn what_is_compiled_for_texts_in_ascii_finds_the_same() {
        let patterns = patterns();
        assert!(patterns.len() > 100, "{}", patterns.len());
        let (mut numbers, mut unmatched) = (Numbers(7), Vec::new());
        for pattern in &patterns {
            let (ascii, any) = (of_ascii(pattern).unwrap(), of_any(pattern).unwrap());
            let words: Vec<&str> =
                pattern.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() > 1).collect();
            let words = if words.is_empty() { vec!["y"] } else { words };
            let groups = |regex: &Regex, text: &str| {
                let mut groups = regex.create_captures();
                regex.captures(text, &mut groups);
                groups.iter().collect::<Vec<_>>()
            };
            let mut is_matched = false;
            for _ in 0..2_000 {
                let text = text(&words, &mut numbers);
                let found: Vec<_> = ascii.find_iter(&text).collect();
                assert_eq!(found, any.find_iter(&text).collect::<Vec<_>>(), "{pattern}\n{text}");
                assert_eq!(groups(&ascii, &text), groups(&any, &text), "{pattern}\n{text}");
                is_matched |= !found.is_empty();
            }
            if !is_matched {
                unmatched.push(pattern);
            }
        }
        assert!(unmatched.len() * 4 < patterns.len(), "{} of {}: {unmatched:#?}", unmatched.len(), patterns.len());
    }

    static DASHED: Pattern = Pattern::new(r"(?:é|[—x])(\d)");

    #[test]
    fn a_character_that_is_not_in_ascii_is_in_no_text_in_ascii() {
        assert_eq!(
            in_ascii(r"[—–-]\s*(?:decisión|\p{Lu}[\p{L}\d])"),
            r"[\xff\xff-]\s*(?:decisi\xffn|[A-Z][[A-Za-z]\d])"
        );
        let group = |text: &str| DASHED.groups(text).and_then(|found| found.range(1));
        assert_eq!([group("x1"), group("—1"), group("é1"), group("a1")], [Some(1..2), Some(3..4), Some(2..3), None]);
        assert_eq!(DASHED.replace_all("—1 x2 y", "·"), "· · y");
    }
}
