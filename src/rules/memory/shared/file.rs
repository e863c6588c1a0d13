//! The file of an entry in the index of governed memory.

use bstr::ByteSlice;

use crate::diagnostic::{Finding, Severity};
use crate::facts::presence::{self, Presence};
use crate::facts::{Run, files};
use crate::formats::governed::{Entry, id_and_classes, inner_path, is_class, is_entry};
use crate::fs::path::join;
use crate::rule::Document;

/// Compares an active entry with the front matter of its file.
pub fn compare(entry: &Entry, inner: &str, document: &Document, run: &Run<'_>, report: &mut dyn FnMut(Finding)) {
    let path = join(document.root(), inner);
    let Some(file) = run.read(path.as_bstr()).filter(|file| is_entry(file.text())) else { return };
    let Some((id, classes)) = id_and_classes(file.text()) else { return };
    let differing = match (&entry.id, &entry.class) {
        (Some(own), _) if own.value != id => Some((own.span, "id", id.to_owned())),
        // A class that there is not is reported as such.
        (_, Some(own)) if !is_class(&own.value) || !classes.iter().all(|class| is_class(class)) => None,
        (_, Some(own)) if !classes.is_empty() && !classes.contains(&own.value.as_str()) => {
            Some((own.span, "class", classes.join(", ")))
        }
        _ => None,
    };
    if let Some((span, field, other)) = differing {
        let message = format!("`{field}` of the entry is `{other}` in its file");
        let finding = Finding::at(span, message).label("another one in the file").note(format!("the file is `{path}`"));
        report(finding.help(format!("write the same `{field}` in both")).at_most(Severity::Warning));
    }
}

/// Whether state files are below `inner`, and none is there.
pub fn is_folder(inner: &str, document: &Document, run: &Run<'_>) -> bool {
    let path = join(document.root(), inner);
    !files::has(run, path.as_bstr()) && files::any_in(run, path.as_bstr())
}

/// Whether the file of an active entry is gone. One in the inbox may have been merged.
pub fn is_missing(path: &str, entry: &Entry, document: &Document, run: &Run<'_>) -> bool {
    let inner = inner_path(path).filter(|inner| inner.starts_with("memory/") && entry.is("active"));
    inner.is_some_and(|inner| {
        let path = join(document.root(), &inner);
        presence::of(run, path.as_bstr(), document.path()) == Presence::Missing
    })
}
