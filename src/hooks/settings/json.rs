//! JSON that is written into the files of others.

use crate::formats::json::{Node, Value};

/// A value to write, its keys in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Json {
    Text(&'static str),
    Number(u32),
    List(Vec<Self>),
    Object(Vec<(&'static str, Self)>),
}

/// How values are written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Style<'a> {
    /// On one line. There is a blank after each bracket that opens.
    Line,
    /// A line for each value.
    Lines {
        /// The line end.
        end: &'a str,
        /// What the line begins with on which the value starts.
        indent: &'a str,
        /// What each level adds.
        unit: &'a str,
    },
}

impl Json {
    /// Whether `node` of `text` is the same value; the order of keys does not matter.
    pub(super) fn is(&self, node: &Node, text: &str) -> bool {
        match (self, &node.value) {
            (Self::Text(own), Value::String(other)) => other == own,
            (Self::Number(own), Value::Number) => node.span.of(text) == own.to_string(),
            (Self::List(own), Value::List(others)) => {
                own.len() == others.len() && own.iter().zip(others).all(|(own, other)| own.is(other, text))
            }
            (Self::Object(own), Value::Object(others)) => {
                let is_member = |(key, value): &(&str, Self)| node.get(key).is_some_and(|other| value.is(other, text));
                own.len() == others.len() && own.iter().all(is_member)
            }
            _ => false,
        }
    }

    /// The text that this object has under `key`.
    pub(super) fn text_of(&self, key: &str) -> Option<&'static str> {
        let Self::Object(members) = self else { return None };
        members.iter().find_map(|(name, value)| match value {
            Self::Text(text) if *name == key => Some(*text),
            _ => None,
        })
    }

    /// The first value of the list that this object has under `key`.
    pub(super) fn first_of(&self, key: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().find_map(|(name, value)| match value {
            Self::List(items) if *name == key => items.first(),
            _ => None,
        })
    }

    /// The value in this style, without a line end after it.
    pub(super) fn render(&self, style: Style<'_>) -> String {
        let mut out = String::new();
        self.write(style, 0, &mut out);
        out
    }

    fn write(&self, style: Style<'_>, depth: usize, out: &mut String) {
        match self {
            // Our own texts: none has a quote, a backslash or a control character.
            Self::Text(text) => out.extend(["\"", text, "\""]),
            Self::Number(number) => *out += &number.to_string(),
            Self::List(items) => {
                let items = items.iter().map(|item| (None, item));
                write_all(('[', ']'), items, style, depth, out);
            }
            Self::Object(members) => {
                let members = members.iter().map(|(key, value)| (Some(*key), value));
                write_all(('{', '}'), members, style, depth, out);
            }
        }
    }
}

fn write_all<'a>(
    (open, close): (char, char),
    items: impl Iterator<Item = (Option<&'static str>, &'a Json)>,
    style: Style<'_>,
    depth: usize,
    out: &mut String,
) {
    let gap = |depth: usize| match style {
        Style::Line => " ".to_owned(),
        Style::Lines { end, indent, unit } => format!("{end}{indent}{}", unit.repeat(depth)),
    };
    out.push(open);
    for (at, (key, value)) in items.enumerate() {
        if at > 0 {
            out.push(',');
        }
        *out += &gap(depth + 1);
        if let Some(key) = key {
            out.extend(["\"", key, "\": "]);
        }
        value.write(style, depth + 1, out);
    }
    *out += &gap(depth);
    out.push(close);
}
