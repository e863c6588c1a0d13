//! `memory merge-inbox`: what scribes do by hand. The entries of the inbox move into the ledger.
//!
//! The ledger is on the disk before the first file of the inbox is removed, so a run that is killed loses nothing, and the next one
//! finds the entries in both places and joins them.

use std::collections::BTreeSet;
use std::path::Path;

use bstr::{BString, ByteSlice};

use super::sheet::{Placed, Sheet};
use super::squad::{Squad, SquadError};
use crate::dialects::{FileKind, squad};
use crate::fix::passes::FixedFile;
use crate::formats::entries::Block;
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
    /// An entry would be a part of what is before it.
    #[error("in {path}, an entry would be read as a part of what is before it")]
    #[diagnostic(help("close the code fence, or end the comment, that is open in it; the inbox is as it was"))]
    Swallowed {
        /// The ledger.
        path: String,
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
    /// The files whose entries are in the ledger, each with its bytes.
    pub files: Vec<(BString, Vec<u8>)>,
    /// The files that stay, each with the reason.
    pub kept: Vec<(BString, String)>,
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
        format!("{done} {files}: {added}{joined}")
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
    for (path, bytes) in files {
        match atomic::remove(root, &path.to_path_lossy(), &bytes) {
            Ok(()) => merged.files.push((path, bytes)),
            // Another run removed it.
            Err(WriteError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                merged.files.push((path, bytes));
            }
            Err(error) => merged.kept.push((path, error.to_string())),
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

/// An entry of the inbox.
struct Entry {
    moment: i64,
    text: String,
}

/// What becomes of the inbox, and the ledger with its entries; `None` if there are none.
fn plan(squad: &Squad<'_>, old: Option<&[u8]>) -> Result<(Merged, Option<Vec<u8>>), InboxError> {
    let mut merged = Merged::default();
    let mut entries = Vec::new();
    for file in squad.files.iter().filter(|file| *file.kind == squad::INBOX) {
        match read(squad, &file.path) {
            Ok((bytes, found)) => {
                merged.files.push((file.path.clone(), bytes));
                entries.extend(found);
            }
            Err(reason) => merged.kept.push((file.path.clone(), reason)),
        }
    }
    if entries.is_empty() {
        return Ok((merged, None));
    }
    // Stable: of one moment, the files and what is in them keep their order.
    entries.sort_by_key(|entry| entry.moment);
    let ledger = || display_path(&squad.ledger());
    let old = std::str::from_utf8(old.unwrap_or(b"# Decisions\n"));
    let old = old.map_err(|_| SquadError::NotUtf8 { path: ledger() })?;
    let mut sheet = Sheet::new(old, &squad::DECISIONS);
    for entry in &entries {
        match sheet.put(&entry.text) {
            Placed::Added => merged.added += 1,
            Placed::Known | Placed::Extended => merged.joined += 1,
        }
    }
    let new = sheet.text().ok_or_else(|| InboxError::Swallowed { path: ledger() })?;
    Ok((merged, Some(new.into_bytes())))
}

/// The bytes of a file of the inbox and its entries, or why it stays.
fn read(squad: &Squad<'_>, path: &BString) -> Result<(Vec<u8>, Vec<Entry>), String> {
    let read = read_unlinked(&squad.full(path), MAX_BYTES).map_err(|error| error.to_string())?;
    let bytes = read.ok_or("it is a link")?;
    if conflict::first_line(&bytes).is_some() {
        return Err("it has an unresolved merge conflict".to_owned());
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| "it is not UTF-8")?;
    let name = path.rsplit_str("/").next().unwrap_or_default();
    let stem = name.strip_suffix(b".md").unwrap_or(name).to_str_lossy();
    let entries = entries(text.trim_start_matches('\u{feff}'), &stem, &squad::INBOX);
    if entries.is_empty() && !text.trim().is_empty() {
        return Err("no entry is in it".to_owned());
    }
    Ok((bytes, entries))
}

/// The entries of a text, as they go into a ledger: each with a heading of the third level, and its parts below it.
fn entries(text: &str, stem: &str, kind: &FileKind) -> Vec<Entry> {
    let text = text.replace("\r\n", "\n");
    let parsed = kind.entries(&text);
    let mut found: Vec<Entry> = Vec::new();
    for block in parsed.blocks() {
        let own = block.span().of(&text).trim();
        let own = match block {
            Block::Sem(_) => own.to_owned(),
            Block::Legacy(_) => deepened(own),
            Block::Prose(_) if !says_something(own) => continue,
            Block::Prose(_) if own.starts_with('#') => deepened(own),
            Block::Prose(_) => format!("### {}\n\n{}", stem.replace(['-', '_'], " "), deepened(own)),
        };
        let parts = parts::read(&own, &squad::DECISIONS, &Base::default());
        let moment = parts.first().and_then(|part| part.moment);
        let moment = moment.or_else(|| found.last().map(|before| before.moment)).unwrap_or(i64::MAX);
        found.push(Entry { moment, text: own });
    }
    found
}

/// Whether there is more in a text than headings, rules and blank lines.
fn says_something(text: &str) -> bool {
    text.lines().map(str::trim).any(|line| !line.is_empty() && line != "---" && !line.starts_with('#'))
}

/// A text whose highest heading has at least the third level: in a ledger, a higher one would take in what is behind it.
fn deepened(text: &str) -> String {
    let outline = markdown::scan(text);
    let headings = || {
        outline.marks.iter().filter_map(|mark| match mark.kind {
            MarkKind::Heading(level) => Some((mark.line.start(), level)),
            _ => None,
        })
    };
    let top = headings().map(|(_, level)| level).min().unwrap_or(3);
    let deeper = 3_u8.saturating_sub(top);
    let mut out = String::with_capacity(text.len() + 16);
    let mut at = 0;
    for (start, level) in headings() {
        out.push_str(text.get(at..start).unwrap_or_default());
        out.extend(std::iter::repeat_n('#', usize::from(deeper.min(6_u8.saturating_sub(level)))));
        at = start;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        entries(text, "keaton-tabs", &squad::INBOX).into_iter().map(|entry| entry.text).collect()
    }

    #[test]
    fn entries_get_the_headings_of_a_ledger() {
        let text = "# Decision: Tabs\n\n**By:** Keaton\n**Date:** 2026-02-10\n\n## Context\n\n```\n# a comment\n```\n";
        let expected = text.trim_end().replace("# Decision", "### Decision").replace("## Context", "#### Context");
        assert_eq!(texts(text), [expected]);
        assert_eq!(texts("We use tabs.\n"), ["### keaton tabs\n\nWe use tabs."]);
        assert_eq!(texts("# Inbox\n\n---\n"), Vec::<String>::new());
        let two = "# Inbox\n\n### 2026-02-10: One\n\na\n\n### 2026-02-11: Two\n\nb\n";
        assert_eq!(texts(two), ["### 2026-02-10: One\n\na", "### 2026-02-11: Two\n\nb"]);
    }
}
