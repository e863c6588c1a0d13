//! How much an entry matters to an agent, and why.

use std::cmp::Reverse;

use super::Wish;
use crate::formats::sem::{EntryType, Scope};
use crate::formats::timestamp::Timestamp;
use crate::memory::record::{DAY, Record};

/// A file at hand, as texts name it, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Its path in the repository.
    path: String,
    /// Its name, if texts are likely to mean it by that.
    name: Option<String>,
    /// The folder that it is in, with `/` behind it.
    folder: Option<String>,
    /// Its name without the extension, if that is long enough for a word of its own.
    stem: Option<String>,
}

impl About {
    /// The file at `path`, which need not exist.
    pub fn new(path: &str) -> Self {
        let path = path.trim_start_matches("./").trim_end_matches('/').to_lowercase();
        let (folder, name) = path.rsplit_once('/').map_or((None, path.as_str()), |(folder, name)| (Some(folder), name));
        let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or_default();
        let common = ["index", "main", "readme", "utils", "types", "tests"];
        Self {
            name: (name.len() > 3 && name != path).then(|| name.to_owned()),
            folder: folder.map(|folder| format!("{folder}/")),
            stem: (stem.len() > 4 && !common.contains(&stem) && stem != path).then(|| stem.to_owned()),
            path,
        }
    }

    /// The most exact way in which `text`, in lower case, names it.
    fn named_in(&self, text: &str) -> Option<Reason> {
        let named = |name: &Option<String>| name.as_ref().is_some_and(|name| has_word(text, name));
        match () {
            () if has_word(text, &self.path) => Some(Reason::NamesFile(self.path.clone())),
            () if named(&self.name) => Some(Reason::NamesName(self.name.clone()?)),
            () if self.folder.as_ref().is_some_and(|folder| text.contains(folder)) => {
                Some(Reason::NamesFolder(self.folder.clone()?))
            }
            () if named(&self.stem) => Some(Reason::NamesWord(self.stem.clone()?)),
            () => None,
        }
    }
}

/// Whether `text` has `word`, not as a part of another word.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + word.len()..).and_then(|behind| behind.chars().next());
        !is_part(before) && !is_part(behind)
    })
}

/// Why an entry matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is of this type.
    Type(EntryType),
    /// Its scope is the agent alone.
    Own,
    /// The agent wrote it.
    Written,
    /// So many days old.
    Days(i64),
    /// It names a file at hand by its path.
    NamesFile(String),
    /// It names a file at hand by its name.
    NamesName(String),
    /// It names the folder of a file at hand.
    NamesFolder(String),
    /// It has the name of a file at hand, without its extension, for a word.
    NamesWord(String),
}

impl Reason {
    /// The points that it brings.
    fn points(&self) -> u32 {
        match self {
            Self::Type(EntryType::Directive | EntryType::Decision) => 20,
            Self::Type(EntryType::Memory) => 10,
            Self::Type(EntryType::Note) => 0,
            Self::Own => 15,
            Self::Written => 5,
            // 30 for one of today, half of it for each month that has passed.
            Self::Days(days) => match u32::try_from(days / 30) {
                Ok(months) if months < 5 => (30_u32 >> months).saturating_sub(half_month(*days)),
                _ => 0,
            },
            Self::NamesFile(_) => 80,
            Self::NamesName(_) => 60,
            Self::NamesFolder(_) => 30,
            Self::NamesWord(_) => 20,
        }
    }

    /// What it says, in a few words.
    pub fn words(&self) -> String {
        match self {
            Self::Type(kind) => kind.as_str().to_owned(),
            Self::Own => "for this agent".to_owned(),
            Self::Written => "by this agent".to_owned(),
            Self::Days(0) => "of today".to_owned(),
            Self::Days(1) => "1 day old".to_owned(),
            Self::Days(days) => format!("{days} days old"),
            Self::NamesFile(name) | Self::NamesName(name) | Self::NamesFolder(name) | Self::NamesWord(name) => {
                format!("names `{name}`")
            }
        }
    }
}

/// What half a month more takes off: a quarter of what that month starts with.
fn half_month(days: i64) -> u32 {
    let months = u32::try_from(days / 30).unwrap_or(u32::MAX).min(31);
    if days % 30 >= 15 { (30_u32 >> months) / 4 } else { 0 }
}

/// An entry with the reasons why it matters.
#[derive(Debug)]
pub struct Scored<'r, 'd> {
    /// The entry.
    pub record: &'r Record<'d>,
    /// The reasons.
    pub reasons: Vec<Reason>,
    /// The sum of their points.
    pub points: u32,
}

impl Scored<'_, '_> {
    /// Entries of a higher rank are taken first: by points, then by their dates.
    pub(super) fn rank(&self) -> (u32, Option<i64>) {
        (self.points, self.record.when.unix())
    }

    pub(super) fn is_directive(&self) -> bool {
        self.record.kind == Some(EntryType::Directive)
    }

    /// Whether it names a file at hand.
    pub(super) fn is_about(&self) -> bool {
        let is_name = |reason: &Reason| {
            matches!(
                reason,
                Reason::NamesFile(_) | Reason::NamesName(_) | Reason::NamesFolder(_) | Reason::NamesWord(_)
            )
        };
        self.reasons.iter().any(is_name)
    }

    /// Whether it is for the agent alone.
    pub(super) fn is_own(&self) -> bool {
        self.reasons.contains(&Reason::Own)
    }
}

/// What entries are weighed by.
pub(super) struct Scale<'a> {
    wish: &'a Wish<'a>,
}

impl<'a> Scale<'a> {
    pub(super) fn new(wish: &'a Wish<'a>) -> Self {
        Self { wish }
    }

    pub(super) fn score<'r, 'd>(&self, record: &'r Record<'d>) -> Scored<'r, 'd> {
        let Wish { agent, about, now, .. } = *self.wish;
        let mut reasons: Vec<Reason> = record.kind.map(Reason::Type).into_iter().collect();
        if !about.is_empty() {
            let text = record.text().to_lowercase();
            let named = about.iter().filter_map(|file| file.named_in(&text));
            reasons.extend(named.max_by_key(|reason| (reason.points(), Reverse(reason.words()))));
        }
        let is_own =
            matches!(record.scope, Some(Scope::Agent(_))) || record.scope.is_none() && record.keeper().is_some();
        reasons.extend(is_own.then_some(Reason::Own));
        let is_written = record.author.as_deref().is_some_and(|author| agent.is(record, author));
        reasons.extend((is_written && !is_own).then_some(Reason::Written));
        reasons.extend(record.when.unix().map(|at| Reason::Days(age(at, now))));
        let points = reasons.iter().map(Reason::points).sum();
        Scored { record, reasons, points }
    }
}

/// The days from a moment to `now`; 0 for one that is to come.
fn age(at: i64, now: Timestamp) -> i64 {
    (now.unix().saturating_sub(at) / DAY).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_more_or_less_of_its_path() {
        let file = About::new("./src/Ledger.rs");
        for (text, expected) in [
            ("see src/ledger.rs:12", Some(Reason::NamesFile("src/ledger.rs".to_owned()))),
            ("`ledger.rs` is slow", Some(Reason::NamesName("ledger.rs".to_owned()))),
            ("all of src/ moves", Some(Reason::NamesFolder("src/".to_owned()))),
            ("the ledger is slow", Some(Reason::NamesWord("ledger".to_owned()))),
            ("ledgers are slow", None),
            ("my_ledger.rs", None),
        ] {
            assert_eq!(file.named_in(text), expected, "{text}");
        }
        assert_eq!(About::new("main.rs").named_in("the main thing"), None);
    }

    #[test]
    fn what_is_older_brings_less() {
        let points: Vec<u32> =
            [0, 14, 15, 30, 45, 60, 120, 149, 150, 10_000].map(|days| Reason::Days(days).points()).into();
        assert_eq!(points, [30, 30, 23, 15, 12, 7, 1, 1, 0, 0]);
        assert!(points.is_sorted_by(|one, other| one >= other));
    }
}
