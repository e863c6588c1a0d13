//! Files that stay in the inbox.

use bstr::{BStr, BString, ByteSlice};

use crate::fs::path::{is_in, join, to_bytes};
use crate::project::Project;
use crate::select::worktree::Selection;

/// A file that stays in the inbox.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The file.
    pub path: BString,
    /// The line that the reason is about, from 1.
    pub line: Option<usize>,
    /// Why it stays.
    pub reason: String,
    /// Whether it can hold entries: then the inbox is not merged as long as it stays.
    pub is_entry: bool,
}

/// What is in the inbox of the squad at `root` and is not read, in the order of the paths: files that are not Markdown or that the
/// configuration excludes, and links. Hidden files, such as `.gitkeep`, hold no entries.
pub fn passed_over(project: &Project, selection: &Selection, root: &BStr) -> Vec<Kept> {
    let inbox = join(root, "decisions/inbox");
    let is_inside = |path: &BString| *path == inbox || is_in(path.as_bstr(), inbox.as_bstr());
    let is_hidden = |path: &BString| path.rsplit_str("/").next().is_some_and(|name| name.starts_with(b"."));
    let kept = |path: BString, reason: &str| Kept { path, line: None, reason: reason.to_owned(), is_entry: true };
    let others = selection.others.iter().filter(|path| is_inside(path) && !is_hidden(path)).map(|path| {
        let is_markdown = crate::dialects::has_extension(path, ".md");
        let reason = if is_markdown { "the configuration excludes it" } else { "it is not a Markdown file" };
        Kept { is_entry: is_markdown, ..kept(path.clone(), reason) }
    });
    let outside = selection.escapes.keys().filter(|path| is_inside(path));
    let outside = outside.map(|path| kept(path.clone(), "it is a link that leads out of the repository"));
    let repository = &project.repository.root;
    let full = repository.join(inbox.to_path_lossy());
    let entries = std::fs::read_dir(&full).into_iter().flatten().flatten().map(|entry| entry.path());
    let folders = std::iter::once(full).chain(entries).filter(|path| path.is_symlink() && path.is_dir());
    let folders = folders.filter_map(|path| path.strip_prefix(repository).ok().map(to_bytes));
    let folders = folders.filter(|path| !selection.escapes.contains_key(path));
    let folders = folders.map(|path| kept(path, "it is a link to a folder"));
    let mut all: Vec<Kept> = others.chain(outside).chain(folders).collect();
    all.sort_by(|one, other| one.path.cmp(&other.path));
    all
}
