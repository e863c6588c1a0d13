//! What rules may know of the whole repository, gathered once: the entries by their timestamps, and who is on the team.

pub mod aging;
mod blame;
mod context;
mod conversions;
pub mod learning_team;
pub mod lost;
pub mod owned;
pub mod package;
pub mod presence;
pub mod state;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use crate::convert::file::Item;
use crate::document::Document;
use crate::formats::roster::Names;
use crate::formats::sem::{EntryType, FieldName};
use crate::formats::timestamp::Timestamp;
use crate::fs::path::{inner_path, is_in};
use crate::git::blame::Blame;
use crate::git::error::GitError;
use crate::git::ignore::Decision;
use crate::options::Options;
use crate::ownership::Survey;
use crate::parsed::Parsed;
use crate::select::changes::Changes;
use crate::select::input::{Input, Mode};
use crate::select::paths::Paths;
use crate::select::selected::Selected;
use crate::select::tracked::Hurdles;
use crate::select::workflow;
use crate::text::{MAX_BYTES, Source, Span};
use context::Place;
use learning_team::LearningTeam;
use state::{Carried, GuardFacts, State};

/// One SEM entry as others refer to it.
#[derive(Clone, Debug)]
pub struct KnownEntry {
    /// The place of its file in [`Facts::order`].
    document: usize,
    /// The whole entry.
    pub span: Span,
    /// Its header line.
    pub header: Span,
    /// When.
    pub at: Timestamp,
    /// What.
    pub entry_type: EntryType,
    /// What it replaces.
    pub supersedes: Option<Timestamp>,
}

/// The team of one state root.
#[derive(Clone, Debug, Default)]
pub struct Team {
    /// Folders under `agents/`, and the tables of `team.md`.
    pub agents: Names,
    /// Those who can be started: agents with a charter, and those in the tables of `team.md`, by their folders' names,
    /// case-folded.
    pub active: BTreeSet<String>,
    /// The humans that `team.md` names.
    pub humans: Names,
    /// Folders under `skills/`.
    pub skills: Names,
}

/// All SEM entries, sorted by moment, type, state root, file and place.
#[derive(Debug, Default)]
struct ByMoment {
    /// The moments of `entries` alone: what is searched stays small.
    moments: Vec<i64>,
    entries: Vec<KnownEntry>,
}

/// What is known of the repository. Each kind is gathered when a rule first asks for it: what happens then runs on one
/// thread, for a thread that waits for others would take up another file and ask for the same.
#[derive(Debug)]
pub struct Facts<'a> {
    documents: &'a [Document<'a>],
    files: &'a [Selected],
    context: OnceLock<Vec<Parsed>>,
    order: OnceLock<Vec<Place>>,
    entries: OnceLock<ByMoment>,
    superseding: OnceLock<Vec<KnownEntry>>,
    supersedes: OnceLock<HashMap<i64, Timestamp>>,
    teams: OnceLock<BTreeMap<BString, Team>>,
    /// The names of all state files, each with its state root.
    names: OnceLock<HashSet<(BString, BString)>>,
    /// The learning teams by their folders, `None` where there is no manifest.
    learning_teams: Mutex<BTreeMap<BString, Option<Arc<LearningTeam>>>>,
    /// All state files after a change.
    listed: OnceLock<Vec<Selected>>,
    conversions: OnceLock<BTreeMap<BString, Vec<Item>>>,
    guard: Option<GuardFacts<'a>>,
    rules: BTreeSet<&'static str>,
    /// Files beyond this many bytes are not read.
    max_file_size: u64,
    /// Files beside the documents, read when a rule asked for them; `None` where there is none.
    read: Mutex<BTreeMap<BString, Option<Arc<Source>>>>,
    tracked_files: OnceLock<Option<Paths>>,
    /// What the globs of each manifest say about them.
    surveys: Mutex<BTreeMap<BString, Arc<Survey>>>,
    /// The days of the lines of the files that a rule asked for.
    blames: Mutex<BTreeMap<BString, Blame>>,
    /// What the learning teams wrote down of their sprints, by their memory folders.
    records: Mutex<BTreeMap<BString, Arc<aging::Records>>>,
}

impl<'a> Facts<'a> {
    /// The facts in `documents`, the files to check in the order of their paths, and in the names of `files`.
    pub fn new(documents: &'a [Document<'a>], files: &'a [Selected]) -> Self {
        Self {
            documents,
            files,
            context: OnceLock::new(),
            order: OnceLock::new(),
            entries: OnceLock::new(),
            superseding: OnceLock::new(),
            supersedes: OnceLock::new(),
            teams: OnceLock::new(),
            names: OnceLock::new(),
            learning_teams: Mutex::default(),
            listed: OnceLock::new(),
            conversions: OnceLock::new(),
            guard: None,
            rules: BTreeSet::new(),
            max_file_size: 0,
            read: Mutex::default(),
            tracked_files: OnceLock::new(),
            surveys: Mutex::default(),
            blames: Mutex::default(),
            records: Mutex::default(),
        }
    }

    /// With the repository in which the documents lie, and the names of the rules that run. Without it nothing is known
    /// of the repository.
    #[must_use]
    pub fn in_repository(
        self,
        input: Input<'a>,
        options: &'a Options,
        rules: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        Self {
            guard: Some(GuardFacts::new(input, options)),
            rules: rules.into_iter().collect(),
            max_file_size: options.max_file_size.min(MAX_BYTES),
            ..self
        }
    }

    /// Whether the rule of that name runs, too: of two that would say the same one gives way.
    pub fn runs(&self, rule: &str) -> bool {
        self.rules.contains(rule)
    }

    /// Whether the work tree is looked at, and not some other tree.
    pub fn sees_work_tree(&self) -> bool {
        self.guard.as_ref().is_some_and(GuardFacts::sees_work_tree)
    }

    /// Whether files can be looked at, and not only what is in git.
    pub fn has_files(&self) -> bool {
        self.guard.as_ref().is_some_and(GuardFacts::has_files)
    }

    /// The state roots that a policy holds for and that the run covers. None without git.
    pub fn states(&self) -> &[State] {
        self.guard.as_ref().map_or(&[], GuardFacts::states)
    }

    /// What each branch would get of the state.
    pub fn carried(&self) -> &[Carried] {
        self.guard.as_ref().map_or(&[], GuardFacts::carried)
    }

    /// The short name of the branch that is checked out.
    pub fn branch(&self) -> Option<&BStr> {
        self.guard.as_ref()?.branch()
    }

    /// What decides whether git ignores the file or folder at `path`; `None` where no pattern matches it.
    pub fn ignored(&self, path: &BStr, is_dir: bool) -> Option<Decision> {
        self.guard.as_ref()?.decide(path, is_dir)
    }

    /// Whether the file at `path` is one that fixes of this run have changed and that is not written yet. Git, which looks
    /// at the disk, does not know of it.
    pub fn is_being_fixed(&self, path: &BStr) -> bool {
        self.guard.as_ref().is_some_and(|guard| guard.input().overlay.contains_key(path))
    }

    /// What keeps `git rm --cached` from untracking the root's files.
    pub fn hurdles(&self, state: &State) -> Hurdles {
        self.guard.as_ref().map_or_else(Hurdles::default, |guard| guard.hurdles(state))
    }

    /// Whether git merges the file at `path` by taking the lines of both sides.
    pub fn merges_by_union(&self, path: &BStr) -> bool {
        self.guard.as_ref().is_some_and(|guard| guard.merges_by_union(path))
    }

    /// The workflow files on disk.
    pub fn workflows(&self) -> Vec<BString> {
        self.guard.as_ref().map_or_else(Vec::new, |guard| workflow::files(&guard.input().repository.root))
    }

    /// The links at or in the root that lead out of the repository, and where they lead.
    pub fn escapes(&self, state: &State) -> BTreeMap<BString, BString> {
        let Some(guard) = &self.guard else { return BTreeMap::new() };
        let mut escapes: BTreeMap<BString, BString> = guard.escaping_links(state).into_iter().collect();
        if guard.sees_work_tree() {
            let is_state = |path: &BStr| path == state.root || is_in(path, state.root.as_bstr());
            let on_disk = guard.input().selection.escapes.iter().filter(|(path, _)| is_state(path.as_bstr()));
            escapes.extend(on_disk.map(|(path, target)| (path.clone(), target.as_os_str().as_encoded_bytes().into())));
        }
        escapes
    }

    /// The file at `path` (relative to the root), which need not be one of the documents: a finding can point into it.
    /// `None` where there is no such file, or it cannot be read.
    pub fn read(&self, path: &BStr) -> Option<Arc<Source>> {
        let mut known = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(source) = known.get(path) {
            return source.clone();
        }
        let bytes = self.guard.as_ref().and_then(|guard| guard.input().read(path, self.max_file_size).ok());
        let source = bytes.map(|bytes| Arc::new(Source::new(path, bytes)));
        known.insert(path.into(), source.clone());
        source
    }

    /// The file at `path` as by [`Facts::read`], or an empty one to make: a fix can write into it.
    pub fn read_or_new(&self, path: &BStr) -> Arc<Source> {
        self.read(path).unwrap_or_else(|| {
            let source = Arc::new(Source::new_file(path));
            let mut known = self.read.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(path.into(), Some(source.clone()));
            source
        })
    }

    /// The files that were read beside those to check, and the first git read that failed.
    pub fn into_parts(self) -> (Vec<Source>, Option<GitError>) {
        // They hold on to the text of their manifests.
        drop(self.learning_teams);
        let read = self.read.into_inner().unwrap_or_else(PoisonError::into_inner);
        let read = read.into_values().flatten().filter_map(Arc::into_inner);
        let context = self.context.into_inner().unwrap_or_default().into_iter().map(|parsed| parsed.source);
        // Read both ways, a file is the same.
        let sources = context.chain(read).collect();
        (sources, self.guard.and_then(GuardFacts::into_failure))
    }

    /// All SEM entries of that moment, in the order of types, state roots, files and places. Two offsets can name one
    /// moment.
    pub fn entries_at(&self, at: Timestamp) -> &[KnownEntry] {
        let known = self.entries();
        let start = known.moments.partition_point(|&moment| moment < at.unix());
        let len = equal_len(known.moments.get(start..).unwrap_or_default(), |moment| *moment == at.unix());
        known.entries.get(start..start + len).unwrap_or_default()
    }

    /// The first SEM entry of that moment, type and state root, in the order of files and places.
    pub fn first_of(&self, at: Timestamp, entry_type: EntryType, root: &BStr) -> Option<&KnownEntry> {
        let there = self.entries_at(at);
        let key = |known: &KnownEntry| (known.entry_type, self.root_of(known));
        let first = there.get(there.partition_point(|known| key(known) < (entry_type, root)))?;
        (key(first) == (entry_type, root)).then_some(first)
    }

    /// The SEM entries at most `within` seconds away from that moment, the nearest first.
    pub fn near(&self, at: Timestamp, within: u64) -> impl Iterator<Item = &KnownEntry> {
        let known = self.entries();
        let (before, after) = known.entries.split_at(known.moments.partition_point(|&moment| moment < at.unix()));
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
            let all = self.entries().entries.iter().filter(|entry| entry.supersedes.is_some());
            let mut order: Vec<KnownEntry> = all.cloned().collect();
            // They stand in the order of time, type, file and place, which a stable sort keeps.
            order.sort_by_key(replaced);
            order
        });
        equal_range(order, |entry| replaced(entry).cmp(&(Some(at.unix()), root)))
    }

    /// What an entry of that moment says that it replaces.
    pub fn superseded_by(&self, at: Timestamp) -> Option<Timestamp> {
        let all = self.supersedes.get_or_init(|| {
            let all = self.entries().entries.iter().rev();
            all.filter_map(|entry| Some((entry.at.unix(), entry.supersedes?))).collect()
        });
        all.get(&at.unix()).copied()
    }

    /// The file of an entry.
    pub fn path_of(&self, entry: &KnownEntry) -> &BStr {
        self.document(entry.document).map_or(b"".as_bstr(), |document| document.source.path())
    }

    /// The state root of an entry's file.
    pub fn root_of(&self, entry: &KnownEntry) -> &BStr {
        self.document(entry.document).map_or(b"".as_bstr(), |document| document.root)
    }

    /// The whole text of an entry.
    pub fn text_of(&self, entry: &KnownEntry) -> &str {
        self.document(entry.document).map_or("", |document| entry.span.of(document.text()))
    }

    /// What is changed, where a change is looked at: every path of it, also those that no rule reads.
    pub fn changes(&self) -> Option<&'a Changes> {
        match self.guard.as_ref()?.input().mode {
            Mode::Change(changes) => Some(changes),
            _ => None,
        }
    }

    /// The team of the state root at `root`; `None` where the root has neither agents nor a `team.md`.
    pub fn team(&self, root: &BStr) -> Option<&Team> {
        self.teams.get_or_init(|| self.gather_teams()).get(root)
    }

    /// Whether agents load this file of a team's memory when they start. They do not where another one is in its place:
    /// `.squad/` that of `.ai-team/`, `decisions.md` that of `decisions/decisions.md`; nor is the history of an agent
    /// loaded that left or was never on the team.
    pub fn is_loaded(&self, document: &Document<'_>) -> bool {
        let inner = inner_path(document.source.path().as_bstr(), document.root);
        let parts: Vec<&[u8]> = inner.split_str("/").collect();
        let loaded = match parts.as_slice() {
            [b"agents", b"_alumni", ..] => false,
            [b"agents", agent, ..] => self.team(document.root).is_none_or(|team| {
                team.active.is_empty() || team.active.contains(&agent.to_str_lossy().to_lowercase())
            }),
            [b"decisions", .., b"decisions.md"] => !self.has(&[document.root.as_bytes(), b"/decisions.md"].concat()),
            _ => true,
        };
        loaded && !self.is_left_over(document.root)
    }

    /// Whether the state root at `root` is what a migration left behind: the old folder, beside the new one with a team.
    /// Squad looks for `.squad/team.md` first, and reads `.ai-team/` only where that is missing.
    pub fn is_left_over(&self, root: &BStr) -> bool {
        let parent = root.strip_suffix(b".ai-team").filter(|parent| parent.is_empty() || parent.ends_with(b"/"));
        parent.is_some_and(|parent| self.has(&[parent, b".squad/team.md"].concat()))
    }

    /// Whether the repository has the state file at `path`.
    pub fn has(&self, path: &[u8]) -> bool {
        match (self.changes(), &self.guard) {
            (Some(changes), Some(guard)) => {
                guard.read(|_| changes.find(path.as_bstr())).flatten().is_some_and(crate::git::change::Blob::is_file)
            }
            _ => self.files.binary_search_by(|file| file.path.as_bytes().cmp(path)).is_ok(),
        }
    }

    /// Gathers the entries on all threads. To be called before rules run: see [`Facts`].
    pub fn prepare(&self) {
        if self.context.get().is_none() {
            let files = self.context_files();
            let parsed: Vec<Parsed> = files.into_par_iter().filter_map(|file| self.parse(file)).collect();
            let _ = self.context.set(parsed);
        }
        let places = self.order().par_iter().enumerate();
        let entries: Vec<KnownEntry> = places.flat_map_iter(|(index, _)| self.entries_of(index)).collect();
        let _ = self.entries.set(self.by_moment(&entries));
    }

    fn entries(&self) -> &ByMoment {
        self.entries.get_or_init(|| {
            let entries: Vec<KnownEntry> = (0..self.order().len()).flat_map(|index| self.entries_of(index)).collect();
            self.by_moment(&entries)
        })
    }

    /// `entries`, which stand in the order of files and places, in the order of their moments.
    fn by_moment(&self, entries: &[KnownEntry]) -> ByMoment {
        // With their index as second key the order of files and places is kept.
        let mut order: Vec<(i64, usize)> = entries.iter().map(|entry| entry.at.unix()).zip(0..).collect();
        order.sort_unstable();
        let mut sorted: Vec<_> = order.iter().filter_map(|&(_, index)| entries.get(index).cloned()).collect();
        for same in sorted.chunk_by_mut(|a, b| a.at.unix() == b.at.unix()).filter(|same| same.len() > 1) {
            same.sort_by_key(|entry| (entry.entry_type, self.root_of(entry)));
        }
        ByMoment { moments: order.iter().map(|&(moment, _)| moment).collect(), entries: sorted }
    }

    fn entries_of(&self, index: usize) -> Vec<KnownEntry> {
        self.document(index).map(|document| gather_entries(index, &document)).unwrap_or_default()
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

fn gather_entries(index: usize, document: &Document<'_>) -> Vec<KnownEntry> {
    let known = document.entries.sem(document.text()).filter_map(|entry| {
        Some(KnownEntry {
            document: index,
            span: entry.span(),
            header: entry.header().line,
            at: entry.timestamp()?,
            entry_type: entry.entry_type()?,
            supersedes: entry.stamp(FieldName::Supersedes).and_then(|(_, reading)| reading.moment()),
        })
    });
    known.collect()
}
