//! The files that a team keeps: which kinds there are, where they lie, and how each is parsed.
//!
//! A dialect is one folder here and one word in `dialects!` below. The folder has `pub static DIALECT`, and a
//! [`FileKind`] for each kind of its files. `docs/how-to-add-a-dialect.md` shows every step.

mod dialect;
mod kind;
mod merged;

use bstr::{BStr, ByteSlice};

pub use dialect::{Dialect, InGit, Root, StatePath};
pub use kind::{Body, Embedded, EntryFormats, FileKind, Syntax};
pub use merged::{is_merged, merged_in};

dialect::dialects! { squad roster governed sessions learnings manifest reflection bundle }

/// The state roots by default, in the order of the dialects.
pub fn default_roots() -> impl Iterator<Item = &'static Root> {
    DIALECTS.iter().flat_map(|dialect| dialect.roots)
}

/// The kind of the file at `path` in the state root at `root`; `None` for a file that is not read.
pub fn kind_in_root(path: &BStr, root: &BStr) -> Option<&'static FileKind> {
    let path = StatePath::new(path, root);
    DIALECTS.iter().rev().find_map(|dialect| (dialect.kind_in_root)(path))
}

/// The kind of a file outside every state root, by its name alone; `None` for a file that is not read.
pub fn kind_by_name(path: &BStr) -> Option<&'static FileKind> {
    let name = path.rsplit_str("/").next().unwrap_or_default().as_bstr();
    DIALECTS.iter().rev().find_map(|dialect| (dialect.kind_by_name)(name))
}

/// Whether `name` ends with `extension`, such as `.md`, in upper or lower case, and is longer.
pub fn has_extension(name: &[u8], extension: &str) -> bool {
    let start = name.len().checked_sub(extension.len()).filter(|start| *start > 0);
    start.and_then(|start| name.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(extension.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_outside_of_state_roots_is_known_by_its_name() {
        for (path, expected) in [
            ("decisions.md", Some(&squad::DECISIONS)),
            ("a/history.md", Some(&squad::HISTORY)),
            ("README.md", Some(&squad::NAMED)),
            (".md", None),
            ("a/learnings.md", Some(&learnings::LEARNINGS)),
            ("team.yml", Some(&manifest::MANIFEST)),
            ("out/reflection-1.json", Some(&reflection::REFLECTION)),
            ("package.json", None),
            ("reflection/x.json", None),
        ] {
            assert_eq!(kind_by_name(path.into()), expected, "{path}");
        }
    }

    #[test]
    fn an_extension_has_a_name_before_it() {
        assert!(has_extension(b"A.MD", ".md"));
        assert!(!has_extension(b".md", ".md"));
        assert!(!has_extension(b"md", ".md"));
    }
}
