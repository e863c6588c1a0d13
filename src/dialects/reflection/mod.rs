//! What a member of a learning team returns after a task. See `docs/formats/learning-teams.md`.

use bstr::{BStr, ByteSlice};

use super::learnings::in_memory;
use super::{Body, Dialect, FileKind, StatePath, Syntax, has_extension};
use crate::formats::reflection::Reflection;

/// The dialect. Its files lie in `memory/reflections/`, a root of [`super::learnings`].
pub static DIALECT: Dialect = Dialect { kind_in_root, kind_by_name, ..Dialect::NEW };

/// The JSON that a member returned: `memory/reflections/backend-2026-02-28.json`.
pub static REFLECTION: FileKind =
    FileKind { name: "reflection", syntax: Syntax::Json, parse: |text| Box::new(Reflection::parse(text)) };

/// All of it is one part.
impl Body for Reflection {}

fn kind_in_root(path: StatePath<'_>) -> Option<&'static FileKind> {
    let (folder, inner) = in_memory(path)?;
    (folder == b"reflections" && has_extension(inner, ".json")).then_some(&REFLECTION)
}

fn kind_by_name(name: &BStr) -> Option<&'static FileKind> {
    (has_extension(name, ".json") && name.contains_str("reflection")).then_some(&REFLECTION)
}
