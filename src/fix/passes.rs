//! Fixing until nothing is left to fix: one repair can uncover the next.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BString, ByteSlice};

use super::edits;
use crate::diagnostic::{Applicability, Diagnostic, Fix};
use crate::engine::Outcome;
use crate::rule::Check;
use crate::rules;
use crate::select::input::Overlay;
use crate::text::Source;

/// How often a file is checked and fixed before it is given up (DESIGN, "Fixing").
const MAX_PASSES: usize = 10;

/// A file that the fixes change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedFile {
    /// The path, relative to the root.
    pub path: BString,
    /// The bytes as they were read; `None` for a file that is not there yet.
    pub old: Option<Vec<u8>>,
    /// The bytes to write.
    pub new: Vec<u8>,
    /// How many fixes are in it.
    pub count: usize,
    /// The files that take in what leaves this one: where one of them cannot be written, this one must not be.
    pub after: BTreeSet<BString>,
}

/// What fixing comes to; nothing is written by then.
#[derive(Debug)]
pub struct Fixed {
    /// The files to write, in the order of their paths.
    pub files: Vec<FixedFile>,
    /// Files whose fixes bring each other back, in the order of their paths: left as they were.
    pub unsettled: Vec<BString>,
    /// What is left to find after the fixes.
    pub outcome: Outcome,
}

/// Applies the fixes in `found` that may be trusted as far as `limit`, checks again, and so on until none is left.
///
/// The files in `left_out` stay as they are; text moves from file to file where `across` is set. `check` is handed the others as they are by then, and looks at them instead of
/// those on disk.
pub fn run(
    found: Outcome,
    limit: Applicability,
    left_out: &BTreeSet<BString>,
    across: bool,
    check: impl Fn(&Overlay) -> Outcome,
) -> Fixed {
    let mut outcome = found;
    let mut files: BTreeMap<BString, FixedFile> = BTreeMap::new();
    let mut overlay = Overlay::new();
    let mut unsettled = Vec::new();
    let mut left_out = left_out.clone();
    for number in 0..MAX_PASSES {
        let mut changed = pass(&outcome, limit, number == 0, &left_out, &mut files);
        if changed.is_empty() && across {
            changed = moves(&outcome, limit, &left_out, &mut files);
        }
        if changed.is_empty() {
            break;
        }
        for path in &changed {
            overlay.extend(files.get(path).map(|file| (path.clone(), file.new.clone())));
        }
        outcome = check(&overlay);
    }
    // What would change once more does not come to an end.
    while let Some(path) = pass(&outcome, limit, false, &left_out, &mut files.clone()).into_iter().next() {
        for path in moved_with(path, &files) {
            overlay.remove(&path);
            files.remove(&path);
            unsettled.push(path.clone());
            left_out.insert(path);
        }
        outcome = check(&overlay);
    }
    unsettled.sort();
    let changed = |file: &FixedFile| file.old.as_ref() != Some(&file.new);
    Fixed { files: files.into_values().filter(changed).collect(), unsettled, outcome }
}

/// Applies the fixes in `outcome` to `files`; says which of them changed. Rules that look at the repository see the disk,
/// not what the files have become: what they find counts the `first` time only.
fn pass(
    outcome: &Outcome,
    limit: Applicability,
    first: bool,
    left_out: &BTreeSet<BString>,
    files: &mut BTreeMap<BString, FixedFile>,
) -> Vec<BString> {
    let mut changed = Vec::new();
    for of_file in outcome.diagnostics.chunk_by(|a, b| a.path == b.path) {
        let Some(path) = of_file.first().map(|diagnostic| &diagnostic.path) else { continue };
        let Some(source) = outcome.source(path.as_bytes()).filter(|_| !left_out.contains(path)) else { continue };
        let counts = |diagnostic: &&Diagnostic| first || !looks_at_repository(diagnostic);
        let fixes = of_file.iter().filter(counts).filter_map(|diagnostic| diagnostic.fix.as_ref());
        let fixes: Vec<&Fix> = fixes.filter(|fix| fix.append.is_empty()).collect();
        let applied = edits::apply(source, fixes, limit);
        if applied.count == 0 || applied.bytes == source.bytes() {
            continue;
        }
        let file = files.entry(path.clone()).or_insert_with(|| FixedFile {
            path: path.clone(),
            old: (!source.is_new()).then(|| source.bytes().to_vec()),
            new: Vec::new(),
            count: 0,
            after: BTreeSet::new(),
        });
        file.new = applied.bytes;
        file.count += applied.count;
        changed.push(path.clone());
    }
    changed
}

/// Applies the fixes that move text to other files, at most one for each file; says which files changed.
fn moves(
    outcome: &Outcome,
    limit: Applicability,
    left_out: &BTreeSet<BString>,
    files: &mut BTreeMap<BString, FixedFile>,
) -> Vec<BString> {
    let mut changed: Vec<BString> = Vec::new();
    for diagnostic in &outcome.diagnostics {
        let Some(fix) = diagnostic.fix.as_ref().filter(|fix| !fix.append.is_empty() && fix.applicability <= limit)
        else {
            continue;
        };
        let targets: BTreeSet<BString> = fix.append.iter().map(|append| append.path.clone()).collect();
        let is_free = |path: &BString| !left_out.contains(path) && !changed.contains(path) && path.to_path().is_ok();
        let path = &diagnostic.path;
        let all: Vec<&Source> = targets.iter().chain([path]).filter_map(|path| outcome.source(path)).collect();
        if all.len() != targets.len() + 1 || targets.contains(path) || !targets.iter().chain([path]).all(is_free) {
            continue;
        }
        let whole = Fix { append: Vec::new(), ..fix.clone() };
        // A fix that only makes other files counts there.
        let counted = if fix.edits.is_empty() { targets.first().unwrap_or(path) } else { path };
        for source in all {
            let path = source.path().to_owned();
            let file = files.entry(path.clone()).or_insert_with(|| FixedFile {
                path: path.clone(),
                old: (!source.is_new()).then(|| source.bytes().to_vec()),
                new: source.bytes().to_vec(),
                count: 0,
                after: BTreeSet::new(),
            });
            file.count += usize::from(path == *counted);
            if path == diagnostic.path {
                file.new = edits::apply(source, [&whole], limit).bytes;
                file.after.extend(targets.iter().cloned());
            } else {
                for append in fix.append.iter().filter(|append| append.path == path) {
                    file.new.extend_from_slice(append.content.as_bytes());
                }
            }
            changed.push(path);
        }
    }
    changed
}

/// `path` and the files that text moves to or from when it is written: none of them without the others.
fn moved_with(path: BString, files: &BTreeMap<BString, FixedFile>) -> BTreeSet<BString> {
    let mut together = BTreeSet::from([path]);
    loop {
        let before = together.len();
        for file in files.values() {
            if together.contains(&file.path) || !file.after.is_disjoint(&together) {
                together.insert(file.path.clone());
                together.extend(file.after.iter().cloned());
            }
        }
        if together.len() == before {
            return together;
        }
    }
}

fn looks_at_repository(diagnostic: &Diagnostic) -> bool {
    rules::find(diagnostic.rule).is_some_and(|registered| matches!(registered.rule.check, Check::Repository(_)))
}
