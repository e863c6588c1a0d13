//! All legacy entries of one file.

use std::collections::{BTreeMap, BTreeSet};

use super::reason::Reason;
use super::render::{Rendered, render};
use super::subject::{EntryFile, FirstSeen, Subject};
use super::{Confidence, Inference, infer, twins};
use crate::formats::entries::{self, Entries};
use crate::formats::legacy::Meaning;
use crate::formats::sem::EntryType;
use crate::formats::timestamp::Timestamp;
use crate::text::{Source, Span, line_ending};

/// The moments that entries have, each with their types: no two entries get the same.
pub struct TimestampAllocator<'a> {
    known: &'a dyn Fn(Timestamp, EntryType) -> bool,
    new: BTreeSet<(i64, EntryType)>,
    /// How many seconds later to look first: thousands of entries can have one day.
    next: BTreeMap<(i64, EntryType), i64>,
}

impl<'a> TimestampAllocator<'a> {
    /// Those that `known` accepts.
    pub fn new(known: &'a dyn Fn(Timestamp, EntryType) -> bool) -> Self {
        Self { known, new: BTreeSet::new(), next: BTreeMap::new() }
    }

    /// The first free second from `at` on.
    fn free(&mut self, at: Timestamp, kind: EntryType) -> Timestamp {
        let next = self.next.entry((at.unix(), kind)).or_default();
        let mut free = at.plus_seconds(*next);
        while self.new.contains(&(free.unix(), kind)) || (self.known)(free, kind) {
            free = free.plus_seconds(1);
        }
        *next = free.unix() - at.unix();
        free
    }
}

/// One legacy entry, and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The entry, without comments to this program after it, which belong to what follows.
    pub span: Span,
    /// Its heading's line.
    pub heading: Span,
    /// How sure the conversion is.
    pub confidence: Confidence,
    /// The reasons for the conversion, or against it.
    pub reasons: Vec<Reason>,
    /// The new entry; `None` if a person has to look.
    pub converted: Option<Converted>,
}

/// An entry in its new form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// Its header line.
    pub header: String,
    /// The replacement of the entry's span.
    pub text: String,
}

/// Converts the legacy entries of a file that are at least as sure as `min`. `history` is asked for those whose text
/// lacks a date or an author; `taken` keeps two entries from the same timestamp and type, and grows.
pub fn convert(
    source: &Source,
    entries: &Entries,
    place: EntryFile<'_>,
    min: Confidence,
    history: impl Fn(&Subject<'_>) -> Option<FirstSeen>,
    taken: &mut TimestampAllocator<'_>,
) -> Vec<Item> {
    let text = source.text();
    let subjects = Subject::all(text, entries, place);
    let mut inferences: Vec<_> = subjects.iter().map(|subject| infer(*subject, history(subject).as_ref())).collect();
    twins::compare(&subjects, &mut inferences);
    let mut items = Vec::new();
    for (subject, inference) in subjects.into_iter().zip(inferences) {
        let damaged = source
            .invalid()
            .iter()
            .any(|span| span.start < subject.entry.span.end && subject.entry.span.start < span.end);
        items.push(item(subject, inference, damaged, min, taken));
    }
    leave_misread(text, entries, &mut items);
    items
}

fn item(
    subject: Subject<'_>,
    inference: Inference,
    damaged: bool,
    min: Confidence,
    taken: &mut TimestampAllocator<'_>,
) -> Item {
    let Inference { found, mut confidence, mut reasons } = inference;
    let (mut converted, mut span) = (None, subject.entry.span);
    let result = match found {
        _ if damaged => Err(Reason::NotUtf8),
        _ if is_named_by_hash(&subject.file_name()) => Err(Reason::NamedByHash),
        None => Ok(None),
        Some(mut found) => {
            let start = found.at;
            found.at = taken.free(start, found.kind);
            let moved = found.at.unix() - start.unix();
            if moved > 0 && !reasons.contains(&Reason::Midnight) {
                // A field that says another second stays.
                found.used.retain(|field| field.meaning != Meaning::Date);
                found.moved = true;
            }
            render(subject, &found).map(|rendered| {
                (confidence >= min).then(|| {
                    taken.new.insert((found.at.unix(), found.kind));
                    reasons.extend((moved > 0).then_some(Reason::SecondsCounted(moved)));
                    rendered
                })
            })
        }
    };
    match result {
        Err(reason) => {
            confidence = Confidence::Low;
            // Without a text nothing says what it is.
            reasons.retain(|other| reason != Reason::NoText || !matches!(other, Reason::AmbiguousType(..)));
            reasons.push(reason);
        }
        Ok(None) => {}
        Ok(Some(Rendered { mut text, header, reasons: more })) => {
            reasons.extend(more);
            span = Span::new(span.start(), subject.end);
            if span.end() < subject.text.len() {
                text.push_str(line_ending(subject.text));
            }
            converted = Some(Converted { header, text });
        }
    }
    Item { span, heading: subject.entry.heading, confidence, reasons, converted }
}

/// Whether the name of a file has a SHA-256 in it: what looks the file up compares its bytes with that.
fn is_named_by_hash(name: &str) -> bool {
    const DIGITS: usize = 64;
    let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| word.len() == DIGITS && word.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The bytes of the file with its converted entries in their places; `None` if there are none.
pub fn apply(source: &Source, items: &[Item]) -> Option<Vec<u8>> {
    let bytes = source.bytes();
    let mut out = Vec::with_capacity(bytes.len() * 5 / 4);
    let mut at = 0;
    for item in items {
        let Some(converted) = &item.converted else { continue };
        out.extend_from_slice(bytes.get(at..item.span.start())?);
        out.extend_from_slice(converted.text.as_bytes());
        at = item.span.end();
    }
    (at > 0).then_some(())?;
    out.extend_from_slice(bytes.get(at..)?);
    Some(out)
}

/// Leaves the entries as they are whose conversion would change how the others are read: another heading below an entry can
/// belong to it. If that is not enough, all stay.
fn leave_misread(text: &str, before: &Entries, items: &mut [Item]) {
    let mut last = None;
    for _ in 0..MOST_LEFT {
        let Err(misread) = reads_the_same(text, before, items) else { return };
        let is_converted = |(_, item): &(usize, &Item)| item.converted.is_some();
        let all = || items.iter().enumerate();
        let behind = || all().skip(misread).find(is_converted);
        let above = || all().take(misread).rev().find(is_converted);
        // What begins below an entry ends it; if it was not that, it is what ends above.
        let cause = if last == Some(misread) { above() } else { behind().or_else(above) };
        let Some((cause, _)) = cause else { break };
        last = Some(misread);
        if let Some(item) = items.get_mut(cause) {
            leave(item);
        }
    }
    if reads_the_same(text, before, items).is_err() {
        items.iter_mut().filter(|item| item.converted.is_some()).for_each(leave);
    }
}

/// So many entries of a file are left one by one; each costs a reading of the file.
const MOST_LEFT: usize = 16;

fn leave(item: &mut Item) {
    item.converted = None;
    item.reasons.push(Reason::WouldMisread);
}

/// Whether everything but the converted entries is read as before; otherwise the index of the first item that is not, or near which
/// something is read that was not there.
fn reads_the_same(text: &str, before: &Entries, items: &[Item]) -> Result<(), usize> {
    let mut new = String::with_capacity(text.len() * 5 / 4);
    let mut at = 0;
    for item in items {
        let Some(converted) = &item.converted else { continue };
        new.push_str(Span::new(at, item.span.start()).of(text));
        new.push_str(&converted.text);
        at = item.span.end();
    }
    new.push_str(Span::new(at, text.len()).of(text));
    let after = entries::parse(&new);
    let left = items.iter().enumerate().filter(|(_, item)| item.converted.is_none());
    let mut left = left.filter_map(|(nth, item)| Some((nth, without_last_headings(item.span.of(text))?)));
    let mut now = after.legacy().filter_map(|entry| without_last_headings(entry.span.of(&new)));
    let mut seen = 0;
    loop {
        match (left.next(), now.next()) {
            (Some((nth, old)), Some(new)) if old == new => seen = nth,
            (Some((nth, _)), _) => return Err(nth),
            (None, Some(_)) => return Err(seen),
            (None, None) => break,
        }
    }
    let sem = before.sem(text).count() + items.iter().filter(|item| item.converted.is_some()).count();
    if after.sem(&new).count() == sem { Ok(()) } else { Err(0) }
}

/// A text without the headings, rules and blank lines at its end: a heading that is followed by an entry at once is the title
/// of a section, or belongs to the entry above. `None` if nothing is left.
fn without_last_headings(text: &str) -> Option<&str> {
    let mut rest = text.trim_end();
    while let Some(start) = Some(rest.rfind(['\n', '\r']).map_or(0, |at| at + 1)).filter(|_| !rest.is_empty()) {
        let line = rest.get(start..).unwrap_or_default().trim();
        if !line.starts_with('#') && line != "---" {
            return Some(rest);
        }
        rest = rest.get(..start).unwrap_or_default().trim_end();
    }
    None
}
