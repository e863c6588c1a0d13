//! Selection → parse → rules → diagnostics, in parallel over files.

mod suppressions;

use std::sync::atomic::{AtomicUsize, Ordering};

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use crate::diagnostic::{Diagnostic, Severity};
use crate::facts::Facts;
use crate::formats::entries::{self, Entries};
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};
use crate::select::exclude::Excludes;
use crate::select::git::GitError;
use crate::select::read::Unread;
use crate::select::{Input, Selected};
use crate::suppress::Suppressed;
use crate::text::{MAX_BYTES, Source};

/// The rules of a run with the severity that each reports with.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    rules: Vec<(&'static Rule, Severity)>,
    overrides: Vec<Override>,
    /// The rules of `rules` that are on only where an override says so.
    off: Vec<&'static str>,
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

    /// Gives each finding the severity that its rule has in its file, and takes away those of rules that are off there.
    fn adjust(&self, diagnostics: &mut Vec<Diagnostic>) {
        if self.overrides.is_empty() {
            return;
        }
        diagnostics.retain_mut(|diagnostic| {
            let of_rule = |(name, level): &(&str, Option<Severity>)| (*name == diagnostic.rule).then_some(*level);
            let mut matching = self.overrides.iter().rev().filter(|over| over.files.matches(diagnostic.path.as_bstr()));
            match matching.find_map(|over| over.levels.iter().find_map(of_rule)) {
                Some(Some(severity)) => diagnostic.severity = severity,
                Some(None) => return false,
                None => return !self.off.contains(&diagnostic.rule),
            }
            true
        });
    }

    /// How many rules it holds.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// The names of its rules.
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

/// A file named on the command line that could not be read.
#[derive(Debug)]
pub struct Failure {
    /// The path, relative to the root.
    pub path: BString,
    /// Why.
    pub reason: Unread,
}

/// What a run found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The findings, sorted by file, place and rule: the same from run to run.
    pub diagnostics: Vec<Diagnostic>,
    /// Findings that are not reported, in the same order.
    pub suppressed: Vec<Suppressed>,
    /// The files that were read, also for rules that look at the repository, in the order of their paths: what the findings point into.
    pub sources: Vec<Source>,
    /// How many files were checked.
    pub files: usize,
    /// Files named on the command line that could not be read.
    pub failures: Vec<Failure>,
    /// What could not be read from git: what was found then is not all.
    pub git_failure: Option<GitError>,
}

impl Outcome {
    /// The text of the file at `path`.
    pub fn source(&self, path: &[u8]) -> Option<&Source> {
        let at = self.sources.binary_search_by(|source| source.path().as_bytes().cmp(path)).ok()?;
        self.sources.get(at)
    }
}

/// A file that was read and parsed.
struct Parsed<'a> {
    file: &'a Selected,
    source: Source,
    entries: Entries,
}

/// Checks what `input` selects.
///
/// What cannot be read becomes a finding of `lint/unreadable-file` or `lint/file-too-big`, or, where it was named, a
/// [`Failure`]; it never stops the others.
pub fn run(input: Input<'_>, rules: &RuleSet, options: &Options, progress: &Progress) -> Outcome {
    let files = &input.selection.files;
    progress.total.store(files.len(), Ordering::Relaxed);
    let results: Vec<Result<Parsed<'_>, (&Selected, Unread)>> =
        files.par_iter().map(|file| parse(input, file, options, progress)).collect();
    let mut parsed = Vec::with_capacity(results.len());
    let mut unread = Vec::new();
    for result in results {
        match result {
            Ok(file) => parsed.push(file),
            Err(file) => unread.push(file),
        }
    }
    let documents: Vec<Document<'_>> = parsed.iter().map(Parsed::document).collect();
    let facts = Facts::new(&documents, files).in_repository(input, options, rules.names());
    let checked = parsed.iter().zip(&documents).filter(|(parsed, _)| parsed.file.checked);
    let checked: Vec<_> = checked.map(|(_, document)| document).collect();
    let (mut diagnostics, of_repository): (Vec<Diagnostic>, _) = rayon::join(
        || checked.par_iter().flat_map_iter(|document| check(document, &facts, rules, options)).collect(),
        || check_repository(&facts, rules, options),
    );
    diagnostics.extend(of_repository);
    let (further, failure) = facts.into_parts();

    let mut outcome = Outcome { files: checked.len(), git_failure: failure, ..Outcome::default() };
    for (file, reason) in unread {
        if file.named {
            outcome.failures.push(Failure { path: file.path.clone(), reason });
        } else if file.checked {
            outcome.files += 1;
            report_unread(file, &reason, rules, &mut diagnostics);
        }
    }
    rules.adjust(&mut diagnostics);
    let is_checked = |index: usize| parsed.get(index).is_some_and(|parsed| parsed.file.checked);
    (outcome.diagnostics, outcome.suppressed) =
        suppressions::settle(diagnostics, &documents, is_checked, &further, rules);
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

/// By file, place and rule.
fn in_order(a: &Diagnostic, b: &Diagnostic) -> std::cmp::Ordering {
    let place = |d: &Diagnostic| (d.span.map_or((0, 0), |span| (span.start, span.end)), d.rule);
    a.path.cmp(&b.path).then_with(|| place(a).cmp(&place(b))).then_with(|| a.message.cmp(&b.message))
}

/// Takes away the fixes that would rewrite or delete bytes that are not UTF-8: rules see `?` there, and judge by that.
fn keep_bytes(outcome: &mut Outcome) {
    let mut diagnostics = std::mem::take(&mut outcome.diagnostics);
    for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.fix.is_some()) {
        let Some(source) = outcome.source(diagnostic.path.as_bytes()) else { continue };
        let invalid = source.invalid();
        diagnostic.fix = diagnostic.fix.take_if(|fix| {
            fix.edits.iter().all(|edit| {
                let next = invalid.get(invalid.partition_point(|span| span.end <= edit.span.start));
                next.is_none_or(|span| edit.span.end <= span.start)
            })
        });
    }
    outcome.diagnostics = diagnostics;
}

fn parse<'a>(
    input: Input<'_>,
    file: &'a Selected,
    options: &Options,
    progress: &Progress,
) -> Result<Parsed<'a>, (&'a Selected, Unread)> {
    let cap = options.max_file_size.min(MAX_BYTES);
    let bytes = input.read(file.path.as_bstr(), cap);
    progress.done.fetch_add(1, Ordering::Relaxed);
    let source = Source::new(file.path.clone(), bytes.map_err(|reason| (file, reason))?);
    let entries = match file.role {
        role if role.holds_legacy() => entries::parse(source.text()),
        role if role.holds_entries() => entries::parse(source.text()).without_legacy(),
        // Only the outline matters where no entries can stand.
        _ => Entries::outline_of(source.text()),
    };
    Ok(Parsed { file, source, entries })
}

impl Parsed<'_> {
    fn document(&self) -> Document<'_> {
        Document { source: &self.source, entries: &self.entries, role: self.file.role, root: self.file.root.as_bstr() }
    }
}

/// What `rules` find in one file.
pub fn check(document: &Document<'_>, facts: &Facts<'_>, rules: &RuleSet, options: &Options) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let path = document.source.path();
    for (rule, severity) in &rules.rules {
        let mut sink = Sink::new(rule, *severity, path, &mut found);
        match rule.check {
            Check::Document(check) => check(document, options, &mut sink),
            Check::DocumentInRepository(check) => check(document, facts, options, &mut sink),
            _ => {}
        }
    }
    // Entry by entry, not rule by rule: an entry stays in the cache while all rules look at it.
    let of_entries = |rule: &Rule| matches!(rule.check, Check::Entry(_) | Check::EntryInRepository(_));
    let entry_rules: Vec<_> = rules.rules.iter().filter(|(rule, _)| of_entries(rule)).collect();
    for entry in document.entries.sem(document.text()) {
        for (rule, severity) in &entry_rules {
            let mut sink = Sink::new(rule, *severity, path, &mut found);
            match rule.check {
                Check::Entry(check) => check(entry, options, &mut sink),
                Check::EntryInRepository(check) => check(entry, document, facts, options, &mut sink),
                _ => {}
            }
        }
    }
    found
}

/// What `rules` find in the repository as a whole.
fn check_repository(facts: &Facts<'_>, rules: &RuleSet, options: &Options) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (rule, severity) in &rules.rules {
        if let Check::Repository(check) = rule.check {
            check(facts, options, &mut Sink::new(rule, *severity, BStr::new(""), &mut found));
        }
    }
    found
}

fn report_unread(file: &Selected, reason: &Unread, rules: &RuleSet, found: &mut Vec<Diagnostic>) {
    for (rule, severity) in &rules.rules {
        if let Check::Unread(check) = rule.check {
            check(reason, &mut Sink::new(rule, *severity, file.path.as_bstr(), found));
        }
    }
}
