//! # memory/entry-lost
//!
//! ## What it flags
//!
//! An entry that a change removes, if no file of the team's memory contains it afterwards, not even an archive. The
//! rule runs only on changes: with `--staged` and `--from`.
//!
//! The rule recognises an SEM entry by its timestamp and type, and any entry by its title and its words. So it does not
//! report an entry that was moved, archived, converted or edited, but it does report one that was cut down to a
//! summary elsewhere. If the heading of a long entry stays, and nearly nothing below it, the finding is a warning. A block that is
//! another removed entry does not count as a copy, even if the two are similar. An entry is not lost if git no longer tracks its file, but the file stays on disk or is now ignored. If another
//! entry has the same title, or the same timestamp and type, and its text is about something else, it does not count.
//!
//! A file of the inbox is one entry if it has the front matter that `squad memory write` writes, or if no heading in it is that of
//! an entry. Such an entry is not lost if it has a tombstone, or if the change edits the file.
//!
//! If the team keeps its state on a branch (`stateBackend` is `orphan` or `two-layer`, or the policy is `state-branch`), the
//! rule looks for the entry there as well. If this repository does not have the branch, the finding is a warning.
//!
//! If the change adds a block to the memory that shares words with the entry, or an older block has nearly half of them, the
//! entry may have been reworded. The finding is then a warning that shows the block. So is that of an agent's entry if the
//! change adds a summary to the memory of the agent: Squad's Scribe shortens long histories. A file that lost more than ten
//! entries has one finding, which names ten.
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
//! The help of the finding has the command that shows the removed entry. Put the entry back, or into an archive such as
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
use crate::facts::lost::{LineAnchor, Lost, Rewording};
use crate::facts::{Run, lost};
use crate::rule::{Check, Rule, Sink};
use crate::rules::memory::shared::lost::{Branch, helps, name, nothing, restore_from};
use crate::rules::shell::word;

/// The rule.
pub static RULE: Rule =
    Rule { name: "memory/entry-lost", severity: Severity::Error, check: Check::Change(check), ..Rule::NEW };

/// The most entries of a file that have a finding each, and the most that the one finding of a file names.
const MOST_NAMED: usize = 10;

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    let Some(changes) = run.changes() else { return };
    let mut by_file: BTreeMap<(BString, bool, bool), Vec<Lost>> = BTreeMap::new();
    for lost in lost::lost(run) {
        by_file.entry((lost.old_path.clone(), lost.reworded.is_some(), lost.is_cut)).or_default().push(lost);
    }
    for lost in by_file.into_values() {
        match lost.as_slice() {
            [first, ..] if lost.len() > MOST_NAMED => sink.report(many(run, first, &lost, &changes.base)),
            lost => lost.iter().for_each(|lost| sink.report(one(run, lost, &changes.base))),
        }
    }
}

/// The finding of one entry.
fn one(run: &Run<'_>, lost: &Lost, base: &str) -> Finding {
    let branch = Branch::of(run, lost);
    let message = match &lost.reworded {
        Some(place) => format!("this change removes {}; reworded in `{}`?", name(lost), shown(place)),
        None if lost.is_cut => {
            format!("this change leaves nearly nothing of {}, and {} contains the rest", name(lost), nothing(branch))
        }
        None => format!("this change removes {}, and {} contains it", name(lost), nothing(branch)),
    };
    let finding = match lost.place {
        Some(LineAnchor::Before(line) | LineAnchor::After(line)) if lost.is_cut => {
            Finding::at(line, message).label("the rest was here")
        }
        Some(LineAnchor::Before(line)) => Finding::at(line, message).label("the entry was above this line"),
        Some(LineAnchor::After(line)) => Finding::at(line, message).label("the entry was below this line"),
        None => Finding::whole_file(message),
    };
    helps(lost, base, branch).into_iter().fold(in_file(finding, lost, branch), Finding::help)
}

/// The finding of a file that lost many entries; `first` is the first of `all`.
fn many(run: &Run<'_>, first: &Lost, all: &[Lost], base: &str) -> Finding {
    let (count, branch) = (all.len(), Branch::of(run, first));
    let message = match &first.reworded {
        Some(_) => format!("this change removes {count} entries; reworded?"),
        None if first.is_cut => {
            format!("this change leaves nearly nothing of {count} entries, and {} has the rest", nothing(branch))
        }
        None => format!("this change removes {count} entries, and {} has them", nothing(branch)),
    };
    let finding = in_file(Finding::whole_file(message), first, branch).help(restore_from(first, base));
    let note = |lost: &Lost| match &lost.reworded {
        Some(place) => format!("{}; reworded in `{}`?", name(lost), shown(place)),
        None => name(lost),
    };
    let finding = all.iter().take(MOST_NAMED).map(note).fold(finding, Finding::note);
    finding.note(format!("and {} more", count - MOST_NAMED))
}

fn in_file(finding: Finding, lost: &Lost, branch: Option<Branch<'_>>) -> Finding {
    let finding = finding.in_file(lost.path.clone());
    let finding = match branch {
        Some(Branch { name, is_here: false }) => {
            let fetch = word(format!("{name}:{name}").as_str().into());
            finding
                .note(format!("the team keeps its state on `{name}`, which this repository does not have"))
                .help(format!("fetch the branch with `git fetch origin {fetch}`, and run this check again"))
                .at_most(Severity::Warning)
        }
        _ => finding,
    };
    if lost.reworded.is_some() || lost.is_cut { finding.at_most(Severity::Warning) } else { finding }
}

fn shown(place: &Rewording) -> String {
    format!("{}:{}", place.path, place.line)
}
