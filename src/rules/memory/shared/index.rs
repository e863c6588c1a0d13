//! The entries of an index of governed memory, compared with each other and with their files.

use std::collections::BTreeMap;

use bstr::ByteSlice;

use crate::diagnostic::{Finding, Severity};
use crate::facts::presence::{self, Presence};
use crate::facts::{Run, files};
use crate::formats::governed::{Entry, Records, inner_path};
use crate::fs::path::join;
use crate::rule::Document;
use crate::text::Span;

/// Compares the entries of an index with each other, with their files, and with tombstones.
pub fn compare(records: &Records, document: &Document, run: &Run<'_>) -> Vec<(Span, bool, Finding)> {
    let mut found = Vec::new();
    let mut ids: BTreeMap<&str, Span> = BTreeMap::new();
    for id in records.entries.iter().filter_map(|entry| entry.id.as_ref()) {
        if let Some(first) = ids.insert(&id.value, id.span) {
            let finding = Finding::at(id.span, "two entries have this `id`").label("second one");
            let finding = finding.related(first, "first one").help("give one of them an `id` of its own");
            found.push((id.span, false, finding.at_most(Severity::Warning)));
        }
    }
    let mut warn = |span: Span, message: &str, label: &str, help: &str| {
        found.push((span, false, Finding::at(span, message).label(label).help(help).at_most(Severity::Warning)));
    };
    for entry in &records.entries {
        if let Some(path) = entry.path.as_ref().filter(|path| is_missing(&path.value, entry, document, run)) {
            let help = "restore the file, or delete the entry with Squad's tools";
            warn(path.span, "file of an active entry does not exist", "no such file", help);
        }
        if let Some(by) = entry.superseded_by.as_ref().filter(|by| !ids.contains_key(by.value.as_str())) {
            let help = "write the `id` of the entry that replaces this one, or remove `supersededBy`";
            warn(by.span, "`supersededBy` names no entry of the index", "no such entry", help);
        }
        let (Some(id), Some(status)) = (&entry.id, &entry.status) else { continue };
        let tombstone = join(document.root(), &format!("memory/tombstones/{}.json", id.value));
        let is_buried = files::has(run, tombstone.as_bstr());
        if is_buried && entry.is("active") {
            let help = format!("set `status` to `deleted`, or remove `{tombstone}`");
            warn(status.span, "entry is active, although it has a tombstone", "expected `deleted`", &help);
        } else if !is_buried && entry.is("deleted") {
            let help = format!("restore `{tombstone}`");
            warn(status.span, "entry is deleted, but has no tombstone", "expected a tombstone", &help);
        }
    }
    found
}

/// Whether the file of an active entry is gone. One in the inbox may have been merged, and one of a state branch is elsewhere.
fn is_missing(path: &str, entry: &Entry, document: &Document, run: &Run<'_>) -> bool {
    let inner =
        inner_path(path).filter(|inner| !run.is_state_branch() && inner.starts_with("memory/") && entry.is("active"));
    inner.is_some_and(|inner| {
        let path = join(document.root(), &inner);
        presence::of(run, path.as_bstr(), document.path()) == Presence::Missing
    })
}
