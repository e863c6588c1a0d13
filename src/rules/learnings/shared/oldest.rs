//! Which entries are archived first when a file is too long.

use jiff::civil::Date;

use super::emptying::{Emptying, count, left};
use super::guidance::guides;
use super::stays::{is_open, may_leave, newest, stays};
use crate::document::Document;
use crate::facts::Run;
use crate::facts::staleness;
use crate::formats::learnings::{Entry, Learnings};

/// The entries, by their places and in file order, without which the file has `lines` fewer; `None` if that many lines cannot go.
/// Those that say that they are settled go first, then those without a date: they have no age that would keep them before others. Then
/// the oldest go, by the last day on which each was marked or mentioned. Entries that guide later work go in this order after all others.
/// The entries of the newest day and of `Core` stay, and those that apply permanently: such a line is often written first, without a
/// date and outside of `Core`. The last entry of a section stays as
/// well if a placeholder would take its line. Where a section goes with its last entry, more lines go than have to: entries of the
/// newest day that leaves and those that guide come back as far as there is room.
pub fn oldest(document: &Document, run: &Run<'_>, wanted: u64) -> Option<Vec<usize>> {
    let learnings = document.body::<Learnings>()?;
    let text = document.text();
    let days = staleness::referenced(run, document);
    let newest = newest(learnings, &days);
    let may_go = |(entry, day): &(&Entry, &Option<Date>)| stays(text, learnings, entry, **day, newest).is_none();
    let real = learnings.entries.iter().zip(&days).enumerate().filter(|(_, (entry, _))| !entry.placeholder);
    let mut order: Vec<(Rank, usize, &Entry)> = real
        .filter(|(_, dated)| may_go(dated))
        .map(|(place, (entry, day))| (Rank::of(text, entry, *day), place, entry))
        .collect();
    if newest.is_none() {
        // The last one is the newest, as far as the file tells.
        let last = order.iter().rposition(|(rank, ..)| rank.is_open);
        order.remove(last.or(order.len().checked_sub(1))?);
    }
    order.sort_by_key(|(rank, place, _)| (*rank, *place));
    let mut left = left(text, learnings);
    let (mut going, mut gone) = (Vec::new(), 0_u64);
    for (rank, place, entry) in order {
        if gone >= wanted {
            break;
        }
        let mut then = gone + count(text, entry.span);
        if let Some(section) = entry.section.and_then(|place| left.get_mut(place)) {
            let more = section.clone().without_one(then);
            if more <= gone {
                // A placeholder would take its line: nothing is won without the last entry of a section.
                continue;
            }
            then = section.without_one(then);
        }
        gone = then;
        going.push((place, rank, entry));
    }
    let newest_gone = going.iter().map(|(_, rank, _)| rank.day).max();
    let mut room = gone.checked_sub(wanted)?;
    let mut places: Vec<usize> = Vec::with_capacity(going.len());
    for (place, rank, entry) in going.into_iter().rev() {
        let lines = count(text, entry.span);
        let is_emptied = entry.section.and_then(|place| left.get(place)).is_some_and(Emptying::is_empty);
        let may_return = Some(rank.day) == newest_gone || rank.guides;
        if lines <= room && may_return && rank.is_open && !is_emptied {
            room -= lines;
        } else {
            places.push(place);
        }
    }
    places.sort_unstable();
    Some(places)
}

/// What says which entries leave first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    is_open: bool,
    guides: bool,
    day: Option<Date>,
}

impl Rank {
    fn of(text: &str, entry: &Entry, day: Option<Date>) -> Self {
        Self { is_open: is_open(text, entry), guides: guides(entry.span.of(text)), day }
    }
}

/// Those of the entries `going`, in file order, that count as the oldest for want of a date, by their places.
pub fn undated(document: &Document, run: &Run<'_>, going: &[usize]) -> Vec<usize> {
    let Some(learnings) = document.body::<Learnings>() else { return Vec::new() };
    let is_undated =
        |entry: &Entry| !entry.marks.iter().any(|mark| mark.kind.is_dated()) && is_open(document.text(), entry);
    let places = may_leave(document, run).into_iter().filter(|place| going.binary_search(place).is_ok());
    places.filter(|place| learnings.entries.get(*place).is_some_and(is_undated)).collect()
}
