//! What a brief has said already.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::memory::list::text::day;
use crate::memory::record::Record;

/// Two entries of a day that begin with so many equal words say the same.
const BEGINNING: usize = 60;

/// Two entries of a day about one subject say the same if the shorter one has so many of its words in the other, in a hundred.
const ALIKE: usize = 60;

/// The same where the titles are too short to name a subject, as in `User directive`.
const ALIKE_UNTITLED: usize = 85;

/// A title of fewer words names no subject.
const TITLE: usize = 3;

/// The entries that a brief has, by their words.
#[derive(Default)]
pub(super) struct Said {
    /// Whole entries, and their beginnings.
    texts: HashSet<String>,
    /// The words of titles and of entries, by day.
    days: HashMap<String, Vec<Words>>,
}

struct Words {
    title: BTreeSet<String>,
    all: BTreeSet<String>,
}

impl Said {
    /// Whether the brief has no entry like this one with these words: no copy, no version with another end, and none in which a file
    /// of that day says much the same of its subject.
    pub(super) fn is_new(&self, record: &Record<'_>, words: &str) -> bool {
        if self.texts.contains(words) || self.texts.contains(&beginning(record, words)) {
            return false;
        }
        let own = Words::of(record, words);
        let others = self.days.get(&day(record.when)).map_or(&[][..], Vec::as_slice);
        !(record.when.day().is_some() && others.iter().any(|other| own.is_like(other)))
    }

    /// Notes an entry with these words.
    pub(super) fn note(&mut self, record: &Record<'_>, words: String) {
        self.days.entry(day(record.when)).or_default().push(Words::of(record, &words));
        self.texts.extend([beginning(record, &words), words]);
    }
}

fn beginning(record: &Record<'_>, words: &str) -> String {
    let beginning = words.split(' ').take(BEGINNING).collect::<Vec<_>>().join(" ");
    format!("{} {beginning}", day(record.when))
}

impl Words {
    fn of(record: &Record<'_>, words: &str) -> Self {
        let title = record.summary.split(|c: char| !c.is_alphanumeric());
        Self {
            title: title.filter(|word| !word.is_empty()).map(str::to_lowercase).collect(),
            all: words.split(' ').map(str::to_owned).collect(),
        }
    }

    /// Whether two entries are about one subject, as their titles say, and say much the same of it.
    fn is_like(&self, other: &Self) -> bool {
        let (short, long) = if self.title.len() < other.title.len() { (self, other) } else { (other, self) };
        if !short.title.is_subset(&long.title) || long.title.len() > short.title.len() + TITLE {
            return false;
        }
        let least = if short.title.len() < TITLE { ALIKE_UNTITLED } else { ALIKE };
        let common = self.all.intersection(&other.all).count();
        common * 100 >= self.all.len().min(other.all.len()) * least
    }
}
