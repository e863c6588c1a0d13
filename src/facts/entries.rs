//! All SEM entries, by their moments.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use bstr::{BStr, ByteSlice};
use rayon::prelude::*;

use super::asked::Asked;
use super::{Gather, Run};
use crate::document::{self, Document};
use crate::formats::sem::EntryType;
use crate::formats::timestamp::Timestamp;

/// One SEM entry of the repository.
#[derive(Clone, Debug)]
pub struct KnownEntry {
    /// The place of its file in [`EntryIndex::files`].
    file: usize,
    /// The entry.
    entry: document::KnownEntry,
}

impl Deref for KnownEntry {
    type Target = document::KnownEntry;

    fn deref(&self) -> &document::KnownEntry {
        &self.entry
    }
}

/// All SEM entries of the repository.
#[derive(Debug, Default)]
pub struct EntryIndex {
    files: Vec<Arc<Document>>,
    /// The moments of `entries` alone: what is searched stays small.
    moments: Vec<i64>,
    /// Sorted by moment, type, state root, file and place.
    entries: Vec<KnownEntry>,
    superseding: OnceLock<Vec<KnownEntry>>,
    supersedes: OnceLock<HashMap<i64, Timestamp>>,
}

/// See [`EntryIndex`].
pub type Fact = EntryIndex;

impl Gather for EntryIndex {
    fn gather(run: &Run<'_>) -> Self {
        let entries: Vec<_> = (0..run.context().len()).flat_map(|index| entries_of(run, index)).collect();
        Self::new(run, &entries)
    }

    fn gather_in_parallel(run: &Run<'_>) -> Self {
        let indices = (0..run.context().len()).into_par_iter();
        let entries: Vec<_> = indices.flat_map_iter(|index| entries_of(run, index)).collect();
        Self::new(run, &entries)
    }
}

fn entries_of(run: &Run<'_>, index: usize) -> Vec<KnownEntry> {
    let known = run.context().document(run, index).map(Document::known_entries).unwrap_or_default();
    known.iter().map(|entry| KnownEntry { file: index, entry: *entry }).collect()
}

/// The documents whose entries are compared, in their order; `None` if no rule asked for entries.
pub fn compared<'r>(run: &'r Run<'_>) -> Option<&'r [Arc<Document>]> {
    run.store.entries.get().map(|index| index.files.as_slice())
}

/// All SEM entries of the repository as the rules for one document ask for them. The methods are those of [`EntryIndex`].
#[derive(Clone, Copy, Debug)]
pub struct Entries<'a> {
    index: &'a EntryIndex,
    asked: &'a Asked,
}

impl<'a> Entries<'a> {
    /// The entries of `run`. The moments that a rule asks for are noted in `asked`.
    pub fn new(run: &'a Run<'a>, asked: &'a Asked) -> Self {
        Self { index: run.entries(), asked }
    }

    /// See [`EntryIndex::at`].
    pub fn at(self, at: Timestamp) -> &'a [KnownEntry] {
        self.asked.note(at.unix(), at.unix());
        self.index.at(at)
    }

    /// See [`EntryIndex::first_of`].
    pub fn first_of(self, at: Timestamp, entry_type: EntryType, root: &BStr) -> Option<&'a KnownEntry> {
        self.asked.note(at.unix(), at.unix());
        self.index.first_of(at, entry_type, root)
    }

    /// See [`EntryIndex::near`].
    pub fn near(self, at: Timestamp, within: u32) -> impl Iterator<Item = &'a KnownEntry> {
        let within = i64::from(within);
        self.asked.note(at.unix().saturating_sub(within), at.unix().saturating_add(within));
        self.index.near(at, within.unsigned_abs())
    }

    /// See [`EntryIndex::superseding`].
    pub fn superseding(self, at: Timestamp, root: &BStr) -> &'a [KnownEntry] {
        self.asked.note(at.unix(), at.unix());
        self.index.superseding(at, root)
    }

    /// See [`EntryIndex::replacement`].
    pub fn replacement(self, at: Timestamp, root: &BStr) -> Option<&'a KnownEntry> {
        self.asked.note(at.unix(), at.unix());
        self.index.replacement(at, root)
    }

    /// See [`EntryIndex::superseded_by`].
    pub fn superseded_by(self, at: Timestamp) -> Option<Timestamp> {
        self.asked.note(at.unix(), at.unix());
        self.index.superseded_by(at)
    }

    /// The path of the file that holds `entry`.
    pub fn path_of(self, entry: &KnownEntry) -> &'a BStr {
        self.index.path_of(entry)
    }

    /// The whole text of `entry`.
    pub fn text_of(self, entry: &KnownEntry) -> &'a str {
        let document = self.index.files.get(entry.file);
        document.map_or("", |document| entry.span.of(document.text()))
    }
}

impl EntryIndex {
    /// An index of `entries`, which are in the order of files and places.
    fn new(run: &Run<'_>, entries: &[KnownEntry]) -> Self {
        let files = run.context().documents(run);
        let mut index = Self { files, ..Self::default() };
        // With their index as second key the order of files and places is kept.
        let mut order: Vec<(i64, usize)> = entries.iter().map(|entry| entry.at.unix()).zip(0..).collect();
        order.sort_unstable();
        let mut sorted: Vec<_> = order.iter().filter_map(|&(_, at)| entries.get(at).cloned()).collect();
        for same in sorted.chunk_by_mut(|a, b| a.at.unix() == b.at.unix()).filter(|same| same.len() > 1) {
            same.sort_by_key(|entry| (entry.entry_type, index.root_of(entry)));
        }
        index.moments = order.iter().map(|&(moment, _)| moment).collect();
        index.entries = sorted;
        index
    }

    /// The path of the file that holds an entry.
    pub fn path_of(&self, entry: &KnownEntry) -> &BStr {
        self.files.get(entry.file).map_or(b"".as_bstr(), |file| file.path())
    }

    /// The state root of the file that holds an entry.
    fn root_of(&self, entry: &KnownEntry) -> &BStr {
        self.files.get(entry.file).map_or(b"".as_bstr(), |file| file.root())
    }

    /// All SEM entries of that moment, in the order of types, state roots, files and places. Two offsets can name one
    /// moment.
    pub fn at(&self, at: Timestamp) -> &[KnownEntry] {
        let start = self.moments.partition_point(|&moment| moment < at.unix());
        let len = equal_len(self.moments.get(start..).unwrap_or_default(), |moment| *moment == at.unix());
        self.entries.get(start..start + len).unwrap_or_default()
    }

    /// The first SEM entry of that moment, type and state root, in the order of files and places.
    pub fn first_of(&self, at: Timestamp, entry_type: EntryType, root: &BStr) -> Option<&KnownEntry> {
        let there = self.at(at);
        let key = |known: &KnownEntry| (known.entry_type, self.root_of(known));
        let first = there.get(there.partition_point(|known| key(known) < (entry_type, root)))?;
        (key(first) == (entry_type, root)).then_some(first)
    }

    /// The SEM entries at most `within` seconds away from that moment, the nearest first.
    pub fn near(&self, at: Timestamp, within: u64) -> impl Iterator<Item = &KnownEntry> {
        let (before, after) = self.entries.split_at(self.moments.partition_point(|&moment| moment < at.unix()));
        let (mut before, mut after) = (before.iter().rev().peekable(), after.iter().peekable());
        let distance = move |entry: &KnownEntry| entry.at.unix().abs_diff(at.unix());
        let nearest = std::iter::from_fn(move || match (before.peek(), after.peek()) {
            (Some(earlier), Some(later)) if distance(earlier) <= distance(later) => before.next(),
            (Some(_), None) => before.next(),
            _ => after.next(),
        });
        nearest.take_while(move |entry| distance(entry) <= within)
    }

    /// The SEM entries of the state root `root` that say they replace the entry of moment `at`, in the order of time,
    /// type, file and place.
    pub fn superseding(&self, at: Timestamp, root: &BStr) -> &[KnownEntry] {
        let replaced = |entry: &KnownEntry| (entry.supersedes.map(Timestamp::unix), self.root_of(entry));
        let order = self.superseding.get_or_init(|| {
            let all = self.entries.iter().filter(|entry| entry.supersedes.is_some());
            let mut order: Vec<KnownEntry> = all.cloned().collect();
            // They are in the order of time, type, file and place, which a stable sort keeps.
            order.sort_by_key(replaced);
            order
        });
        equal_range(order, |entry| replaced(entry).cmp(&(Some(at.unix()), root)))
    }

    /// The last entry of the state root `root` that replaces the one of moment `at`; an earlier one cannot.
    pub fn replacement(&self, at: Timestamp, root: &BStr) -> Option<&KnownEntry> {
        self.superseding(at, root).last().filter(|known| known.at.unix() > at.unix())
    }

    /// What an entry of that moment says that it replaces.
    pub fn superseded_by(&self, at: Timestamp) -> Option<Timestamp> {
        let all = self.supersedes.get_or_init(|| {
            let all = self.entries.iter().rev();
            all.filter_map(|entry| Some((entry.at.unix(), entry.supersedes?))).collect()
        });
        all.get(&at.unix()).copied()
    }
}

/// The part of a sorted slice for which `order` says equal.
fn equal_range<T>(sorted: &[T], order: impl Fn(&T) -> std::cmp::Ordering) -> &[T] {
    let start = sorted.partition_point(|item| order(item).is_lt());
    let rest = sorted.get(start..).unwrap_or_default();
    rest.get(..equal_len(rest, |item| order(item).is_eq())).unwrap_or_default()
}

/// How many items at the start of `rest` are `equal`: mostly one, but a hostile file has a hundred thousand.
fn equal_len<T>(rest: &[T], equal: impl Fn(&T) -> bool) -> usize {
    match rest {
        [_, second, ..] if equal(second) => rest.partition_point(equal),
        [first, ..] if equal(first) => 1,
        _ => 0,
    }
}
