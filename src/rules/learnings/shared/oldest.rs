//! Which entries are archived first when a file is too long.

use std::cmp::Reverse;
use std::collections::HashMap;

use jiff::civil::Date;

use crate::document::Document;
use crate::facts::staleness::StaleEntry;
use crate::facts::{Run, blame};
use crate::formats::learnings::{Entry, Learnings, Tier};
use crate::options::Options;
use crate::text::{Span, lines};

/// The entries, by their places and in file order, without which the file has `lines` fewer; all that there are where they do
/// not suffice. First the `stale` ones and the `unsettled` notes, then the oldest. Those of `Core` go last. Without a mark, an
/// entry is as old as its commit; without that, it goes after the others of its tier, the last one first.
pub fn oldest(
    document: &Document,
    run: &Run<'_>,
    _options: &Options,
    (stale, unsettled): (&[StaleEntry], &[StaleEntry]),
    wanted: u64,
) -> Vec<usize> {
    let Some(learnings) = document.body::<Learnings>() else { return Vec::new() };
    let text = document.text();
    let mut ranks: HashMap<usize, (usize, usize)> = HashMap::new();
    for (rank, aged) in [stale, unsettled].into_iter().enumerate() {
        ranks.extend(aged.iter().enumerate().map(|(order, aged)| (aged.entry, (rank, order))));
    }
    let real = learnings.entries.iter().enumerate().filter(|(_, entry)| !entry.placeholder);
    let mut order: Vec<((bool, Rank), usize, &Entry)> = real
        .map(|(place, entry)| {
            let is_core = learnings.section_of(entry).is_some_and(|section| section.tier == Some(Tier::Core));
            let aged = ranks.get(&place).map(|&(rank, order)| Rank::StaleEntry(rank, order));
            let day = || entry.newest().or_else(|| blame::committed_on(run, document, entry.span.start()));
            let rank = aged.or_else(|| day().map(Rank::Dated)).unwrap_or(Rank::Undated(Reverse(place)));
            ((is_core, rank), place, entry)
        })
        .collect();
    order.sort_by_key(|(rank, place, _)| (*rank, *place));
    let mut left = left(text, learnings);
    let (mut going, mut gone) = (Vec::new(), 0);
    for (_, place, entry) in order {
        if gone >= wanted {
            break;
        }
        gone += count(text, entry.span);
        if let Some(Some(section)) = entry.section.and_then(|place| left.get_mut(place)) {
            section.entries = section.entries.saturating_sub(1);
            gone += if section.entries == 0 { section.lines } else { 0 };
        }
        going.push(place);
    }
    going.sort_unstable();
    going
}

/// When an entry goes, within its tier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Stale or unsettled, and in which order.
    StaleEntry(usize, usize),
    /// By its day.
    Dated(Date),
    /// The last first.
    Undated(Reverse<usize>),
}

/// A section that goes with its last entry.
struct Emptying {
    entries: usize,
    /// Its lines beside those of its entries.
    lines: u64,
}

/// For each section, whether it is removed with its last entry: a custom section without other text.
fn left(text: &str, learnings: &Learnings) -> Vec<Option<Emptying>> {
    let mut entries = learnings.entries.iter().peekable();
    let mut left = Vec::with_capacity(learnings.sections.len());
    for section in &learnings.sections {
        while entries.next_if(|entry| entry.span.start < section.body.start).is_some() {}
        let (mut at, mut lines, mut held, mut is_blank) = (section.body.start(), 1, 0, true);
        let mut gap = |from: usize, to: usize| {
            let gap = Span::new(from, to);
            is_blank &= gap.of(text).trim().is_empty();
            lines += count(text, gap);
        };
        while let Some(entry) = entries.next_if(|entry| entry.span.end <= section.body.end) {
            gap(at, entry.span.start());
            at = entry.span.end();
            held += 1;
        }
        gap(at, section.body.end());
        let holds_none = section.span.end() == section.body.end();
        let goes = section.kind.is_none() && holds_none && is_blank && held > 0;
        left.push(goes.then_some(Emptying { entries: held, lines }));
    }
    left
}

fn count(text: &str, span: Span) -> u64 {
    lines(text, span).count() as u64
}
