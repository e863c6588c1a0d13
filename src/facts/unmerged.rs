//! The entries that only the inbox still holds, although newer ones are in the decisions file.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use super::{Gather, Run, conversion};
use crate::dialects::squad;
use crate::document::Document;
use crate::formats::legacy::day;
use crate::formats::sem::Entry;
use crate::formats::timestamp::Timestamp;
use crate::fs::path::inner_path;
use crate::text::shingles::ShingleIndex;

/// An entry that was not merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmerged {
    /// Its day.
    pub day: Timestamp,
    /// How many entries of the decisions file are more than a week newer.
    pub newer: usize,
}

/// See [`Unmerged`]; by the paths of the inbox files.
#[derive(Debug, Default)]
pub struct Fact(BTreeMap<BString, Unmerged>);

/// So much newer than an entry is another one that was merged, in seconds.
const WEEK: i64 = 7 * 86_400;

/// So many entries have to be newer: agents often write a wrong date.
const NEWER: usize = 3;

/// An entry was merged if a file of the team has so many of a hundred of its runs of words. Who merges may shorten it.
const MERGED: usize = 30;

impl Fact {
    /// What is known of the inbox file at `path`; `None` if its entry was merged, or could not be yet.
    pub fn at(&self, path: &BStr) -> Option<Unmerged> {
        self.0.get(path).copied()
    }
}

/// Whether a file of the inbox is in a folder of those that were merged or need no merge: `inbox/archive/`.
fn is_set_aside(document: &Document) -> bool {
    const FOLDERS: [&[u8]; 5] = [b"archive", b"archived", b"done", b"merged", b"processed"];
    let inner = inner_path(document.path(), document.root());
    let mut folders = inner.rsplit_str("/").skip(1);
    folders.any(|folder| FOLDERS.iter().any(|aside| folder.eq_ignore_ascii_case(aside)))
}

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        let mut found = BTreeMap::new();
        // A change has a part of the files.
        if run.changes().is_some() {
            return Self(found);
        }
        let is_ledger = |document: &&Document| inner_path(document.path(), document.root()) == "decisions.md";
        let documents = || run.documents.iter().map(|document| &**document);
        for ledger in documents().filter(is_ledger) {
            let beside = || documents().filter(|document| document.root() == ledger.root());
            // An earlier date is doubtful.
            let first = conversion::usual(run, ledger.root()).map_or(i64::MIN, |(first, _)| first.unix());
            let now = run.age().latest(run);
            let mut merged: Vec<i64> = days(ledger).map(Timestamp::unix).filter(|day| *day <= now).collect();
            merged.sort_unstable();
            let late = |document: &Document| {
                let day = own_day(document).filter(|day| day.unix() >= first)?;
                let newer = merged.len() - merged.partition_point(|merged| *merged <= day.unix() + WEEK);
                (newer >= NEWER).then_some(Unmerged { day, newer })
            };
            let waiting: Vec<(&Document, Unmerged)> = beside()
                .filter(|document| document.kind() == &squad::INBOX && !is_set_aside(document))
                .filter_map(|document| Some((document, late(document)?)))
                .collect();
            if waiting.is_empty() {
                continue;
            }
            let mut index = ShingleIndex::default();
            for (document, _) in &waiting {
                index.add([document.text()]);
            }
            for document in beside().filter(|one| one.kind() != &squad::INBOX && one.kind().holds_legacy()) {
                index.scan(document.text(), ());
            }
            for (place, (document, unmerged)) in waiting.into_iter().enumerate() {
                if index.coverage(place, |()| true) < MERGED {
                    found.insert(document.path().to_owned(), unmerged);
                }
            }
        }
        Self(found)
    }
}

/// The days of the entries of a file.
fn days(document: &Document) -> impl Iterator<Item = Timestamp> {
    let text = document.text();
    let legacy = document.entries.legacy().filter_map(|entry| day_in(entry.date?.of(text)));
    document.entries.sem(text).filter_map(Entry::timestamp).chain(legacy)
}

/// The day of an inbox file: that of its first entry, or the one in its name.
fn own_day(document: &Document) -> Option<Timestamp> {
    let name = || day_in(&inner_path(document.path(), document.root()).to_str_lossy());
    days(document).next().or_else(name)
}

/// The start of the first day in `text`.
fn day_in(text: &str) -> Option<Timestamp> {
    let (year, month, day) = day::find(text)?.date?;
    Timestamp::midnight(year, month, day)
}
