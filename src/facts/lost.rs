//! The entries that a change removes, and that no file contains after it.

mod copies;
mod kind;
mod near;
mod reworded;
mod search;
mod titled;
mod whole;

use std::collections::{HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice};

use super::{Run, ignores, state_branch};
use crate::dialects::FileKind;
use crate::formats::entries::{Block, Entries};
use crate::formats::sem::{self, EntryType, FieldName};
use crate::formats::timestamp::Timestamp;
use crate::git::change::{Blob, Change, Status};
use crate::git::lines::{self, Hunk};
use crate::select::changes::Changes;
use crate::select::read_error::ReadError;
use crate::text::{ColumnUnit, Source, Span};
pub use reworded::Rewording;
pub use search::lost;

/// A file of more bytes is not searched: what is missing may be there.
const MAX_SEARCHED: u64 = 64 << 20;

/// An entry that the change removes.
#[derive(Clone, Debug)]
pub struct Lost {
    /// The file in which it was; where that has another name now, the new one.
    pub path: BString,
    /// The line of that file before which it was, or the last one, after which it was; `None` if the file no longer exists or
    /// empty.
    pub place: Option<LineAnchor>,
    /// The file's name before the change.
    pub old_path: BString,
    /// Whether the file no longer exists, either.
    pub with_file: bool,
    /// The kind of the file before the change.
    pub file_kind: &'static FileKind,
    /// Its timestamp or date as it was written, where it has one.
    pub date: Option<String>,
    /// Its type, for an SEM entry.
    pub kind: Option<EntryType>,
    /// Its title.
    pub title: String,
    /// Its first and last line in the old file, counted from 1.
    pub lines: (usize, usize),
    /// Where the change wrote it in other words.
    pub reworded: Option<Rewording>,
    /// Whether it is in its file, but for nearly all that it said.
    pub is_cut: bool,
}

/// A line, and on which side of it something was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineAnchor {
    /// The line after it.
    Before(Span),
    /// The line ahead of it, the last one of the file.
    After(Span),
}

/// The moment and type, by which an SEM entry is known.
type Key = (i64, EntryType);

/// An entry that the new version of its file has not just so.
#[derive(Debug)]
struct Missing {
    /// That of an SEM entry.
    key: Option<Key>,
    /// The line that it starts with.
    heading: String,
    /// What it says, without what every entry says: its title and the texts behind.
    parts: Vec<String>,
    /// All of it.
    text: String,
    lost: Lost,
}

/// A file on one side of a change.
enum Text<'a> {
    Known(&'a Source),
    Read(Box<Source>),
}

impl Text<'_> {
    fn get(&self) -> &Source {
        match self {
            Self::Known(source) => source,
            Self::Read(source) => source,
        }
    }
}

/// A file that the change takes lines from.
struct Loser<'a> {
    run: &'a Run<'a>,
    change: &'a Change,
    file_kind: &'static FileKind,
    old: Text<'a>,
    new: Text<'a>,
    /// Whether findings can point into the new version.
    is_document: bool,
    hunks: Option<&'a [Hunk]>,
}

/// The file of the change, if it can lose entries and lines of it are gone.
fn loser<'c>(run: &'c Run<'_>, change: &'c Change, changes: &Changes) -> Option<Loser<'c>> {
    let path = change.old_path();
    let file_kind = kind_before(run, change)?;
    let can_lose = match (change.status, change.after) {
        (Status::Added | Status::Unmerged, _) => false,
        // Where a link takes its place, it is where that leads.
        (_, Some(after)) => after.is_file(),
        (_, None) => !is_hidden(run, path, changes),
    };
    let document = run.document_at(change.path.as_bstr());
    let hunks = document.and_then(|document| document.before.as_ref()?.hunks.as_deref());
    let is_whole = hunks.is_some_and(|hunks| hunks.iter().all(|(before, _)| before.is_empty()));
    if !can_lose || is_whole || change.before.map(|blob| blob.id) == change.after.map(|blob| blob.id) {
        return None;
    }
    let (old, new) = (old_text(run, change, changes)?, new_text(run, change, changes)?);
    Some(Loser { run, change, file_kind, old, new, is_document: document.is_some(), hunks })
}

/// Whether the file at `path`, which is gone from git, may have its entries where the run cannot look.
fn is_hidden(run: &Run<'_>, path: &BStr, changes: &Changes) -> bool {
    let is_moved_to_branch = |root: BString| state_branch::holds(run, root.as_bstr()) && run.state_branch().is_some();
    if !run.input.roots.root_of(path).is_some_and(is_moved_to_branch) {
        return is_only_untracked(run, path, changes);
    }
    // What is ignored because of the branch is on the branch, except where it is still on disk.
    let root = &run.input.repository.root;
    path.to_path().is_ok_and(|path| root.join(path).is_file())
        && (changes.is_staged() || ignores::is_ignored(run, path))
}

/// Whether the file at `path`, which is gone from git, is or may be on disk as before: that is how state is removed from git.
pub(crate) fn is_only_untracked(run: &Run<'_>, path: &BStr, changes: &Changes) -> bool {
    let root = &run.input.repository.root;
    let is_on_disk = || path.to_path().is_ok_and(|path| root.join(path).is_file());
    let is_ignored = || ignores::is_ignored(run, path);
    if changes.is_staged() { is_on_disk() } else { is_ignored() }
}

fn old_text<'c>(run: &'c Run<'_>, change: &Change, changes: &Changes) -> Option<Text<'c>> {
    let document = run.document_at(change.path.as_bstr());
    if let Some(source) = document.and_then(|document| document.before.as_ref()?.source.as_deref()) {
        return Some(Text::Known(source));
    }
    let bytes = readable(changes.before(change, MAX_SEARCHED), run)?;
    Some(Text::Read(Box::new(Source::new(change.old_path(), bytes))))
}

fn new_text<'c>(run: &'c Run<'_>, change: &Change, changes: &Changes) -> Option<Text<'c>> {
    if let Some(document) = run.document_at(change.path.as_bstr()) {
        return Some(Text::Known(&document.source));
    }
    let bytes = readable(changes.after(change, MAX_SEARCHED), run)?;
    Some(Text::Read(Box::new(Source::new(change.path.clone(), bytes))))
}

/// The kind of the file before the change, if such files contain entries.
fn kind_before(run: &Run<'_>, change: &Change) -> Option<&'static FileKind> {
    let (path, input) = (change.old_path(), run.input);
    let is_file = change.before.is_some_and(Blob::is_file);
    let found = input.roots.locate(path).filter(|_| is_file && !input.excludes.matches(path))?;
    found.kind.filter(|kind| kind.holds_entries())
}

/// The bytes, none for a file that is not there. `None` if they cannot be read: a failure of git ends the run.
fn readable(bytes: Result<Option<Vec<u8>>, ReadError>, run: &Run<'_>) -> Option<Vec<u8>> {
    match bytes {
        Ok(bytes) => Some(bytes.unwrap_or_default()),
        Err(ReadError::Git(error)) => {
            run.fail(error);
            None
        }
        Err(_) => None,
    }
}

impl Loser<'_> {
    /// The entries of the old version that the new one has not just so.
    fn missing(&self) -> Vec<Missing> {
        let (old, new) = (self.old.get(), self.new.get());
        let (text, entries, after) = (old.text(), self.parse(old), self.parse(new));
        if let Some(whole) = self.whole(old, &entries) {
            return self.missing_whole(whole, new).into_iter().collect();
        }
        // Where two entries have one key, that of the one that stays says nothing of the other.
        let count = |text, entries| {
            let mut counts: HashMap<Key, usize> = HashMap::new();
            keys(text, entries).for_each(|key| *counts.entry(key).or_default() += 1);
            counts
        };
        let (keys_before, keys_after) = (count(text, &entries), count(new.text(), &after));
        let texts: HashSet<&str> = after.blocks().map(|block| body(block.span().of(new.text()))).collect();
        let is_same = |span: Span| texts.contains(body(span.of(text)));
        // The search tells whether what is shorter now lost what it said.
        let left: HashMap<&str, usize> =
            after.sem(new.text()).map(|entry| (entry.header().line.of(new.text()), entry.span().len())).collect();
        let is_shorter = |entry: &sem::Entry<'_>| {
            let left = left.get(entry.header().line.of(text));
            left.is_some_and(|left| left * 2 < entry.span().len())
        };
        let mut sem = entries.sem(text);
        let mut missing: Vec<Missing> = entries
            .blocks()
            .filter_map(|block| match block {
                Block::Prose(_) => None,
                Block::Sem(_) => {
                    let entry = sem.next()?;
                    let key = key(&entry);
                    let has_key =
                        |key: Key| keys_after.get(&key).is_some_and(|after| keys_before.get(&key) <= Some(after));
                    let is_there = is_same(entry.span()) || key.is_some_and(has_key) && !is_shorter(&entry);
                    (!is_there).then(|| self.missing_sem(entry, key))
                }
                Block::Legacy(entry) => (!is_same(entry.span)).then(|| {
                    let of = |span: Span| span.of(text).to_owned();
                    let lost = self.lost(entry.span, None, entry.date, entry.title);
                    let below = Span::new(entry.heading.end(), entry.span.end());
                    let parts = vec![of(entry.title), of(below)];
                    Missing { key: None, heading: of(entry.heading), parts, text: of(entry.span), lost }
                }),
            })
            .collect();
        let computed;
        let hunks = match self.hunks {
            Some(hunks) => hunks,
            None if missing.is_empty() || !self.is_document => &[],
            None => {
                computed = lines::hunks(old.bytes(), new.bytes());
                &computed
            }
        };
        for missing in missing.iter_mut().filter(|_| self.is_document) {
            missing.lost.place = place_of(missing.lost.lines.0, hunks, new);
        }
        missing
    }

    fn parse(&self, source: &Source) -> Entries {
        self.file_kind.entries(source.text())
    }

    fn missing_sem(&self, entry: sem::Entry<'_>, key: Option<Key>) -> Missing {
        let (text, header) = (entry.text(), entry.header());
        let mut parts = vec![header.summary.of(text).to_owned()];
        let mut at = header.line.end();
        // What any entry of that author and day has as well would tell nothing.
        let is_metadata = |name| {
            use FieldName::{Author, Contributors, Scope, Tags, Timestamp, Type};
            matches!(name, Type | Timestamp | Author | Scope | Tags | Contributors)
        };
        for field in entry.fields().iter().filter(|field| is_metadata(field.name)) {
            parts.push(Span::new(at, field.label().start()).of(text).to_owned());
            at = field.value.end().max(at);
        }
        parts.push(Span::new(at, entry.span().end()).of(text).to_owned());
        let lost = self.lost(entry.span(), key.map(|(_, kind)| kind), Some(header.timestamp), header.summary);
        let all = entry.span().of(text).to_owned();
        Missing { key, heading: header.line.of(text).to_owned(), parts, text: all, lost }
    }

    fn lost(&self, span: Span, kind: Option<EntryType>, date: Option<Span>, title: Span) -> Lost {
        let old = self.old.get();
        let inner = span.trim(old.text());
        let line = |at| old.position(at, ColumnUnit::Char).line;
        Lost {
            path: self.change.path.clone(),
            place: None,
            old_path: self.change.old_path().into(),
            with_file: self.change.after.is_none(),
            file_kind: self.file_kind,
            date: date.map(|date| old.slice(date).to_owned()),
            kind,
            title: old.slice(title).to_owned(),
            reworded: None,
            is_cut: false,
            lines: (line(inner.start()), line(inner.end().saturating_sub(1).max(inner.start()))),
        }
    }
}

/// The first line with text at or after the place at which the old `line` was, or the last one before it.
fn place_of(line: usize, hunks: &[Hunk], new: &Source) -> Option<LineAnchor> {
    let line = u32::try_from(line).ok()?;
    let before = hunks.iter().take_while(|(before, _)| before.start <= line).last();
    let now = match before {
        Some((before, after)) if before.contains(&line) => after.start,
        Some((before, after)) => after.end + (line - before.end),
        None => line,
    };
    let at = new.line_start(now as usize);
    let next = new.text().get(at..)?.find(|c: char| !c.is_whitespace()).map(|gap| at + gap);
    let line_at = |at| new.lines_around(Span::at(at)).trim(new.text());
    match next {
        Some(at) => Some(LineAnchor::Before(line_at(at))),
        None => new.text().trim_end().len().checked_sub(1).map(|at| LineAnchor::After(line_at(at))),
    }
}

/// What SEM entries are known by.
fn keys<'a>(text: &'a str, entries: &'a Entries) -> impl Iterator<Item = Key> + 'a {
    entries.sem(text).filter_map(|entry| key(&entry))
}

fn key(entry: &sem::Entry<'_>) -> Option<Key> {
    entry.timestamp().map(Timestamp::unix).zip(entry.entry_type())
}

/// An entry's text without its terminator, which a merge may have dropped or added.
fn body(text: &str) -> &str {
    let text = text.trim();
    text.strip_suffix("---").unwrap_or(text).trim_end()
}
