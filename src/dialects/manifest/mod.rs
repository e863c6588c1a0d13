//! The manifest of a learning team. It lies in no state root: `roots.manifests` says where. See
//! `docs/formats/learning-teams.md`.

use bstr::ByteSlice;

use super::{Body, Dialect, FileKind, Syntax};
use crate::formats::manifest::Manifest;

/// The dialect.
pub static DIALECT: Dialect = Dialect {
    kind_by_name: |name| matches!(name.as_bytes(), b"team.yaml" | b"team.yml").then_some(&MANIFEST),
    ..Dialect::NEW
};

/// The globs of `roots.manifests` by default.
pub const DEFAULT_MANIFESTS: [&str; 1] = [".claude/team.yaml"];

/// The members of a learning team, and the files that each owns: `.claude/team.yaml`.
pub static MANIFEST: FileKind =
    FileKind { name: "manifest", syntax: Syntax::Yaml, parse: |text| Box::new(Manifest::parse(text)) };

impl Body for Manifest {
    fn part_starts(&self) -> Vec<u32> {
        self.members.iter().map(|member| member.span.start).collect()
    }
}
