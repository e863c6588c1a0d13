//! # learnings/too-many-lines
//!
//! ## What it flags
//!
//! A `learnings.md` of more than 60 lines. `max-lines` under `[learnings]` sets the limit. The help suggests entries to
//! remove: pairs to merge, unsettled notes, and the entries that the fix moves.
//!
//! With `--staged` and `--from`, the severity is that of the rule if the change takes the file over the limit. It is
//! info if the file was already over the limit and grows. If it does not grow, there is no finding.
//!
//! ## Why it matters
//!
//! Every agent that is spawned gets the whole file. Old entries cost tokens and distract from the task.
//!
//! ## Example
//!
//! A `learnings.md` of 121 lines, half of them for one task.
//!
//! ## How to fix
//!
//! Merge entries that say the same, archive stale ones, and settle the notes of other members.
//! `squad-lint --fix --unsafe-fixes` moves the oldest entries to `archive.md` beside the file until the file is at its
//! limit. An entry is as old as its newest mark, or its last mention in the records of the team. A custom section moves
//! together with its last entry; any other section then contains `(none yet)`. Entries that begin with `RESOLVED`,
//! `DONE`, `FIXED`, `STALE`, `OUTDATED`, `OBSOLETE` or `SUPERSEDED` move first. Entries that guide later work move
//! after the others: those that set one thing against another, or say what is `by design`, what a project consists of
//! (`Commands: check, fix`) or what a file is for (`` `labels.json` is the list of labels ``).
//!
//! These stay: entries of the newest day, entries in `Core`, and entries that order or forbid something permanently
//! (`never …`, `always …`), say that something is needed (`must …`, `requires …`), say what to do and what not to do
//! (`put it in the store, not in the view`), or introduce the project or its layout (`Project is …`, `Tests live in …`,
//! ``put views in `src/ui/` ``). So do entries without a date that set one thing against another
//! (`imported one by one, not as a bundle`). There is no fix if the file would still be too long, or if entries without
//! a date would have to move. `team prune` also moves entries without a date.
//!
//! ## Source
//!
//! Learning teams, "Size":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#size>
//!
//! Learning teams, "Consolidation":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#consolidation>

use super::shared::{archiving, kept, lines_gone, may_leave, named, oldest, similar, undated};
use crate::diagnostic::{Applicability, Finding, Severity};
use crate::facts::staleness::{self, StaleEntry, today};
use crate::rule::{Check, Context, Ratchet, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/too-many-lines",
    severity: Severity::Error,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

/// So many pairs to merge are named.
const PAIRS: usize = 5;

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, options, .. } = *context;
    let Some(learnings) = document.loaded_learnings() else { return };
    let (cap, count) = (options.learnings.max_lines.get(), document.source.line_count() as u64);
    if count <= cap {
        return;
    }
    let grows = match document.ratchet(cap, count, |old| old.source.as_ref().map_or(0, |old| old.line_count() as u64)) {
        Ratchet::Over => false,
        Ratchet::Grows => true,
        Ratchet::Holds => return,
    };
    let over = count - cap;
    let (stale, unsettled) = (staleness::stale(context.run(), document), staleness::unsettled(context.run(), document));
    let going = oldest(document, context.run(), over);
    let places = |places: &[usize]| named(document, learnings, places);
    let mut steps: Vec<String> = Vec::new();
    for pair in similar(document, options).iter().take(PAIRS) {
        steps.push(format!("merge {}", places(&[pair.first, pair.second])));
    }
    let entries = |aged: &[StaleEntry]| aged.iter().map(|aged| aged.entry).collect::<Vec<_>>();
    let (mut stale, unsettled) = (entries(&stale), entries(&unsettled));
    let leaving = may_leave(document, context.run());
    stale.retain(|place| leaving.binary_search(place).is_ok());
    let mut has_undated = false;
    match &going {
        Some(going) => {
            // What is left of a section without entries goes, too.
            let headings = if lines_gone(document.text(), learnings, going).of_entries < over {
                ", with the headings that have no other entry"
            } else {
                ""
            };
            let these = if going.len() == 1 { "the entry" } else { "the entries" };
            let oldest = if going.len() == 1 { "the oldest entry" } else { "the oldest entries" };
            let undated = undated(document, context.run(), going);
            has_undated = !undated.is_empty();
            if has_undated {
                let date = if undated.len() == 1 { "a date" } else { "dates" };
                steps.push(format!("add {date} on {}: an entry without one counts as the oldest", places(&undated)));
                steps.push(format!("without new dates, archive {these} on {}{headings}", places(going)));
            } else {
                steps.push(format!("archive {oldest}, on {}{headings}", places(going)));
            }
        }
        None if !stale.is_empty() => steps.push(format!("archive the stale entries on {}", places(&stale))),
        None if steps.is_empty() && unsettled.is_empty() => {
            let has_entries = learnings.real_entries().next().is_some();
            steps.push(
                if has_entries {
                    "shorten entries, or move them to another file"
                } else {
                    "shorten the text: the file has no entries to archive"
                }
                .to_owned(),
            );
        }
        None => {}
    }
    if !unsettled.is_empty() {
        // One of the two is enough; which notes are settled is for a person to say.
        let or = if steps.is_empty() { "" } else { "or " };
        let gone = lines_gone(document.text(), learnings, &unsettled).all;
        let notes = if unsettled.len() == 1 { "note" } else { "notes" };
        let rest = if going.is_some() && gone < over { ", to keep more of the entries listed above" } else { "" };
        let fewer = |going: &Vec<usize>| {
            oldest(document, context.run(), over.saturating_sub(gone)).is_some_and(|rest| rest.len() < going.len())
        };
        if going.as_ref().is_none_or(fewer) {
            steps.push(format!("{or}archive the overdue {notes} on {}{rest}", places(&unsettled)));
        }
    }
    let finding = Finding::whole_file(format!("file has {count} lines, expected at most {cap} ({over} too many)"));
    let finding = steps.into_iter().fold(finding, Finding::help);
    let finding = if grows { finding.at_most(Severity::Info) } else { finding };
    let why = format!("Archived {}: over the limit of {cap} lines", today(options));
    let stay = has_undated && !options.archives_undated;
    let steps = going.as_ref().filter(|_| !stay).and_then(|going| archiving(context.run(), document, going, &why));
    sink.report(match (steps, going) {
        (Some(steps), _) => finding.fix(Applicability::Unsafe, steps),
        (None, None) => {
            let kept = kept(document, context.run());
            finding.note(format!("archiving is not enough: {kept} stay, and have more than {cap} lines"))
        }
        (None, Some(_)) if stay => finding.note(
            "`--fix` cannot do this: some of these entries have no date; `squad-lint team prune` archives those first",
        ),
        (None, Some(_)) => finding,
    });
}
