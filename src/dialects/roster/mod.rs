//! How a squad got its names: the JSON files in `casting/`. See `docs/formats/squad-folders.md`.

use bstr::ByteSlice as _;

use super::{Body, Dialect, FileKind, StatePath, Syntax};
use crate::formats::roster::Casting;

/// The dialect. Its files lie in the roots of [`super::squad`].
pub static DIALECT: Dialect = Dialect { kind_in_root, ..Dialect::NEW };

/// The names of all agents: `casting/registry.json`.
pub static REGISTRY: FileKind =
    FileKind { name: "registry", syntax: Syntax::Json, parse: |text| Box::new(Casting::registry(text)) };

/// Where names came from, and what they are chosen by: `casting/history.json`, `casting/policy.json`.
pub static CASTING: FileKind =
    FileKind { name: "casting", syntax: Syntax::Json, parse: |text| Box::new(Casting::other(text)) };

/// Each agent is a part.
impl Body for Casting {
    fn part_starts(&self) -> Vec<u32> {
        self.agents
            .iter()
            .filter_map(|agent| agent.key.as_ref().or(agent.name.as_ref()))
            .map(|text| text.span.start)
            .collect()
    }
}

fn kind_in_root(path: StatePath<'_>) -> Option<&'static FileKind> {
    match path.inner.as_bytes() {
        b"casting/registry.json" => Some(&REGISTRY),
        b"casting/history.json" | b"casting/policy.json" => Some(&CASTING),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_its_kind() {
        for (inner, expected) in [
            ("casting/registry.json", Some(&REGISTRY)),
            ("casting/history.json", Some(&CASTING)),
            ("casting/policy.json", Some(&CASTING)),
            ("casting/other.json", None),
            ("casting-registry.json", None),
        ] {
            let path = StatePath { root: ".squad".into(), inner: inner.into() };
            assert_eq!(kind_in_root(path), expected, "{inner}");
        }
    }
}
