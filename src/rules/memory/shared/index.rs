//! The entries of an index of governed memory, compared with each other and with their files.

use std::collections::{BTreeMap, HashSet};

use bstr::ByteSlice;

use crate::diagnostic::{Finding, Severity};
use crate::facts::{Run, files};
use crate::formats::governed::{Entry, Records, Text, inner_path};
use crate::fs::path::join;
use crate::rule::Document;
use crate::rules::memory::shared::file;
use crate::text::Span;

/// Compares the entries of an index with each other, with their files, and with tombstones.
pub fn compare(records: &Records, document: &Document, run: &Run<'_>, report: &mut dyn FnMut(Finding)) {
    let mut ids: BTreeMap<&str, Span> = BTreeMap::new();
    for id in records.entries.iter().filter_map(|entry| entry.id.as_ref()) {
        if let Some(first) = ids.insert(&id.value, id.span) {
            let finding = Finding::at(id.span, "two entries have this `id`").label("second one");
            let finding = finding.related(first, "first one").help("give one of them an `id` of its own");
            report(finding.at_most(Severity::Warning));
        }
    }
    let tombstone_of = |id: &str| join(document.root(), &format!("memory/tombstones/{id}.json"));
    let is_known =
        |id: &Text| ids.contains_key(id.value.as_str()) || files::has(run, tombstone_of(&id.value).as_bstr());
    let mut paths: BTreeMap<String, Span> = BTreeMap::new();
    let all_active = records.entries.iter().filter(|entry| entry.is("active"));
    let active: HashSet<String> = all_active.filter_map(|entry| Some(inner_of(entry)?.1)).collect();
    for entry in &records.entries {
        if let Some((path, _)) =
            inner_of(entry).filter(|(_, inner)| entry.is("active") && file::is_folder(inner, document, run))
        {
            let help = "write the path of the file in it, or delete the entry with Squad's tools";
            report(warning(path.span, "`path` of an active entry is that of a folder", "a folder", help));
        }
        let missing = entry.path.as_ref().filter(|path| file::is_missing(&path.value, entry, document, run));
        if let Some(path) = missing {
            let help = "restore the file, or delete the entry with Squad's tools";
            report(warning(path.span, "file of an active entry does not exist", "no such file", help));
        }
        for (field, other) in [("supersededBy", &entry.superseded_by), ("supersedes", &entry.supersedes)] {
            let is_own = |other: &&Text| entry.id.as_ref().is_some_and(|id| id.value == other.value);
            if let Some(other) = other.as_ref().filter(is_own) {
                let (message, help) =
                    (format!("`{field}` names the entry itself"), format!("correct the `id`, or remove `{field}`"));
                report(warning(other.span, &message, "the entry itself", &help));
            }
        }
        if let Some(by) = entry.superseded_by.as_ref().filter(|by| !is_known(by)) {
            let help = "write the `id` of the entry that replaces this one, or remove `supersededBy`";
            report(warning(by.span, "`supersededBy` names no entry of the index", "no such entry", help));
        }
        if let Some(other) = entry.supersedes.as_ref().filter(|other| !is_known(other)) {
            let help = "write the `id` of the entry that this one replaces, or remove `supersedes`";
            report(warning(other.span, "`supersedes` names no entry of the index", "no such entry", help));
        }
        compare_status(entry, report);
        let is_kept = |class: &&Text| !matches!(class.value.as_str(), "FORBIDDEN" | "TRANSIENT");
        if let Some(class) = entry.class.as_ref().filter(|class| entry.is("active") && !is_kept(class)) {
            let message = format!("entry has the class `{}`, which Squad does not keep", class.value);
            let help = "delete the entry with Squad's tools, or correct its class";
            report(warning(class.span, &message, "not to be kept", help));
        }
        if let Some((path, inner)) = inner_of(entry).filter(|_| entry.is("active") && missing.is_none()) {
            match paths.insert(inner.clone(), path.span) {
                None => file::compare(entry, &inner, document, run, report),
                Some(first) => {
                    let finding = Finding::at(path.span, "two active entries have this file").label("second one");
                    let finding = finding.related(first, "first one");
                    report(finding.help("delete the entry whose text was overwritten").at_most(Severity::Warning));
                }
            }
        }
        let (Some(id), Some(status)) = (&entry.id, &entry.status) else { continue };
        let tombstone = tombstone_of(&id.value);
        let is_buried = files::has(run, tombstone.as_bstr());
        if is_buried && entry.is("active") {
            let help = format!("set `status` to `deleted`, or remove `{tombstone}`");
            report(warning(status.span, "entry is active, although it has a tombstone", "expected `deleted`", &help));
        } else if !is_buried && entry.is("deleted") {
            let help = format!("restore `{tombstone}`");
            report(warning(status.span, "entry is deleted, but has no tombstone", "expected a tombstone", &help));
        }
        let left = inner_of(entry).filter(|(_, inner)| entry.is("deleted") && !active.contains(inner));
        if let Some((path, inner)) = left
            && files::has(run, join(document.root(), &inner).as_bstr())
        {
            let help = format!("delete `{}`", join(document.root(), &inner));
            report(warning(path.span, "entry is deleted, but its file is still there", "still there", &help));
        }
    }
}

/// Compares the status of an entry with what it says of its end.
fn compare_status(entry: &Entry, report: &mut dyn FnMut(Finding)) {
    match (&entry.status, &entry.superseded_by) {
        (Some(status), Some(_)) if entry.is("active") => {
            let help = "set `status` to `superseded`, or remove `supersededBy`";
            report(warning(
                status.span,
                "entry is active, although `supersededBy` names another one",
                "expected `superseded`",
                help,
            ));
        }
        (Some(status), None) if entry.is("superseded") => {
            let help = "add `supersededBy` with the `id` of the entry that replaces this one";
            report(warning(status.span, "entry is superseded, but has no `supersededBy`", "by which one?", help));
        }
        _ => {}
    }
    if let Some(deleted_at) = entry.deleted_at.as_ref().filter(|_| entry.is("active")) {
        let help = "set `status` to `deleted`, or remove `deletedAt`";
        report(warning(deleted_at.span, "entry is active, although it has `deletedAt`", "not active any more", help));
    }
}

fn warning(span: Span, message: &str, label: &str, help: &str) -> Finding {
    Finding::at(span, message).label(label).help(help).at_most(Severity::Warning)
}

/// The path of an entry, and inside of the state root. A file of the inbox is merged: what has its name may be another one.
fn inner_of(entry: &Entry) -> Option<(&Text, String)> {
    let path = entry.path.as_ref()?;
    let inner = inner_path(&path.value).filter(|inner| inner.starts_with("memory/"))?;
    Some((path, inner))
}
