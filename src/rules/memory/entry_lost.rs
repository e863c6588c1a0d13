//! # memory/entry-lost
//!
//! ## What it flags
//!
//! An entry that a change removes and that stands nowhere after it: in no file of the team's memory, archives included.
//! Looked for only in what is staged (`--staged`) and between commits (`--from`).
//!
//! An SEM entry is known by its timestamp and type; any entry by its title and its words. So one that was moved, archived,
//! converted or edited is not flagged. One of which only a summary is left is. An entry whose file goes out of git and stays on
//! disk, or is ignored from then on, is not lost either.
//!
//! ## Why it matters
//!
//! What agents sum up, merge and tidy up at the end of a session loses decisions without a word: the file is shorter, and
//! nobody sees what is missing until it is decided once more, and otherwise.
//!
//! ## Example
//!
//! A commit that deletes `.squad/decisions/inbox/verbal-no-tabs.md` and leaves `decisions.md` as it was.
//!
//! ## How to fix
//!
//! The finding names the command that shows the entry as it was: put it back, or into an archive such as
//! `decisions-archive.md`. To drop an entry on purpose, write one that supersedes it and archive the old one.
//!
//! ## Source
//!
//! Upstream issues 1774 and 1988: entries lost while inboxes were merged and histories summed up.

use crate::diagnostic::{Finding, Severity};
use crate::facts::Facts;
use crate::facts::lost::{Lost, Place};
use crate::layout::role::Role;
use crate::options::Options;
use crate::rule::{Check, Rule, Sink};
use crate::rules::shell::word;

/// The rule.
pub static RULE: Rule = Rule {
    name: "memory/entry-lost",
    since: "0.1.0",
    severity: Severity::Error,
    enabled: true,
    fixes: &[],
    check: Check::Change(check),
};

/// The longest title in a message, in Unicode scalar values.
const MAX_TITLE: usize = 80;

fn check(facts: &Facts<'_>, _: &Options, sink: &mut Sink<'_>) {
    let Some(changes) = facts.changes() else { return };
    for lost in facts.lost() {
        let message =
            format!("{} was removed and stands nowhere any more, expected it here or in an archive", name(&lost));
        let finding = match lost.place {
            Some(Place::Before(line)) => Finding::at(line, message).label("it stood before this line"),
            Some(Place::Behind(line)) => Finding::at(line, message).label("it stood behind this line"),
            None => Finding::whole_file(message),
        };
        sink.report(finding.in_file(lost.path.clone()).help(help(&lost, &changes.base)));
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

fn help(lost: &Lost, base: &str) -> String {
    let archive = match lost.role {
        Role::History => "`history-archive.md` beside it",
        _ => "`decisions-archive.md`",
    };
    if lost.with_file {
        let path = word(lost.old_path.as_slice().into());
        let target = if lost.role == Role::Inbox { "`decisions.md`" } else { archive };
        let revision = word(base.into());
        return format!(
            "`git checkout {revision} -- {path}` brings the file back; move the entry to {target} before deleting it"
        );
    }
    let object = word([base.as_bytes(), b":", lost.old_path.as_slice()].concat().as_slice().into());
    let lines = match lost.lines {
        (first, last) if first == last => format!("line {first}"),
        (first, last) => format!("lines {first} to {last}"),
    };
    format!("`git show {object}` has it in {lines}: put it back, or into {archive}")
}
