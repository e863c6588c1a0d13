//! Whether a change brought a finding.
//!
//! It did if it touched the place. Where it did not, as in a file whose end it cut off, or in a file that it left as it is, it
//! did if the state before the change has no such finding. That state is looked at only for the sake of such findings: the files they are
//! in, by the rules that found them.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use bstr::{BString, ByteSlice};

use crate::diagnostic::{Diagnostic, Scope};
use crate::document::Document;
use crate::outcome::Outcome;
use crate::rule::Rule;
use crate::rule_set::RuleSet;
use crate::select::input::{Input, Mode, Overlay};
use crate::select::selected::{Earlier, Origin, Selected};
use crate::select::worktree::Selection;
use crate::suppress::Suppressed;
use crate::text::{MAX_BYTES, Source};

/// How a finding is known in both states: by its rule, its file, what it says without numbers, and the text it is about.
type Key = (&'static str, BString, String, String);

/// What is known of a finding by its place alone.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    Brought,
    /// The state before decides.
    Depends,
    /// It was there.
    Old,
}

/// Removes the findings that the change did not bring from `outcome`, whose sources are set. The rules looked at `documents`, and in
/// those of `beside`, which the change leaves as they are; `check` checks another input by the rules that it is given.
pub(super) fn retain(
    outcome: &mut Outcome,
    (documents, beside): (&[Arc<Document>], &[Arc<Document>]),
    input: Input<'_>,
    rules: &RuleSet,
    check: impl Fn(Input<'_>, &RuleSet) -> Outcome,
) {
    if matches!(input.mode, Mode::Change(changes) if changes.is_reversed) {
        return;
    }
    let at = |documents: &[Arc<Document>], found: &Diagnostic| {
        documents.binary_search_by(|document| document.path().cmp(found.path.as_bstr())).ok()
    };
    let known = |found: &Diagnostic| {
        if found.rule.scope == Scope::Change {
            return Known::Brought;
        }
        let touched = match at(documents, found).and_then(|at| documents.get(at)) {
            Some(document) => document.touched.as_ref(),
            None if at(beside, found).is_some() => return Known::Depends,
            None => None,
        };
        match touched {
            Some(touched) if !touched.holds(found) => {
                let rule = rules.rules.iter().find(|(rule, _)| rule.name == found.rule.name);
                let can_break = touched.holds_related(found) || rule.is_some_and(|(rule, _)| can_break_untouched(rule));
                if can_break { Known::Depends } else { Known::Old }
            }
            _ => Known::Brought,
        }
    };
    let suppressed = outcome.suppressed.iter().map(|suppressed| &suppressed.diagnostic);
    let all = outcome.diagnostics.iter().chain(suppressed);
    let dependent: Vec<&Diagnostic> = all.filter(|one| known(one) == Known::Depends).collect();
    let (before, silent) = match dependent.is_empty() {
        true => (HashSet::new(), HashSet::new()),
        false => before(&dependent, input, rules, check),
    };
    let sources = std::mem::take(&mut outcome.sources);
    let is_in = |keys: &HashSet<Key>, found: &Diagnostic| {
        keys.contains(&key(found, found.path.clone(), source_of(&sources, found)))
    };
    outcome.diagnostics.retain(|found| match known(found) {
        Known::Depends => !is_in(&before, found),
        known => known == Known::Brought,
    });
    outcome.suppressed.retain(|Suppressed { diagnostic: found, .. }| match known(found) {
        Known::Depends => !is_in(&before, found) && !is_in(&silent, found),
        known => known == Known::Brought,
    });
    outcome.sources = sources;
}

/// Whether what `rule` finds at a place can come from another one. Of entries only the change of one that another refers to matters, and
/// `memory/entry-lost` reports that.
fn can_break_untouched(rule: &Rule) -> bool {
    matches!(rule.id().scope, Scope::Document | Scope::Repository) && !rule.compares_entries && !rule.once_a_file
}

/// What the rules that found `wanted` find in the same files before the change, and what of it is suppressed there.
fn before(
    wanted: &[&Diagnostic],
    input: Input<'_>,
    rules: &RuleSet,
    check: impl Fn(Input<'_>, &RuleSet) -> Outcome,
) -> (HashSet<Key>, HashSet<Key>) {
    let names: BTreeSet<&str> = wanted.iter().map(|found| found.rule.name).collect();
    let paths: BTreeSet<&BString> = wanted.iter().map(|found| &found.path).collect();
    let rules = RuleSet::new(rules.rules.iter().filter(|(rule, _)| names.contains(rule.name)).copied());
    // The path after the change of each file that has another one before.
    let mut renamed: BTreeMap<BString, BString> = BTreeMap::new();
    let mut overlay = Overlay::new();
    let mut files: Vec<Selected> = Vec::new();
    for file in input.selection.files.iter() {
        let Earlier::Blob(id) = file.earlier else {
            files.extend(matches!(input.mode, Mode::WorkTree).then(|| Selected { checked: false, ..file.clone() }));
            continue;
        };
        let (mut old, is_wanted) = (file.clone(), paths.contains(&file.path));
        (old.earlier, old.checked) = (Earlier::Unknown, is_wanted);
        if let Mode::Change(changes) = input.mode {
            old.origin = Origin::Blob(id);
            if let Some(change) = changes.change_of(file.path.as_bstr()) {
                old.path = change.old_path().to_owned();
                renamed.insert(old.path.clone(), file.path.clone());
            }
        } else if let Some(Ok(bytes)) =
            input.repository.git.as_ref().map(|git| git.blob(id, file.path.as_bstr(), MAX_BYTES))
        {
            overlay.insert(file.path.clone(), bytes);
        }
        files.push(old);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let selection = Selection { files: Arc::new(files), ..input.selection.clone() };
    let reversed = match input.mode {
        Mode::Change(changes) => Some(changes.reversed()),
        _ => None,
    };
    let mode = reversed.as_ref().map_or(input.mode, Mode::Change);
    let input = Input { selection: &selection, overlay: &overlay, mode, ..input };
    let outcome = check(input, &rules);
    let key = |found: &Diagnostic| {
        let path = renamed.get(&found.path).unwrap_or(&found.path).clone();
        key(found, path, outcome.source(&found.path))
    };
    let suppressed = outcome.suppressed.iter().map(|suppressed| key(&suppressed.diagnostic)).collect();
    (outcome.diagnostics.iter().map(key).collect(), suppressed)
}

fn source_of<'s>(sources: &'s [Arc<Source>], found: &Diagnostic) -> Option<&'s Source> {
    let at = sources.binary_search_by(|source| source.path().cmp(found.path.as_bstr())).ok()?;
    sources.get(at).map(Arc::as_ref)
}

fn key(found: &Diagnostic, path: BString, source: Option<&Source>) -> Key {
    let message = found.message.chars().filter(|c| !c.is_ascii_digit()).collect();
    let text = found.span.zip(source).map_or("", |(span, source)| span.of(source.text()));
    (found.rule.name, path, message, text.trim().to_owned())
}
