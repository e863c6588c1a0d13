//! State roots that no agents use.

use bstr::{BStr, ByteSlice};

use super::{Run, files};

/// Whether no agents use the state root: a migration left it behind, or it is in a folder with sample data.
pub fn is_unused(run: &Run<'_>, root: &BStr) -> bool {
    is_left_over(run, root) || is_example(run, root)
}

/// Whether the root is in a folder with sample data, such as `fixtures/`.
pub fn is_example(run: &Run<'_>, root: &BStr) -> bool {
    let names = &run.options.guard.example_folders;
    let is_named = |word: &[u8]| names.iter().any(|name| word.eq_ignore_ascii_case(name.as_str().as_bytes()));
    let is_example = |folder: &[u8]| folder.split(|byte| !byte.is_ascii_alphanumeric()).any(is_named);
    root.rsplitn_str(2, "/").nth(1).unwrap_or_default().split_str("/").any(is_example)
}

/// Whether the state root at `root` is what a migration left behind: the old folder, beside the new one with a team.
/// Squad looks for `.squad/team.md` first, and reads `.ai-team/` only where that is missing.
pub fn is_left_over(run: &Run<'_>, root: &BStr) -> bool {
    let parent = root.strip_suffix(b".ai-team").filter(|parent| parent.is_empty() || parent.ends_with(b"/"));
    parent.is_some_and(|parent| files::has(run, [parent, b".squad/team.md"].concat().as_bstr()))
}
