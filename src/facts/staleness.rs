//! How old the learnings of a team are, and what refers to them.

use std::sync::Arc;

use bstr::{BStr, ByteSlice};
use jiff::civil::Date;

use super::Run;
use super::records::Records;
use crate::document::Document;
use crate::formats::learnings::{Entry, Learnings, MarkKind, SectionKind, Tier};
use crate::formats::records::Traits;
use crate::options::Options;

/// An entry without a newer mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaleEntry {
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

/// The days from `day` to `today`; less than 0 for one in the future.
fn age(day: Date, today: Date) -> i64 {
    i64::from((today - day).get_days())
}

/// Whether the section of an entry has entries that become stale: not `Core`, and not the notes of other members.
pub fn may_age(learnings: &Learnings, entry: &Entry) -> bool {
    let section = learnings.section_of(entry);
    section.and_then(|section| section.tier) != Some(Tier::Core)
        && section.and_then(|section| section.within) != Some(SectionKind::CrossAgentNotes)
}

/// The entries of a `learnings.md` that have no mark of the last days and that no record of the team mentions since, the
/// oldest first. Entries of `Core` are for good, and notes of others are another matter: see [`unsettled`].
pub fn stale(run: &Run<'_>, document: &Document) -> Vec<StaleEntry> {
    let mut aged = aged(document, run.options, run.options.learnings.stale_after_days.get(), may_age);
    if aged.is_empty() {
        return aged;
    }
    let records = records_of(run, document);
    let today = today(run.options);
    let within = |day: &Date| age(*day, today) <= days(run.options.learnings.stale_after_days.get());
    if records.all.days().iter().any(within)
        && let Some(learnings) = document.loaded_learnings()
    {
        let traits = Traits::of_all(learnings, document.text());
        let is_recent = |place: &usize| records.all.days().get(*place).is_some_and(within);
        let mentioned = |aged: &StaleEntry| {
            traits.get(aged.entry).is_some_and(|traits| traits.mentions(&records.all).iter().any(is_recent))
        };
        aged.retain(|aged| !mentioned(aged));
    }
    aged
}

/// The last day on which each entry of a `learnings.md` was marked or a record of the team mentioned it, in their order.
pub fn referenced(run: &Run<'_>, document: &Document) -> Vec<Option<Date>> {
    let Some(learnings) = document.loaded_learnings() else { return Vec::new() };
    let records = records_of(run, document);
    let days = records.all.days();
    let traits = if days.is_empty() { Vec::new() } else { Traits::of_all(learnings, document.text()) };
    let last = |(place, entry): (usize, &Entry)| {
        let mentions = traits.get(place).map(|traits| traits.mentions(&records.all)).unwrap_or_default();
        let mentioned = mentions.into_iter().filter_map(|place| days.get(place).copied()).max();
        entry.newest().map(|day| mentioned.map_or(day, |mentioned| mentioned.max(day)))
    };
    learnings.entries.iter().enumerate().map(last).collect()
}

/// The notes of other members in a `learnings.md` that have no mark of the last days, the oldest first. A note with a mark
/// `triaged` or `consolidated`, or one that begins with `RESOLVED`, `DONE` or `FIXED`, is settled.
pub fn unsettled(run: &Run<'_>, document: &Document) -> Vec<StaleEntry> {
    let is_note = |learnings: &Learnings, entry: &Entry| is_open_note(learnings, entry, document.text());
    aged(document, run.options, run.options.learnings.unsettled_after_days.get(), is_note)
}

/// Whether an entry is a note of another member that nothing settles.
pub fn is_open_note(learnings: &Learnings, entry: &Entry, text: &str) -> bool {
    learnings.section_of(entry).and_then(|section| section.within) == Some(SectionKind::CrossAgentNotes)
        && !entry.marks.iter().any(|mark| matches!(mark.kind, MarkKind::Triaged | MarkKind::Consolidated))
        && !is_settled(entry.text.of(text))
}

/// The words that settle an entry.
const SETTLED: [&str; 7] = ["resolved", "done", "fixed", "stale", "outdated", "obsolete", "superseded"];

/// Whether the text of an entry begins with a word that settles it: `**RESOLVED** …`, `[done] …`, `Fixed: …`, `STALE (was …)`.
pub fn is_settled(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(end).unwrap_or_default();
    // In small letters the word may begin a sentence: "Fixed a bug …" is a note, "Fixed: a bug …" is not.
    let is_status = word.chars().all(char::is_uppercase) || rest.starts_with([':', ']', ')', '*', '_']);
    is_status && SETTLED.iter().any(|status| word.eq_ignore_ascii_case(status))
}

/// The days on which the entries of a `learnings.md` were confirmed, each entry with those of its marks and of the
/// retrospectives that mention it, one for each sprint.
pub fn confirmed(run: &Run<'_>, document: &Document) -> Vec<Vec<Date>> {
    let Some(learnings) = document.loaded_learnings() else { return Vec::new() };
    let records = records_of(run, document);
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

/// The records of the team that `document` belongs to.
fn records_of(run: &Run<'_>, document: &Document) -> Arc<Records> {
    memory_of(document.source.path()).map(|memory| run.records(memory)).unwrap_or_default()
}

/// The entries that `counts` and that are older than `most` days, the oldest first.
fn aged(
    document: &Document,
    options: &Options,
    most: u64,
    counts: impl Fn(&Learnings, &Entry) -> bool,
) -> Vec<StaleEntry> {
    let Some(learnings) = document.loaded_learnings() else { return Vec::new() };
    let today = today(options);
    let entries =
        learnings.entries.iter().enumerate().filter(|(_, entry)| !entry.placeholder && counts(learnings, entry));
    let dated = entries.filter_map(|(place, entry)| Some(StaleEntry { entry: place, day: entry.newest()? }));
    let mut aged: Vec<StaleEntry> = dated.filter(|aged| age(aged.day, today) > days(most)).collect();
    aged.sort_by_key(|aged| (aged.day, aged.entry));
    aged
}

fn days(most: u64) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

/// The memory folder of the team whose member's file is at `path`, with a slash at its end: the text before
/// `agents/`.
fn memory_of(path: &BStr) -> Option<&BStr> {
    let (folder, _) = path.rsplit_once_str("/")?;
    let member = folder.rfind_byte(b'/')?;
    folder.get(..=member)?.strip_suffix(b"agents/").map(BStr::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_settled_by_its_first_word() {
        for text in
            ["RESOLVED: x", "**DONE** x", "[fixed] x", "✅ FIXED in 1.2", "~~Done: x~~", "DONE", "STALE (was: x)"]
        {
            assert!(is_settled(text), "{text}");
        }
        for text in [
            "Fixed a bug in x",
            "Done is better",
            "RESOLVEDLY x",
            "x RESOLVED",
            "",
            "Stale caches are cleared",
            "Fixed-position y",
        ] {
            assert!(!is_settled(text), "{text}");
        }
    }
}
