//! Governed memory of a squad in `.squad/memory/`. See `docs/formats/governed-memory.md`.

use bstr::{BStr, ByteSlice};

use super::{Body, Dialect, FileKind, StatePath, Syntax, has_extension};
use crate::formats::audit::Audit;
use crate::formats::governed::Records;

/// The dialect. Its files lie in the state roots of [`super::squad`].
pub static DIALECT: Dialect = Dialect { kind_in_root, ..Dialect::NEW };

/// The list of all entries: `memory/index.json`.
pub static INDEX: FileKind =
    FileKind { name: "index", syntax: Syntax::Json, parse: |text| Box::new(Records::index(text)) };

/// A deleted entry: `memory/tombstones/2f0c.json`.
pub static TOMBSTONE: FileKind =
    FileKind { name: "tombstone", syntax: Syntax::Json, parse: |text| Box::new(Records::tombstone(text)) };

/// The settings of the memory: `memory/config.json`.
pub static CONFIG: FileKind =
    FileKind { name: "memory-config", syntax: Syntax::Json, parse: |text| Box::new(Records::config(text)) };

/// What was done, an event a line: `memory/audit.jsonl`, `memory/audit.1.jsonl`.
pub static AUDIT: FileKind =
    FileKind { name: "audit", syntax: Syntax::Json, parse: |text| Box::new(Audit::parse(text)) };

/// An entry: `memory/local/2f0c.md`, `memory/policy-inbox/2f0c.md`.
pub static ENTRY: FileKind = FileKind { name: "governed", ..FileKind::MARKDOWN };

/// All of it is one part.
impl Body for Records {}

/// All of it is one part.
impl Body for Audit {}

fn kind_in_root(path: StatePath<'_>) -> Option<&'static FileKind> {
    let inner: &BStr = path.inner.strip_prefix(b"memory/")?.as_bstr();
    Some(match inner.split_once_str("/") {
        None if inner == "index.json" => &INDEX,
        None if inner == "config.json" => &CONFIG,
        None if inner.starts_with(b"audit.") && has_extension(inner, ".jsonl") => &AUDIT,
        Some((b"tombstones", name)) if has_extension(name, ".json") => &TOMBSTONE,
        Some((b"local" | b"policy-inbox", name)) if has_extension(name, ".md") => &ENTRY,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_its_kind() {
        for (inner, expected) in [
            ("memory/index.json", Some(&INDEX)),
            ("memory/config.json", Some(&CONFIG)),
            ("memory/audit.jsonl", Some(&AUDIT)),
            ("memory/audit.3.jsonl", Some(&AUDIT)),
            ("memory/tombstones/a.json", Some(&TOMBSTONE)),
            ("memory/local/a.md", Some(&ENTRY)),
            ("memory/policy-inbox/a.md", Some(&ENTRY)),
            ("memory/other/a.md", None),
            ("memory/index.json.tmp", None),
            ("a/memory/index.json", None),
            ("index.json", None),
        ] {
            let path = StatePath { root: ".squad".into(), inner: inner.into() };
            assert_eq!(kind_in_root(path), expected, "{inner}");
        }
    }
}
