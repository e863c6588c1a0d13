//! `memory merge-inbox`: what scribes do by hand. The entries of the inbox move into the ledger.
//!
//! The ledger is on the disk before the first file of the inbox is removed, so a run that is killed loses nothing, and the next one
//! finds the entries in both places and joins them.

mod entries;
mod file_name;
mod front_matter;

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use bstr::{BString, ByteSlice};

use self::entries::{Entry, Kind, entries, lowered};
use self::file_name::{FileName, Names};
use super::cell;
use super::kept::Kept;
use super::open_block::OpenBlock;
use super::sheet::{Placed, Sheet, Spot};
use super::squad::{Squad, SquadError};
use crate::dialects::squad;
use crate::fix::passes::FixedFile;
use crate::fs::atomic::{self, UpdateError, WriteError};
use crate::fs::read::read_unlinked;

use crate::terminal::{display_path, escape};
use crate::text::prose::plural;
use crate::text::{MAX_BYTES, conflict};

/// Why the inbox was not merged.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum InboxError {
    /// The squad cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Squad(#[from] SquadError),
    /// What is put after it would be a part of something that the ledger does not close.
    #[error("{path}: {open}")]
    #[diagnostic(help("close it; the inbox is as it was"))]
    Open {
        /// The ledger.
        path: String,
        /// What it does not close.
        open: OpenBlock,
    },
    /// The ledger cannot be written.
    #[error("{path} was not written")]
    #[diagnostic(help("the inbox is as it was"))]
    Write {
        /// The ledger.
        path: String,
        /// Why.
        source: WriteError,
    },
}

/// What becomes of the inbox.
#[derive(Debug, Default)]
pub struct Merged {
    /// The files whose entries are in the ledger, and those without a text, each with its bytes.
    pub files: Vec<(BString, Vec<u8>)>,
    /// The files that stay.
    pub kept: Vec<Kept>,
    /// How many of the files have no text.
    pub empty: usize,
    /// How many entries are new in the ledger.
    pub added: usize,
    /// How many entries the ledger has, or had a shorter version of.
    pub joined: usize,
    /// How many of the files gave an entry the first word of their name for an author, as nothing says who is on the team.
    pub first_words: usize,
}

impl Merged {
    /// What was done, or would be done, in a line.
    pub fn said(&self, is_diff: bool) -> String {
        if self.files.is_empty() {
            return match self.kept.iter().map(|kept| &kept.path).collect::<BTreeSet<_>>().len() {
                0 => "the inbox has nothing to merge".to_owned(),
                1 => "merged no file: 1 file stays in the inbox".to_owned(),
                count => format!("merged no file: {count} files stay in the inbox"),
            };
        }
        let done = if is_diff { "would merge" } else { "merged" };
        let files = plural(self.files.len(), "file");
        let added = if self.added == 1 { "1 new entry".to_owned() } else { format!("{} new entries", self.added) };
        let joined = if self.joined > 0 { format!(", {} already there", self.joined) } else { String::new() };
        let empty = match self.empty {
            0 => String::new(),
            1 => ", 1 file was empty".to_owned(),
            count => format!(", {count} files were empty"),
        };
        format!("{done} {files}: {added}{joined}{empty}")
    }

    /// Where the authors come from that only the names of the files say, in a team without members.
    pub fn said_of_authors(&self) -> Option<String> {
        let files = match self.first_words {
            0 => return None,
            1 => "the name of 1 file".to_owned(),
            count => format!("the names of {count} files"),
        };
        Some(format!("the first word in {files} became the author: no agent is known here"))
    }
}

/// Merges the inbox of a squad into its ledger.
///
/// # Errors
/// See [`InboxError`]; nothing is written then.
pub fn run(squad: &Squad<'_>) -> Result<Merged, InboxError> {
    let (root, ledger) = (&squad.project.repository.root, squad.ledger());
    if !has_files(squad) {
        // A run that was killed may have had nothing else to do.
        squad.sweep();
        return Ok(Merged { kept: squad.passed_over.clone(), ..Merged::default() });
    }
    let mut merged = Merged::default();
    let result = atomic::update(root, Path::new(&*ledger.to_path_lossy()), |old| {
        let squad = Squad::find(squad.project, Some(&squad.root.to_path_lossy()))?;
        let (found, new) = plan(&squad, old)?;
        merged = found;
        Ok::<_, InboxError>(new.filter(|new| old != Some(new)))
    });
    match result {
        Ok(_) => {}
        Err(UpdateError::Change(error)) => return Err(error),
        Err(UpdateError::Write(source)) => return Err(InboxError::Write { path: display_path(&ledger), source }),
    }
    let files = std::mem::take(&mut merged.files);
    squad.sweep();
    for (path, bytes) in files {
        match atomic::remove(root, &path.to_path_lossy(), &bytes) {
            Ok(()) => merged.files.push((path, bytes)),
            // Another run merged and removed it at the same time.
            Err(_) if is_gone(squad, &path) => merged.files.push((path, bytes)),
            Err(error) => merged.kept.push(Kept { path, line: None, reason: error.to_string(), is_entry: true }),
        }
    }
    Ok(merged)
}

/// What [`run`] would do: the ledger as it would be, and what becomes of the inbox.
///
/// # Errors
/// See [`InboxError`].
pub fn preview(squad: &Squad<'_>) -> Result<(Option<FixedFile>, Merged), InboxError> {
    let ledger = squad.ledger();
    if !has_files(squad) {
        return Ok((None, Merged { kept: squad.passed_over.clone(), ..Merged::default() }));
    }
    let (root, path) = (&squad.project.repository.root, ledger.to_path_lossy());
    let failed = |source| InboxError::Write { path: display_path(&ledger), source };
    atomic::may_update(root, &path).map_err(failed)?;
    let old = squad.text(&ledger)?.map(String::into_bytes);
    let (merged, new) = plan(squad, old.as_deref())?;
    let new = new.filter(|new| old.as_ref() != Some(new));
    if new.is_some() {
        atomic::may_replace(&path, old.as_deref().unwrap_or_default()).map_err(failed)?;
    }
    let file = new.map(|new| FixedFile { path: ledger, old, new, count: merged.added, after: BTreeSet::default() });
    Ok((file, merged))
}

/// Whether the inbox has files that are merged, or stay for a reason of their own.
fn has_files(squad: &Squad<'_>) -> bool {
    squad.files.iter().any(|file| *file.kind == squad::INBOX)
}

/// A file of the inbox.
struct File<'a> {
    path: BString,
    name: FileName<'a>,
    bytes: Vec<u8>,
    /// Its text, with fields for its front matter.
    text: String,
    /// What it says, in its order.
    entries: Vec<Entry>,
}

/// What becomes of the inbox, and the ledger with its entries; `None` if there are none.
fn plan(squad: &Squad<'_>, old: Option<&[u8]>) -> Result<(Merged, Option<Vec<u8>>), InboxError> {
    let ledger = || display_path(&squad.ledger());
    let old = std::str::from_utf8(old.unwrap_or(b"# Decisions\n"));
    let old = old.map_err(|_| SquadError::NotUtf8 { path: ledger() })?;
    let mut merged = Merged { kept: squad.passed_over.clone(), ..Merged::default() };
    let mut files = Vec::new();
    let team = Names::of(&squad.members()?, &squad.team()?);
    for file in squad.files.iter().filter(|file| *file.kind == squad::INBOX) {
        let path = file.path.clone();
        let name = FileName { inner: file.inner_path(), team: &team, is_author_only: false };
        match read(squad, &path, name) {
            Ok((bytes, _, entries)) if entries.is_empty() => {
                merged.files.push((path, bytes));
                merged.empty += 1;
            }
            Ok((bytes, text, entries)) => files.push(File { path, name, bytes, text, entries }),
            // Another run merged it: its entries are in the ledger, which this one reads under the lock.
            Err(_) if is_gone(squad, &path) => {}
            Err((line, reason)) => merged.kept.push(Kept { path, line, reason, is_entry: true }),
        }
    }
    if files.is_empty() {
        return Ok((merged, None));
    }
    if let Some(open) = OpenBlock::find(old) {
        return Err(InboxError::Open { path: ledger(), open });
    }
    let mut text = old.to_owned();
    let mut tries = 0;
    loop {
        let before = merged.files.len();
        files = add(&mut text, files, Spot::InTime, &mut merged, &mut tries);
        // What was merged may make a place for others.
        if files.is_empty() || merged.files.len() == before {
            break;
        }
    }
    let level = Sheet::new(&text, &squad::DECISIONS, Spot::InTime).level();
    let lines: HashSet<&str> = cell::said(&text).collect();
    merged.kept.extend(files.into_iter().map(|file| untitled(&file, &lines).unwrap_or_else(|| swallowed(file, level))));
    Ok((merged, (text != old).then(|| text.into_bytes())))
}

/// Whether there is no such file any more.
fn is_gone(squad: &Squad<'_>, path: &BString) -> bool {
    squad.full(path).symlink_metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

/// Puts the entries of these files into a ledger at this spot, or at another one if they, or those of the ledger, would not be read
/// as they are. Returns the files that no spot is for. Each try reads the whole ledger, and so these are counted.
fn add<'a>(
    ledger: &mut String,
    mut files: Vec<File<'a>>,
    spot: Spot,
    merged: &mut Merged,
    tries: &mut usize,
) -> Vec<File<'a>> {
    *tries += 1;
    if *tries > TRIES {
        return files;
    }
    let mut sheet = Sheet::new(ledger, &squad::DECISIONS, spot);
    let (added, joined) = fill(&mut sheet, &files);
    let text = sheet.text().and_then(|text| {
        let lacking = lacking(&text, &files);
        if lacking.is_empty() { Ok(text) } else { Err(lacking) }
    });
    let lost = match text {
        Ok(text) => {
            *ledger = text;
            merged.added += added;
            merged.joined += joined;
            let is_by_first_word = |file: &&File<'_>| file.entries.iter().any(|entry| entry.is_by_first_word);
            merged.first_words += files.iter().filter(is_by_first_word).count();
            merged.files.extend(files.into_iter().map(|file| (file.path, file.bytes)));
            return Vec::new();
        }
        Err(lost) => lost,
    };
    let (one, other) = if !lost.is_empty() && lost.len() < files.len() {
        let mut number = 0..;
        files.into_iter().partition(|_| number.next().is_some_and(|number| !lost.contains(&number)))
    } else if let Some(next) = spot.next() {
        return add(ledger, files, next, merged, tries);
    } else if files.len() <= 1 {
        return files;
    } else {
        // None of many is read as it was: one tells of all of them.
        let is_many = lost.len() > MANY;
        let rest = files.split_off(if is_many { 1 } else { files.len() / 2 });
        let left = add(ledger, files, spot, merged, tries);
        if is_many && !left.is_empty() {
            return left.into_iter().chain(rest).collect();
        }
        return left.into_iter().chain(add(ledger, rest, spot, merged, tries)).collect();
    };
    let mut left = add(ledger, one, spot, merged, tries);
    left.extend(add(ledger, other, spot, merged, tries));
    left
}

/// Puts the entries of these files into a ledger. Returns how many are new, and how many it has.
fn fill(sheet: &mut Sheet<'_>, files: &[File<'_>]) -> (usize, usize) {
    let (mut added, mut joined) = (0, 0);
    let mut put = |sheet: &mut Sheet<'_>, name: FileName<'_>, entry: &Entry, level: u8| {
        let completed = |text: &str| match entry.is_named {
            true => name.of_one(entry.is_one_of_several).completed(text, &entry.around),
            false => text.to_owned(),
        };
        let text = lowered(&entry.text, entry.kind, level);
        if entry.kind == Kind::Heading {
            return sheet.put_heading(&text, entry.moment);
        }
        match sheet.put_completed(&text, entry.moment, completed) {
            Placed::Added => added += 1,
            Placed::Known | Placed::Extended => joined += 1,
        }
    };
    let level = sheet.level();
    let numbered = || files.iter().enumerate();
    let all = numbered().flat_map(|(number, file)| file.entries.iter().map(move |entry| (number, file.name, entry)));
    let outside = all.filter(|(.., entry)| !entry.is_title() && entry.around.title.is_none());
    sheet.enter(None);
    for (file, name, entry) in in_order(outside.collect(), sheet.is_newest_first()) {
        sheet.begin(file);
        put(sheet, name, entry, level);
    }
    // A section after all of them takes in none.
    for (number, file) in numbered() {
        sheet.begin(number);
        let titles = file.entries.iter().enumerate().filter(|(_, entry)| entry.kind == Kind::Title);
        for (at, title) in titles {
            sheet.enter(Some(&lowered(&title.text, Kind::Title, level)));
            let inside = file.entries.iter().filter(|entry| entry.around.title == Some(at));
            let inside = inside.map(|entry| (number, file.name, entry)).collect();
            for (_, name, entry) in in_order(inside, sheet.is_newest_first()) {
                put(sheet, name, entry, 3);
            }
        }
    }
    (added, joined)
}

/// Entries, each with its file, in the order in which they are put in.
fn in_order<'e, 'n>(
    mut entries: Vec<(usize, FileName<'n>, &'e Entry)>,
    newest_first: bool,
) -> Vec<(usize, FileName<'n>, &'e Entry)> {
    // Stable: of one moment, the files and what is in them keep their order. Where the newest comes first, an entry goes before
    // those of its moment.
    entries.sort_by_key(|(.., entry)| entry.moment.unwrap_or(i64::MAX));
    if newest_first {
        entries.reverse();
    }
    entries
}

/// The files, by their numbers, with a line that a ledger does not have, whatever the level of a heading is.
fn lacking(ledger: &str, files: &[File<'_>]) -> BTreeSet<usize> {
    let lines: HashSet<&str> = cell::said(ledger).collect();
    let has_all = |file: &File<'_>| {
        let titles = file.entries.iter().filter(|entry| entry.is_title());
        let (joined, titles): (Vec<&Entry>, Vec<&Entry>) = titles.partition(|entry| entry.kind == Kind::Joined);
        let joined: HashSet<&str> = joined.iter().map(|title| cell::words(&title.text)).collect();
        let ends = |line: &str, title: &str| title.strip_suffix(line).is_some_and(|before| before.ends_with(": "));
        let is_in_title = |line: &str| {
            joined.contains(line)
                || titles.iter().any(|title| ends(line, &title.text) && lines.contains(cell::words(&title.text)))
        };
        cell::said(&file.text).all(|line| lines.contains(line) || is_in_title(line))
    };
    let numbered = files.iter().enumerate().filter(|(_, file)| !has_all(file));
    numbered.map(|(number, _)| number).collect()
}

/// A text without the byte order mark that it may begin with.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// So many files are tried by halves, until those are found that stay.
const MANY: usize = 16;

/// After so many tries, the files that are left stay for the next run.
const TRIES: usize = 64;

/// A file that stays as the ledger, whose entries have this level, would have its text in another entry.
fn swallowed(file: File<'_>, level: u8) -> Kept {
    let hashes = "#".repeat(usize::from(level));
    let reason = format!(
        "in the ledger, the entry before would take in a text of it, a section would give it a date, it would be below \
         another title, or a heading of it would be the title of other entries; write the date in its heading, and delete the headings above that: \
         `{hashes} 2026-02-15: Title`"
    );
    Kept { path: file.path, line: None, reason, is_entry: true }
}

/// A file that stays as the ledger, which has these lines, has its entries, but not below the title that they have here: the ledger
/// does not have the title.
fn untitled(file: &File<'_>, ledger: &HashSet<&str>) -> Option<Kept> {
    let (titles, entries): (Vec<&Entry>, Vec<&Entry>) = file.entries.iter().partition(|entry| entry.is_title());
    let is_there = |entry: &&Entry| cell::said(&entry.text).all(|line| ledger.contains(line));
    let title = titles.into_iter().find(|title| !ledger.contains(cell::words(&title.text)))?;
    if !entries.iter().all(is_there) {
        return None;
    }
    let reason = format!(
        "the ledger has its entries, but not the title above them; write `{}` above them there, or delete it here",
        escape(&title.text)
    );
    Some(Kept { path: file.path.clone(), line: None, reason, is_entry: true })
}

/// The line and the reason why a file stays.
type Stays = (Option<usize>, String);

/// The bytes of a file of the inbox, its text with fields for its front matter, and its entries, or why it stays.
fn read(squad: &Squad<'_>, path: &BString, name: FileName<'_>) -> Result<(Vec<u8>, String, Vec<Entry>), Stays> {
    let stays = |reason: &str| (None, reason.to_owned());
    let read = read_unlinked(&squad.full(path), MAX_BYTES).map_err(|error| (None, error.to_string()))?;
    let bytes = read.ok_or_else(|| stays("it is a link"))?;
    if let Some(line) = conflict::first_line(&bytes) {
        return Err((Some(line), "it has an unresolved merge conflict".to_owned()));
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| stays("it is not UTF-8"))?;
    if let Some(open) = OpenBlock::find(text) {
        return Err((Some(open.line), open.to_string()));
    }
    let file = path.rsplit_str("/").next().unwrap_or_default();
    let stem = file.strip_suffix(b".md").unwrap_or(file).to_str_lossy();
    let title = stem.replace(['-', '_'], " ");
    let text = without_mark(text).replace("\r\n", "\n");
    let text = front_matter::as_fields(&text, &squad::INBOX, &title).unwrap_or(text);
    let text = front_matter::below_title(&text).unwrap_or(text);
    let text = front_matter::below_heading(&text).unwrap_or(text);
    let entries = entries(&text, &title, &squad::INBOX, name);
    if entries.is_empty() && !text.trim().is_empty() {
        return Err(stays("no entry is in it"));
    }
    Ok((bytes, text, entries))
}
