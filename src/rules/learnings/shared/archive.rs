//! The fix that moves learnings into an archive.

use bstr::{BString, ByteSlice};

use crate::diagnostic::Step;
use crate::document::Document;
use crate::facts::Run;

/// What moves the entries at the places `going` of a `learnings.md` into the `archive.md` beside it, under a heading with
/// `why` they go; `None` if none goes.
pub fn archiving(run: &Run<'_>, document: &Document, going: &[usize], why: &str) -> Option<Vec<Step>> {
    let learnings = document.loaded_learnings().filter(|_| !going.is_empty())?;
    let path = document.source.path();
    let (folder, _) = path.rsplit_once_str("/").unwrap_or((b"", path));
    let target: BString =
        if folder.is_empty() { "archive.md".into() } else { [folder, b"/archive.md"].concat().into() };
    let archive = run.read_or_new(target.as_bstr());
    let member = folder.rsplit_str("/").next().unwrap_or_default().to_str_lossy();
    let named = learnings.title.and_then(|title| title.name).map(|name| name.of(document.text()));
    let archived = learnings.archive(document.text(), going, archive.text(), named.unwrap_or(&member), why);
    let edits = archived.edits.into_iter().map(Step::Edit);
    Some(edits.chain([Step::Append { path: target, text: archived.content }]).collect())
}
