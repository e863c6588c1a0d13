//! The entries that a change takes away, and that stand nowhere after it.

use std::collections::{HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice};

use super::Facts;
use super::state::GuardFacts;
use crate::formats::entries::{self, Block, Entries};
use crate::formats::sem::EntryType;
use crate::formats::traces::Traces;
use crate::select::change::{Change, Status};
use crate::select::changes::Changes;
use crate::select::exclude::Excludes;
use crate::select::read::Unread;
use crate::select::{Role, inner_path};
use crate::text::{Source, Span};

/// A file of more bytes is not searched: what is missing may stand there.
const MAX_SEARCHED: u64 = 64 << 20;

/// An entry that is gone.
#[derive(Clone, Debug)]
pub struct Lost {
    /// The file in which it stood, under its old name.
    pub path: BString,
    /// Whether that file is gone as well.
    pub with_file: bool,
    /// Its timestamp or date as it was written, where it has one.
    pub date: Option<String>,
    /// Its type, for an SEM entry.
    pub kind: Option<EntryType>,
    /// Its title.
    pub title: String,
    /// Its first and last line in the old file, counted from 1.
    pub lines: (usize, usize),
    /// Scores.
    pub debug: String,
}

/// An entry that stands in the old version of a file, and as it was not in the new one.
#[derive(Debug)]
struct Missing {
    /// The moment and type, by which an SEM entry is known.
    key: Option<(i64, EntryType)>,
    text: String,
    lost: Lost,
}

/// What tells entries apart.
#[derive(Debug, Default)]
struct Present {
    keys: HashSet<(i64, EntryType)>,
    texts: HashSet<String>,
}

impl Present {
    fn add(&mut self, text: &str, entries: &Entries) {
        self.keys.extend(entries.sem(text).filter_map(|entry| Some((entry.timestamp()?.unix(), entry.entry_type()?))));
        self.texts.extend(entries.blocks().map(|block| body(block.span().of(text)).to_owned()));
    }
}

impl Facts<'_> {
    /// The entries that stood in files that the change touches, and that stand nowhere in what it leaves. None where no change
    /// is looked at.
    pub fn lost(&self) -> Vec<Lost> {
        let (Some(changes), Some(guard)) = (self.changes(), &self.guard) else { return Vec::new() };
        let left: Vec<&Change> = changes.list().iter().filter(|change| self.loses(change, changes, guard)).collect();
        let mut missing: Vec<Missing> = left.iter().flat_map(|change| missing(change, changes, guard)).collect();
        if missing.is_empty() {
            return Vec::new();
        }
        let mut traces = Traces::default();
        let mut counts: HashMap<String, usize> = HashMap::new();
        for one in &missing {
            traces.add(&one.lost.title, &one.text);
            *counts.entry(one.lost.title.to_lowercase()).or_default() += 1;
        }
        let mut present = Present::default();
        if !search(changes, guard, &mut present, &mut traces) {
            return Vec::new();
        }
        let mut place = 0..;
        missing.retain_mut(|one| {
            let place = place.next().unwrap_or_default();
            one.lost.debug = format!(
                "share {} titles {} of {} len {}",
                traces.share(place),
                traces.titles(place),
                counts.get(&one.lost.title.to_lowercase()).copied().unwrap_or(0), one.text.len()
            );
            !one.key.is_some_and(|key| present.keys.contains(&key))
        });
        missing.into_iter().map(|missing| missing.lost).collect()
    }

    /// Whether entries of the file can be lost by its change.
    fn loses(&self, change: &Change, changes: &Changes, guard: &GuardFacts<'_>) -> bool {
        let (path, input) = (change.old_path(), guard.input());
        if !change.before.is_some_and(|blob| blob.is_file()) || input.excludes.matches(path) {
            return false;
        }
        let role = input.roots.root_of(path).and_then(|root| Role::of(inner_path(path, root.as_bstr())));
        if !role.is_some_and(Role::holds_entries) {
            return false;
        }
        match (change.status, change.after) {
            (Status::Unmerged, _) => false,
            (_, Some(after)) => after.is_file(),
            (_, None) => !self.is_untracked_only(path, changes, guard),
        }
    }

    /// Whether the file at `path` left git, and not the disk: the state is taken out of git on purpose.
    fn is_untracked_only(&self, path: &BStr, changes: &Changes, guard: &GuardFacts<'_>) -> bool {
        let input = guard.input();
        if changes.is_staged() {
            return path.to_path().is_ok_and(|path| input.repository.root.join(path).is_file());
        }
        self.ignored(path, false).is_some_and(|decision| decision.ignored)
    }
}

/// The entries of the old version that the new one has not just so.
fn missing(change: &Change, changes: &Changes, guard: &GuardFacts<'_>) -> Vec<Missing> {
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
    let mut present = Present::default();
    present.add(new.text(), &entries::parse(new.text()));
    let text = old.text();
    let entries = entries::parse(text);
    let lost = |span: Span, date: Option<Span>, kind, title: Span| Lost {
        path: change.old_path().into(),
        with_file: change.after.is_none(),
        date: date.map(|date| date.of(text).to_owned()),
        kind,
        title: title.of(text).to_owned(),
        lines: {
            let span = span.trim(text);
            (old.position(span.start(), crate::text::ColumnUnit::Char).line, old.position(span.end().saturating_sub(1), crate::text::ColumnUnit::Char).line)
        },
        debug: String::new(),
    };
    let mut sem = entries.sem(text);
    let found = entries.blocks().filter_map(|block| match block {
        Block::Prose(_) => None,
        Block::Sem(_) => {
            let entry = sem.next()?;
            let key = entry.timestamp().map(|at| at.unix()).zip(entry.entry_type());
            let header = entry.header();
            let lost = lost(entry.span(), Some(header.timestamp), entry.entry_type(), header.summary);
            Some(Missing { key, text: entry.span().of(text).to_owned(), lost })
        }
        Block::Legacy(entry) => {
            let lost = lost(entry.span, entry.date, None, entry.title);
            Some(Missing { key: None, text: entry.span.of(text).to_owned(), lost })
        }
    });
    found.filter(|one| {
        !present.texts.contains(body(&one.text)) && !one.key.is_some_and(|key| present.keys.contains(&key))
    }).collect()
}

/// Looks through all that the change leaves. Says whether all of it could be read.
fn search(changes: &Changes, guard: &GuardFacts<'_>, present: &mut Present, traces: &mut Traces) -> bool {
    let input = guard.input();
    let Some(git) = &input.repository.git else { return false };
    let Some(files) = guard.read(|_| changes.files(input.roots, &Excludes::default(), None)) else { return false };
    let is_markdown = |path: &BStr| path.to_lowercase().ends_with(b".md");
    let of_state = files.iter().filter_map(|file| match file.origin {
        crate::select::Origin::Blob(id) => Some((file.path.as_bstr(), id)),
        _ => None,
    });
    // An entry can be moved out of the state, too.
    let beside = changes.list().iter().filter_map(|change| {
        let after = change.after.filter(|blob| blob.is_file() && is_markdown(change.path.as_bstr()))?;
        (input.roots.root_of(change.path.as_bstr()).is_none()).then_some((change.path.as_bstr(), after.id))
    });
    for (path, id) in of_state.chain(beside) {
        match git.blob(id, path, MAX_SEARCHED) {
            Ok(bytes) => {
                let source = Source::new(path, bytes);
                present.add(source.text(), &entries::parse(source.text()));
                traces.look_in(source.text());
            }
            Err(Unread::Git(error)) => {
                guard.fail(error);
                return false;
            }
            Err(_) => return false,
        }
    }
    true
}

/// An entry's text without its terminator, which a merge may have dropped or added.
fn body(text: &str) -> &str {
    let text = text.trim();
    text.strip_suffix("---").unwrap_or(text).trim_end()
}
