//! The entries of an index of governed memory, compared with each other and with their files.

use std::collections::{BTreeMap, HashMap, HashSet};

use bstr::{BString, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::facts::{Run, files};
use crate::formats::governed::{Entry, Records, Text, inner_path, is_kept, tombstone};
use crate::fs::path::join;
use crate::rule::Document;
use crate::rules::memory::shared::file;
use crate::text::Span;

/// Compares the entries of an index with each other, with their files, and with tombstones. There is one finding about the status of an
/// entry, whatever it contradicts.
pub fn compare(records: &Records, document: &Document, run: &Run<'_>, report: &mut dyn FnMut(Finding)) {
    let mut ids: BTreeMap<&str, Span> = BTreeMap::new();
    let mut twice: HashSet<Span> = HashSet::new();
    for id in records.entries.iter().filter_map(|entry| entry.id.as_ref()) {
        if let Some(first) = ids.get(id.value.as_str()) {
            let finding = Finding::at(id.span, "two entries have this `id`").label("second one");
            let finding = finding.related(*first, "first one").help("give one of them an `id` of its own");
            report(finding.at_most(Severity::Warning));
            twice.insert(id.span);
        } else {
            ids.insert(&id.value, id.span);
        }
    }
    let tombstone_of = |id: &Text| tombstone(document.root(), &id.value);
    let is_buried = |id: &Text| files::has(run, tombstone_of(id).as_bstr());
    let is_known = |id: &Text| ids.contains_key(id.value.as_str()) || is_buried(id);
    let mut paths: BTreeMap<String, Span> = BTreeMap::new();
    // How many entries have each file: of two of them one is not that in the file, which is said once.
    let mut active: HashMap<String, usize> = HashMap::new();
    for (_, inner) in records.entries.iter().filter(|entry| entry.is("active")).filter_map(inner_of) {
        *active.entry(inner).or_default() += 1;
    }
    for entry in records.entries.iter().filter(|one| one.id.as_ref().is_none_or(|id| !twice.contains(&id.span))) {
        compare_names(entry, is_known, report);
        let left = inner_of(entry).filter(|(_, inner)| entry.is("deleted") && !active.contains_key(inner));
        let left = left.map(|(path, inner)| (path.span, join(document.root(), &inner)));
        let left = left.filter(|(_, path)| files::has(run, path.as_bstr()));
        let tombstone = entry.id.as_ref().map(|id| (tombstone_of(id), is_buried(id)));
        if let Some(finding) = status_problem(entry, tombstone, left) {
            report(finding);
            continue;
        }
        if let Some(class) = entry.class.as_ref().filter(|class| entry.is("active") && !is_kept(&class.value)) {
            let message = format!("entry has the class `{}`, which Squad does not keep", class.value);
            let help = "delete the entry with Squad's tools, or correct its class";
            report(warning(class.span, &message, "not to be kept", help));
            // That it has no file, or one of another class, comes of that.
            continue;
        }
        let missing = entry.path.as_ref().filter(|path| file::is_missing(&path.value, entry, document, run));
        if let Some(path) = missing {
            let help = "restore the file, or delete the entry with Squad's tools";
            report(warning(path.span, "file of an active entry does not exist", "no such file", help));
        }
        let Some((path, inner)) = inner_of(entry).filter(|_| entry.is("active") && missing.is_none()) else { continue };
        if file::is_folder(&inner, document, run) {
            let help = "write the path of the file in it, or delete the entry with Squad's tools";
            report(warning(path.span, "`path` of an active entry is that of a folder", "a folder", help));
        }
        match paths.insert(inner.clone(), path.span) {
            None if active.get(&inner).is_some_and(|count| *count > 1) => {}
            None => file::compare(entry, &inner, document, run, report),
            Some(first) => {
                let finding = Finding::at(path.span, "two active entries have this file").label("second one");
                let finding = finding.related(first, "first one");
                report(finding.help("delete the entry whose text was overwritten").at_most(Severity::Warning));
            }
        }
    }
}

/// Compares what an entry says of others with them.
fn compare_names(entry: &Entry, is_known: impl Fn(&Text) -> bool, report: &mut dyn FnMut(Finding)) {
    for (field, other, which) in [
        ("supersededBy", &entry.superseded_by, "that replaces this one"),
        ("supersedes", &entry.supersedes, "that this one replaces"),
    ] {
        let Some(other) = other else { continue };
        if entry.id.as_ref().is_some_and(|id| id.value == other.value) {
            let (message, help) =
                (format!("`{field}` names the entry itself"), format!("correct the `id`, or remove `{field}`"));
            report(warning(other.span, &message, "the entry itself", &help));
        } else if !is_known(other) {
            let message = format!("`{field}` names no entry of the index");
            let help = format!("write the `id` of the entry {which}, or remove `{field}`");
            report(warning(other.span, &message, "no such entry", &help));
        }
    }
}

/// What contradicts the status of an entry: its tombstone, which may not be there, what it says of its end, or its file, which is `left`
/// after it was deleted.
fn status_problem(entry: &Entry, tombstone: Option<(BString, bool)>, left: Option<(Span, BString)>) -> Option<Finding> {
    let status = entry.status.as_ref()?;
    let is_active = entry.is("active");
    Some(match (tombstone, left) {
        (Some((tombstone, true)), _) if is_active => {
            let help = format!("set `status` to `deleted`, or remove `{tombstone}`");
            warning(status.span, "entry is active, although it has a tombstone", "expected `deleted`", &help)
        }
        (Some((tombstone, false)), Some((_, file))) => {
            let help = format!("restore `{tombstone}` and delete `{file}`, or set `status` to `active`");
            let message = "entry is deleted, but its file is still there, and it has no tombstone";
            warning(status.span, message, "expected `active`", &help)
        }
        (Some((tombstone, false)), None) if entry.is("deleted") => {
            let help = format!("restore `{tombstone}`");
            warning(status.span, "entry is deleted, but has no tombstone", "expected a tombstone", &help)
        }
        (_, Some((path, file))) => {
            let help = format!("delete `{file}`");
            warning(path, "entry is deleted, but its file is still there", "still there", &help)
        }
        _ if is_active && entry.superseded_by.is_some() => {
            let help = "set `status` to `superseded`, or remove `supersededBy`";
            let message = "entry is active, although `supersededBy` names another one";
            warning(status.span, message, "expected `superseded`", help)
        }
        _ if is_active => {
            let help = "set `status` to `deleted`, or remove `deletedAt`";
            let deleted_at = entry.deleted_at.as_ref()?;
            warning(deleted_at.span, "entry is active, although it has `deletedAt`", "not active any more", help)
        }
        _ if entry.is("superseded") && entry.superseded_by.is_none() => {
            let help = "add `supersededBy` with the `id` of the entry that replaces this one";
            warning(status.span, "entry is superseded, but has no `supersededBy`", "by which one?", help)
        }
        _ => return None,
    })
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
