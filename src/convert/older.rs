//! Text that was in another entry before: an entry that is inserted in the midst of an older one takes the end of that for its own.

use std::cell::{Ref, RefCell};
use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use bstr::ByteSlice;

use super::subject::{Older, Subject};
use crate::formats::markdown::{Mark, MarkKind};
use crate::text::{Span, lines};

/// The lines of a history, and where they were first.
#[derive(Debug, Default)]
pub(super) struct Lines {
    first: HashMap<u64, Place>,
    /// What is known of the last file that was asked for.
    last: RefCell<File>,
}

/// Where a line was first.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Which of the commits.
    commit: usize,
    /// The distinct heading above it, hashed: many entries have an `Impact`. 0 for none.
    under: u64,
    /// The path of its file, hashed.
    file: u64,
    /// Whether it was in a file of the inbox: that is an entry by itself.
    is_inbox: bool,
}

/// The text at this address. All texts of a conversion are kept until its end.
#[derive(Debug, Default)]
struct File {
    of: (usize, usize),
    /// Where each heading is first.
    headings: HashMap<u64, Span>,
    /// The distinct lines that it has more than once.
    repeated: HashSet<u64>,
}

impl File {
    fn read(subject: &Subject<'_>, of: (usize, usize)) -> Self {
        let is_heading = |mark: &&Mark| matches!(mark.kind, MarkKind::Heading(_));
        let headings = subject.entries.outline.marks.iter().rev().filter(is_heading);
        let headings = headings.map(|mark| (key(subject.of(mark.line).trim()), mark.line)).collect();
        let mut seen = HashSet::new();
        let distinct = subject.text.lines().map(str::trim).filter(|line| is_distinct(line)).map(key);
        let repeated = distinct.filter(|key| !seen.insert(*key)).collect();
        Self { of, headings, repeated }
    }
}

impl Lines {
    /// Takes up the lines of a version of `file`, which `commit` has; older versions first.
    pub(super) fn add(&mut self, text: &str, file: &str, commit: usize, is_inbox: bool) {
        let file = key(file);
        let (mut under, mut upper) = (0, 0);
        for line in text.lines().map(str::trim) {
            let level = line.len() - line.trim_start_matches('#').len();
            if is_distinct(line) {
                let key = key(line);
                self.first.entry(key).or_insert(Place { commit, under, file, is_inbox });
                if level > 0 {
                    (under, upper) = (key, level);
                }
            } else if (1..=upper).contains(&level) {
                (under, upper) = (0, 0);
            }
        }
    }

    /// The first line of the entry that was under a heading above the entry before the entry was there, and is nowhere else; or its last
    /// line, if that was in no entry. An entry without a line of its own above that was renamed, or is a part of a list that got titles.
    pub(super) fn of(&self, subject: &Subject<'_>) -> Option<Older> {
        let own = key(subject.of(subject.entry.heading).trim());
        let (since, file) = (self.first.get(&own)?.commit, key(&subject.place.inner.to_str_lossy()));
        let (mut has_own, mut titles, mut end) = (false, HashSet::from([own]), None);
        for line in lines(subject.text, subject.body()) {
            let text = subject.of(line).trim();
            if !is_distinct(text) {
                continue;
            }
            let key = key(text);
            end = None;
            if text.starts_with('#') {
                titles.insert(key);
                continue;
            }
            let Some(place) = self.first.get(&key).filter(|place| place.commit < since) else {
                has_own = true;
                continue;
            };
            if !has_own || titles.contains(&place.under) || self.file(subject)?.repeated.contains(&key) {
                continue;
            }
            end = (place.under == 0 && place.file == file && !place.is_inbox).then_some(text);
            let heading = self.file(subject)?.headings.get(&place.under).copied();
            let heading = heading.filter(|heading| heading.start() < subject.entry.heading.start());
            if let Some(heading) = heading {
                let title = subject.of(heading).trim_matches(['#', ' ']).to_owned();
                return Some(Older { line: text.to_owned(), heading: title });
            }
        }
        // The end of a list without entries, in which the entry was inserted.
        Some(Older { line: end?.to_owned(), heading: String::new() })
    }

    /// What is known of the file of an entry.
    fn file(&self, subject: &Subject<'_>) -> Option<Ref<'_, File>> {
        let of = (subject.text.as_ptr().addr(), subject.text.len());
        if self.last.borrow().of != of {
            *self.last.try_borrow_mut().ok()? = File::read(subject, of);
        }
        self.last.try_borrow().ok()
    }
}

/// Whether a line is so long that few others are the same. A comment is none of an entry.
fn is_distinct(line: &str) -> bool {
    /// In bytes.
    const LONG: usize = 32;
    // Short titles of entries have their day.
    let is_dated = || line.starts_with('#') && line.bytes().filter(u8::is_ascii_digit).count() >= 8;
    (line.len() >= LONG || is_dated()) && !line.starts_with("<!--")
}

/// A line, hashed; a heading without its level.
fn key(line: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (line.starts_with('#'), line.trim_start_matches(['#', ' '])).hash(&mut hasher);
    hasher.finish()
}
