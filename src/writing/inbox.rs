//! `memory merge-inbox`: what scribes do by hand. The entries of the inbox move into the ledger.
//!
//! The ledger is on the disk before the first file of the inbox is removed, so a run that is killed loses nothing, and the next one
//! finds the entries in both places and joins them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice};

use super::kept::Kept;
use super::open_block::OpenBlock;
use super::sheet::{Placed, Sheet};
use super::squad::{Squad, SquadError};
use crate::dialects::{FileKind, squad};
use crate::fix::passes::FixedFile;
use crate::formats::entries::Block;
use crate::formats::legacy::LegacyEntry;
use crate::formats::markdown::{self, MarkKind};
use crate::fs::atomic::{self, UpdateError, WriteError};
use crate::fs::read::read_unlinked;

use crate::merge::parts::{self, Base};
use crate::terminal::display_path;
use crate::text::prose::plural;
use crate::text::{MAX_BYTES, conflict};

/// Why the inbox was not merged.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum InboxError {
    /// The squad cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Squad(#[from] SquadError),
    /// What is put behind it would be a part of something that the ledger does not close.
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
}

impl Merged {
    /// What was done, or would be done, in a line.
    pub fn said(&self, is_diff: bool) -> String {
        if self.files.is_empty() {
            return "the inbox has nothing to merge".to_owned();
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
}

/// Merges the inbox of a squad into its ledger.
///
/// # Errors
/// See [`InboxError`]; nothing is written then.
pub fn run(squad: &Squad<'_>) -> Result<Merged, InboxError> {
    let (root, ledger) = (&squad.project.repository.root, squad.ledger());
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
    let folders: BTreeSet<PathBuf> =
        files.iter().filter_map(|(path, _)| Some(squad.full(path).parent()?.into())).collect();
    for folder in &folders {
        atomic::sweep(folder);
    }
    for (path, bytes) in files {
        match atomic::remove(root, &path.to_path_lossy(), &bytes) {
            Ok(()) => merged.files.push((path, bytes)),
            // Another run merged and removed it at the same time.
            Err(_) if is_gone(squad, &path) => merged.files.push((path, bytes)),
            Err(error) => merged.kept.push(Kept { path, line: None, reason: error.to_string() }),
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
    let old = squad.text(&ledger)?.map(String::into_bytes);
    let (merged, new) = plan(squad, old.as_deref())?;
    let new = new.filter(|new| old.as_ref() != Some(new));
    let file = new.map(|new| FixedFile { path: ledger, old, new, count: merged.added, after: BTreeSet::default() });
    Ok((file, merged))
}

/// A file of the inbox.
struct File {
    path: BString,
    bytes: Vec<u8>,
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
    for file in squad.files.iter().filter(|file| *file.kind == squad::INBOX) {
        let path = file.path.clone();
        match read(squad, &path) {
            Ok((bytes, entries)) if entries.is_empty() => {
                merged.files.push((path, bytes));
                merged.empty += 1;
            }
            Ok((bytes, entries)) => files.push(File { path, bytes, entries }),
            // Another run merged it: its entries are in the ledger, which this one reads under the lock.
            Err(_) if is_gone(squad, &path) => {}
            Err((line, reason)) => merged.kept.push(Kept { path, line, reason }),
        }
    }
    if files.is_empty() {
        return Ok((merged, None));
    }
    if let Some(open) = OpenBlock::find(old) {
        return Err(InboxError::Open { path: ledger(), open });
    }
    let mut text = old.to_owned();
    add(&mut text, files, &mut merged, &mut 0);
    Ok((merged, (text != old).then(|| text.into_bytes())))
}

/// Whether there is no such file any more.
fn is_gone(squad: &Squad<'_>, path: &BString) -> bool {
    squad.full(path).symlink_metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

/// Puts the entries of these files into a ledger. If they would not all be read as they were, those stay that would be read as
/// something else. Each try reads the whole ledger, and so these are counted.
fn add(ledger: &mut String, mut files: Vec<File>, merged: &mut Merged, tries: &mut usize) {
    let mut sheet = Sheet::new(ledger, &squad::DECISIONS);
    let level = sheet.level();
    *tries += 1;
    if *tries > TRIES {
        merged.kept.extend(files.into_iter().map(|file| swallowed(file, level)));
        return;
    }
    let numbered = files.iter().enumerate();
    let mut entries: Vec<(usize, &Entry)> =
        numbered.flat_map(|(number, file)| file.entries.iter().map(move |entry| (number, entry))).collect();
    // Stable: of one moment, the files and what is in them keep their order. Where the newest comes first, an entry goes before
    // those of its moment.
    entries.sort_by_key(|(_, entry)| entry.moment.unwrap_or(i64::MAX));
    if sheet.is_newest_first() {
        entries.reverse();
    }
    let (mut added, mut joined) = (0, 0);
    for (file, entry) in entries {
        let text = lowered(&entry.text, entry.kind, level);
        sheet.begin(file);
        if entry.kind == Kind::Title {
            sheet.put_title(&text, entry.moment);
            continue;
        }
        match sheet.put(&text, entry.moment) {
            Placed::Added => added += 1,
            Placed::Known | Placed::Extended => joined += 1,
        }
    }
    match sheet.text() {
        Ok(text) => {
            *ledger = text;
            merged.added += added;
            merged.joined += joined;
            merged.files.extend(files.into_iter().map(|file| (file.path, file.bytes)));
        }
        Err(_) if files.len() <= 1 => merged.kept.extend(files.into_iter().map(|file| swallowed(file, level))),
        Err(lost) if !lost.is_empty() && lost.len() < files.len() => {
            let mut number = 0..;
            let is_lost = |_: &File| number.next().is_some_and(|number| lost.contains(&number));
            let (lost, whole): (Vec<File>, Vec<File>) = files.into_iter().partition(is_lost);
            add(ledger, whole, merged, tries);
            add(ledger, lost, merged, tries);
        }
        // None of many is read as it was: one tells of all of them.
        Err(lost) if lost.len() > MANY => {
            let rest = files.split_off(1);
            let before = merged.files.len();
            add(ledger, files, merged, tries);
            if merged.files.len() > before {
                add(ledger, rest, merged, tries);
            } else {
                merged.kept.extend(rest.into_iter().map(|file| swallowed(file, level)));
            }
        }
        Err(_) => {
            let rest = files.split_off(files.len() / 2);
            add(ledger, files, merged, tries);
            add(ledger, rest, merged, tries);
        }
    }
}

/// So many files are tried by halves, until those are found that stay.
const MANY: usize = 16;

/// After so many tries, the files that are left stay for the next run.
const TRIES: usize = 64;

/// A file that stays as the ledger, whose entries have this level, would have its text in another entry.
fn swallowed(file: File, level: u8) -> Kept {
    let hashes = "#".repeat(usize::from(level));
    let reason = format!(
        "in the ledger, the entry before would take in a text of it; a date in its heading keeps them apart: \
         `{hashes} 2026-02-15: Title`"
    );
    Kept { path: file.path, line: None, reason }
}

/// The line and the reason why a file stays.
type Stays = (Option<usize>, String);

/// The bytes of a file of the inbox and its entries, or why it stays.
fn read(squad: &Squad<'_>, path: &BString) -> Result<(Vec<u8>, Vec<Entry>), Stays> {
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
    let name = path.rsplit_str("/").next().unwrap_or_default();
    let stem = name.strip_suffix(b".md").unwrap_or(name).to_str_lossy();
    let entries = entries(text.trim_start_matches('\u{feff}'), &stem, &squad::INBOX);
    if entries.is_empty() && !text.trim().is_empty() {
        return Err(stays("no entry is in it"));
    }
    Ok((bytes, entries))
}

/// A part of a file of the inbox.
struct Entry {
    kind: Kind,
    moment: Option<i64>,
    text: String,
}

/// What a part of a file of the inbox is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An SEM entry.
    Sem,
    /// An older entry.
    Older,
    /// A document whose headings are its parts.
    Document,
    /// A text with headings that may each be an entry.
    Prose,
    /// The titles of what is behind them.
    Title,
}

/// The parts of a text, in its order; nothing if there are titles at most. Titles and prose go where the entry behind or before them
/// goes.
fn entries(text: &str, stem: &str, kind: &FileKind) -> Vec<Entry> {
    let text = text.replace("\r\n", "\n");
    let parsed = kind.entries(&text);
    let mut found: Vec<Entry> = Vec::new();
    for block in parsed.blocks() {
        let own = block.span().of(&text).trim();
        let first =
            |text: &str| parts::read(text, &squad::DECISIONS, &Base::default()).first().and_then(|part| part.moment);
        let entry = match block {
            Block::Sem(_) => Entry { kind: Kind::Sem, moment: first(own), text: own.to_owned() },
            Block::Legacy(entry) => {
                let moment = parts::moment_of(entry, &text);
                Entry { kind: Kind::Older, moment, text: with_date(own, entry, &text) }
            }
            Block::Prose(_) => {
                let has_front_matter = parsed.outline.front_matter.is_some() && found.is_empty();
                let own = if has_front_matter { own } else { own.trim_start_matches(['-', '\n']).trim() };
                match (own.is_empty(), says_something(own), own.starts_with('#')) {
                    (true, ..) => continue,
                    (_, false, _) => Entry { kind: Kind::Title, moment: first(own), text: own.to_owned() },
                    (.., true) => {
                        let kind = if own.starts_with("# ") { Kind::Document } else { Kind::Prose };
                        Entry { kind, moment: first(own), text: own.to_owned() }
                    }
                    (.., false) => {
                        let text = format!("# {}\n\n{own}", stem.replace(['-', '_'], " "));
                        Entry { kind: Kind::Document, moment: None, text }
                    }
                }
            }
        };
        found.push(entry);
    }
    if found.iter().all(|entry| entry.kind == Kind::Title) {
        return Vec::new();
    }
    let mut next = None;
    for entry in found.iter_mut().rev() {
        let is_title = entry.kind == Kind::Title;
        entry.moment = if is_title { next.or(entry.moment) } else { entry.moment };
        next = entry.moment.or(next);
    }
    let mut before = next;
    for entry in &mut found {
        entry.moment = entry.moment.or(before);
        before = entry.moment;
    }
    found
}

/// The text of an older entry, which says its date itself if only its section did.
fn with_date(own: &str, entry: &LegacyEntry, text: &str) -> String {
    match (entry.date, entry.section_date, own.split_once('\n')) {
        (None, Some(date), Some((heading, rest))) => {
            let gap = if rest.starts_with('\n') { "\n" } else { "" };
            format!("{heading}\n{gap}**Date:** {}\n{rest}", date.of(text))
        }
        _ => own.to_owned(),
    }
}

/// Whether there is more in a text than headings, rules and blank lines.
fn says_something(text: &str) -> bool {
    text.lines().map(str::trim).any(|line| !line.is_empty() && line != "---" && !line.starts_with('#'))
}

/// A text without headings above `level`: in a ledger, a higher one would take in what is behind it. The parts of an entry are lowered
/// with it; what is behind the mere title of a section stays as it is.
fn lowered(text: &str, kind: Kind, level: u8) -> String {
    if kind == Kind::Sem {
        return text.to_owned();
    }
    let level = match kind {
        // Entries are below it.
        Kind::Title => 2,
        Kind::Sem | Kind::Older => level,
        // At the second level, it would be a part of an entry that has this level.
        Kind::Document | Kind::Prose => 3,
    };
    let outline = markdown::scan(text);
    let headings: Vec<(usize, usize, u8)> = outline
        .marks
        .iter()
        .filter_map(|mark| match mark.kind {
            MarkKind::Heading(level) => Some((mark.line.start(), mark.line.end(), level)),
            _ => None,
        })
        .collect();
    let mut out = String::with_capacity(text.len() + 16);
    let (mut at, mut above) = (0, None);
    let ends = headings.iter().skip(1).map(|(start, ..)| *start).chain([text.len()]);
    for ((start, line_end, own), end) in headings.iter().zip(ends) {
        let deeper = if let Some((_, deeper)) = above.filter(|(above, _)| own > above) {
            deeper
        } else {
            let deeper = level.saturating_sub(*own);
            let below = text.get(*line_end..end).unwrap_or_default();
            let is_title = kind == Kind::Prose && !says_something(below);
            above = Some((*own, deeper)).filter(|_| !is_title);
            deeper
        };
        out.push_str(text.get(at..*start).unwrap_or_default());
        out.extend(std::iter::repeat_n('#', usize::from(deeper.min(6_u8.saturating_sub(*own)))));
        at = *start;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let entries = entries(text, "keaton-tabs", &squad::INBOX);
        entries.into_iter().map(|entry| lowered(&entry.text, entry.kind, 3)).collect()
    }

    #[test]
    fn entries_get_the_headings_of_a_ledger() {
        let text = "# Decision: Tabs\n\n**By:** Keaton\n**Date:** 2026-02-10\n\n## Context\n\n```\n# a comment\n```\n";
        let expected = text.trim_end().replace("# Decision", "### Decision").replace("## Context", "#### Context");
        assert_eq!(texts(text), [expected]);
        assert_eq!(texts("We use tabs.\n"), ["### keaton tabs\n\nWe use tabs."]);
        assert_eq!(texts("# Inbox\n\n---\n"), Vec::<String>::new());
        let two = "# Inbox\n\n### 2026-02-10: One\n\na\n\n### 2026-02-11: Two\n\nb\n";
        assert_eq!(texts(two), ["## Inbox", "### 2026-02-10: One\n\na", "### 2026-02-11: Two\n\nb"]);
    }

    #[test]
    fn entries_under_the_title_of_a_section_stay_as_they_are() {
        let section = "## Sprint 12 (2026-02-12)\n\n### Tabs\n**By:** Keaton\n**What:** We use tabs.\n\n### Logs\n**By:** Verbal\n";
        let dated = "**Date:** 2026-02-12";
        let expected = [
            "## Sprint 12 (2026-02-12)".to_owned(),
            format!("### Tabs\n{dated}\n**By:** Keaton\n**What:** We use tabs."),
            format!("### Logs\n{dated}\n**By:** Verbal"),
        ];
        assert_eq!(texts(section), expected);
        let moments: Vec<_> = entries(section, "a", &squad::INBOX).iter().map(|entry| entry.moment).collect();
        assert!(moments.iter().all(|moment| moment.is_some() && *moment == moments[0]), "{moments:?}");
        let plain = "## Caches\n\n### Keep them\n\nFor a day.\n\n## Logs\n\nAt most a line.\n\n### Why\n\nDisks.\n";
        let expected = "### Caches\n\n### Keep them\n\nFor a day.\n\n### Logs\n\nAt most a line.\n\n#### Why\n\nDisks.";
        assert_eq!(texts(plain), [expected]);
    }
}
