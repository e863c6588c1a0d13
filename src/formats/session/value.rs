//! Single values of a tree.

use super::field::Field;
use super::reader::Reader;
use super::template;
use crate::formats::timestamp::{Reading, Timestamp};
use crate::formats::yaml::{Node, Value};

/// The moment that `node` names.
pub(super) fn time(node: &Node) -> Option<Timestamp> {
    node.as_str().and_then(|text| Timestamp::read(text.trim()))
}

/// Why `text` is not a moment.
pub(super) fn time_fault(text: &str) -> String {
    match Reading::whole(text.trim()) {
        Reading::Invalid(fault) => fault.message().to_owned(),
        _ => format!("is `{}`", short(text)),
    }
}

/// The whole number that `node` is.
pub(super) fn count(node: &Node) -> Option<u64> {
    match node.value {
        Value::Int(number) => u64::try_from(number).ok(),
        _ => None,
    }
}

/// `text` for a message: its first line, and not too much of it.
pub(super) fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None if line.len() < text.len() => format!("{line}…"),
        None => line.to_owned(),
    }
}

/// The text of `node`; a name may look like a number.
pub(super) fn text<'a>(node: &'a Node, reader: &Reader<'a>) -> Option<Field<String>> {
    let text = reader.written(node)?.trim();
    (!text.is_empty()).then(|| Field::new(node.span, text.to_owned()))
}

/// The name that `node` is; what is left of a template is none.
pub(super) fn name<'a>(node: &'a Node, reader: &Reader<'a>) -> Option<Field<String>> {
    text(node, reader).filter(|name| template::blank(&name.value).is_none())
}

/// The path that `node` is: spaces at its ends are a part of it.
pub(super) fn path<'a>(node: &'a Node, reader: &Reader<'a>) -> Option<Field<String>> {
    let path = reader.written(node)?.trim_end_matches(['\r', '\n']);
    (!path.trim().is_empty()).then(|| Field::new(node.span, path.to_owned()))
}
