//! # memory/entry-lost
//!
//! ## What it flags
//!
//! An entry that a change removes, if no file of the team's memory contains it afterwards, not even an archive. The
//! rule runs only on changes: with `--staged` and `--from`.
//!
//! The rule recognises an SEM entry by its timestamp and type, and any entry by its title and its words. So it does not
//! report an entry that was moved, archived, converted or edited, but it does report one that was cut down to a
//! summary. An entry is not lost if git no longer tracks its file, but the file stays on disk or is now ignored.
//!
//! If the change adds a block to a decisions file that shares words with the entry, the entry may have been reworded.
//! The finding is then a warning that shows the block. A file that lost more than ten entries has one finding, which
//! names ten.
//!
//! ## Why it matters
//!
//! Agents that summarise, merge and tidy up at the end of a session lose decisions silently. The file is shorter, and
//! the loss goes unnoticed until the team decides the same question again, differently.
//!
//! ## Example
//!
//! A commit that deletes `.squad/decisions/inbox/verbal-no-tabs.md` and leaves `decisions.md` as it was.
//!
//! ## How to fix
//!
//! The help has the command that shows the removed entry. Put the entry back, or into an archive such as
//! `decisions-archive.md`. To drop an entry on purpose, write one that supersedes it and archive the old one.
//!
//! ## Source
//!
//! Squad folders, "Decisions and their archives":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#decisions-and-their-archives>
//!
//! Squad issue 1774:
//! <https://github.com/bradygaster/squad/issues/1774>

use std::collections::BTreeMap;

use bstr::BString;

use crate::diagnostic::{Finding, Severity};
use crate::dialects::squad;
use crate::facts::lost::{LineAnchor, Lost, Rewording};
use crate::facts::{Run, lost};
use crate::rule::{Check, Rule, Sink};
use crate::rules::shell::word;

/// The rule.
pub static RULE: Rule =
    Rule { name: "memory/entry-lost", severity: Severity::Error, check: Check::Change(check), ..Rule::NEW };

/// The longest title in a message, in Unicode scalar values.
const MAX_TITLE: usize = 80;

/// The most entries of a file that have a finding each, and the most that the one finding of a file names.
const MOST_NAMED: usize = 10;

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    let Some(changes) = run.changes() else { return };
    let mut by_file: BTreeMap<(BString, bool), Vec<Lost>> = BTreeMap::new();
    for lost in lost::lost(run) {
        by_file.entry((lost.old_path.clone(), lost.reworded.is_some())).or_default().push(lost);
    }
    for lost in by_file.into_values() {
        match lost.as_slice() {
            [first, ..] if lost.len() > MOST_NAMED => sink.report(many(first, &lost, &changes.base)),
            lost => lost.iter().for_each(|lost| sink.report(one(lost, &changes.base))),
        }
    }
}

/// The finding of one entry.
fn one(lost: &Lost, base: &str) -> Finding {
    let message = match &lost.reworded {
        Some(place) => format!("this change removes {}; reworded in `{}`?", name(lost), shown(place)),
        None => format!("this change removes {}, and no archive contains it", name(lost)),
    };
    let finding = match lost.place {
        Some(LineAnchor::Before(line)) => Finding::at(line, message).label("the entry was above this line"),
        Some(LineAnchor::After(line)) => Finding::at(line, message).label("the entry was below this line"),
        None => Finding::whole_file(message),
    };
    helps(lost, base).into_iter().fold(in_file(finding, lost), Finding::help)
}

/// The finding of a file that lost many entries; `first` is the first of `all`.
fn many(first: &Lost, all: &[Lost], base: &str) -> Finding {
    let count = all.len();
    let message = match &first.reworded {
        Some(_) => format!("this change removes {count} entries; reworded?"),
        None => format!("this change removes {count} entries, and no archive has them"),
    };
    let finding = in_file(Finding::whole_file(message), first).help(restore_from(first, base));
    let note = |lost: &Lost| match &lost.reworded {
        Some(place) => format!("{}; reworded in `{}`?", name(lost), shown(place)),
        None => name(lost),
    };
    let finding = all.iter().take(MOST_NAMED).map(note).fold(finding, Finding::note);
    finding.note(format!("and {} more", count - MOST_NAMED))
}

fn in_file(finding: Finding, lost: &Lost) -> Finding {
    let finding = finding.in_file(lost.path.clone());
    if lost.reworded.is_some() { finding.at_most(Severity::Warning) } else { finding }
}

fn shown(place: &Rewording) -> String {
    format!("{}:{}", place.path, place.line)
}

/// How to get back what the file was.
fn restore_from(lost: &Lost, base: &str) -> String {
    if lost.with_file {
        let path = word(lost.old_path.as_slice().into());
        return format!("restore the file with `git checkout {} -- {path}`", word(base.into()));
    }
    let object = word([base.as_bytes(), b":", lost.old_path.as_slice()].concat().as_slice().into());
    format!("copy them from the output of `git show {object}` back into the file, or into an archive")
}

/// `decision "Tabs" of 2026-02-15T14:32:15-0800`
fn name(lost: &Lost) -> String {
    let kind = lost.kind.map_or("entry", crate::formats::sem::EntryType::as_str);
    let mut title: String = lost.title.chars().take(MAX_TITLE).collect();
    if title.len() < lost.title.len() {
        title.push('…');
    }
    match &lost.date {
        Some(date) if title.is_empty() => format!("the {kind} of `{date}`"),
        Some(date) => format!("{kind} `{title}` (`{date}`)"),
        None => format!("{kind} `{title}`"),
    }
}

fn helps(lost: &Lost, base: &str) -> Vec<String> {
    let archive = match lost.file_kind == &squad::HISTORY {
        true => "`history-archive.md` beside it",
        false => "`decisions-archive.md`",
    };
    if lost.with_file {
        let target = if lost.file_kind == &squad::INBOX { "`decisions.md`" } else { archive };
        let again = format!("to delete the file after that, first move the entry to {target}");
        return vec![restore_from(lost, base), again];
    }
    let object = word([base.as_bytes(), b":", lost.old_path.as_slice()].concat().as_slice().into());
    let (first, last) = lost.lines;
    let lines = if first == last { format!("line {first}") } else { format!("lines {first}–{last}") };
    vec![format!("copy {lines} of `git show {object}` back into the file, or into {archive}")]
}
