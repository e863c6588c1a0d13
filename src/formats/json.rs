//! JSON with places. What is valid, `serde_json` says; where it is, the tree.

mod raw;
mod strings;
mod words;

use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

pub(crate) use self::raw::{Raw, inexact};
use self::strings::string_end;
pub(crate) use self::strings::{Places, literals, said, unquote};
pub(crate) use self::words::correction;
use self::words::{escape, in_words};
use crate::text::{Span, bom_len};

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
    /// Keys with their quotes, in file order; a key can occur twice.
    Object(Vec<(Span, String, Node)>),
}

/// What is kept of the values in a value.
pub(crate) trait Keep: Copy {
    /// What is kept of the value in the value under `key`, or in an item of a list; `None` for nothing.
    fn child(self, key: Option<&str>) -> Option<Self>;

    /// The member under `key`, or the item, is kept if fewer than so many are kept already.
    fn most(self, key: Option<&str>) -> usize;
}

/// All is kept.
#[derive(Clone, Copy)]
struct All;

impl Keep for All {
    fn child(self, _: Option<&str>) -> Option<Self> {
        Some(self)
    }

    fn most(self, _: Option<&str>) -> usize {
        usize::MAX
    }
}

/// What is not JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) span: Span,
    pub(crate) message: String,
}

impl Node {
    /// The value in `text`, which is at `places`.
    ///
    /// # Errors
    /// Where it stops to be JSON. Nesting deeper than `serde_json` follows (128) is an error, too.
    pub(crate) fn parse(text: &str, places: &Places) -> Result<Self, SyntaxError> {
        Self::parse_kept(text, places, All, |_| {})
    }

    /// The value in `text`, a file as JavaScript reads it: with a byte order mark it is not JSON.
    ///
    /// # Errors
    /// As [`Node::parse`].
    pub(crate) fn parse_file(text: &str) -> Result<Self, SyntaxError> {
        byte_order_mark(text).map_or_else(|| Self::parse(text, &Places::from(0)), Err)
    }

    /// The value in `text`, which is at `places`, as far as `keep` says: what a reader does not look for takes no room. `look` sees the
    /// keys of each object, with their quotes, also of those that are not kept.
    ///
    /// # Errors
    /// As [`Node::parse`].
    pub(crate) fn parse_kept(
        text: &str,
        places: &Places,
        keep: impl Keep,
        look: impl FnMut(&mut [Span]),
    ) -> Result<Self, SyntaxError> {
        if let Err(error) = serde_json::from_str::<Valid>(text) {
            let message = error.to_string();
            let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
            let start = offset(text, error.line(), error.column());
            let (start, len) = match escape(message, text, start) {
                Some(escape) => escape,
                None => (start, text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)),
            };
            let message = in_words(message, text.get(start..).unwrap_or_default()).to_owned();
            return Err(SyntaxError { span: places.span(start, start + len), message });
        }
        Ok(build(text, places, keep, look))
    }

    /// The value of a key; the last one counts, as everywhere.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Value::Object(entries) = &self.value else { return None };
        entries.iter().rev().find(|(_, name, _)| name == key).map(|(_, _, value)| value)
    }

    /// The value of a key, as [`Node::get`] has it.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        let Value::Object(entries) = &mut self.value else { return None };
        entries.iter_mut().rev().find(|(_, name, _)| name == key).map(|(_, _, value)| value)
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

    /// The keys, at any depth, that an object has twice, with the place of the first one, and those that JavaScript takes for something
    /// else: `__proto__`.
    pub(crate) fn odd_keys(&self) -> Vec<(Span, &str, Option<Span>)> {
        let mut found = Vec::new();
        self.add_odd_keys(&mut found);
        found
    }

    fn add_odd_keys<'n>(&'n self, found: &mut Vec<(Span, &'n str, Option<Span>)>) {
        match &self.value {
            Value::Object(entries) => {
                let mut first = HashMap::new();
                for (span, key, value) in entries {
                    if key == "__proto__" {
                        found.push((*span, key, None));
                    } else if let Some(earlier) = first.insert(key, *span) {
                        found.push((*span, key, Some(earlier)));
                    }
                    value.add_odd_keys(found);
                }
            }
            Value::List(items) => items.iter().for_each(|item| item.add_odd_keys(found)),
            _ => {}
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

/// The mark at the start of `text`, if it has one: editors of Windows write it, and `JSON.parse` stops there.
pub(crate) fn byte_order_mark(text: &str) -> Option<SyntaxError> {
    let message = || "the file begins with a byte order mark".to_owned();
    let len = bom_len(text);
    (len > 0).then(|| SyntaxError { span: Span::new(0, len), message: message() })
}

/// The value in `text`, which is at `places`. What is no JSON gives some value or other.
fn build(text: &str, places: &Places, keep: impl Keep, look: impl FnMut(&mut [Span])) -> Node {
    let mut builder = Builder { text, places, at: 0, keys: Vec::new(), look };
    builder.value(true, Some(keep)).unwrap_or(Node { span: places.span(0, 0), value: Value::Null })
}

/// Goes through the text. `serde_json` has judged how deep it goes.
struct Builder<'t, L> {
    text: &'t str,
    places: &'t Places,
    at: usize,
    /// Those of all objects that are open here.
    keys: Vec<Span>,
    look: L,
}

impl<'t, L: FnMut(&mut [Span])> Builder<'t, L> {
    /// The next value; `None` at the end of the one around it. Unless it `is_kept`, its text is not needed; of the values in it, `keep`
    /// says what is.
    fn value<K: Keep>(&mut self, is_kept: bool, keep: Option<K>) -> Option<Node> {
        let start = self.skip_to(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b':'));
        let value = match *self.text.as_bytes().get(start)? {
            b'{' => Value::Object(self.members(keep)),
            b'[' => Value::List(self.items(keep)),
            b'"' => {
                let literal = self.string();
                Value::String(if is_kept { said(literal).into_owned() } else { String::new() })
            }
            b'}' | b']' => return None,
            first => {
                self.skip_to(|byte| !matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'+' | b'-' | b'.' | b'E'));
                match first {
                    b'n' => Value::Null,
                    b't' | b'f' => Value::Bool(first == b't'),
                    _ => Value::Number,
                }
            }
        };
        Some(Node { span: self.places.span(start, self.at), value })
    }

    /// Those of the object that begins here.
    fn members<K: Keep>(&mut self, keep: Option<K>) -> Vec<(Span, String, Node)> {
        let mut members = Vec::new();
        let first = self.keys.len();
        loop {
            let start = self.skip_to(|byte| matches!(byte, b'"' | b'}'));
            if self.text.as_bytes().get(start) != Some(&b'"') {
                break;
            }
            let literal = self.string();
            let span = self.places.span(start, self.at);
            self.keys.push(span);
            let key = said(literal);
            match keep.filter(|keep| members.len() < keep.most(Some(&key))) {
                Some(keep) => {
                    let Some(value) = self.value(true, keep.child(Some(&key))) else { break };
                    members.push((span, key.into_owned(), value));
                }
                None if self.value(false, None::<K>).is_none() => break,
                None => {}
            }
        }
        self.at += 1;
        (self.look)(self.keys.get_mut(first..).unwrap_or_default());
        self.keys.truncate(first);
        members.shrink_to_fit();
        members
    }

    /// Those of the list that begins here.
    fn items<K: Keep>(&mut self, keep: Option<K>) -> Vec<Node> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            let kept = keep.filter(|keep| items.len() < keep.most(None));
            let Some(item) = self.value(kept.is_some(), kept.and_then(|keep| keep.child(None))) else { break };
            if kept.is_some() {
                items.push(item);
            }
        }
        self.at += 1;
        items.shrink_to_fit();
        items
    }

    /// The string that begins here, with its quotes.
    fn string(&mut self) -> &'t str {
        let start = self.at;
        self.at = string_end(self.text.as_bytes(), start);
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Goes to the next byte that `is` is true for, or to the end.
    fn skip_to(&mut self, is: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().take_while(|byte| !is(**byte)).count();
        self.at
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use serde_json::{Value as Expected, json};

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
            ("{\n\"a\": é}", "é", "expected a value"),
            ("[1] x", "x", "text after the end of the JSON"),
            ("{\"a\": \"\u{0}\"}", "\u{0}", "control character in a string, expected an escape"),
            ("{\"a\": [1", "1", "the list is never closed"),
            ("// x\n{}", "/", "expected a value"),
        ] {
            let error = Node::parse(text, &Places::from(0)).unwrap_err();
            assert_eq!((error.span.of(text), error.message.as_str()), (place, message), "{text}");
        }
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        assert_eq!(Node::parse(&deep, &Places::from(0)).unwrap_err().message, "values nested deeper than 128 levels");
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

    fn values() -> impl Strategy<Value = Expected> {
        let text = prop_oneof![any::<String>(), Just("a".to_owned()), Just("\u{1f680}\"\\\n".to_owned())];
        let leaf = prop_oneof![
            Just(Expected::Null),
            any::<bool>().prop_map(Expected::Bool),
            any::<i32>().prop_map(|number| json!(number)),
            Just(json!(-1.5e-7)),
            text.clone().prop_map(Expected::String),
        ];
        leaf.prop_recursive(4, 40, 6, move |inner| {
            let members = prop::collection::vec((text.clone(), inner.clone()), 0..6);
            prop_oneof![
                prop::collection::vec(inner, 0..6).prop_map(Expected::Array),
                members.prop_map(|members| Expected::Object(members.into_iter().collect())),
            ]
        })
    }

    /// The value of a node, which is what its bytes say.
    fn read(node: &Node, text: &str) -> Expected {
        let said: Expected = serde_json::from_str(node.span.of(text)).unwrap();
        match &node.value {
            Value::Null => Expected::Null,
            Value::Bool(value) => Expected::Bool(*value),
            Value::Number => said,
            Value::String(text) => Expected::String(text.clone()),
            Value::List(items) => items.iter().map(|item| read(item, text)).collect(),
            Value::Object(members) => {
                for (key, name, _) in members {
                    assert_eq!(&serde_json::from_str::<String>(key.of(text)).unwrap(), name);
                }
                members.iter().map(|(_, name, value)| (name.clone(), read(value, text))).collect()
            }
        }
    }

    proptest! {
        #[test]
        fn the_values_are_those_of_another_parser(value in values(), is_pretty in any::<bool>()) {
            let text = if is_pretty { format!("{value:#}") } else { value.to_string() };
            let node = Node::parse(&text, &Places::from(0)).unwrap();
            prop_assert_eq!(node.span.of(&text), &text);
            prop_assert_eq!(read(&node, &text), value);
        }
    }

    #[derive(Clone, Copy)]
    struct First;

    impl Keep for First {
        fn child(self, key: Option<&str>) -> Option<Self> {
            (key == Some("a")).then_some(self)
        }

        fn most(self, _: Option<&str>) -> usize {
            2
        }
    }

    #[test]
    fn what_is_not_kept_is_passed_over_and_its_keys_are_seen() {
        let text = r#"{"a": {"a": 1, "b": [{"x": 2}], "c": "z"}, "d": {"y": {"y": []}}, "e": 3}"#;
        let mut keys = Vec::new();
        let node = Node::parse_kept(text, &Places::from(0), First, |object| {
            keys.push(object.iter().map(|key| key.of(text).to_owned()).collect::<String>());
        });
        let node = node.unwrap();
        let Value::Object(members) = &node.value else { panic!("{node:?}") };
        assert_eq!(members.iter().map(|(_, name, _)| name.as_str()).collect::<String>(), "ad");
        let Some(Value::Object(inner)) = node.get("a").map(|a| &a.value) else { panic!("{node:?}") };
        assert_eq!(inner.iter().map(|(_, name, _)| name.as_str()).collect::<String>(), "ab");
        assert_eq!(inner[1].2.items(), []);
        assert_eq!(node.get("d").map(|d| &d.value), Some(&Value::Object(Vec::new())));
        assert_eq!(keys, [r#""x""#, r#""a""b""c""#, r#""y""#, r#""y""#, r#""a""d""e""#]);
    }
}
