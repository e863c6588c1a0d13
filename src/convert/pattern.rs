//! Patterns that are compiled when they are first looked for.
//!
//! A pattern knows the letters, digits and blanks of all scripts, and to compile what they are takes most of the time of a run over a
//! short file. Most texts have no letters beyond ASCII, and signs at most: for these, a pattern over bytes is compiled, each of them a
//! character, that finds the same.

use std::fmt::Write as _;
use std::ops::Range;
use std::rc::Rc;
use std::sync::OnceLock;

use regex_automata::meta::{Config, Regex};
use regex_automata::util::captures::Captures;
use regex_automata::util::syntax;

use super::signs::{Signed, in_pattern, signed};

/// A pattern of this module, compiled when it is first looked for; none that is tested fails to compile.
pub(super) struct Pattern {
    text: &'static str,
    /// What finds it in texts whose characters are bytes.
    bytes: OnceLock<Option<Regex>>,
    /// What finds it in all others.
    any: OnceLock<Option<Regex>>,
}

/// A text as a pattern is looked for in it.
enum Haystack<'t> {
    /// Its own bytes.
    Own(&'t str),
    /// A byte for each character.
    Signed(Rc<Signed>),
}

impl Haystack<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Own(text) => text.as_bytes(),
            Self::Signed(signed) => signed.bytes(),
        }
    }

    /// Where this range of the bytes is in the text.
    fn range(&self, range: Range<usize>) -> Range<usize> {
        match self {
            Self::Own(_) => range,
            Self::Signed(signed) => signed.range(&range),
        }
    }
}

impl Pattern {
    /// This pattern.
    pub(super) const fn new(text: &'static str) -> Self {
        Self { text, bytes: OnceLock::new(), any: OnceLock::new() }
    }

    /// What finds the pattern in `text`, and in what.
    fn regex<'t>(&self, text: &'t str) -> Option<(&Regex, Haystack<'t>)> {
        let of_bytes = || self.bytes.get_or_init(|| of_bytes(self.text)).as_ref();
        if text.is_ascii() {
            return Some((of_bytes()?, Haystack::Own(text)));
        }
        match signed(text) {
            Some(signed) => Some((of_bytes()?, Haystack::Signed(signed))),
            None => Some((self.any.get_or_init(|| of_any(self.text)).as_ref()?, Haystack::Own(text))),
        }
    }

    /// Where the pattern is first found in `text`.
    pub(super) fn find(&self, text: &str) -> Option<Range<usize>> {
        let (regex, haystack) = self.regex(text)?;
        Some(haystack.range(regex.find(haystack.bytes())?.range()))
    }

    /// Each place in `text` where the pattern is found, in order.
    pub(super) fn find_all(&self, text: &str) -> impl Iterator<Item = Range<usize>> {
        let (own, signed) = match self.regex(text) {
            Some((regex, Haystack::Own(_))) => (Some(regex.find_iter(text).map(|found| found.range())), Vec::new()),
            Some((regex, haystack)) => {
                (None, regex.find_iter(haystack.bytes()).map(|found| haystack.range(found.range())).collect())
            }
            None => (None, Vec::new()),
        };
        own.into_iter().flatten().chain(signed)
    }

    /// What the groups of the pattern match where it is first found in `text`.
    pub(super) fn groups<'t>(&self, text: &'t str) -> Option<Groups<'t>> {
        let (regex, haystack) = self.regex(text)?;
        let mut groups = regex.create_captures();
        regex.captures(haystack.bytes(), &mut groups);
        groups.is_match().then_some(Groups { text, haystack, groups })
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
    haystack: Haystack<'t>,
    groups: Captures,
}

impl<'t> Groups<'t> {
    /// Where the group of this number matches.
    pub(super) fn range(&self, group: usize) -> Option<Range<usize>> {
        Some(self.haystack.range(self.groups.get_group(group)?.range()))
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

/// What finds a pattern in texts whose characters are bytes. To look for words of it first would take longer to prepare than it saves.
fn of_bytes(pattern: &str) -> Option<Regex> {
    let syntax = syntax::Config::new().unicode(false).utf8(false);
    let config = Config::new().auto_prefilter(false).utf8_empty(false);
    Regex::builder().configure(config).syntax(syntax).build(&in_bytes(pattern)).ok()
}

/// A pattern of bytes that finds in such texts what `pattern` does.
fn in_bytes(pattern: &str) -> String {
    let classes = pattern.replace(r"\p{L}", "[A-Za-z]").replace(r"\p{Lu}", "[A-Z]").replace(r"\p{Ll}", "[a-z]");
    let mut out = String::with_capacity(classes.len());
    for c in classes.chars() {
        match c {
            '\0'..='\x7f' => out.push(c),
            _ => {
                // Text takes all that is written.
                let _ = write!(out, "\\x{:02x}", in_pattern(c));
            }
        }
    }
    out
}

/// Whether `pattern` is found in `text`.
pub(super) fn matches(pattern: &Pattern, text: &str) -> bool {
    pattern.regex(text).is_some_and(|(regex, haystack)| regex.is_match(haystack.bytes()))
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

    use super::super::signs::NAMED;
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

    /// A text from words of a pattern and what often stands between words, with signs or without.
    fn text(words: &[&str], has_signs: bool, numbers: &mut Numbers) -> String {
        const OTHERS: [&str; 34] = [
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
            // Signs.
            "—",
            "–",
            "→",
            "’",
            "✅",
            "•",
            "🎉 ",
            "“",
        ];
        let others = if has_signs { OTHERS.len() } else { OTHERS.len() - 8 };
        let mut out = String::new();
        for _ in 0..=numbers.below(9) {
            let word = match numbers.below(2) {
                0 => words[numbers.below(words.len())],
                _ => OTHERS[numbers.below(others)],
            };
            match numbers.below(4) {
                0 => out.push_str(&word.to_uppercase()),
                _ => out.push_str(word),
            }
        }
        out
    }

    #[test]
    fn what_is_compiled_for_bytes_finds_the_same() {
        let patterns = patterns();
        assert!(patterns.len() > 100, "{}", patterns.len());
        let (mut numbers, mut unmatched) = (Numbers(7), Vec::new());
        for pattern in &patterns {
            for c in pattern.chars() {
                assert!(
                    NAMED.contains(&c) || c.is_ascii() || signed(&c.to_string()).is_none(),
                    "{c} needs a byte: {pattern}"
                );
            }
            let (bytes, any) = (of_bytes(pattern).unwrap(), of_any(pattern).unwrap());
            let words: Vec<&str> =
                pattern.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() > 1).collect();
            let words = if words.is_empty() { vec!["y"] } else { words };
            let found = |regex: &Regex, haystack: &Haystack<'_>| {
                regex.find_iter(haystack.bytes()).map(|found| haystack.range(found.range())).collect::<Vec<_>>()
            };
            let groups = |regex: &Regex, haystack: &Haystack<'_>| {
                let mut groups = regex.create_captures();
                regex.captures(haystack.bytes(), &mut groups);
                groups.iter().map(|group| group.map(|group| haystack.range(group.range()))).collect::<Vec<_>>()
            };
            let mut is_matched = false;
            for round in 0..3_000 {
                let text = text(&words, round % 2 == 1, &mut numbers);
                let own = Haystack::Own(&text);
                let haystack = match text.is_ascii() {
                    true => Haystack::Own(&text),
                    false => Haystack::Signed(signed(&text).unwrap()),
                };
                let found_in_bytes = found(&bytes, &haystack);
                assert_eq!(found_in_bytes, found(&any, &own), "{pattern}\n{text}");
                assert_eq!(groups(&bytes, &haystack), groups(&any, &own), "{pattern}\n{text}");
                is_matched |= !found_in_bytes.is_empty();
            }
            if !is_matched {
                unmatched.push(pattern);
            }
        }
        assert!(unmatched.len() * 4 < patterns.len(), "{} of {}: {unmatched:#?}", unmatched.len(), patterns.len());
    }

    static DASHED: Pattern = Pattern::new(r"(?:é|[—x])(\d)");

    #[test]
    fn a_pattern_of_bytes_has_a_byte_for_each_character() {
        assert_eq!(
            in_bytes(r"[—–-]\s*(?:decisión|\p{Lu}[\p{L}\d])"),
            r"[\x80\x81-]\s*(?:decisi\xffn|[A-Z][[A-Za-z]\d])"
        );
        let group = |text: &str| DASHED.groups(text).and_then(|found| found.range(1));
        assert_eq!([group("x1"), group("—1"), group("é1"), group("a1")], [Some(1..2), Some(3..4), Some(2..3), None]);
        assert_eq!(DASHED.replace_all("—1 x2 y", "·"), "· · y");
    }
}
