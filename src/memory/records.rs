//! The entries of all files: those that `check` parses, each as one [`Record`].

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use bstr::BStr;
use rayon::prelude::*;

use super::order::newest_first;
use super::record::{DAY, Format, Record, When, keeper};
use super::section::{Finder, Sections};
use crate::convert::reason::Reason;
use crate::convert::{EntryFile, Subject, kind, title, when, who};
use crate::dialects::FileKind;
use crate::dialects::learnings::{LEARNINGS, LEARNINGS_ARCHIVE, TEAM_DECISIONS};
use crate::document::Document;
use crate::facts::{Run, squads};
use crate::formats::learnings::{self, Learnings};
use crate::formats::sem::{self, EntryType, FieldName, Scope, field};
use crate::formats::team_decisions::TeamDecisions;
use crate::formats::timestamp::Timestamp;
use crate::fs::path::inner_path;
use crate::text::Span;

/// Whether files of this kind hold entries of a team's memory.
pub fn are_in(kind: &FileKind) -> bool {
    kind.holds_entries() || [&LEARNINGS, &LEARNINGS_ARCHIVE, &TEAM_DECISIONS].contains(&kind)
}

/// The entries of all documents of `run`, the newest first.
pub fn of<'d>(run: &Run<'d>) -> Vec<Record<'d>> {
    with(run, |_| true)
}

/// The entries of all documents of `run` whose texts are `wanted`, the newest first.
pub fn with<'d>(run: &Run<'d>, wanted: impl Fn(&str) -> bool + Sync) -> Vec<Record<'d>> {
    // What several threads ask for is gathered before.
    run.prepare();
    let mut names: BTreeMap<&BStr, Names> = BTreeMap::new();
    for document in run.documents {
        names.entry(document.root()).or_insert_with(|| Names::of(run, document.root()));
    }
    let of_document = |document: &'d std::sync::Arc<Document>| of_document(run, document, &names, &wanted);
    let mut records: Vec<Record<'d>> = run.documents.par_iter().flat_map_iter(of_document).collect();
    records.sort_by_cached_key(newest_first);
    records
}

/// The names of a squad, in lower case.
#[derive(Default)]
struct Names {
    agents: BTreeSet<String>,
    humans: BTreeSet<String>,
}

impl Names {
    fn of(run: &Run<'_>, root: &BStr) -> Self {
        let Some(squad) = run.squads().at(root) else { return Self::default() };
        let set = |names: &crate::formats::roster::Names| names.iter().map(str::to_owned).collect();
        Self { agents: set(&squad.agents), humans: set(&squad.humans) }
    }
}

fn of_document<'d>(
    run: &Run<'_>,
    document: &'d Document,
    names: &BTreeMap<&BStr, Names>,
    wanted: &impl Fn(&str) -> bool,
) -> Vec<Record<'d>> {
    let mut records = parsed(run, document, names, wanted);
    let mut sections = Finder::new(document);
    for record in &mut records {
        record.sections = sections.at(record.span.start());
    }
    if !records.is_empty() && !squads::is_loaded(run, document) {
        for record in &mut records {
            record.is_loaded = false;
        }
    }
    if !records.is_empty() && !document.conflicts().is_empty() {
        for record in &mut records {
            record.is_in_conflict = document.is_in_conflict(record.span);
        }
    }
    records
}

fn parsed<'d>(
    run: &Run<'_>,
    document: &'d Document,
    names: &BTreeMap<&BStr, Names>,
    wanted: &impl Fn(&str) -> bool,
) -> Vec<Record<'d>> {
    let is_wanted = |span: Span| wanted(span.of(document.text()));
    let is_archive = document.kind() == &LEARNINGS_ARCHIVE;
    if let Some(learnings) = document.body::<Learnings>() {
        return learnings.real_entries().map(|entry| learning(document, entry, is_archive)).collect();
    }
    if let Some(decisions) = document.body::<TeamDecisions>() {
        return decisions.decisions().map(|decision| team_decision(document, decision.entry)).collect();
    }
    let mut records: Vec<Record<'d>> = document
        .entries
        .sem(document.text())
        .filter(|entry| is_wanted(entry.span()))
        .map(|entry| sem(run, document, entry))
        .collect();
    if document.entries.legacy().next().is_some() {
        let unknown = Names::default();
        let Names { agents, humans } = names.get(document.root()).unwrap_or(&unknown);
        let inner = inner_path(document.path(), document.root());
        let place =
            EntryFile { file_kind: document.kind(), inner, agents, humans, lifetime: None, usual: None, created: None };
        let subjects = Subject::some(document.text(), &document.entries, place, is_wanted);
        let subjects = subjects.filter(|subject| is_wanted(legacy_span(subject)));
        records.extend(subjects.map(|subject| legacy(document, subject)));
    }
    records
}

/// A record whose place alone is known.
fn at(document: &Document, format: Format, span: Span) -> Record<'_> {
    let span = span.trim(document.text());
    Record {
        document,
        format,
        span,
        kind: None,
        when: When::Unknown,
        author: None,
        contributors: Vec::new(),
        scope: None,
        tags: Vec::new(),
        summary: Cow::Borrowed(""),
        supersedes: None,
        expires: None,
        related: &[],
        superseded_by: None,
        is_loaded: true,
        is_in_conflict: false,
        sections: Sections::default(),
    }
}

fn sem<'d>(run: &Run<'_>, document: &'d Document, entry: sem::Entry<'d>) -> Record<'d> {
    let text = entry.text();
    let end = match entry.end() {
        sem::End::Rule(line) => line.start(),
        sem::End::NextEntry | sem::End::EndOfFile => entry.span().end(),
    };
    let own = entry.timestamp();
    let stamp = |name| entry.stamp(name).and_then(|(_, reading)| reading.moment());
    let values = |name| {
        let value = entry.field(name).map(|field| field.first_line_span(text));
        let all = value.into_iter().flat_map(|value| field::tags(text, value)).map(|one| one.of(text));
        all.filter(|one| !one.is_empty())
    };
    let header = entry.header().summary.of(text);
    let in_field = || entry.field(FieldName::Summary).map(|field| field.first_paragraph(text).of(text));
    let summary = Some(header).filter(|header| !header.is_empty()).or_else(in_field).unwrap_or_default();
    Record {
        kind: entry.entry_type(),
        when: own.map_or(When::Unknown, When::Moment),
        author: entry.author().map(Cow::Borrowed),
        contributors: values(FieldName::Contributors).map(Cow::Borrowed).collect(),
        scope: entry.scope(),
        tags: values(FieldName::Tags).collect(),
        summary: one_line(summary),
        supersedes: stamp(FieldName::Supersedes),
        expires: stamp(FieldName::Expires),
        related: entry.related(),
        superseded_by: own.and_then(|own| Some(run.entries().replacement(own, document.root())?.at)),
        ..at(document, Format::Sem, Span::new(entry.span().start(), end))
    }
}

fn legacy_span(subject: &Subject<'_>) -> Span {
    Span::new(subject.entry.span.start(), subject.end)
}

/// What is known of an entry from before SEM is what `convert` finds in its text.
fn legacy<'d>(document: &'d Document, subject: Subject<'_>) -> Record<'d> {
    let when = when::infer(subject, None);
    let kind = kind::infer(subject).value;
    let authors = who::stated(&who::infer(subject, kind, None), &subject.place);
    let has_day_only = when.reasons.contains(&Reason::Midnight);
    let summary = title::of(subject, kind.unwrap_or(EntryType::Note), None).map(|title| title.text);
    let (author, contributors) = match authors {
        Some(authors) => (Some(Cow::Owned(authors.name)), authors.others.into_iter().map(Cow::Owned).collect()),
        None => (None, Vec::new()),
    };
    Record {
        kind,
        when: match when.value {
            Some(at) if has_day_only => When::Day(at.day()),
            Some(at) => When::Moment(at),
            None => When::Unknown,
        },
        author,
        contributors,
        // What an agent notes down is for that agent, also where it is what a user asked for.
        scope: match kind {
            Some(EntryType::Decision | EntryType::Directive) if keeper(document).is_none() => Some(Scope::Team),
            Some(EntryType::Decision | EntryType::Directive | EntryType::Memory) => keeper(document).map(Scope::Agent),
            Some(EntryType::Note) | None => None,
        },
        summary: summary.map_or_else(|| untitled(document, subject), Cow::Owned),
        ..at(document, Format::Legacy, legacy_span(&subject))
    }
}

/// What an entry is about whose heading names no subject, such as a moment alone or `User directive`: the first sentence below it, or
/// else its heading.
fn untitled<'d>(document: &'d Document, subject: Subject<'_>) -> Cow<'d, str> {
    title::said(subject).map_or_else(|| one_line(subject.entry.title.of(document.text())), Cow::Owned)
}

fn learning<'d>(document: &'d Document, entry: &'d learnings::Entry, is_archive: bool) -> Record<'d> {
    let text = document.text();
    let keeper = keeper(document);
    let sender = entry.sender.map(|span| span.of(text)).filter(|name| !name.is_empty());
    // What an archive adds to an entry says when it left.
    let day = if is_archive { entry.added().or(entry.newest()) } else { entry.newest() };
    Record {
        kind: Some(EntryType::Memory),
        when: day.map_or(When::Unknown, When::Day),
        author: sender.or(keeper).map(Cow::Borrowed),
        scope: keeper.map(Scope::Agent),
        summary: one_line(entry.text.of(text)),
        ..at(document, Format::Learning, entry.span)
    }
}

fn team_decision<'d>(document: &'d Document, entry: &'d learnings::Entry) -> Record<'d> {
    use learnings::MarkKind::{By, Decided};
    let text = document.text();
    let by = entry.marks_of(By).map(|mark| mark.value.of(text)).find(|value| !value.is_empty());
    Record {
        kind: Some(EntryType::Decision),
        when: entry.day(Decided).map_or(When::Unknown, When::Day),
        author: by.map(Cow::Borrowed),
        scope: Some(Scope::Team),
        summary: one_line(entry.text.of(text)),
        ..at(document, Format::TeamDecision, entry.span)
    }
}

/// `text` on one line, with one blank between its words.
fn one_line(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    let bytes = text.as_bytes();
    // Most texts are on one line, and each entry of each question is examined.
    let is_plain = memchr::memchr3(b'\n', b'\r', b'\t', bytes).is_none() && !bytes.windows(2).any(|pair| pair == b"  ");
    match is_plain {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" ")),
    }
}

/// So many seconds before `now`: `7d`, `12h`, `2w`.
///
/// # Errors
/// What is wrong with `text`.
pub fn period(text: &str) -> Result<i64, &'static str> {
    const EXPECTED: &str = "expected a number and `h`, `d` or `w`, such as `7d`";
    const TOO_LONG: &str = "expected a number of at most 4294967295, and `h`, `d` or `w`, such as `7d`";
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or(EXPECTED)?;
    let seconds = match unit {
        "h" => DAY / 24,
        "d" => DAY,
        "w" => 7 * DAY,
        _ => return Err(EXPECTED),
    };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let number: u32 = number.parse().map_err(|_| if is_number { TOO_LONG } else { EXPECTED })?;
    Ok(i64::from(number) * seconds)
}

/// The moment of `text`, a timestamp or a day.
pub fn moment_or_day(text: &str) -> Option<When> {
    let day = || text.parse::<learnings::Date>().ok().filter(|_| text.len() == 10).map(When::Day);
    day().or_else(|| Timestamp::read(text).map(When::Moment))
}

/// Whether `record` mentions the entry of moment `at`: it replaces it, or lists it among what it relates to.
pub fn mentions(record: &Record<'_>, at: Timestamp) -> bool {
    let is_it = |moment: Option<Timestamp>| moment.is_some_and(|moment| moment.unix() == at.unix());
    is_it(record.supersedes) || record.related.iter().any(|item| is_it(item.reading.moment()))
}
