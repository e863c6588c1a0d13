//! The entries that a change takes away, and that stand nowhere after it.

use std::collections::{BTreeSet, HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice};
use gix::ObjectId;

use super::Facts;
use super::state::GuardFacts;
use crate::formats::entries::{self, Block, Entries};
use crate::formats::sem::EntryType;
use crate::formats::traces::Traces;
use crate::select::change::{Change, Status};
use crate::select::changes::Changes;
use crate::select::exclude::Excludes;
use crate::select::read::Unread;
use crate::select::{Origin, Role, inner_path};
use crate::text::{ColumnUnit, Source, Span};

/// A file of more bytes is not searched: what is missing may stand there.
const MAX_SEARCHED: u64 = 64 << 20;
/// With so many of a hundred runs of its words in some file, an entry is edited or moved and not lost.
const STANDS: usize = 50;
/// The same where its title still stands as well.
const STANDS_WITH_TITLE: usize = 15;

/// An entry that is gone.
#[derive(Clone, Debug)]
pub struct Lost {
    /// The file in which it stood; where that has another name now, the new one.
    pub path: BString,
    /// The file's name before the change.
    pub old_path: BString,
    /// Whether the file is gone as well.
    pub with_file: bool,
    /// The part of the file.
    pub role: Role,
    /// Its timestamp or date as it was written, where it has one.
    pub date: Option<String>,
    /// Its type, for an SEM entry.
    pub kind: Option<EntryType>,
    /// Its title.
    pub title: String,
    /// Its first and last line in the old file, counted from 1.
    pub lines: (usize, usize),
}

/// An entry that the new version of its file has not just so.
#[derive(Debug)]
struct Missing {
    /// The moment and type, by which an SEM entry is known.
    key: Option<(i64, EntryType)>,
    text: String,
    lost: Lost,
}

impl Facts<'_> {
    /// The entries that stood in files that the change touches, and that stand nowhere in what it leaves, in the order of files
    /// and places. None where no change is looked at.
    pub fn lost(&self) -> Vec<Lost> {
        let (Some(changes), Some(guard)) = (self.changes(), &self.guard) else { return Vec::new() };
        let mut missing = Vec::new();
        for change in changes.list() {
            if let Some(role) = self.role_of_loser(change, changes, guard) {
                missing.extend(missing_in(change, role, changes, guard));
            }
        }
        let mut search = Search::new(missing);
        // Most of what is moved is moved to another file of the change; all others are asked only for what is left then.
        let changed = changes.list().iter().filter_map(|change| {
            let after = change.after.filter(|blob| blob.is_file())?;
            change.path.to_lowercase().ends_with(b".md").then(|| (change.path.clone(), after.id))
        });
        let of_state = || {
            let files = guard.read(|_| changes.files(guard.input().roots, &Excludes::default(), None));
            files.into_iter().flatten().filter_map(|file| match file.origin {
                Origin::Blob(id) => Some((file.path, id)),
                Origin::Disk | Origin::Unmerged => None,
            })
        };
        if !search.is_done() && search.look_in(changed, guard) && !search.is_done() {
            let _ = search.look_in(of_state(), guard);
        }
        search.lost()
    }

    /// The part of the file that the change takes entries from, if it can lose any.
    fn role_of_loser(&self, change: &Change, changes: &Changes, guard: &GuardFacts<'_>) -> Option<Role> {
        let (path, input) = (change.old_path(), guard.input());
        let is_file = change.before.is_some_and(|blob| blob.is_file());
        let root = input.roots.root_of(path).filter(|_| is_file && !input.excludes.matches(path))?;
        let role = Role::of(inner_path(path, root.as_bstr())).filter(|role| role.holds_entries())?;
        let can_lose = match (change.status, change.after) {
            (Status::Unmerged, _) => false,
            // Where a link takes its place, it stands where that leads.
            (_, Some(after)) => after.is_file(),
            (_, None) => !self.is_only_untracked(path, changes, guard),
        };
        can_lose.then_some(role)
    }

    /// Whether the file at `path`, which is gone from git, is or may be on disk as before: that is how state is taken out of git.
    fn is_only_untracked(&self, path: &BStr, changes: &Changes, guard: &GuardFacts<'_>) -> bool {
        let root = &guard.input().repository.root;
        let is_on_disk = || path.to_path().is_ok_and(|path| root.join(path).is_file());
        let is_ignored = || self.ignored(path, false).is_some_and(|decision| decision.ignored);
        if changes.is_staged() { is_on_disk() } else { is_ignored() }
    }
}

/// The entries of the old version of a file that the new one has not just so.
fn missing_in(change: &Change, role: Role, changes: &Changes, guard: &GuardFacts<'_>) -> Vec<Missing> {
    let read = |bytes: Result<Option<Vec<u8>>, Unread>| match bytes {
        Ok(bytes) => Some(bytes.unwrap_or_default()),
        Err(Unread::Git(error)) => {
            guard.fail(error);
            None
        }
        Err(_) => None,
    };
    let (Some(old), Some(new)) =
        (read(changes.before(change, MAX_SEARCHED)), read(changes.after(change, MAX_SEARCHED)))
    else {
        return Vec::new();
    };
    let (old, new) = (Source::new(change.old_path(), old), Source::new(change.path.clone(), new));
    let parse = |text| match role.holds_legacy() {
        true => entries::parse(text),
        false => entries::parse(text).without_legacy(),
    };
    let (text, entries, after) = (old.text(), parse(old.text()), parse(new.text()));
    let keys: HashSet<_> = keys(new.text(), &after).collect();
    let texts: HashSet<&str> = after.blocks().map(|block| body(block.span().of(new.text()))).collect();
    let missing = |span: Span, key: Option<(i64, EntryType)>, date: Option<Span>, title: Span| Missing {
        key,
        text: body(span.of(text)).to_owned(),
        lost: Lost {
            path: change.path.clone(),
            old_path: change.old_path().into(),
            with_file: change.after.is_none(),
            role,
            date: date.map(|date| date.of(text).to_owned()),
            kind: key.map(|(_, kind)| kind),
            title: title.of(text).to_owned(),
            lines: lines_of(&old, span),
        },
    };
    let mut sem = entries.sem(text);
    let found = entries.blocks().filter_map(|block| match block {
        Block::Prose(_) => None,
        Block::Sem(_) => {
            let entry = sem.next()?;
            let key = entry.timestamp().map(|at| at.unix()).zip(entry.entry_type());
            Some(missing(entry.span(), key, Some(entry.header().timestamp), entry.header().summary))
        }
        Block::Legacy(entry) => Some(missing(entry.span, None, entry.date, entry.title)),
    });
    found.filter(|one| !one.key.is_some_and(|key| keys.contains(&key)) && !texts.contains(one.text.as_str())).collect()
}

/// The lines of `span`, the first and the last one with text.
fn lines_of(source: &Source, span: Span) -> (usize, usize) {
    let span = span.trim(source.text());
    let line = |at| source.position(at, ColumnUnit::Char).line;
    (line(span.start()), line(span.end().saturating_sub(1).max(span.start())))
}

/// What SEM entries are known by.
fn keys<'a>(text: &'a str, entries: &'a Entries) -> impl Iterator<Item = (i64, EntryType)> + 'a {
    entries.sem(text).filter_map(|entry| Some((entry.timestamp()?.unix(), entry.entry_type()?)))
}

/// An entry's text without its terminator, which a merge may have dropped or added.
fn body(text: &str) -> &str {
    let text = text.trim();
    text.strip_suffix("---").unwrap_or(text).trim_end()
}

/// The search for what is missing.
struct Search {
    missing: Vec<Missing>,
    traces: Traces,
    keys: HashSet<(i64, EntryType)>,
    /// How many of the missing have each title.
    titles: HashMap<String, usize>,
    searched: BTreeSet<ObjectId>,
    /// Whether something could not be read: nothing is known then.
    is_blind: bool,
}

impl Search {
    fn new(missing: Vec<Missing>) -> Self {
        let mut search = Self {
            missing: Vec::new(),
            traces: Traces::default(),
            keys: HashSet::new(),
            titles: HashMap::new(),
            searched: BTreeSet::new(),
            is_blind: false,
        };
        for one in &missing {
            search.traces.add(&one.lost.title, &one.text);
            *search.titles.entry(one.lost.title.to_lowercase()).or_default() += 1;
        }
        search.missing = missing;
        search
    }

    /// Looks through the blobs. Says whether all of them could be read.
    fn look_in(&mut self, files: impl Iterator<Item = (BString, ObjectId)>, guard: &GuardFacts<'_>) -> bool {
        let Some(git) = &guard.input().repository.git else { return false };
        for (path, id) in files {
            if !self.searched.insert(id) {
                continue;
            }
            match git.blob(id, path.as_bstr(), MAX_SEARCHED) {
                Ok(bytes) => {
                    let source = Source::new(path, bytes);
                    self.traces.look_in(source.text());
                    if self.missing.iter().any(|one| one.key.is_some()) {
                        self.keys.extend(keys(source.text(), &entries::parse(source.text())));
                    }
                }
                Err(error) => {
                    self.is_blind = true;
                    if let Unread::Git(error) = error {
                        guard.fail(error);
                    }
                }
            }
        }
        !self.is_blind
    }

    fn is_done(&self) -> bool {
        (0..self.missing.len()).all(|place| self.stands(place))
    }

    /// Whether the entry at `place` stands somewhere, perhaps edited.
    fn stands(&self, place: usize) -> bool {
        let Some(one) = self.missing.get(place) else { return true };
        let (share, titles) = (self.traces.share(place), self.traces.titles(place));
        // Of several entries with one title as many have to be left.
        let has_title = titles > 0 && titles >= self.titles.get(&one.lost.title.to_lowercase()).copied().unwrap_or(0);
        one.key.is_some_and(|key| self.keys.contains(&key))
            || share >= STANDS
            || has_title && share >= STANDS_WITH_TITLE
    }

    fn lost(self) -> Vec<Lost> {
        if std::env::var_os("DEBUG_LOST").is_some() {
            for (place, one) in self.missing.iter().enumerate() {
                eprintln!("DBG\t{}\t{}\t{}\t{:?}\t{}\t{:?}\t{}\t{}", self.stands(place), self.traces.share(place), self.traces.titles(place), one.lost.date, one.lost.title, one.lost.lines, one.text.len(), one.lost.old_path);
            }
        }
        if self.is_blind {
            return Vec::new();
        }
        let lost: Vec<bool> = (0..self.missing.len()).map(|place| !self.stands(place)).collect();
        let found = self.missing.into_iter().zip(lost).filter(|(_, is_lost)| *is_lost);
        found.map(|(missing, _)| missing.lost).collect()
    }
}
