//! The audit of governed memory, and what a change makes of it.

use bstr::{BStr, ByteSlice};

use crate::diagnostic::Finding;
use crate::dialects::governed;
use crate::facts::lost::is_only_untracked;
use crate::facts::{Run, files};
use crate::formats::audit::lost_line;
use crate::fs::path::{inner_path, join};
use crate::rules::shell::word;
use crate::text::Source;

/// Whether an archive of the state root has all lines of `old`: a full audit becomes `audit.1.jsonl`.
pub fn is_archived(run: &Run<'_>, root: &BStr, old: &str) -> bool {
    (1..=3).any(|number| {
        let path = join(root, &format!("memory/audit.{number}.jsonl"));
        run.read(path.as_bstr()).is_some_and(|file| lost_line(old, file.text()).is_none())
    })
}

/// The audits that the change deletes or gives another name, while other files of the memory stay. One that only leaves git is kept on
/// disk.
pub fn gone(run: &Run<'_>) -> Vec<Finding> {
    let Some(changes) = run.changes() else { return Vec::new() };
    let finding = |change: &crate::git::change::Change| {
        let path = change.old_path();
        let is_gone = change.after.is_none() || change.path != path;
        let location = run.input.roots.locate(path).filter(|it| it.kind == Some(&governed::AUDIT))?;
        if !is_gone || !path.ends_with(b"/audit.jsonl") || is_only_untracked(run, path, changes) {
            return None;
        }
        let before = changes.before(change, run.max_bytes()).ok()??;
        let (root, before) = (location.root.as_bstr(), Source::new(path, before));
        let is_of_memory = |path: &BStr| inner_path(path, root).starts_with(b"memory/") && path != change.path;
        let has_memory = files::in_folder(run, root).iter().any(|file| is_of_memory(file.path.as_bstr()));
        if !has_memory || before.text().trim().is_empty() || is_archived(run, root, before.text()) {
            return None;
        }
        let message = match change.after {
            Some(_) => format!("this change renames the audit `{path}`, expected only new lines in it"),
            None => "this change deletes the audit, expected only new lines in it".to_owned(),
        };
        let object = word([changes.base.as_bytes(), b":", path.as_bytes()].concat().as_slice().into());
        let help = format!("restore it from the output of `git show {object}`");
        Some(Finding::whole_file(message).in_file(change.path.clone()).help(help))
    };
    changes.list().iter().filter_map(finding).collect()
}
