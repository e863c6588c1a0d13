//! What becomes of legacy entries, over all files at once: no two of them get the same timestamp and type.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString};

use super::Run;
use crate::convert::file::{self, Item, TimestampAllocator};
use crate::convert::{Confidence, EntryFile, FirstSeen, Lifetime, Subject, author};
use crate::document::Document;
use crate::formats::legacy::{Meaning, day};
use crate::formats::timestamp::Timestamp;
use crate::fs::path::inner_path;

/// What the history of the repository is asked for.
#[derive(Clone, Copy)]
pub struct Past<'a> {
    /// Where an entry comes from whose text lacks a date or an author.
    pub origin: &'a dyn Fn(&Subject<'_>) -> Option<FirstSeen>,
    /// The names of agents where the team is not known.
    pub agents: &'a dyn Fn() -> BTreeSet<String>,
    /// When the repository was worked on.
    pub lifetime: Option<Lifetime>,
    /// When a file of a team was first committed: files that say they were created later were written anew.
    pub begin: &'a dyn Fn() -> Option<Timestamp>,
}

/// The legacy entries of the documents that are `wanted`, by their paths, with what becomes of those at least as sure as
/// `min`.
pub fn convert(
    run: &Run<'_>,
    wanted: impl Fn(&Document) -> bool,
    min: Confidence,
    past: Past<'_>,
) -> Vec<(BString, Vec<Item>)> {
    let known = |at, kind| run.entries().at(at).iter().any(|entry| entry.entry_type == kind);
    let mut taken = TimestampAllocator::new(&known);
    let mut files = Vec::new();
    let (mut names, mut all_times) = (BTreeMap::new(), BTreeMap::new());
    let authors = authors(run);
    for document in run.documents.iter().filter(|document| wanted(document)) {
        if document.entries.legacy().next().is_none() {
            continue;
        }
        let Names { agents, humans } =
            names.entry(document.root()).or_insert_with(|| Names::of(run, document.root(), &authors, past));
        let path = document.source.path();
        let inner = inner_path(path, document.root());
        let times = || {
            let earlier = |created| [created].into_iter().chain((past.begin)()).min_by_key(|at: &Timestamp| at.unix());
            (usual(run, document.root()), created(run, document.root()).and_then(earlier))
        };
        let (usual, created) = *all_times.entry(document.root()).or_insert_with(times);
        let place =
            EntryFile { file_kind: document.kind(), inner, agents, humans, lifetime: past.lifetime, usual, created };
        let items = file::convert(&document.source, &document.entries, place, min, past.origin, &mut taken);
        files.push((path.to_owned(), items));
    }
    files
}

/// The names of a team, in lower case.
struct Names {
    agents: BTreeSet<String>,
    humans: BTreeSet<String>,
}

impl Names {
    /// Those of the team of the state root at `root`, with those that its entries name as authors more than once: agents leave,
    /// and their entries stay.
    fn of(run: &Run<'_>, root: &BStr, authors: &Authors<'_>, past: Past<'_>) -> Self {
        let team = run.squads().at(root);
        let mut agents: BTreeSet<String> =
            team.map(|team| team.agents.iter().map(str::to_lowercase).collect()).unwrap_or_default();
        if agents.is_empty() {
            agents = (past.agents)();
        }
        let humans: BTreeSet<String> =
            team.map(|team| team.humans.iter().map(str::to_lowercase).collect()).unwrap_or_default();
        let named = authors.get(root).into_iter().flatten();
        agents.extend(named.filter(|(_, count)| **count > 1).map(|(name, _)| name.clone()));
        Self { agents, humans }
    }
}

/// The first day on which the files of the team at `root` say that they were created, at their start: `**Created:** 2026-02-14`.
fn created(run: &Run<'_>, root: &BStr) -> Option<Timestamp> {
    const FIRST_LINES: usize = 60;
    let documents = run.documents.iter().filter(|document| document.root() == root);
    let day = |line: &str| {
        let (name, value) = line.trim_start_matches(['-', '*', ' ']).split_once(':')?;
        let is_created = name.trim_end_matches('*').eq_ignore_ascii_case("created");
        let (year, month, day) = day::find(value).filter(|_| is_created)?.date?;
        Timestamp::midnight(year, month, day)
    };
    let days = documents.flat_map(|document| document.text().lines().take(FIRST_LINES).filter_map(day));
    days.min_by_key(|day| day.unix())
}

/// From when to when nearly all entries of the team at `root` are; `None` where these are few. One of twenty at each end may have a
/// wrong date, and so may fewer than a fifth of all that lie two months and more before or after the others, and fewer than half
/// that lie half a year and more before all others: agents who do not know the date often agree on a wrong one, and the year is what
/// they know least.
pub fn usual(run: &Run<'_>, root: &BStr) -> Option<(Timestamp, Timestamp)> {
    const FEW: usize = 10;
    const TRIMMED: usize = 20;
    const FIFTH: usize = 5;
    const APART: i64 = 60 * 24 * 60 * 60;
    const HALF_A_YEAR: i64 = 180 * 24 * 60 * 60;
    let documents = run.documents.iter().filter(|document| document.root() == root);
    let mut days: Vec<Timestamp> = documents.flat_map(|document| days_of(document)).collect();
    days.sort_by_key(|day| day.unix());
    let is_of_one_time = |one: &Timestamp, next: &Timestamp| next.unix() - one.unix() < HALF_A_YEAR;
    let all = days.len();
    let late = days.chunk_by(is_of_one_time).last().filter(|late| late.len() * 2 > all).map_or(all, <[_]>::len);
    let days = days.split_off(all - late);
    if late < all && late < FEW {
        return Some((*days.first()?, *days.last()?));
    }
    let end = days.len() / TRIMMED;
    let at = |index: usize| days.get(index).copied();
    (days.len() >= FEW).then_some(())?;
    let (first, last) = (at(end)?, at(days.len().checked_sub(end + 1)?)?);
    let near = |one: &Timestamp, next: &Timestamp| next.unix() - one.unix() < APART;
    let often: Vec<&[Timestamp]> = days.chunk_by(near).filter(|some| some.len() * FIFTH >= days.len()).collect();
    let early = often.first().and_then(|days| days.first()).copied().unwrap_or(first);
    let late = often.last().and_then(|days| days.last()).copied().unwrap_or(last);
    let by_time = |day: &Timestamp| day.unix();
    Some(([first, early].into_iter().max_by_key(by_time)?, [last, late].into_iter().min_by_key(by_time)?))
}

/// The days of the legacy entries of a file.
fn days_of(document: &Document) -> impl Iterator<Item = Timestamp> {
    let dates = document.entries.legacy().filter_map(|entry| entry.date);
    dates.filter_map(|date| {
        let (year, month, day) = day::find(date.of(document.text()))?.date?;
        Timestamp::midnight(year, month, day)
    })
}

/// How often legacy entries name an author, by their state roots.
type Authors<'a> = BTreeMap<&'a BStr, BTreeMap<String, usize>>;

fn authors<'a>(run: &'a Run<'_>) -> Authors<'a> {
    let mut all = Authors::new();
    for document in run.documents {
        let fields = document.entries.legacy().flat_map(|entry| document.entries.legacy_fields(entry));
        for field in fields.filter(|field| field.meaning == Meaning::Author) {
            let author = author::read(field.value.of(document.text()));
            let name = author.and_then(|author| Some(author.name.split([' ', '(']).next()?.to_lowercase()));
            let Some(name) = name else { continue };
            *all.entry(document.root()).or_default().entry(name).or_default() += 1;
        }
    }
    all
}
