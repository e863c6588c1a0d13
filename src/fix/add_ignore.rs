//! `--add-ignore`: a comment that suppresses it for each problem that is shown.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BString, ByteSlice};

use super::applied::{Applied, Changes};
use super::edits;
use super::left_alone::tell_conflicts;
use super::passes::FixedFile;
use super::problems::Problems;
use super::work_tree::{self, Written};
use crate::diagnostic::{Applicability, Diagnostic, Fix, Scope, Severity};
use crate::dialects::Syntax;
use crate::engine::session::Session;
use crate::outcome::Outcome;
use crate::report::FixCount;
use crate::select::input::Overlay;
use crate::select::worktree::Selection;
use crate::suppress::{self, add::Target};
use crate::text::{Source, conflict, is_utf16};

/// How often the files are checked again: a comment can uncover what another one is needed for.
const MAX_PASSES: usize = 8;
/// How often a comment is put at the problem before one for the whole file is tried.
const LOCAL: usize = 2;

/// Suppresses, with `reason`, the findings in `found` at or above `min_severity`. `found` is the last outcome of `session`.
pub fn add_ignore(
    session: &mut Session<'_>,
    found: Outcome,
    (reason, min_severity): (&str, Severity),
    problems: &mut Problems,
) -> Applied {
    let root = &session.project().repository.root;
    let shown = |outcome: &Outcome| outcome.diagnostics.iter().filter(|one| one.severity >= min_severity).count();
    let before = shown(&found);
    let mut outcome = found;
    let mut overlay = Overlay::new();
    let mut old: BTreeMap<BString, Vec<u8>> = BTreeMap::new();
    let mut conflicts: BTreeMap<BString, usize> = BTreeMap::new();
    let mut tried: BTreeMap<(BString, &'static str), usize> = BTreeMap::new();
    for pass in 0..MAX_PASSES {
        // Rules that look at the repository see the disk, not what the files have become.
        let is_wanted =
            |one: &&Diagnostic| one.severity >= min_severity && (pass == 0 || one.rule.scope != Scope::Repository);
        let mut changed = false;
        for of_file in outcome.diagnostics.chunk_by(|a, b| a.path == b.path) {
            let wanted: Vec<&Diagnostic> = of_file.iter().filter(is_wanted).collect();
            let Some(path) = wanted.first().map(|diagnostic| &diagnostic.path) else { continue };
            let Some(source) = outcome.source(path).filter(|source| !source.is_new()) else { continue };
            if let Some(line) = conflict::first_line(source.bytes()) {
                conflicts.insert(path.clone(), line);
                continue;
            }
            let is_stubborn =
                |one: &&Diagnostic| tried.get(&(path.clone(), one.rule.name)).is_some_and(|count| *count >= LOCAL);
            let Some(new) = suppressed(source, session.selection(), reason, &wanted, is_stubborn) else { continue };
            old.entry(path.clone()).or_insert_with(|| source.bytes().to_vec());
            let mut rules: Vec<_> = wanted.iter().map(|diagnostic| diagnostic.rule.name).collect();
            rules.sort_unstable();
            rules.dedup();
            for rule in rules {
                *tried.entry((path.clone(), rule)).or_default() += 1;
            }
            overlay.insert(path.clone(), new);
            changed = true;
        }
        if !changed {
            break;
        }
        outcome = session.check(&overlay);
    }
    tell_conflicts(conflicts.iter().map(|(path, line)| (path, *line)), "changed", problems);
    let mut files = Vec::new();
    for (path, old) in old {
        let Some(new) = overlay.get(&path).filter(|new| **new != old) else { continue };
        files.push(FixedFile { path, old: Some(old), new: new.clone(), count: 0, after: BTreeSet::new() });
    }
    if files.is_empty() {
        return applied(outcome, FixCount::default(), !conflicts.is_empty());
    }
    let Written { overlay: written, failed, .. } = work_tree::write(files, root, "changed", problems);
    let outcome = session.check(&Overlay::new());
    let count = FixCount { fixes: before.saturating_sub(shown(&outcome)), files: written.len(), ..FixCount::default() };
    applied(outcome, count, failed || !conflicts.is_empty())
}

fn applied(outcome: Outcome, count: FixCount, incomplete: bool) -> Applied {
    Applied { outcome, count, incomplete, changes: Changes::default() }
}

/// The bytes of `source` with comments for `wanted`; `None` where there is nothing to change or no way to do it.
fn suppressed(
    source: &Source,
    selection: &Selection,
    reason: &str,
    wanted: &[&Diagnostic],
    is_stubborn: impl Fn(&&Diagnostic) -> bool,
) -> Option<Vec<u8>> {
    // A comment in another encoding would damage the file.
    if is_utf16(source.bytes()) {
        return None;
    }
    let text = source.text();
    let selected = selection.files.binary_search_by(|file| file.path.as_bstr().cmp(source.path()));
    let kind = selected.ok().and_then(|index| selection.files.get(index)).map(|file| file.kind);
    let entries = match kind {
        Some(kind) if matches!(kind.syntax, Syntax::Markdown(_)) => Some(kind.entries(text)),
        Some(kind) if kind.syntax == Syntax::Yaml => None,
        None if suppress::has_hash_comments(source.path()) => None,
        _ => return None,
    };
    let list = match &entries {
        Some(entries) => suppress::in_markdown(text, entries),
        None => suppress::in_hash_comments(text),
    };
    // A comment that is of no use is deleted, not kept by another one.
    let is_unused = |one: &&&Diagnostic| one.rule.scope == Scope::Unused;
    let target = Target { text, entries: entries.as_ref(), list: &list, reason };
    let (useless, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) = wanted.iter().partition(is_unused);
    let (stubborn, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) = others.into_iter().partition(is_stubborn);
    let added = target.edits(others, stubborn).into_iter();
    let added: Vec<Fix> = added.map(|edit| Fix::of_edits(Applicability::Safe, [edit])).collect();
    let removed = useless.into_iter().filter_map(|diagnostic| diagnostic.fix.as_ref());
    let applied = edits::apply(source, added.iter().chain(removed), Applicability::Safe);
    (applied.bytes != source.bytes()).then_some(applied.bytes)
}
