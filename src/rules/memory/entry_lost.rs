//! # memory/entry-lost
//!
//! ## What it flags
//!
//! An entry that a change removes and that no file of the team's memory, archives included, holds afterwards. The
//! rule runs only on changes: with `--staged` and `--from`.
//!
//! An SEM entry is recognised by its timestamp and type, any entry by its title and its words. So an entry that was
//! moved, archived, converted or edited is not reported, but one that shrank to a summary is. An entry is not lost
//! either if its file leaves git but stays on disk, or is ignored from then on.
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
//! The help gives the command that shows the removed entry. Put the entry back, or into an archive such as
//! `decisions-archive.md`. To drop an entry on purpose, write one that supersedes it and archive the old one.
//!
//! ## Source
//!
//! Squad folders, "Decisions and their archives":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#decisions-and-their-archives>
//!
//! Squad issue 1774:
//! <https://github.com/bradygaster/squad/issues/1774>
//!
//! Squad issue 1988:
//! <https://github.com/bradygaster/squad/issues/1988>

use crate::diagnostic::{Finding, Severity};
use crate::dialects::squad;
use crate::facts::lost::{LineAnchor, Lost};
use crate::facts::{Run, lost};
use crate::rule::{Check, Rule, Sink};
use crate::rules::shell::word;

/// The rule.
pub static RULE: Rule =
    Rule { name: "memory/entry-lost", severity: Severity::Error, check: Check::Change(check), ..Rule::NEW };

/// The longest title in a message, in Unicode scalar values.
const MAX_TITLE: usize = 80;

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    let Some(changes) = run.changes() else { return };
    for lost in lost::lost(run) {
        let message = format!("{} was removed and is not in any archive", name(&lost));
        let finding = match lost.place {
            Some(LineAnchor::Before(line)) => Finding::at(line, message).label("it was before this line"),
            Some(LineAnchor::After(line)) => Finding::at(line, message).label("it was after this line"),
            None => Finding::whole_file(message),
        };
        sink.report(helps(&lost, &changes.base).into_iter().fold(finding.in_file(lost.path.clone()), Finding::help));
    }
}

/// `decision "Tabs" of 2026-02-15T14:32:15-0800`
fn name(lost: &Lost) -> String {
    let kind = lost.kind.map_or("entry", crate::formats::sem::EntryType::as_str);
    let mut title: String = lost.title.chars().take(MAX_TITLE).collect();
    if title.len() < lost.title.len() {
        title.push('…');
    }
    match &lost.date {
        Some(date) if title.is_empty() => format!("{kind} of `{date}`"),
        Some(date) => format!("{kind} `{title}` of `{date}`"),
        None => format!("{kind} `{title}`"),
    }
}

fn helps(lost: &Lost, base: &str) -> Vec<String> {
    let archive = match lost.file_kind == &squad::HISTORY {
        true => "`history-archive.md` beside it",
        false => "`decisions-archive.md`",
    };
    if lost.with_file {
        let path = word(lost.old_path.as_slice().into());
        let target = if lost.file_kind == &squad::INBOX { "`decisions.md`" } else { archive };
        let revision = word(base.into());
        return vec![
            format!("restore the file with `git checkout {revision} -- {path}`"),
            format!("move the entry to {target} before deleting it"),
        ];
    }
    let object = word([base.as_bytes(), b":", lost.old_path.as_slice()].concat().as_slice().into());
    let lines = match lost.lines {
        (first, last) if first == last => format!("line {first}"),
        (first, last) => format!("lines {first} to {last}"),
    };
    vec![format!("restore it from {lines} of `git show {object}`, or add it to {archive}")]
}
