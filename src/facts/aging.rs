//! How old the learnings of a team are, what refers to them, and which say the same.

use std::sync::{Arc, PoisonError};

use bstr::{BStr, BString, ByteSlice};
use jiff::civil::Date;

use super::Facts;
use crate::diagnostic::{Append, Edit};
use crate::document::Document;
use crate::formats::learnings::{Entry, Learnings, SectionKind, Tier};
use crate::formats::records::{self, Index, Traits};
use crate::layout::role::Role;
use crate::options::Options;
use crate::text::similarity::{self, Pair};

/// What one team wrote down.
#[derive(Debug, Default)]
pub(super) struct Records {
    /// Its retrospectives and its sessions.
    all: Index,
    /// Its retrospectives.
    retros: Index,
}

/// An entry that nobody came back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aged {
    /// Its place in [`Learnings::entries`].
    pub entry: usize,
    /// The day of its newest mark.
    pub day: Date,
}

/// The day of the moment against which dates are judged.
pub fn today(options: &Options) -> Date {
    let moment = jiff::Timestamp::from_second(options.now.unix()).unwrap_or_default();
    jiff::tz::Offset::UTC.to_datetime(moment).date()
}

/// The days from `day` to `today`; less than 0 for one that is to come.
fn age(day: Date, today: Date) -> i64 {
    i64::from((today - day).get_days())
}

impl Facts<'_> {
    /// The entries of a `learnings.md` that share enough of their words to say the same, equal ones included, by their places
    /// in [`Learnings::entries`]. What only says that there is nothing is like nothing.
    pub fn similar(&self, document: &Document<'_>, options: &Options) -> Vec<Pair> {
        let Some(learnings) = learnings_of(document) else { return Vec::new() };
        let text = |entry: &Entry| if entry.placeholder { "" } else { entry.text.of(document.text()) };
        let texts: Vec<&str> = learnings.entries.iter().map(text).collect();
        let percent = u32::try_from(options.learnings.similarity).unwrap_or(100);
        similarity::pairs(&texts, f64::from(percent) / 100.0)
    }

    /// The entries of a `learnings.md` that have no mark of the last days and that no record of the team mentions since, the
    /// oldest first. Entries of `Core` are for good, and notes of others are another matter: see [`Facts::unsettled`].
    pub fn stale(&self, document: &Document<'_>, options: &Options) -> Vec<Aged> {
        let is_candidate = |learnings: &Learnings, entry: &Entry| {
            let section = learnings.section_of(entry);
            section.and_then(|section| section.tier) != Some(Tier::Core)
                && section.and_then(|section| section.within) != Some(SectionKind::CrossAgentNotes)
        };
        let mut aged = aged(document, options, options.learnings.stale_after, is_candidate);
        if aged.is_empty() {
            return aged;
        }
        let records = self.records_of(document);
        let today = today(options);
        let within = |day: &Date| age(*day, today) <= days(options.learnings.stale_after);
        if records.all.days().iter().any(within)
            && let Some(learnings) = learnings_of(document)
        {
            let traits = Traits::of_all(learnings, document.text());
            let is_recent = |place: &usize| records.all.days().get(*place).is_some_and(within);
            let mentioned = |aged: &Aged| {
                traits.get(aged.entry).is_some_and(|traits| traits.mentions(&records.all).iter().any(is_recent))
            };
            aged.retain(|aged| !mentioned(aged));
        }
        aged
    }

    /// The notes of other members in a `learnings.md` that have no mark of the last days, the oldest first.
    pub fn unsettled(&self, document: &Document<'_>, options: &Options) -> Vec<Aged> {
        let is_note = |learnings: &Learnings, entry: &Entry| {
            learnings.section_of(entry).and_then(|section| section.within) == Some(SectionKind::CrossAgentNotes)
        };
        aged(document, options, options.learnings.unsettled_after, is_note)
    }

    /// The days on which the entries of a `learnings.md` were confirmed, each entry with those of its marks and of the
    /// retrospectives that mention it, one for each sprint.
    pub fn confirmed(&self, document: &Document<'_>) -> Vec<Vec<Date>> {
        let Some(learnings) = learnings_of(document) else { return Vec::new() };
        let records = self.records_of(document);
        let retros = &records.retros;
        // A sprint ends with its retrospective: what was marked before belongs to it.
        let mut ends: Vec<Date> = retros.days().to_vec();
        ends.sort_unstable();
        let sprint_of = |day: Date| ends.get(ends.partition_point(|end| *end < day)).copied().unwrap_or(day);
        let traits = if ends.is_empty() { Vec::new() } else { Traits::of_all(learnings, document.text()) };
        let confirmed = learnings.entries.iter().enumerate().map(|(place, entry)| {
            let marks = entry.marks.iter().filter_map(|mark| mark.day).map(sprint_of);
            let mentions = traits.get(place).map(|traits| traits.mentions(retros)).unwrap_or_default();
            let mentions = mentions.into_iter().filter_map(|place| retros.days().get(place).copied());
            let mut days: Vec<Date> = marks.chain(mentions).collect();
            days.sort_unstable();
            days.dedup();
            days
        });
        confirmed.collect()
    }

    /// What moves the entries at the places `going` of a `learnings.md` into the `archive.md` beside it, under a heading with
    /// `why` they go; `None` where none goes.
    pub fn archiving(&self, document: &Document<'_>, going: &[usize], why: &str) -> Option<(Vec<Edit>, Vec<Append>)> {
        let learnings = learnings_of(document).filter(|_| !going.is_empty())?;
        let path = document.source.path();
        let (folder, _) = path.rsplit_once_str("/").unwrap_or((b"", path));
        let target: BString =
            if folder.is_empty() { "archive.md".into() } else { [folder, b"/archive.md"].concat().into() };
        let archive = self.read_or_new(target.as_bstr());
        let member = folder.rsplit_str("/").next().unwrap_or_default().to_str_lossy();
        let named = learnings.title.and_then(|title| title.name).map(|name| name.of(document.text()));
        let leaving = learnings.leave(document.text(), going, archive.text(), named.unwrap_or(&member), why);
        Some((leaving.edits, vec![Append { path: target, content: leaving.content }]))
    }

    /// The records of the team that `document` belongs to, read once a run.
    fn records_of(&self, document: &Document<'_>) -> Arc<Records> {
        let Some(memory) = memory_of(document.source.path()) else { return Arc::default() };
        let mut known = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(records) = known.get(memory) {
            return records.clone();
        }
        let mut records = Records::default();
        if let Some(history) = self.read([memory.as_bytes(), b"team/retro-history.md"].concat().as_bstr()) {
            for retro in records::retros(history.text()) {
                records.all.add(retro);
                records.retros.add(retro);
            }
        }
        let folder: BString = [memory.as_bytes(), b"sessions"].concat().into();
        for name in self.names_in(folder.as_bstr()) {
            let session = self.read([folder.as_bytes(), b"/", name.as_bytes()].concat().as_bstr());
            let session = session.as_ref().and_then(|file| records::session(&name.to_str_lossy(), file.text()));
            if let Some(session) = session {
                records.all.add(session);
            }
        }
        let records = Arc::new(records);
        known.insert(memory.into(), records.clone());
        records
    }

    /// The names of the Markdown files in a folder of the work tree, sorted; none where another tree is looked at.
    fn names_in(&self, folder: &BStr) -> Vec<BString> {
        let Some(guard) = self.guard.as_ref().filter(|guard| guard.sees_work_tree()) else { return Vec::new() };
        let path = folder.to_path().map(|folder| guard.input().repository.root.join(folder));
        let Ok(Ok(listed)) = path.map(std::fs::read_dir) else { return Vec::new() };
        let names = listed.flatten().map(|file| BString::from(file.file_name().as_encoded_bytes()));
        let mut names: Vec<BString> = names.filter(|name| name.ends_with(b".md")).collect();
        names.sort();
        // The newest have the greatest names.
        names.drain(..names.len().saturating_sub(MAX_SESSIONS));
        names
    }
}

/// Older sessions than these are not looked through.
const MAX_SESSIONS: usize = 500;

fn learnings_of<'a>(document: &Document<'a>) -> Option<&'a Learnings> {
    document.learnings().filter(|_| document.role == Role::Learnings)
}

/// The entries that `counts` and that are older than `most` days, the oldest first.
fn aged(
    document: &Document<'_>,
    options: &Options,
    most: u64,
    counts: impl Fn(&Learnings, &Entry) -> bool,
) -> Vec<Aged> {
    let Some(learnings) = learnings_of(document) else { return Vec::new() };
    let today = today(options);
    let entries =
        learnings.entries.iter().enumerate().filter(|(_, entry)| !entry.placeholder && counts(learnings, entry));
    let dated = entries.filter_map(|(place, entry)| Some(Aged { entry: place, day: entry.newest()? }));
    let mut aged: Vec<Aged> = dated.filter(|aged| age(aged.day, today) > days(most)).collect();
    aged.sort_by_key(|aged| (aged.day, aged.entry));
    aged
}

fn days(most: u64) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

/// The memory folder of the team whose member's file stands at `path`, with a slash at its end: what stands before
/// `agents/`.
fn memory_of(path: &BStr) -> Option<&BStr> {
    let (folder, _) = path.rsplit_once_str("/")?;
    let member = folder.rfind_byte(b'/')?;
    folder.get(..=member)?.strip_suffix(b"agents/").map(BStr::new)
}
