//! The fields that a JSON object must have, and what is wrong with one.

use super::json::{Node, Value};
use super::manifest::values::short;
use super::timestamp::Timestamp;
use crate::text::Span;
use crate::text::suggest::{Tolerance, nearest};

/// A field of an object. Fields that a shape does not name are allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    /// Its key.
    pub(crate) name: &'static str,
    /// Whether it must be there.
    pub(crate) required: bool,
    /// What it holds.
    pub(crate) of: Of,
}

/// What a field holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Of {
    /// A string, such as a title.
    Text,
    /// A string that begins with a day, such as `2026-11-02T09:00:00.000Z`.
    Time,
    /// One of these strings.
    Word(&'static [&'static str]),
}

/// What is wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The place: a value, or the start of an object that lacks a field.
    pub span: Span,
    /// What was found, and what was expected.
    pub message: String,
    /// A few words at the place.
    pub label: String,
    /// What to do.
    pub help: String,
    /// Whether a program that reads the file goes wrong, and not only a person.
    pub is_grave: bool,
}

impl Problem {
    /// A problem at `span` with which programs go wrong.
    pub(crate) fn new(
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { span, message: message.into(), label: label.into(), help: help.into(), is_grave: true }
    }

    /// The same as a problem for people.
    pub(crate) fn mild(self) -> Self {
        Self { is_grave: false, ..self }
    }
}

/// So many problems of a file are described.
pub(crate) const MOST: usize = 100;

/// The problems of a file behind those that are described: they are counted, however many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Further {
    /// The place of the first of them.
    pub span: Span,
    /// How many there are.
    pub count: usize,
    /// Whether one of them is grave.
    pub is_grave: bool,
}

impl Further {
    /// Adds one at `span` to `all`.
    pub(crate) fn add(all: &mut Option<Self>, span: Span, is_grave: bool) {
        let all = all.get_or_insert(Self { span, count: 0, is_grave });
        all.count += 1;
        all.is_grave |= is_grave;
    }
}

/// A field that must be there.
pub(crate) const fn required(name: &'static str, of: Of) -> Field {
    Field { name, required: true, of }
}

/// A field that may be there; `null` is the same as nothing.
pub(crate) const fn optional(name: &'static str, of: Of) -> Field {
    Field { name, required: false, of }
}

/// Adds what is wrong with `node`, which is to be an object with `fields`. Whether it is an object.
pub(crate) fn check(node: &Node, fields: &[Field], problems: &mut Vec<Problem>) -> bool {
    if !matches!(node.value, Value::Object(_)) {
        let message = format!("found {}, expected an object", node.noun());
        problems.push(Problem::new(node.span, message, "expected `{…}`", "write an object"));
        return false;
    }
    for field in fields {
        let value = node.get(field.name).filter(|value| field.required || value.value != Value::Null);
        match value {
            Some(value) => problems.extend(wrong_value(field, value)),
            None if field.required => {
                let open = Span::new(node.span.start(), node.span.start() + 1);
                let (message, label) = (format!("missing field `{}`", field.name), format!("no `{}`", field.name));
                problems.push(Problem::new(open, message, label, format!("add `\"{}\": \"…\"`", field.name)));
            }
            None => {}
        }
    }
    true
}

fn wrong_value(field: &Field, value: &Node) -> Option<Problem> {
    let name = field.name;
    let Some(text) = value.as_str() else {
        let message = format!("`{name}` is {}, expected a string", value.noun());
        return Some(Problem::new(value.span, message, "expected a string", "write a string, in quotes"));
    };
    match field.of {
        Of::Text if !text.trim().is_empty() => None,
        Of::Text => {
            let message = format!("`{name}` is empty");
            Some(Problem::new(value.span, message, "expected a text", format!("write the `{name}`")))
        }
        Of::Time if is_day(text) => None,
        Of::Time => {
            let message = format!("`{name}` is not a timestamp");
            let (label, help) = ("not a timestamp", "use the form `2026-11-02T09:00:00Z`");
            Some(Problem::new(value.span, message, label, help).mild())
        }
        Of::Word(words) if words.contains(&text) => None,
        Of::Word(words) => {
            let known: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            let (label, help) = match nearest(text, words.iter().copied(), Tolerance::Help) {
                Some(near) => (format!("did you mean `{near}`?"), format!("write `{near}`")),
                None => ("unknown value".to_owned(), "write one of these".to_owned()),
            };
            let message = format!("`{name}` is `{}`, expected one of {}", short(text), known.join(", "));
            Some(Problem::new(value.span, message, label, help).mild())
        }
    }
}

/// Whether `text` begins with a day.
pub(crate) fn is_day(text: &str) -> bool {
    text.get(..10).is_some_and(|day| Timestamp::read(&format!("{day}T00:00:00+0000")).is_some())
}
