//! The manifest of a learning team.

crate::family! {
    invalid_yaml
    missing_field
    wrong_type
    unknown_field
    invalid_name
    duplicate_member
    invalid_glob
    invalid_option
    overlapping_ownership
    unmatched_glob
    unowned_file
}

use crate::formats::manifest::values::short;
use crate::formats::manifest::{Mapping, Scope};
use crate::text::{Span, line_end};

/// What `mapping`, the member `number` (from 1) if it is one, is called in messages.
fn who(mapping: &Mapping<'_>, number: usize) -> String {
    let name = mapping.get("name").and_then(|node| node.as_str()).filter(|name| !name.trim().is_empty());
    match (mapping.scope, name) {
        (Scope::Member, Some(name)) => format!("member `{}`", short(name)),
        (Scope::Member, None) => format!("member {number}"),
        (scope, _) => scope.name().to_owned(),
    }
}

/// `names` in backticks, the last one after `and`.
fn list(names: &[&str], and: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} {and} {last}", before.join(", ")),
        _ => quoted.concat(),
    }
}

/// The part of `span` on its first line.
fn first_line(span: Span, text: &str) -> Span {
    let (end, _) = line_end(text.as_bytes(), span.start());
    Span::new(span.start(), end.min(span.end()))
}
