//! Whether readers find in a file what was put together.

use std::collections::{BTreeMap, BTreeSet};

use super::cell::{Cell, footer, words};
use crate::dialects::FileKind;
use crate::formats::entries::{Block, Entries};
use crate::formats::legacy::rejected::is_rejected;
use crate::merge::parts::PartKind;

/// Whether readers of `text`, which is made of these cells, find each entry of the file with the text that it has there, and each one
/// that was put in with the text that it has by itself, below the title that it had, and none of them where it no longer applies, or below a
/// heading that had no entries. The files `rejecting` have entries that do not apply.
///
/// # Errors
/// The files that entries are put in from which change that, by their numbers; none if nothing that was put in tells why.
pub(super) fn read_back<'c>(
    text: &str,
    kind: &FileKind,
    rejecting: &BTreeSet<usize>,
    cells: impl Iterator<Item = &'c Cell<'c>>,
) -> Result<(), BTreeSet<usize>> {
    let (mut wanted, mut new, mut at) = (Vec::new(), Vec::new(), 0);
    let (mut titles, mut headings, mut own_titles) = (Vec::new(), Vec::new(), BTreeMap::new());
    for cell in cells {
        if let Some(file) = cell.from {
            new.push((at, file));
            // The title of a section may look like an entry by itself.
            let is_title = cell.kind == PartKind::Line;
            own_titles.extend(cell.own_title.as_deref().map(|title| (at, title)));
            titles.extend(is_title.then_some((at, file)));
            let is_heading = is_title && !cell.holds_entries && !cell.body.contains('\n');
            headings.extend(is_heading.then_some((at, file)));
            let own = if is_title { Vec::new() } else { entries(&cell.body, &kind.entries(&cell.body)) };
            wanted.extend(own.iter().map(|own| (at + own.start, at + own.end, Some(file))));
        } else if cell.is_entry() {
            wanted.push((at, at + without_rules(&cell.body), None));
        }
        at += cell.body.len() + cell.tail.len();
    }
    let parsed = kind.entries(text);
    // Below `Rejected ideas`, an entry that was put in would no longer apply.
    let no_longer_applies = |start: usize| {
        let sections = parsed.sections_of(start).filter(|section| section.level > 1);
        sections.map(|section| section.line.of(text)).any(is_rejected_heading)
    };
    let footer = footer(text, &parsed).and_then(|footer| text.get(..footer)).map(without_rules);
    let before_footer = |end: usize| footer.map_or(end, |footer| end.min(footer));
    let mut found = entries(text, &parsed);
    for entry in &mut found {
        entry.end = before_footer(entry.end);
    }
    // Without an entry of the file that applies, there is no better place.
    let has_place = wanted.iter().any(|(start, _, own)| own.is_none() && !no_longer_applies(*start));
    let is_misplaced = |start: usize, own: Option<usize>| {
        has_place && own.is_some_and(|file| !rejecting.contains(&file)) && no_longer_applies(start)
    };
    // A title may be there, and the entry below another one: an entry of the file with the level of the title ends its section.
    let is_below_another = |start: usize| {
        let is_it = |title: &&str| parsed.sections_of(start).all(|section| words(section.line.of(text)) != *title);
        own_titles.get(&start).is_some_and(is_it)
    };
    // A title with a date may be read as an entry.
    let is_entry = |start: &usize| found.binary_search_by_key(start, |found| found.start).is_ok();
    let mut to_blame: BTreeSet<usize> =
        titles.iter().filter(|(start, _)| is_entry(start)).map(|(_, file)| *file).collect();
    // A heading without entries may be read as the title of those that are below it now.
    to_blame.extend(headings.iter().filter(|(start, _)| parsed.is_section(*start)).map(|(_, file)| *file));
    let mut is_same = to_blame.is_empty();
    for (start, end, own) in wanted {
        let end = before_footer(end);
        let place = found.binary_search_by_key(&start, |found| found.start).ok();
        let read = place.and_then(|place| found.get(place));
        // The date of a section that it was not in before is not that of an entry.
        let is_foreign = own.is_some() && !own_titles.contains_key(&start);
        let is_dated_by_section = is_foreign && read.is_some_and(|read| read.has_date_of_section);
        let read = read.map(|read| read.end);
        if is_dated_by_section || is_misplaced(start, own) || is_below_another(start) {
            is_same = false;
            to_blame.extend(own);
            continue;
        }
        if read == Some(end) {
            continue;
        }
        is_same = false;
        // What comes after it is read as a part of it, or it is read as a part of what is before it.
        let behind = new.get(new.partition_point(|(at, _)| *at < end)..).unwrap_or_default().first();
        let behind = behind.filter(|(at, _)| read.is_some_and(|read| *at < read));
        let before = || new.get(new.partition_point(|(at, _)| *at < start).checked_sub(1)?);
        let file = behind.map(|(_, file)| *file).or(own).or_else(|| before().map(|(_, file)| *file));
        to_blame.extend(file);
    }
    if is_same { Ok(()) } else { Err(to_blame) }
}

/// Whether a heading says that what is below it does not apply: `## Rejected ideas`.
pub(super) fn is_rejected_heading(line: &str) -> bool {
    line.starts_with('#') && is_rejected(line.trim_matches(['#', ' ']))
}

/// An entry of a text.
struct Found {
    start: usize,
    /// Its end apart from blank lines and rules.
    end: usize,
    /// Whether nothing but the title of its section dates it.
    has_date_of_section: bool,
}

/// The entries of a text.
fn entries(text: &str, parsed: &Entries) -> Vec<Found> {
    let found = parsed.blocks().filter(|block| !matches!(block, Block::Prose(_))).map(|block| {
        let span = block.span();
        let has_date_of_section =
            matches!(block, Block::Legacy(entry) if entry.date.is_none() && entry.section_date.is_some());
        Found { start: span.start(), end: span.start() + without_rules(span.of(text)), has_date_of_section }
    });
    found.collect()
}

fn without_rules(text: &str) -> usize {
    text.trim_end_matches(['-', '\n', '\r', ' ', '\t']).len()
}
