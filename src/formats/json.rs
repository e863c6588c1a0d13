//! JSON with places. What is valid, `serde_json` says; where it is, `jsonc-parser`.

use std::fmt;

use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, ast};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::text::Span;

/// A value and where it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// Its bytes; a string with its quotes.
    pub(crate) span: Span,
    pub(crate) value: Value,
}

/// What a value is. Numbers are not asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number,
    String(String),
    List(Vec<Node>),
    /// Keys with their quotes, in file order; one can be there twice.
    Object(Vec<(Span, String, Node)>),
}

/// What is not JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) span: Span,
    pub(crate) message: String,
}

/// Where the bytes of a text are in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    /// From this byte of the text on, bytes follow each other as from that byte of the file on.
    runs: Vec<(usize, usize)>,
}

impl Places {
    /// A text that starts at the byte `start` of the file.
    pub(crate) fn from(start: usize) -> Self {
        Self { runs: vec![(0, start)] }
    }

    /// The places of the text from its byte `at` on.
    pub(crate) fn behind(&self, at: usize) -> Self {
        let later = self.runs.iter().filter(|(inner, _)| *inner > at).map(|(inner, outer)| (inner - at, *outer));
        Self { runs: [(0, self.of(at))].into_iter().chain(later).collect() }
    }

    fn of(&self, at: usize) -> usize {
        let run = self.runs.partition_point(|(inner, _)| *inner <= at).saturating_sub(1);
        self.runs.get(run).map_or(at, |(inner, outer)| outer + at.saturating_sub(*inner))
    }

    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.of(start), self.of(end))
    }
}

impl Node {
    /// The value in `text`, which is at `places`.
    ///
    /// # Errors
    /// Where it stops to be JSON. Nesting deeper than `serde_json` follows (128) is an error, too.
    pub(crate) fn parse(text: &str, places: &Places) -> Result<Self, SyntaxError> {
        if let Err(error) = serde_json::from_str::<Valid>(text) {
            let message = error.to_string();
            let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message).to_owned();
            let start = offset(text, error.line(), error.column());
            let len = text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            return Err(SyntaxError { span: places.span(start, start + len), message });
        }
        let tree = jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
        match tree.map(|tree| tree.value) {
            Ok(Some(value)) => Ok(Self::of(value, places)),
            Ok(None) => Err(SyntaxError { span: places.span(0, 0), message: "no value".into() }),
            Err(error) => {
                let range = error.range();
                Err(SyntaxError { span: places.span(range.start, range.end), message: error.kind().to_string() })
            }
        }
    }

    /// As deep as `serde_json` let it be.
    fn of(value: ast::Value<'_>, places: &Places) -> Self {
        let span = places.span(value.start(), value.end());
        let value = match value {
            ast::Value::NullKeyword(_) => Value::Null,
            ast::Value::BooleanLit(value) => Value::Bool(value.value),
            ast::Value::NumberLit(_) => Value::Number,
            ast::Value::StringLit(text) => Value::String(text.value.into_owned()),
            ast::Value::Array(list) => {
                Value::List(list.elements.into_iter().map(|item| Self::of(item, places)).collect())
            }
            ast::Value::Object(object) => Value::Object(
                object
                    .properties
                    .into_iter()
                    .map(|property| {
                        let key = places.span(property.name.start(), property.name.end());
                        (key, property.name.as_str().to_owned(), Self::of(property.value, places))
                    })
                    .collect(),
            ),
        };
        Self { span, value }
    }

    /// The value of a key; the last one counts, as everywhere.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Value::Object(entries) = &self.value else { return None };
        entries.iter().rev().find(|(_, name, _)| name == key).map(|(_, _, value)| value)
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn items(&self) -> &[Self] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// What it is called in a message.
    pub(crate) fn noun(&self) -> &'static str {
        match self.value {
            Value::Null => "`null`",
            Value::Bool(_) => "a truth value",
            Value::Number => "a number",
            Value::String(_) => "a string",
            Value::List(_) => "a list",
            Value::Object(_) => "an object",
        }
    }
}

/// Any JSON value. It is read to judge it, and not kept: a bundle can have megabytes.
struct Valid;

impl<'de> Deserialize<'de> for Valid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Valid {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self, A::Error> {
        while object.next_entry::<Self, Self>()?.is_some() {}
        Ok(self)
    }
}

/// The byte at `line` and `column` (in bytes), both from 1; at a character.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start = match line {
        0 | 1 => 0,
        line => memchr::memchr_iter(b'\n', text.as_bytes()).nth(line - 2).map_or(text.len(), |at| at + 1),
    };
    let mut at = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The strings in `text` with their quotes, keys included. In what is not JSON they are what looks like one.
pub(crate) fn literals(text: &str) -> impl Iterator<Item = Span> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + memchr::memchr(b'"', bytes.get(at..)?)?;
        let mut end = start + 1;
        // The quote that no backslash makes a part of the string; without one, the string goes on to the end.
        loop {
            match bytes.get(end..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)).map(|found| end + found) {
                Some(found) if bytes.get(found) == Some(&b'\\') => end = (found + 2).min(bytes.len()),
                found => {
                    end = found.map_or(bytes.len(), |found| found + 1);
                    break;
                }
            }
        }
        at = end;
        Some(Span::new(start, end))
    })
}

/// What the JSON string `literal` (with its quotes, at the byte `start` of the file) says, and where each part of it is.
pub(crate) fn unquote(literal: &str, start: usize) -> (String, Places) {
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut text = String::with_capacity(inner.len());
    let mut runs = vec![(0, start + 1)];
    let mut rest = inner;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        let (plain, escape) = rest.split_at(at);
        text.push_str(plain);
        // The escape itself is where the text before it ends.
        let (c, len) = decode(escape);
        text.push(c);
        runs.push((text.len(), start + 1 + (inner.len() - escape.len()) + len));
        rest = escape.get(len..).unwrap_or_default();
    }
    text.push_str(rest);
    (text, Places { runs })
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
            let units: Vec<u16> = unit(2).into_iter().chain(unit(8)).collect();
            let decoded = char::decode_utf16(units).next().and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_a_string_says_and_where() {
        let file = r#"  "a\"\n\ud83d\ude80é\u00e9z""#;
        let (text, places) = unquote(&file[2..], 2);
        assert_eq!(text, "a\"\n🚀ééz");
        let place = |part: &str| {
            let at = text.rfind(part).unwrap();
            places.span(at, at + part.len()).of(file)
        };
        assert_eq!(["\"", "\n", "🚀", "z", "é"].map(place), ["\\\"", "\\n", "\\ud83d\\ude80", "z", "\\u00e9"]);
    }

    #[test]
    fn where_it_stops_to_be_json() {
        for (text, place, message) in [
            ("{\"a\": 1,}", "}", "trailing comma"),
            ("{\n\"a\": é}", "é", "expected value"),
            ("[1] x", "x", "trailing characters"),
            ("{\"a\": \"\u{0}\"}", "\u{0}", "control character (\\u0000-\\u001F) found while parsing a string"),
            ("{\"a\": [1", "1", "EOF while parsing a list"),
            ("// x\n{}", "/", "expected value"),
        ] {
            let error = Node::parse(text, &Places::from(0)).unwrap_err();
            assert_eq!((error.span.of(text), error.message.as_str()), (place, message), "{text}");
        }
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        assert_eq!(Node::parse(&deep, &Places::from(0)).unwrap_err().message, "recursion limit exceeded");
    }

    proptest! {
        #[test]
        fn a_string_in_a_string_keeps_its_places(text in any::<String>(), start in 0_usize..9) {
            let literal = serde_json::to_string(&text).unwrap();
            let (read, places) = unquote(&literal, start);
            prop_assert_eq!(&read, &text);
            let file = " ".repeat(start) + &literal;
            for (at, c) in text.char_indices() {
                let raw = places.span(at, at + c.len_utf8());
                let quoted = format!("\"{}\"", raw.of(&file));
                prop_assert_eq!(serde_json::from_str::<String>(&quoted).unwrap(), c.to_string());
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            unquote(&text, 0);
            let read = Node::parse(&text, &Places::from(0));
            prop_assert_eq!(read.is_ok(), serde_json::from_str::<serde_json::Value>(&text).is_ok());
        }
    }
}
