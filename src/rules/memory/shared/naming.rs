//! Files that name the second decisions file.

use bstr::{BStr, ByteSlice};

use crate::facts::{Run, files};
use crate::fs::path::inner_path;
use crate::rule::Document;

/// The other Markdown files of the root, apart from logs, that name `document`, `decisions/decisions.md`, in code marks, and whether
/// all files of the root were read: a run over some paths has only these. `ledger` is the path of `decisions.md`.
pub fn naming(run: &Run<'_>, document: &Document, ledger: &BStr) -> (Vec<String>, bool) {
    let listed = files::in_folder(run, document.root());
    let is_whole = listed.iter().any(|file| file.path == ledger);
    // A log says what was so.
    let is_log = |path: &BStr| {
        let (folders, _) = inner_path(path, document.root()).rsplit_once_str("/").unwrap_or_default();
        let mut folders = folders.split_str("/");
        folders.any(|name| matches!(name, b"log" | b"logs" | b"sessions") || name.ends_with(b"-log"))
    };
    let is_other = |path: &BStr| path.ends_with(b".md") && path != document.path() && !is_log(path);
    let folder = document.root().rsplit_str("/").next().unwrap_or_default();
    let paths = listed.iter().map(|file| file.path.as_bstr()).filter(|path| is_other(path));
    let naming = paths.filter(|path| run.read(path).is_some_and(|source| names(source.text(), folder)));
    (naming.map(|path| format!("`{path}`")).collect(), is_whole)
}

/// Whether a text has the path `decisions/decisions.md`, alone or in `folder`.
fn names(text: &str, folder: &[u8]) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), b"decisions/decisions.md").any(|at| {
        let before = text.as_bytes().get(..at).unwrap_or_default();
        match before.strip_suffix(b"/") {
            Some(above) => above.ends_with(folder) || above.ends_with(b"."),
            None => !before.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-'),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_may_be_in_the_folder_of_the_squad() {
        for text in ["See `.squad/decisions/decisions.md`.", "./decisions/decisions.md", "decisions/decisions.md"] {
            assert!(names(text, b".squad"), "{text}");
        }
        for text in ["docs/decisions/decisions.md", "old-decisions/decisions.md", "decisions.md"] {
            assert!(!names(text, b".squad"), "{text}");
        }
    }
}
