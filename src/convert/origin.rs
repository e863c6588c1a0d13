//! Where entries come from: for each title the first version of a state file that has it.

use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use bstr::{BStr, BString, ByteSlice};

use super::older::Lines;
use super::subject::{FirstSeen, Pattern, Subject, Written, matches};
use crate::dialects::{FileKind, squad};
use crate::formats::legacy::day;
use crate::formats::timestamp::Timestamp;

/// The titles of a history with their first places.
#[derive(Debug, Default)]
pub struct Origins {
    first: HashMap<String, First>,
    /// Headings with the line below them, hashed, and where they were first.
    seen: HashMap<u64, Seen>,
    /// The files so far, by their state roots and paths in these, and which of the commits had them first.
    files: HashMap<(BString, String), usize>,
    /// The commits of the versions so far.
    commits: Vec<Commit>,
    /// Their lines.
    lines: Lines,
    agents: BTreeSet<String>,
}

/// Where a heading was first.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// Which of the commits.
    commit: usize,
    /// Whether that commit also brought the file, which is none of the inbox.
    is_new_file: bool,
}

/// A commit, by its short id, and when it was written.
#[derive(Debug)]
struct Commit {
    id: String,
    at: Timestamp,
    /// `None` for a machine.
    author: Option<String>,
    /// Whether it is the first one, which says nothing of when its files were written.
    unknown: bool,
    /// How many titles it brought.
    brought: usize,
    /// When it was made, in seconds since 1970.
    committed: i64,
    /// The days of what it brought that are more than a week before it: of several, it moved a memory here.
    old_days: BTreeSet<String>,
}

#[derive(Clone, Debug)]
struct First {
    /// Which of the commits.
    commit: usize,
    inbox: Option<String>,
    /// The first line below it there, hashed.
    below: u64,
    /// The date in it.
    date: Option<String>,
}

/// A version of a file, older ones first.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    /// The kind of the file.
    pub file_kind: &'static FileKind,
    /// Its state root.
    pub root: &'a BStr,
    /// Its path inside its state root.
    pub inner: &'a BStr,
    /// Its text.
    pub text: &'a str,
    /// The short id of the commit that brought it.
    pub commit: &'a str,
    /// When that commit was written.
    pub at: Timestamp,
    /// When it was made, in seconds since 1970: later, if it was amended or moved.
    pub committed: i64,
    /// By whom.
    pub author: &'a str,
    /// Whether nothing is known of what was there before.
    pub unknown: bool,
}

impl Origins {
    /// Takes up a version of a file.
    pub fn add(&mut self, version: Version<'_>) {
        let inner = version.inner.to_str_lossy();
        if let Some(agent) =
            inner.strip_prefix("agents/").and_then(|rest| rest.split('/').find(|part| !part.starts_with('_')))
        {
            self.agents.insert(agent.to_lowercase());
        }
        let inbox = (version.file_kind == &squad::INBOX).then(|| inner.clone().into_owned());
        if self.commits.last().is_none_or(|last| last.id != version.commit) {
            let Version { at, committed, unknown, .. } = version;
            let machine = version.author.ends_with("[bot]") || version.author.trim().is_empty();
            let author = (!machine).then(|| version.author.trim().to_owned());
            let (id, old_days) = (version.commit.to_owned(), BTreeSet::new());
            self.commits.push(Commit { id, at, author, unknown, brought: 0, committed, old_days });
        }
        let commit = self.commits.len() - 1;
        let since = *self.files.entry((version.root.to_owned(), inner.clone().into_owned())).or_insert(commit);
        let first_place = Seen { commit, is_new_file: since == commit && inbox.is_none() };
        self.lines.add(version.text, &inner, commit, inbox.is_some());
        let mut lines = version.text.lines().peekable();
        while let Some(line) = lines.next() {
            let heading = line.trim_start_matches(' ');
            if !heading.starts_with('#') {
                continue;
            }
            let below = lines.clone().map(str::trim).find(|line| says_something(line)).unwrap_or_default();
            match self.seen.entry(whole(heading, below, inbox.is_some())) {
                Entry::Occupied(_) => continue,
                Entry::Vacant(place) => place.insert(first_place),
            };
            let near = || std::iter::once(heading).chain(lines.clone().take(NEAR)).find_map(date);
            if let Some(day) = near().and_then(|date| old_day(&date, version.at))
                && let Some(commit) = self.commits.last_mut()
            {
                commit.old_days.insert(day);
            }
            let Some(key) = key(heading, below) else { continue };
            match self.first.entry(key) {
                Entry::Occupied(mut known) => {
                    let is_same =
                        |first: &First| self.commits.get(first.commit).map(|commit| commit.at) == Some(version.at);
                    if known.get().inbox.is_none() && is_same(known.get()) {
                        known.get_mut().inbox.clone_from(&inbox);
                    }
                }
                Entry::Vacant(place) => {
                    if let Some(commit) = self.commits.last_mut() {
                        commit.brought += 1;
                    }
                    place.insert(First { commit, inbox: inbox.clone(), below: hash(below), date: date(heading) });
                }
            }
        }
    }

    /// The names of all agents that ever had a folder, in lower case.
    pub fn agents(&self) -> &BTreeSet<String> {
        &self.agents
    }

    /// Where the entry comes from; `None` if that is not certain.
    pub fn of(&self, subject: &Subject<'_>) -> Option<FirstSeen> {
        let body = subject.of(subject.body());
        let below = body.lines().map(str::trim).find(|line| says_something(line)).unwrap_or_default();
        let first = self.first.get(&key(subject.of(subject.entry.heading), below)?)?;
        // Another text under the same title is another entry, or a rewritten one.
        let is_other = first.below != hash(below);
        let heading = subject.of(subject.entry.heading);
        let as_written = self.as_written(heading, below);
        // So is one under the same title with another date: a log has many.
        let own = as_written.filter(|_| first.date.is_some() && first.date != date(heading)).map(|seen| seen.commit);
        let Commit { id, at, author, unknown, brought, .. } = self.commits.get(own.unwrap_or(first.commit))?;
        let inbox = first.inbox.clone().filter(|_| own.is_none());
        // Under another heading with the same words, and the same date or none, it was there before.
        let is_dated = first.date == date(heading);
        let as_written = as_written.map(|seen| match own {
            None if is_dated && first.commit < seen.commit => Seen { commit: first.commit, is_new_file: false },
            _ => seen,
        });
        let as_written = as_written.and_then(|seen| Some((seen, self.commits.get(seen.commit)?)));
        let as_written = as_written.map(|(seen, commit)| Written {
            commit: commit.id.clone(),
            at: commit.at,
            committed: commit.committed,
            moved_here: seen.is_new_file && commit.old_days.len() > 1,
            is_first: commit.unknown,
        });
        let only_refutes = is_other || *unknown;
        if only_refutes && as_written.is_none() {
            return None;
        }
        let (author, older) = (author.clone(), self.lines.of(subject));
        Some(FirstSeen { commit: id.clone(), at: *at, author, inbox, among: *brought, as_written, older, only_refutes })
    }

    /// Where this very heading, its date included, was first above this very line.
    fn as_written(&self, heading: &str, below: &str) -> Option<Seen> {
        let nth = |is_inbox| self.seen.get(&whole(heading.trim_start_matches(' '), below, is_inbox)).copied();
        nth(true).into_iter().chain(nth(false)).min_by_key(|seen: &Seen| seen.commit)
    }

    /// When a file of the team was first committed; `None` where the history says nothing.
    pub fn begin(&self) -> Option<Timestamp> {
        self.commits.iter().map(|commit| commit.at).min_by_key(|at| at.unix())
    }
}

/// A heading and the line below it, hashed.
fn whole(heading: &str, below: &str, is_inbox: bool) -> u64 {
    hash((heading.trim_start_matches(['#', ' ']).trim_end(), below, is_inbox))
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// So many lines below a heading can have the fields of its entry.
const NEAR: usize = 4;

/// The day of a date that is more than a week before `at`.
fn old_day(date: &str, at: Timestamp) -> Option<String> {
    const WEEK: i64 = 7 * 24 * 60 * 60;
    let text = date.get(..10)?;
    let (year, month, day) = day::find(text)?.date?;
    let is_old = Timestamp::midnight(year, month, day)?.unix() < at.unix() - WEEK;
    is_old.then(|| text.to_owned())
}

/// The date in a line.
fn date(heading: &str) -> Option<String> {
    static DATE: Pattern = Pattern::new(r"(?i)\b\d{4}-\d\d-\d\d(?:[T ]\d\d[:-]?\d\d(?:[:-]?\d\d)?Z?)?");
    Some(heading.get(DATE.find(heading)?)?.to_owned())
}

/// Whether a line tells entries apart: neither blank, nor a rule, nor who and when.
fn says_something(line: &str) -> bool {
    static IDENTITY: Pattern = Pattern::new(r"(?i)^\W*(?:by|author|date|requested by|status|fecha|autor)\W");
    line.contains(char::is_alphanumeric) && !matches(&IDENTITY, line)
}

/// What identifies an entry while it moves from file to file: the words of its title without date and type; with the first
/// line of its text where these are few.
fn key(heading: &str, below: &str) -> Option<String> {
    static NOISE: Pattern = Pattern::new(
        r"(?i)\b\d{4}-\d\d-\d\d(?:[T ]\d\d[:-]?\d\d(?:[:-]?\d\d)?Z?)?|^\W*(?:user )?(?:decision|directive)\s*[:—–-]",
    );
    let title = NOISE.replace_all(heading, " ");
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let mut key = words(&title);
    if key.len() < 4 {
        key.push("|".to_owned());
        key.extend(words(below).into_iter().take(12));
    }
    (key.len() >= 4).then(|| key.join(" "))
}
