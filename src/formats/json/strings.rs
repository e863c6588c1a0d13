//! The strings of JSON, and where the bytes of what they say are.

use std::borrow::Cow;

use crate::text::Span;

/// Where the bytes of a text are in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    /// From this byte of the text on, bytes follow each other as from that byte of the file on. There is one for each line.
    runs: Vec<(u32, u32)>,
}

/// A place in a file. Files are bounded: none is beyond what fits.
fn small(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Places {
    /// A text that starts at the byte `start` of the file.
    pub(crate) fn from(start: usize) -> Self {
        Self { runs: vec![(0, small(start))] }
    }

    /// The places of the text from its byte `at` on.
    pub(crate) fn behind(&self, at: usize) -> Self {
        let start = small(at);
        let later = self.runs.iter().filter(|(inner, _)| *inner > start).map(|(inner, outer)| (inner - start, *outer));
        Self { runs: [(0, small(self.of(at)))].into_iter().chain(later).collect() }
    }

    fn of(&self, at: usize) -> usize {
        let run = self.runs.partition_point(|(inner, _)| *inner <= small(at)).saturating_sub(1);
        self.runs.get(run).map_or(at, |(inner, outer)| *outer as usize + at.saturating_sub(*inner as usize))
    }

    /// The bytes of the text that those of `span` in the file say. Of an escape, that is the character.
    pub(crate) fn inner(&self, span: Span) -> Span {
        let of = |at: usize| {
            let next = self.runs.partition_point(|(_, outer)| *outer as usize <= at);
            let (inner, outer) = next.checked_sub(1).and_then(|run| self.runs.get(run)).copied().unwrap_or_default();
            let limit = self.runs.get(next).map_or(usize::MAX, |(inner, _)| *inner as usize);
            (inner as usize + at.saturating_sub(outer as usize)).min(limit)
        };
        Span::new(of(span.start()), of(span.end()))
    }

    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.of(start), self.of(end))
    }
}

/// The strings in `text` with their quotes, keys included. In what is not JSON they are what looks like one.
pub(crate) fn literals(text: &str) -> impl Iterator<Item = Span> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + memchr::memchr(b'"', bytes.get(at..)?)?;
        at = string_end(bytes, start);
        Some(Span::new(start, at))
    })
}

/// Where the string ends that begins with the quote at `start`: after the quote that no backslash makes a part of it, or at the end.
pub(super) fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start + 1;
    loop {
        match bytes.get(end..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)).map(|found| end + found) {
            Some(found) if bytes.get(found) == Some(&b'\\') => end = (found + 2).min(bytes.len()),
            found => return found.map_or(bytes.len(), |found| found + 1),
        }
    }
}

/// What the JSON string `literal` (with its quotes, at the byte `start` of the file) says, and where each part of it is.
pub(crate) fn unquote(literal: &str, start: usize) -> (String, Places) {
    let mut runs = Vec::with_capacity(1 + memchr::memchr_iter(b'\\', literal.as_bytes()).count());
    runs.push((0, small(start + 1)));
    let text = unescaped(literal, |inner, outer| runs.push((small(inner), small(start + outer))));
    (text, Places { runs })
}

/// What the JSON string `literal` (with its quotes) says. `behind` gets where the text after each escape begins: in what it says, and
/// in the literal.
fn unescaped(literal: &str, mut behind: impl FnMut(usize, usize)) -> String {
    let inner = inner(literal);
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        let (plain, escape) = rest.split_at(at);
        text.push_str(plain);
        // The escape itself is where the text before it ends.
        let (c, len) = decode(escape);
        text.push(c);
        behind(text.len(), 1 + (inner.len() - escape.len()) + len);
        rest = escape.get(len..).unwrap_or_default();
    }
    text.push_str(rest);
    text
}

/// What the JSON string `literal` (with its quotes) says.
pub(crate) fn said(literal: &str) -> Cow<'_, str> {
    match memchr::memchr(b'\\', literal.as_bytes()) {
        Some(_) => Cow::Owned(unescaped(literal, |_, _| {})),
        None => Cow::Borrowed(inner(literal)),
    }
}

/// What is between the quotes of `literal`.
fn inner(literal: &str) -> &str {
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    inner.strip_suffix('"').unwrap_or(inner)
}

/// The character of the escape at the start of `text`, and how long that is.
fn decode(text: &str) -> (char, usize) {
    let unit = |at: usize| {
        let digits = text.get(at..at + 4).filter(|_| text.get(at - 2..at) == Some("\\u"))?;
        u16::from_str_radix(digits, 16).ok()
    };
    let plain = match text.as_bytes().get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'u') => {
            let mut decoded = char::decode_utf16(unit(2).into_iter().chain(unit(8)));
            let decoded = decoded.next().and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER);
            let len = if decoded.len_utf16() == 2 { 12 } else { 6 };
            return (decoded, len.min(text.len()));
        }
        _ => {
            let c = text.chars().nth(1).unwrap_or(char::REPLACEMENT_CHARACTER);
            return (c, (1 + c.len_utf8()).min(text.len()));
        }
    };
    (plain, 2)
}
