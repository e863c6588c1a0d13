//! Values of JSON as they are written: what they have in common, and how they are passed on without a tree of them. All texts here are
//! valid JSON.

use std::borrow::Cow;

use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::strings::{said, string_end};
use crate::text::Span;

/// A value, as it is written. It serializes as what it says, with the keys of objects in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<'t>(pub(crate) &'t str);

/// A key of an object, with its quotes, and its value.
type Member<'t> = (&'t str, Raw<'t>);

impl<'t> Raw<'t> {
    /// Whether it is `null`.
    pub(crate) fn is_null(self) -> bool {
        self.0.trim() == "null"
    }

    /// The members of the object that it is, in order of their keys; `None` for anything else.
    pub(crate) fn members(self) -> Option<Vec<(Cow<'t, str>, Raw<'t>)>> {
        let members = self.sorted()?;
        Some(members.into_iter().map(|(key, value)| (said(key), value)).collect())
    }

    /// The same, with the keys as they are written. An object can have millions.
    fn sorted(self) -> Option<Vec<Member<'t>>> {
        if !self.0.trim_start().starts_with('{') {
            return None;
        }
        let mut parts = Parts::of(self.0);
        let mut members = Vec::new();
        while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
            members.push((key, Raw(value)));
        }
        members.sort_by(|(one, _), (other, _)| said(one).cmp(&said(other)));
        Some(members)
    }

    /// Whether both say the same: the order of keys, blanks, and how characters and numbers are written do not count.
    pub(crate) fn is_same(self, other: Self) -> bool {
        let (one, two) = (self.0.trim(), other.0.trim());
        if one == two {
            return true;
        }
        match (one.as_bytes().first(), two.as_bytes().first()) {
            (Some(b'{'), Some(b'{')) => {
                let (Some(one), Some(two)) = (self.sorted(), other.sorted()) else { return false };
                let is_same =
                    |((a, one), (b, two)): (&Member<'_>, &Member<'_>)| said(a) == said(b) && one.is_same(*two);
                one.len() == two.len() && one.iter().zip(&two).all(is_same)
            }
            (Some(b'['), Some(b'[')) => {
                let (mut one, mut two) = (Parts::of(one), Parts::of(two));
                loop {
                    match (one.next(), two.next()) {
                        (None, None) => return true,
                        (Some(one), Some(two)) if Raw(one).is_same(Raw(two)) => {}
                        _ => return false,
                    }
                }
            }
            (Some(b'"'), Some(b'"')) => said(one) == said(two),
            (Some(b'-' | b'0'..=b'9'), Some(b'-' | b'0'..=b'9')) => Decimal::of(one) == Decimal::of(two),
            _ => false,
        }
    }
}

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.0.trim();
        match text.as_bytes().first() {
            Some(b'{') => {
                let mut object = serializer.serialize_map(None)?;
                for (key, value) in self.sorted().unwrap_or_default() {
                    object.serialize_entry(&said(key), &value)?;
                }
                object.end()
            }
            Some(b'[') => {
                let mut list = serializer.serialize_seq(None)?;
                for item in Parts::of(text) {
                    list.serialize_element(&Raw(item))?;
                }
                list.end()
            }
            Some(b'"') => serializer.serialize_str(&said(text)),
            _ => {
                let value: serde_json::Value = serde_json::from_str(text).map_err(S::Error::custom)?;
                value.serialize(serializer)
            }
        }
    }
}

/// The numbers in `text` that programs take for others: they are longer, or larger, than what numbers are kept in.
pub(crate) fn inexact(text: &str) -> impl Iterator<Item = Span> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            match bytes.get(at)? {
                b'"' => at = string_end(bytes, at),
                b'-' | b'0'..=b'9' => {
                    let start = at;
                    at += bytes.get(at..)?.iter().take_while(|byte| is_of_number(**byte)).count();
                    let number = Span::new(start, at);
                    // Short ones are what they are.
                    if number.len() > SHORT && !is_exact(number.of(text)) {
                        return Some(number);
                    }
                }
                _ => at += 1,
            }
        }
    })
}

/// So many digits are kept in any case.
const SHORT: usize = 15;

fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
}

fn is_exact(number: &str) -> bool {
    let read = serde_json::from_str::<serde_json::Number>(number);
    read.is_ok_and(|read| Decimal::of(&read.to_string()) == Decimal::of(number))
}

/// A number: its digits without zeros around them, and the place of the point after the last one.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    is_negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    fn of(number: &str) -> Self {
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).filter(u8::is_ascii_digit).collect();
        // What does not fit is as far from all others.
        let written: i64 = exponent.parse().unwrap_or(i64::MAX / 2);
        let mut exponent = written.saturating_sub(i64::try_from(fraction.len()).unwrap_or(i64::MAX / 2));
        while digits.pop_if(|last| *last == b'0').is_some() {
            exponent = exponent.saturating_add(1);
        }
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        digits.drain(..zeros);
        if digits.is_empty() {
            return Self { is_negative: false, digits, exponent: 0 };
        }
        Self { is_negative: number.starts_with('-'), digits, exponent }
    }
}

/// The items of a list, or the keys and values of an object.
struct Parts<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parts<'t> {
    /// Those of the list or object `text`.
    fn of(text: &'t str) -> Self {
        let at = text.find(['{', '[']).map_or(text.len(), |at| at + 1);
        Self { text, at }
    }
}

impl<'t> Iterator for Parts<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let bytes = self.text.as_bytes();
        let is_between = |byte: &&u8| matches!(byte, b',' | b':' | b' ' | b'\t' | b'\n' | b'\r');
        let start = self.at + bytes.get(self.at..)?.iter().take_while(is_between).count();
        let end = match bytes.get(start)? {
            b'}' | b']' => return None,
            b'"' => string_end(bytes, start),
            b'{' | b'[' => closed(bytes, start),
            _ => {
                let is_of_word = |byte: &&u8| byte.is_ascii_alphabetic() || is_of_number(**byte);
                start + bytes.get(start..)?.iter().take_while(is_of_word).count().max(1)
            }
        };
        self.at = end;
        self.text.get(start..end)
    }
}

/// Where the list or object ends that begins at `at`.
fn closed(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = string_end(bytes, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn what_says_the_same() {
        for (one, other) in [
            (r#"{"a": 1, "b": [1.0, "\u00e9"]}"#, r#" {"b":[1e0,"é"],"a":10e-1} "#),
            ("18446744073709551616", "1.8446744073709551616e19"),
            ("[-0, 0.00]", "[0, 0e9]"),
            ("{}", "{ }"),
        ] {
            assert!(Raw(one).is_same(Raw(other)), "{one} {other}");
        }
        for (one, other) in [
            ("18446744073709551616", "18446744073709551617"),
            ("[1, 2]", "[2, 1]"),
            ("[1]", "[1, 1]"),
            ("{}", "[]"),
            (r#"{"a": null}"#, "{}"),
            ("1", "-1"),
            ("true", "\"true\""),
        ] {
            assert!(!Raw(one).is_same(Raw(other)), "{one} {other}");
        }
    }

    #[test]
    fn numbers_that_are_not_kept() {
        let text = r#"{"a": 18446744073709551615, "b": [18446744073709551616, 0.1, 1e300], "c": "99999999999999999999",
            "d": -9223372036854775809, "e": 0.1000000000000000055511151231257827, "f": 100000000000000000000}"#;
        let found: Vec<_> = inexact(text).map(|span| span.of(text)).collect();
        assert_eq!(found, ["18446744073709551616", "-9223372036854775809", "0.1000000000000000055511151231257827"]);
    }

    proptest! {
        #[test]
        fn a_value_is_passed_on(number in any::<f64>(), text in any::<String>(), count in any::<u64>(), key in any::<String>()) {
            let value: Value = serde_json::json!({ "n": [number, count], (key): { "t": text, "": [null, true, {}] }, "z": [] });
            for written in [value.to_string(), format!("{value:#}")] {
                prop_assert_eq!(serde_json::to_string(&Raw(&written)).unwrap(), value.to_string());
                prop_assert!(Raw(&written).is_same(Raw(&value.to_string())));
                prop_assert_eq!(inexact(&written).count(), 0);
            }
        }
    }
}
