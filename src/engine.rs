//! Selection → parse → rules → diagnostics, in parallel over files.

mod suppressions;

use std::sync::atomic::{AtomicUsize, Ordering};

use bstr::{BStr, ByteSlice};
use rayon::prelude::*;

pub use crate::outcome::{Failure, Outcome};

use crate::diagnostic::{Diagnostic, Scope, Severity};
use crate::facts::Run;
use crate::layout::exclude::Excludes;
use crate::options::Options;
use crate::parsed::Parsed;
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::select::input::Input;
use crate::select::read_error::ReadError;
use crate::select::selected::Selected;

/// The rules of a run with the severity that each reports with.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    rules: Vec<(&'static Rule, Severity)>,
    overrides: Vec<Override>,
    /// The rules of `rules` that are on only where an override says so.
    off: Vec<&'static str>,
    /// The rules of `rules` that run for the sake of the suppressions and report nothing.
    unreported: Vec<&'static str>,
}

/// Other severities for some files.
#[derive(Clone, Debug)]
pub struct Override {
    /// Which files.
    pub files: Excludes,
    /// The rules by name, with their severity there; `None` is off.
    pub levels: Vec<(&'static str, Option<Severity>)>,
}

impl RuleSet {
    /// These rules.
    pub fn new(rules: impl IntoIterator<Item = (&'static Rule, Severity)>) -> Self {
        Self { rules: rules.into_iter().collect(), ..Self::default() }
    }

    /// With `overrides`, of which the last that speaks counts. The rules in `off` are on only where one says so.
    #[must_use]
    pub fn overridden(self, overrides: Vec<Override>, off: Vec<&'static str>) -> Self {
        Self { overrides, off, ..self }
    }

    /// With those of `others` that it has not, which run and report nothing.
    #[must_use]
    pub fn with_unreported(mut self, others: &Self) -> Self {
        let missing: Vec<_> =
            others.rules.iter().filter(|(rule, _)| !self.rules.iter().any(|(own, _)| own.name == rule.name)).collect();
        let is_missing = |name: &&&str| missing.iter().any(|(rule, _)| rule.name == **name);
        self.off.extend(others.off.iter().filter(is_missing));
        self.unreported.extend(missing.iter().map(|(rule, _)| rule.name));
        self.rules.extend(missing);
        self
    }

    /// Whether what the rule of that name finds is reported.
    pub fn reports(&self, name: &str) -> bool {
        self.names().any(|other| other == name) && !self.unreported.contains(&name)
    }

    /// Gives each finding the severity that its rule has in its file, and takes away those of rules that are off there.
    fn adjust(&self, diagnostics: &mut Vec<Diagnostic>) {
        if self.overrides.is_empty() {
            return;
        }
        diagnostics.retain_mut(|diagnostic| {
            match self.overridden_at(diagnostic.rule.name, diagnostic.path.as_bstr()) {
                Some((_, Some(severity))) => diagnostic.severity = severity,
                Some((_, None)) => return false,
                None => return !self.off.contains(&diagnostic.rule.name),
            }
            true
        });
    }

    /// What the last override that speaks of the rule of that name in the file at `path` says, with its place in the list.
    fn overridden_at(&self, name: &str, path: &BStr) -> Option<(usize, Option<Severity>)> {
        let of_rule = |(rule, level): &(&str, Option<Severity>)| (*rule == name).then_some(*level);
        let mut matching = self.overrides.iter().enumerate().rev().filter(|(_, over)| over.files.matches(path));
        matching.find_map(|(at, over)| Some((at, over.levels.iter().find_map(of_rule)?)))
    }

    /// The severity with which the rule of that name reports, in the file at `path` where one is given, and the override
    /// that says so, by its place in the list. `None` where the rule does not report.
    pub fn severity_at(&self, name: &str, path: Option<&BStr>) -> (Option<Severity>, Option<usize>) {
        let own = self.rules.iter().find(|(rule, _)| rule.name == name && !self.unreported.contains(&name));
        let Some((_, own)) = own else { return (None, None) };
        match path.and_then(|path| self.overridden_at(name, path)) {
            Some((at, severity)) => (severity, Some(at)),
            None => ((!self.off.contains(&name)).then_some(*own), None),
        }
    }

    /// Whether one of the rules compares entries with those of the whole repository.
    fn ask_for_entries(&self) -> bool {
        self.rules.iter().any(|(rule, _)| rule.compares_entries)
    }

    /// How many rules report.
    pub fn len(&self) -> usize {
        self.rules.len() - self.unreported.len()
    }

    /// The names of the rules that run.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.rules.iter().map(|(rule, _)| rule.name)
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

/// How far a run is: read by the progress line while the run goes on.
#[derive(Debug, Default)]
pub struct Progress {
    /// Files to read; 0 until they are found.
    pub total: AtomicUsize,
    /// Files read and parsed.
    pub done: AtomicUsize,
}

/// Checks what `input` selects.
///
/// What cannot be read becomes a finding of `lint/unreadable-file` or `lint/file-too-large`, or, where it was named, a
/// [`Failure`]; it never stops the others.
pub fn run(input: Input<'_>, rules: &RuleSet, options: &Options, progress: &Progress) -> Outcome {
    let files = &input.selection.files;
    let wanted: Vec<&Selected> = files.iter().filter(|file| file.checked).collect();
    progress.total.store(wanted.len(), Ordering::Relaxed);
    let read = |file: &&Selected| {
        let parsed = Parsed::read(input, (*file).clone(), options.max_file_bytes.get());
        progress.done.fetch_add(1, Ordering::Relaxed);
        parsed
    };
    let mut parsed = Vec::with_capacity(wanted.len());
    let mut unread = Vec::new();
    // To wake other threads for one or two files costs more than they take.
    let results: Vec<_> = match wanted.len() {
        0..=2 => wanted.iter().map(read).collect(),
        _ => wanted.par_iter().map(read).collect(),
    };
    for result in results {
        match result {
            Ok(file) => parsed.push(file),
            Err(file) => unread.push(file),
        }
    }
    let documents: Vec<Document<'_>> = parsed.iter().map(Parsed::document).collect();
    let run = Run::new(input, &documents, options, rules.names());
    if rules.ask_for_entries() && parsed.iter().any(has_entries) {
        run.prepare();
    }
    let of_file = |document: &Document<'_>| check(document, &run, rules);
    let (mut diagnostics, of_repository): (Vec<Diagnostic>, _) = match parsed.len() {
        0..=2 => (documents.iter().flat_map(of_file).collect(), check_repository(&run, rules)),
        _ => rayon::join(|| documents.par_iter().flat_map_iter(of_file).collect(), || check_repository(&run, rules)),
    };
    diagnostics.extend(of_repository);
    let (further, failure) = run.into_parts();

    let mut outcome = Outcome { files: parsed.len(), git_failure: failure, ..Outcome::default() };
    for (file, reason) in unread {
        if file.named || matches!(reason, ReadError::Git(_) | ReadError::Unmerged) {
            outcome.failures.push(Failure { path: file.path, reason });
        } else {
            outcome.files += 1;
            report_unread(&file, &reason, rules, &mut diagnostics);
        }
    }
    rules.adjust(&mut diagnostics);
    (outcome.diagnostics, outcome.suppressed) = suppressions::settle(diagnostics, &documents, &further, rules);
    // Only now: what the suppressions hold back is of use, also where the change did not touch it.
    let of_change = |diagnostic: &Diagnostic| {
        if diagnostic.rule.scope == Scope::Change {
            return true;
        }
        let at = parsed.binary_search_by(|parsed| parsed.file.path.cmp(&diagnostic.path)).ok();
        let touched = at.and_then(|at| parsed.get(at)?.touched.as_ref());
        touched.is_none_or(|touched| touched.holds(diagnostic))
    };
    outcome.diagnostics.retain(of_change);
    outcome.suppressed.retain(|suppressed| of_change(&suppressed.diagnostic));
    if !rules.unreported.is_empty() {
        outcome.diagnostics.retain(|diagnostic| !rules.unreported.contains(&diagnostic.rule.name));
        outcome.suppressed.retain(|suppressed| !rules.unreported.contains(&suppressed.diagnostic.rule.name));
    }
    outcome.diagnostics.sort_by(in_order);
    outcome.suppressed.sort_by(|a, b| in_order(&a.diagnostic, &b.diagnostic));
    outcome.sources = parsed.into_iter().map(|parsed| parsed.source).collect();
    if !further.is_empty() {
        outcome.sources.extend(further);
        outcome.sources.sort_by(|a, b| a.path().cmp(b.path()));
        outcome.sources.dedup_by(|a, b| a.path() == b.path());
    }
    if outcome.sources.iter().any(|source| !source.invalid().is_empty()) {
        keep_bytes(&mut outcome);
    }
    outcome
}

/// Whether a rule could look at one of its SEM entries.
fn has_entries(parsed: &Parsed) -> bool {
    let mut entries = parsed.entries.sem(parsed.source.text());
    entries.any(|entry| parsed.touched.as_ref().is_none_or(|touched| touched.overlaps(entry.span())))
}

/// By file, place and rule.
fn in_order(a: &Diagnostic, b: &Diagnostic) -> std::cmp::Ordering {
    let place = |d: &Diagnostic| (d.span.map_or((0, 0), |span| (span.start, span.end)), d.rule.name);
    a.path.cmp(&b.path).then_with(|| place(a).cmp(&place(b))).then_with(|| a.message.cmp(&b.message))
}

/// Takes away the fixes that would rewrite or delete bytes that are not UTF-8: rules see `?` there, and judge by that.
fn keep_bytes(outcome: &mut Outcome) {
    let mut diagnostics = std::mem::take(&mut outcome.diagnostics);
    for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.fix.is_some()) {
        let Some(source) = outcome.source(diagnostic.path.as_bytes()) else { continue };
        let invalid = source.invalid();
        diagnostic.fix = diagnostic.fix.take_if(|fix| {
            fix.edits().all(|edit| {
                let next = invalid.get(invalid.partition_point(|span| span.end <= edit.span.start));
                next.is_none_or(|span| edit.span.end <= span.start)
            })
        });
    }
    outcome.diagnostics = diagnostics;
}

/// What `rules` find in one file.
pub fn check(document: &Document<'_>, run: &Run<'_>, rules: &RuleSet) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let context = Context { document, run, options: run.options };
    let path = document.source.path();
    for (rule, severity) in &rules.rules {
        let mut sink = Sink::new(rule, *severity, path, &mut found);
        if let Check::Document(check) = rule.check {
            check(&context, &mut sink);
        }
    }
    // Entry by entry, not rule by rule: an entry stays in the cache while all rules look at it.
    let entry_rules: Vec<_> = rules.rules.iter().filter(|(rule, _)| matches!(rule.check, Check::Entry(_))).collect();
    for entry in document.entries.sem(document.text()) {
        for (rule, severity) in &entry_rules {
            let mut sink = Sink::new(rule, *severity, path, &mut found);
            if let Check::Entry(check) = rule.check {
                check(entry, &context, &mut sink);
            }
        }
    }
    found
}

/// What `rules` find in the repository as a whole.
fn check_repository(run: &Run<'_>, rules: &RuleSet) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (rule, severity) in &rules.rules {
        let mut sink = Sink::new(rule, *severity, BStr::new(""), &mut found);
        match rule.check {
            Check::Repository(check) => check(run, &mut sink),
            Check::Change(check) if run.changes().is_some() => check(run, &mut sink),
            _ => {}
        }
    }
    found
}

fn report_unread(file: &Selected, reason: &ReadError, rules: &RuleSet, found: &mut Vec<Diagnostic>) {
    for (rule, severity) in &rules.rules {
        if let Check::Unread(check) = rule.check {
            check(reason, &mut Sink::new(rule, *severity, file.path.as_bstr(), found));
        }
    }
}
