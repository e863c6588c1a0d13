//! Reflections: what a member of a learning team returns (seed 004, "Reflection Schema").

crate::family! {
    invalid
    blocked_without_reason
    path_escape
}

use crate::formats::reflection::Reflection;
use crate::rule::Document;
use crate::select::Role;

/// The reflection in `document`; `None` where that is another file.
fn reflection(document: &Document<'_>) -> Option<Reflection> {
    (document.role == Role::Reflection).then(|| Reflection::parse(document.text()))
}
