//! Which entries stay, whatever the length of their file.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::contrast::is_contrast;
use super::for_good::holds_for_good;
use crate::document::Document;
use crate::facts::Run;
use crate::facts::staleness::{self, is_settled};
use crate::formats::learnings::{Entry, Learnings, Tier};
use crate::text::prose::enumerated;

/// Why an entry stays, whatever the length of its file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stays {
    Core,
    ForGood,
    Newest,
}

/// What of a file stays, for a person: `2 entries in Core, headings and text outside entries`.
pub fn kept(document: &Document, run: &Run<'_>) -> String {
    let Some(learnings) = document.body::<Learnings>() else { return String::new() };
    let days = staleness::referenced(run, document);
    let newest = newest(learnings, &days);
    let mut counts: BTreeMap<Stays, usize> = BTreeMap::new();
    for (entry, day) in learnings.entries.iter().zip(&days).filter(|(entry, _)| !entry.placeholder) {
        if let Some(why) = stays(document.text(), learnings, entry, *day, newest) {
            *counts.entry(why).or_default() += 1;
        }
    }
    let said = |(why, count): (Stays, usize)| {
        let entries = if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") };
        let why = match why {
            Stays::Core => "in `Core`",
            Stays::ForGood => "that apply permanently",
            Stays::Newest => "of the newest day",
        };
        format!("{entries} {why}")
    };
    let others = ["headings", "text outside entries"].map(str::to_owned);
    enumerated(&counts.into_iter().map(said).chain(others).collect::<Vec<_>>())
}

/// The newest of the days of a file's entries.
pub(super) fn newest(learnings: &Learnings, days: &[Option<Date>]) -> Option<Date> {
    let real = learnings.entries.iter().zip(days).filter(|(entry, _)| !entry.placeholder);
    real.filter_map(|(_, day)| *day).max()
}

/// The entries that may leave, by their places.
pub fn may_leave(document: &Document, run: &Run<'_>) -> Vec<usize> {
    let Some(learnings) = document.body::<Learnings>() else { return Vec::new() };
    let (text, days) = (document.text(), staleness::referenced(run, document));
    let newest = newest(learnings, &days);
    let may_leave = |(entry, day): &(&Entry, &Option<Date>)| {
        !entry.placeholder && stays(text, learnings, entry, **day, newest).is_none()
    };
    let entries = learnings.entries.iter().zip(&days).enumerate();
    entries.filter(|(_, entry)| may_leave(entry)).map(|(place, _)| place).collect()
}

/// Whether `entry` does not say that it is settled.
pub fn is_open(text: &str, entry: &Entry) -> bool {
    !is_settled(entry.text.of(text))
}

/// Why an entry of this day stays; `None` if it may leave.
pub(super) fn stays(
    text: &str,
    learnings: &Learnings,
    entry: &Entry,
    day: Option<Date>,
    newest: Option<Date>,
) -> Option<Stays> {
    if learnings.section_of(entry).is_some_and(|section| section.tier == Some(Tier::Core)) {
        return Some(Stays::Core);
    }
    // Without a date, a contrast is a convention; with one, it may be a note of its day.
    let is_convention = || day.is_none() && is_contrast(entry.span.of(text));
    if is_open(text, entry) && (holds_for_good(entry.span.of(text)) || is_convention()) {
        return Some(Stays::ForGood);
    }
    (day.is_some() && day == newest).then_some(Stays::Newest)
}
