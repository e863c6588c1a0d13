//! Fixing until nothing is left to fix: one repair can uncover the next.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BString, ByteSlice};

use super::edits;
use crate::diagnostic::{Applicability, Diagnostic, Fix};
use crate::engine::Outcome;
use crate::rule::Check;
use crate::rules;
use crate::select::Overlay;

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
/// The files in `left_out` stay as they are. `check` is handed the others as they are by then, and looks at them instead of
/// those on disk.
pub fn run(
    found: Outcome,
    limit: Applicability,
    left_out: &BTreeSet<BString>,
    check: impl Fn(&Overlay) -> Outcome,
) -> Fixed {
    let mut outcome = found;
    let mut files: BTreeMap<BString, FixedFile> = BTreeMap::new();
    let mut overlay = Overlay::new();
    let mut unsettled = Vec::new();
    let mut left_out = left_out.clone();
    for number in 0..MAX_PASSES {
        let changed = pass(&outcome, limit, number == 0, &left_out, &mut files);
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
        overlay.remove(&path);
        files.remove(&path);
        unsettled.push(path.clone());
        left_out.insert(path);
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
        let fixes: Vec<&Fix> = of_file.iter().filter(counts).filter_map(|diagnostic| diagnostic.fix.as_ref()).collect();
        let applied = edits::apply(source, fixes, limit);
        if applied.count == 0 || applied.bytes == source.bytes() {
            continue;
        }
        let file = files.entry(path.clone()).or_insert_with(|| FixedFile {
            path: path.clone(),
            old: (!source.is_new()).then(|| source.bytes().to_vec()),
            new: Vec::new(),
            count: 0,
        });
        file.new = applied.bytes;
        file.count += applied.count;
        changed.push(path.clone());
    }
    changed
}

fn looks_at_repository(diagnostic: &Diagnostic) -> bool {
    rules::find(diagnostic.rule).is_some_and(|registered| matches!(registered.rule.check, Check::Repository(_)))
}
