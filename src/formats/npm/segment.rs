//! The text between two `/` of a pattern.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use regex::Regex;

/// One part of a pattern, to match one name in lower case.
#[derive(Clone, Debug)]
pub enum Segment {
    /// This name.
    Name(String),
    /// `*` and a name's end, or only `*`.
    End(String),
    /// A name that `glob` matches.
    Glob {
        /// Over names in lower case.
        glob: Regex,
        /// What it does not match although `glob` does: `!(…)`.
        except: Option<Regex>,
        /// Whether there is a group in it: only then it can match the empty part before a leading `/`.
        has_group: bool,
    },
    /// No name.
    Never,
}

impl Segment {
    /// The part `text`, which holds no `/`.
    pub fn new(text: &str) -> Self {
        let is_plain = |text: &str| !text.contains(['*', '?', '[', '\\', '(']);
        let end = text.trim_start_matches('*');
        if is_plain(end) {
            let lower = end.to_lowercase();
            return if end.len() == text.len() { Self::Name(lower) } else { Self::End(lower) };
        }
        let translated = Translation::of(text);
        if translated.least > MAX_NAME {
            return Self::Never;
        }
        let regex = |source: &str| Regex::new(&format!("^(?:{source})$")).ok();
        match (regex(&translated.source), translated.except.as_deref().map(regex)) {
            (Some(glob), None) => Self::Glob { glob, except: None, has_group: translated.has_group },
            (Some(glob), Some(Some(except))) => Self::Glob { glob, except: Some(except), has_group: true },
            _ => Self::Never,
        }
    }

    /// Whether it matches `name`, which is in lower case.
    pub fn matches(&self, name: &str) -> bool {
        match self {
            Self::Name(own) => own == name,
            Self::End(end) => !name.is_empty() && name.ends_with(end),
            Self::Glob { glob, except, has_group } => {
                let is_except = || except.as_ref().is_some_and(|except| except.is_match(name));
                (*has_group || !name.is_empty()) && glob.is_match(name) && !is_except()
            }
            Self::Never => false,
        }
    }
}

/// A glob as the source of a regular expression over names in lower case.
#[derive(Default)]
struct Translation {
    source: String,
    /// The same, with the text in the first `!(…)` in its place.
    except: Option<String>,
    has_group: bool,
    /// The characters that a name must have at least.
    least: usize,
}

impl Translation {
    fn of(glob: &str) -> Self {
        let mut out = Self::default();
        out.sequence(glob, 0);
        out
    }

    fn push(&mut self, source: &str) {
        self.source.push_str(source);
        if let Some(except) = &mut self.except {
            except.push_str(source);
        }
    }

    /// One character of a name that `source` matches.
    fn one(&mut self, source: &str) {
        self.least += 1;
        self.push(source);
    }

    fn literal(&mut self, c: char) {
        let lower: String = c.to_lowercase().collect();
        self.one(&regex::escape(&lower));
    }

    fn sequence(&mut self, glob: &str, depth: usize) {
        let (groups, mut open) = (Groups::of(glob), OpenClasses::default());
        let mut chars = glob.chars();
        while let Some(c) = chars.next() {
            if self.least > MAX_NAME {
                return;
            }
            if matches!(c, '!' | '?' | '+' | '*' | '@')
                && depth < MAX_DEPTH
                && let Some((alternatives, rest)) = groups.at(chars.as_str())
            {
                self.group(c, &alternatives, depth + 1);
                chars = rest.chars();
                continue;
            }
            match c {
                '*' => {
                    let rest = chars.as_str().trim_start_matches('*');
                    // The last one may open a group: `**(a)`.
                    let stars = chars.as_str().len() - rest.len();
                    if stars == 0 || !rest.starts_with('(') {
                        chars = rest.chars();
                    }
                    self.push("[^/]*");
                }
                '?' => self.one("[^/]"),
                '\\' => match chars.next() {
                    Some(escaped) => self.literal(escaped),
                    None => self.literal('\\'),
                },
                '[' => match open.class(chars.as_str()) {
                    Some((class, rest)) => {
                        self.one(&class);
                        chars = rest.chars();
                    }
                    None => self.literal('['),
                },
                _ => self.literal(c),
            }
        }
    }

    fn group(&mut self, kind: char, alternatives: &[&str], depth: usize) {
        self.has_group = true;
        let inner: Vec<String> = alternatives
            .iter()
            .map(|alternative| {
                let mut inner = Self::default();
                inner.sequence(alternative, depth);
                inner.source
            })
            .collect();
        let inner = format!("(?:{})", inner.join("|"));
        match kind {
            '!' if self.except.is_none() => {
                self.except = Some(format!("{}{inner}", self.source));
                self.source.push_str("[^/]*");
            }
            '!' => self.push("[^/]*"),
            '@' => self.push(&inner),
            kind => self.push(&format!("{inner}{kind}")),
        }
    }
}

/// Groups deeper than this are text.
const MAX_DEPTH: usize = 3;

/// More characters than a name has on any file system.
const MAX_NAME: usize = 1024;

/// Where the groups of a glob end.
struct Groups<'a> {
    glob: &'a str,
    /// Each `(` with its `)`, by their places.
    ends: HashMap<usize, usize>,
}

impl<'a> Groups<'a> {
    fn of(glob: &'a str) -> Self {
        let (mut ends, mut open, mut escaped) = (HashMap::new(), Vec::new(), false);
        for (at, c) in glob.char_indices() {
            match c {
                _ if escaped => {}
                '(' => open.push(at),
                ')' => ends.extend(open.pop().map(|start| (start, at))),
                _ => {}
            }
            escaped = c == '\\' && !escaped;
        }
        Self { glob, ends }
    }

    /// The alternatives of the group whose `(` begins `rest`, the end of the glob, and what follows it.
    fn at(&self, rest: &'a str) -> Option<(Vec<&'a str>, &'a str)> {
        let start = self.glob.len() - rest.len();
        let end = *self.ends.get(&start)?;
        let body = self.glob.get(start + 1..end)?;
        let (mut depth, mut from, mut escaped) = (0_usize, 0, false);
        let mut alternatives = Vec::new();
        for (at, c) in body.char_indices() {
            match c {
                _ if escaped => {}
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                '|' if depth == 0 => {
                    alternatives.push(body.get(from..at)?);
                    from = at + 1;
                }
                _ => {}
            }
            escaped = c == '\\' && !escaped;
        }
        alternatives.push(body.get(from..)?);
        Some((alternatives, self.glob.get(end + 1..)?))
    }
}

/// What is known of the classes of a glob that do not end: where another one gets to the same place, it does not end either.
#[derive(Default)]
struct OpenClasses {
    /// What was left of the glob at such places, in bytes.
    lengths: HashSet<usize>,
}

impl OpenClasses {
    /// The class whose `[` is before `text`, and what follows it; `None` if it does not end.
    fn class<'a>(&mut self, text: &'a str) -> Option<(String, &'a str)> {
        let mut passed = Vec::new();
        let found = class(text, |left| {
            passed.push(left);
            self.lengths.contains(&left)
        });
        if found.is_none() {
            self.lengths.extend(passed);
        }
        found
    }
}

/// The class whose `[` is before `text`, and what follows it; `None` if it does not end. `is_open` tells of what is left
/// of the glob whether a class goes on there that does not.
fn class(text: &str, mut is_open: impl FnMut(usize) -> bool) -> Option<(String, &str)> {
    let negated = text.starts_with(['!', '^']);
    let start = text.get(usize::from(negated)..)?.chars();
    let mut chars = start.clone();
    let mut source = String::from(if negated { "[^/" } else { "[" });
    loop {
        let is_first = chars.as_str().len() == start.as_str().len();
        // A `]` that comes first ends no class.
        if !is_first && is_open(chars.as_str().len()) {
            return None;
        }
        if let Some((name, after)) = named_class(chars.as_str()) {
            _ = write!(source, "[:{name}:]");
            chars = after.chars();
            continue;
        }
        let from = match chars.next()? {
            ']' if !is_first => break,
            '\\' => chars.next()?,
            c => c,
        };
        let mut ahead = chars.clone();
        let to = match (ahead.next(), ahead.next()) {
            (Some('-'), Some(to)) if to != ']' => {
                let to = if to == '\\' { ahead.next()? } else { to };
                chars = ahead;
                to
            }
            _ => from,
        };
        range(&mut source, from, to);
    }
    source.push(']');
    Some((source, chars.as_str()))
}

/// `[:alpha:]` at the start of `text` as a regular expression has it, and what follows.
fn named_class(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix("[:")?;
    let name = inner.get(..inner.bytes().take_while(u8::is_ascii_lowercase).count())?;
    let after = inner.get(name.len()..)?.strip_prefix(":]")?;
    // Letter case does not count.
    let name = if matches!(name, "upper" | "lower") { "alpha" } else { name };
    CLASSES.contains(&name).then_some((name, after))
}

/// Adds the characters from `from` to `to`, and the small letters of its capital ones. A range that runs backwards holds
/// nothing.
fn range(source: &mut String, from: char, to: char) {
    let mut add = |from: char, to: char| {
        if from <= to {
            _ = write!(source, r"\x{{{:x}}}-\x{{{:x}}}", u32::from(from), u32::from(to));
        }
    };
    add(from, to);
    let (first, last) = (from.max('A'), to.min('Z'));
    if first <= last {
        add(first.to_ascii_lowercase(), last.to_ascii_lowercase());
    } else if from == to {
        from.to_lowercase().for_each(|lower| add(lower, lower));
    }
}

const CLASSES: [&str; 12] =
    ["alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "print", "punct", "space", "word", "xdigit"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (glob, name, expected) in [
            ("README.md", "readme.md", true),
            ("*", "", false),
            ("*.md", ".x.md", true),
            ("a?c", "abc", true),
            ("[A-C]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]a]", "]", true),
            ("[a", "[a", true),
            ("[[:digit:]_]", "_", true),
            ("[b-a]", "b", false),
            (r"\*", "*", true),
            ("@(a|b).js", "b.js", true),
            ("+(ab)", "abab", true),
            ("!(x).js", "y.js", true),
            ("!(x).js", "x.js", false),
            ("a(b", "a(b", true),
            ("+(a", "+(a", true),
            (r"+(a\)|b)", "b", true),
            (r"@(a|@(b|c)d)", "cd", true),
            ("[[:alpha:]", "[a", true),
            ("[[:alpha:]", "[b", false),
            ("[[[:alpha:]", "[[h", true),
            (".*[^~$]", ".md~", false),
        ] {
            assert_eq!(Segment::new(glob).matches(name), expected, "{glob} on {name}");
        }
    }
}
