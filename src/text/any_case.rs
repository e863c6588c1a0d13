//! A text that is looked for in any case, as `(?i)` finds it. What is in ASCII and has a rare letter needs no automaton: that letter is
//! looked for, and the text around it is compared.

use memchr::{memchr2, memchr3};
use regex::Regex;
use regex::bytes;

/// Texts that are looked for in any case.
#[derive(Clone, Debug)]
pub struct AnyCase(Form);

#[derive(Clone, Debug)]
enum Form {
    /// One text in ASCII, in lower case, and the place of its rarest byte.
    One(Vec<u8>, usize),
    /// Texts in ASCII: to make a pattern of bytes takes less than one of characters.
    Ascii(bytes::Regex),
    Pattern(Regex),
}

/// The letters that are rare enough, the rarest last: to look for one that is on each line costs more than an automaton.
const RARE: &[u8] = b"ybvkxjqz";

impl AnyCase {
    /// What finds each of `texts`.
    ///
    /// # Errors
    /// If they are too long.
    pub fn new<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Self, regex::Error> {
        Self::with_exact(texts, &[])
    }

    /// What finds each of `texts`, and each of `exact` in this case alone: a few forms are found sooner than all that a text can have.
    ///
    /// # Errors
    /// If they are too long.
    pub fn with_exact<'t>(texts: impl IntoIterator<Item = &'t str>, exact: &[&str]) -> Result<Self, regex::Error> {
        let texts: Vec<&str> = texts.into_iter().collect();
        if let [one] = texts.as_slice()
            && one.is_ascii()
            && exact.is_empty()
        {
            let rank = |byte: u8| RARE.iter().position(|own| *own == byte);
            let lower = one.to_ascii_lowercase().into_bytes();
            let ranks = lower.iter().enumerate().filter_map(|(at, byte)| Some((rank(*byte)?, at)));
            if let Some((_, rarest)) = ranks.max() {
                return Ok(Self(Form::One(lower, rarest)));
            }
        }
        let exactly = exact.iter().map(|text| regex::escape(text));
        if texts.iter().chain(exact).all(|text| text.is_ascii()) {
            let in_any_case = texts.iter().map(|text| text.chars().map(in_any_case).collect());
            let all: Vec<String> = in_any_case.chain(exactly).collect();
            let pattern = bytes::RegexBuilder::new(&all.join("|")).unicode(false).build()?;
            return Ok(Self(Form::Ascii(pattern)));
        }
        let in_any_case = texts.iter().map(|text| format!("(?i:{})", regex::escape(text)));
        let all: Vec<String> = in_any_case.chain(exactly).collect();
        Regex::new(&all.join("|")).map(|pattern| Self(Form::Pattern(pattern)))
    }

    /// The first place from byte `at` on where one of them begins.
    pub fn find_at(&self, text: &str, at: usize) -> Option<usize> {
        match &self.0 {
            Form::One(lower, rarest) => Some(at + find(text.as_bytes().get(at..)?, lower, *rarest)?),
            Form::Ascii(pattern) => pattern.find_at(text.as_bytes(), at).map(|found| found.start()),
            Form::Pattern(pattern) => pattern.find_at(text, at).map(|found| found.start()),
        }
    }

    /// Whether one of them is in `text`.
    pub fn is_in(&self, text: &str) -> bool {
        match &self.0 {
            Form::One(lower, rarest) => find(text.as_bytes(), lower, *rarest).is_some(),
            Form::Ascii(pattern) => pattern.is_match(text.as_bytes()),
            Form::Pattern(pattern) => pattern.is_match(text),
        }
    }
}

/// The letters outside of ASCII that are another case of one in it.
fn other_case(lower: u8) -> &'static [u8] {
    match lower {
        b's' => "ſ".as_bytes(),
        b'k' => "\u{212a}".as_bytes(),
        _ => &[],
    }
}

/// A pattern of bytes for a letter of ASCII in any case.
fn in_any_case(letter: char) -> String {
    let (lower, upper) = (letter.to_ascii_lowercase(), letter.to_ascii_uppercase());
    if lower == upper {
        return regex::escape(letter.encode_utf8(&mut [0; 4]));
    }
    let other: String =
        u8::try_from(lower).map(other_case).unwrap_or_default().iter().map(|byte| format!("\\x{byte:02x}")).collect();
    if other.is_empty() { format!("[{upper}{lower}]") } else { format!("(?:[{upper}{lower}]|{other})") }
}

fn find(bytes: &[u8], lower: &[u8], rarest: usize) -> Option<usize> {
    let (&anchor, before, from) = (lower.get(rarest)?, lower.get(..rarest)?, lower.get(rarest..)?);
    let (upper, third) = (anchor.to_ascii_uppercase(), other_case(anchor).first().copied());
    let mut at = 0;
    loop {
        let rest = bytes.get(at..)?;
        let found = at
            + match third {
                None => memchr2(anchor, upper, rest)?,
                Some(third) => memchr3(anchor, upper, third, rest)?,
            };
        if is_start(bytes.get(found..)?, from)
            && let Some(start) = start_of_end(bytes.get(..found)?, before)
        {
            return Some(start);
        }
        at = found + 1;
    }
}

fn is_start(mut bytes: &[u8], lower: &[u8]) -> bool {
    lower.iter().all(|letter| {
        let (rest, is_there) = match bytes.split_first() {
            Some((first, rest)) if first.to_ascii_lowercase() == *letter => (rest, true),
            _ => match other_case(*letter) {
                // A comparison of no bytes is slow if their address is not in a mapped page.
                [] => (bytes, false),
                other => bytes.strip_prefix(other).map_or((bytes, false), |rest| (rest, true)),
            },
        };
        bytes = rest;
        is_there
    })
}

/// Where `lower` begins, if `bytes` end with it.
fn start_of_end(mut bytes: &[u8], lower: &[u8]) -> Option<usize> {
    for letter in lower.iter().rev() {
        bytes = match bytes.split_last() {
            Some((last, rest)) if last.to_ascii_lowercase() == *letter => rest,
            _ => match other_case(*letter) {
                [] => return None,
                other => bytes.strip_suffix(other)?,
            },
        };
    }
    Some(bytes.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::RegexBuilder;

    use super::*;

    proptest! {
        #[test]
        fn it_finds_what_the_pattern_finds(word in "[sSkKaxA.]{1,4}|[sSkKaA.]{1,4}", text in "[sSkKaAxX.ſ\u{212a}ä \n]{0,40}") {
            let pattern = RegexBuilder::new(&regex::escape(&word)).case_insensitive(true).build().unwrap();
            let any_case = AnyCase::new([word.as_str()]).unwrap();
            prop_assert_eq!(any_case.is_in(&text), pattern.is_match(&text));
            for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                prop_assert_eq!(any_case.find_at(&text, at), pattern.find_at(&text, at).map(|found| found.start()));
            }
        }
    }

    #[test]
    fn several_and_none() {
        let any_case = AnyCase::new(["Tabs", "a.s"]).unwrap();
        assert_eq!(any_case.find_at("axs aB, TABſ", 0), Some(8));
        assert_eq!(any_case.find_at("axs, A.S", 0), Some(5));
        let any_case = AnyCase::with_exact(["Tabs"], &["a.s"]).unwrap();
        assert_eq!(any_case.find_at("axs A.S, a.s", 0), Some(9));
        assert_eq!(any_case.find_at("A.S, TABS", 0), Some(5));
        let any_case = AnyCase::with_exact(["März"], &["a.s"]).unwrap();
        assert_eq!(any_case.find_at("A.S, MÄRZ", 0), Some(5));
        let any_case = AnyCase::new(["Tabs", "März"]).unwrap();
        assert_eq!(any_case.find_at("in märz, TABS", 0), Some(3));
        assert!(AnyCase::new([""]).unwrap().is_in("x"));
    }
}
