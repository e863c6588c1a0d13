//! Selection → parse → rules → diagnostics, in parallel over files.

mod brought;
pub mod elsewhere;
pub mod git_failure;
mod memory;
pub mod outside;
pub mod session;
mod suppressions;
pub mod target;
pub mod unread;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bstr::{BStr, ByteSlice};
use rayon::prelude::*;

pub use crate::outcome::{Failure, Outcome};
pub use crate::rule_set::{Override, RuleSet};

use self::memory::{Found, Memory, Recalled};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialects::squad;
use crate::facts::Run;
use crate::facts::asked::Asked;
use crate::facts::{entries, skills, squads};
use crate::formats::entries::{Block, Wanted};
use crate::formats::sem::Entry;
use crate::options::Options;
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::select::input::Input;
use crate::select::read_error::ReadError;
use crate::select::selected::Selected;
use crate::text::Source;

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
    run_again(input, rules, options, progress, None)
}

/// Like [`run`], with the `memory` of earlier checks, in which it leaves that of this one.
fn run_again(
    input: Input<'_>,
    rules: &RuleSet,
    options: &Options,
    progress: &Progress,
    memory: Option<&mut Memory>,
) -> Outcome {
    let kept = memory.as_deref();
    let files = &input.selection.files;
    let wanted: Vec<&Selected> = files.iter().filter(|file| file.checked).collect();
    let results = read_all(input, &wanted, options, progress, kept);
    let mut documents = Vec::with_capacity(wanted.len());
    let mut unread = Vec::new();
    for (file, result) in wanted.into_iter().zip(results) {
        match result {
            Ok(document) => documents.push(document),
            Err(reason) => unread.push((file, reason)),
        }
    }
    let run = Run::new(input, &documents, options, rules.names());
    let run = match kept {
        Some(kept) => run.keeping(&kept.documents),
        None => run,
    };
    if rules.ask_for_entries() && documents.iter().any(|document| has_entries(document)) {
        run.prepare();
    }
    if let Some(squads) = kept.and_then(|kept| kept.squads.as_ref()) {
        squads::keep(&run, squads);
    }
    let recalled = kept.map(|kept| Recalled::new(kept, &run));
    let of_documents = OfDocuments::among(rules);
    let of_file = |(index, document)| match &recalled {
        Some(recalled) => {
            let (found, kept) = check_again(index, document, &run, &of_documents, recalled);
            (found, Some(kept))
        }
        None => (check_by(document, &run, &of_documents, &Asked::default(), |_| true).0, None),
    };
    let (of_files, of_repository): (Vec<_>, _) = match documents.len() {
        0..=2 => (documents.iter().enumerate().map(of_file).collect(), check_repository(&run, rules)),
        _ => rayon::join(|| documents.par_iter().enumerate().map(of_file).collect(), || check_repository(&run, rules)),
    };
    let mut diagnostics = Vec::new();
    let mut remembered = Vec::new();
    for (found, kept) in of_files {
        diagnostics.extend(found);
        remembered.extend(kept);
    }
    diagnostics.extend(of_repository);
    // Only where a rule looks at them: to find them means to read.
    let looks_beside = run.changes().is_some() && rules.rules.iter().any(|(rule, _)| rule.looks_beside);
    let beside: Vec<Arc<Document>> = if looks_beside { run.beside().clone() } else { Vec::new() };
    for document in &beside {
        diagnostics.extend(check_by(document, &run, &of_documents, &Asked::default(), |rule| rule.looks_beside).0);
    }
    let skills = skills::checked(&run);
    let kept = kept.map(|_| (entries::compared(&run).map(<[_]>::to_vec), squads::gathered(&run)));
    let (further, failure) = run.into_parts();
    if let Some((memory, (compared, squads))) = memory.zip(kept) {
        memory.renew(remembered, compared, squads);
    }

    let without_entries = documents.iter().filter(|document| is_without_entries(document)).count();
    let mut outcome =
        Outcome { files: documents.len() + skills, without_entries, git_failure: failure, ..Outcome::default() };
    for (file, reason) in unread {
        if file.named || matches!(reason, ReadError::Git(_) | ReadError::Unmerged) {
            outcome.failures.push(Failure { path: file.path.clone(), reason });
        } else {
            outcome.files += 1;
            report_unread(file, &reason, rules, &mut diagnostics);
        }
    }
    rules.adjust(&mut diagnostics);
    (outcome.diagnostics, outcome.suppressed) = suppressions::settle(diagnostics, &documents, &beside, &further, rules);
    if !rules.unreported.is_empty() {
        outcome.diagnostics.retain(|diagnostic| !rules.unreported.contains(&diagnostic.rule.name));
        outcome.suppressed.retain(|suppressed| !rules.unreported.contains(&suppressed.diagnostic.rule.name));
    }
    outcome.sources = documents.iter().map(|document| document.source.clone()).collect();
    if !further.is_empty() {
        outcome.sources.extend(further);
        outcome.sources.sort_by(|a, b| a.path().cmp(b.path()));
        outcome.sources.dedup_by(|a, b| a.path() == b.path());
    }
    // Only now: a suppression of a finding that the change did not bring is of use as well.
    let check_before = |input: Input<'_>, rules: &RuleSet| run_again(input, rules, options, &Progress::default(), None);
    brought::retain(&mut outcome, (&documents, &beside), input, rules, check_before);
    if !beside.is_empty() {
        let suppressed = outcome.suppressed.iter().map(|suppressed| &suppressed.diagnostic);
        let all = outcome.diagnostics.iter().chain(suppressed);
        let found: HashSet<&BStr> = all.map(|one| one.path.as_bstr()).collect();
        outcome.files += beside.iter().filter(|document| found.contains(document.path())).count();
    }
    outcome.documents = documents;
    outcome.diagnostics.sort_by(in_order);
    outcome.suppressed.sort_by(|a, b| in_order(&a.diagnostic, &b.diagnostic));
    if outcome.sources.iter().any(|source| !source.invalid().is_empty()) {
        keep_bytes(&mut outcome);
    }
    outcome
}

/// For so many files a thread gets its memory at once.
const MANY: usize = 64;

/// Gets memory for the thread. The allocator of glibc would ask the system for nearly each page that a thread needs, and does not
/// give back what is smaller than the largest block that was freed.
fn reserve() {
    for size in [8 << 20, 6 << 20] {
        drop(std::hint::black_box(Vec::<u8>::with_capacity(size)));
    }
}

/// Reads the files that are `wanted`, in their order.
fn read_all(
    input: Input<'_>,
    wanted: &[&Selected],
    options: &Options,
    progress: &Progress,
    kept: Option<&Memory>,
) -> Vec<Result<Arc<Document>, ReadError>> {
    let cap = options.max_file_bytes.get();
    read_by(input, wanted, progress, |file| match kept {
        Some(kept) => kept.documents.read(input, file, cap),
        None => Document::read_once(input, file, cap).map(Arc::new),
    })
}

/// Reads the files at `files`, in their order, and parses what is `wanted` of them: nothing if none of them has any of it.
fn read_wanted(
    input: Input<'_>,
    files: &[&Selected],
    options: &Options,
    progress: &Progress,
    wanted: &dyn Wanted,
) -> Vec<Result<Arc<Document>, ReadError>> {
    let (cap, is_there) = (options.max_file_bytes.get(), AtomicBool::new(false));
    let sources = read_by(input, files, progress, |file| {
        let source = Document::source_of(input, file, cap, wanted)?;
        // To look through the others would tell nothing more.
        if !is_there.load(Ordering::Relaxed) && wanted.has(source.text()) {
            is_there.store(true, Ordering::Relaxed);
        }
        Ok(source)
    });
    let parse = |(file, source): (&&Selected, Result<Arc<Source>, ReadError>)| {
        let (file, source) = ((*file).clone(), source?);
        Ok(Arc::new(match is_there.load(Ordering::Relaxed) {
            true => {
                // Also where nothing of the file is shown: what is a secret here can be in another file. Of a long file only the parts
                // that can be shown are known.
                source.secrets();
                if let Some(document) = Document::parse_excerpt(&file, &source, wanted) {
                    return Ok(Arc::new(document));
                }
                let source = if source.is_excerpt() { Document::source(input, &file, cap)? } else { source };
                source.secrets();
                Document::parse_wanted(file, source, wanted)
            }
            false => Document::unparsed(file, source),
        }))
    };
    match files.len() {
        0..=2 => files.iter().zip(sources).map(parse).collect(),
        _ => files.par_iter().zip(sources).map(parse).collect(),
    }
}

/// What `read` makes of the files that are `wanted`, in their order.
fn read_by<T: Send>(
    input: Input<'_>,
    wanted: &[&Selected],
    progress: &Progress,
    read: impl Fn(&Selected) -> Result<T, ReadError> + Sync,
) -> Vec<Result<T, ReadError>> {
    progress.done.store(0, Ordering::Relaxed);
    progress.total.store(wanted.len(), Ordering::Relaxed);
    let mut ordered: Vec<(usize, &Selected)> = wanted.iter().copied().enumerate().collect();
    input.sort_for_reading(&mut ordered);
    let numbered = |&(at, file): &(usize, &Selected)| {
        let result = read(file);
        progress.done.fetch_add(1, Ordering::Relaxed);
        (at, result)
    };
    if ordered.len() >= MANY {
        rayon::broadcast(|_| reserve());
    }
    // To wake other threads for one or two files costs more than they take.
    let mut results: Vec<_> = match ordered.len() {
        0..=2 => ordered.iter().map(numbered).collect(),
        _ => ordered.par_iter().map(numbered).collect(),
    };
    results.sort_unstable_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Whether a rule could look at one of its SEM entries.
fn has_entries(document: &Document) -> bool {
    let mut entries = document.entries.sem(document.text());
    entries.any(|entry| document.touched.as_ref().is_none_or(|touched| touched.overlaps(entry.span())))
}

/// Whether it is an inbox file without a recognised entry, so that no rule checked one.
fn is_without_entries(document: &Document) -> bool {
    document.kind() == &squad::INBOX
        && !document.entries.blocks().any(|block| matches!(block, Block::Sem(_) | Block::Legacy(_)))
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

/// What a rule calls for a document.
type OnDocument = fn(&Context<'_>, &mut Sink<'_>);

/// What a rule calls for an entry.
type OnEntry = fn(Entry<'_>, &Context<'_>, &mut Sink<'_>);

/// Those of the rules that look at one document, with what they call: thousands of documents are looked at, and the others are many.
struct OfDocuments {
    document: Vec<(&'static Rule, Severity, OnDocument)>,
    entry: Vec<(&'static Rule, Severity, OnEntry)>,
}

impl OfDocuments {
    fn among(rules: &RuleSet) -> Self {
        let of_document = rules.rules.iter().filter_map(|&(rule, severity)| match rule.check {
            Check::Document(check) => Some((rule, severity, check)),
            _ => None,
        });
        let of_entry = rules.rules.iter().filter_map(|&(rule, severity)| match rule.check {
            Check::Entry(check) => Some((rule, severity, check)),
            _ => None,
        });
        Self { document: of_document.collect(), entry: of_entry.collect() }
    }
}

/// What `rules` find in one file.
pub fn check(document: &Document, run: &Run<'_>, rules: &RuleSet) -> Vec<Diagnostic> {
    check_by(document, run, &OfDocuments::among(rules), &Asked::default(), |_| true).0
}

/// Like [`check`] for the document at `index` of the run, by as few rules as what was found before allows; and what the next
/// check may keep.
fn check_again(
    index: usize,
    document: &Arc<Document>,
    run: &Run<'_>,
    rules: &OfDocuments,
    recalled: &Recalled<'_>,
) -> (Vec<Diagnostic>, Arc<Found>) {
    if let Some(known) = recalled.found(index, run) {
        let mut found = match known.again.is_empty() {
            true => Vec::new(),
            false => check_by(document, run, rules, &Asked::default(), |rule| known.again.contains(&rule.name)).0,
        };
        found.extend(known.own.iter().cloned());
        return (found, known.clone());
    }
    let asked = Asked::default();
    let (found, again) = check_by(document, run, rules, &asked, |_| true);
    let new = Found::new(document.clone(), &found, again, asked);
    (found, Arc::new(new))
}

/// What those of `rules` find in one file that are `wanted`, and which of them asked for the whole run. What else they asked for
/// is noted in `asked`.
fn check_by(
    document: &Document,
    run: &Run<'_>,
    rules: &OfDocuments,
    asked: &Asked,
    wanted: impl Fn(&'static Rule) -> bool,
) -> (Vec<Diagnostic>, Vec<&'static str>) {
    let (mut found, again) = check_text(document, run, rules, asked, &wanted);
    for inner in document.inner() {
        // What compares a text with the repository finds nothing here: the text comes from another one.
        let wanted = |rule: &'static Rule| !rule.compares_entries && wanted(rule);
        let (of_text, of_run) = check_text(&inner.document, run, rules, &Asked::default(), &wanted);
        let of_text = of_text.into_iter().filter(|diagnostic| !of_run.contains(&diagnostic.rule.name));
        found.extend(of_text.filter_map(|diagnostic| inner.moved(diagnostic, document)));
    }
    (found, again)
}

/// Like [`check_by`], without the files in the file.
fn check_text(
    document: &Document,
    run: &Run<'_>,
    rules: &OfDocuments,
    asked: &Asked,
    wanted: &impl Fn(&'static Rule) -> bool,
) -> (Vec<Diagnostic>, Vec<&'static str>) {
    let (mut found, mut again) = (Vec::new(), Vec::new());
    let context = Context::new(document, run, asked);
    let path = document.path();
    for (rule, severity, check) in rules.document.iter().filter(|(rule, ..)| wanted(rule)) {
        check(&context, &mut Sink::new(rule, *severity, path, &mut found));
        if asked.run.take() {
            again.push(rule.name);
        }
    }
    // Entry by entry, not rule by rule: an entry stays in the cache while all rules look at it.
    for entry in document.entries.sem(document.text()) {
        for (rule, severity, check) in rules.entry.iter().filter(|(rule, ..)| wanted(rule)) {
            check(entry, &context, &mut Sink::new(rule, *severity, path, &mut found));
            if asked.run.take() && !again.contains(&rule.name) {
                again.push(rule.name);
            }
        }
    }
    (found, again)
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
