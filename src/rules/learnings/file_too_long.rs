//! # learnings/file-too-long
//!
//! ## What it flags
//!
//! A `learnings.md` of more than 60 lines. The cap is `lines-max` under `[learnings]`.
//!
//! Where a change is looked at (`--staged`, `--from`), one that takes the file over the cap is flagged like any other file; one
//! that makes a file longer that was over it already, as info; one that does not, not at all.
//!
//! ## Why it matters
//!
//! The file is given whole to every agent that is spawned. What is old costs tokens, and pushes out what the task is about.
//!
//! ## Example
//!
//! A `learnings.md` of 121 lines, of which half were added for one task and never needed again.
//!
//! ## How to fix
//!
//! Merge entries that say the same, archive what is stale, settle the notes of others. `squad-lint --fix --unsafe-fixes` moves the
//! oldest entries to the `archive.md` beside the file, until it is under its cap: those of `Core` last, each under the heading of
//! its section. A section of the team's own goes along when nothing is left in it.
//!
//! ## Source
//!
//! Seed 004, "Size Cap and Tiered Structure" and "Consolidation Triggers".

use super::shared::{Going, archiving, at_lines, oldest, today};
use crate::diagnostic::{Applicability, Finding, Severity};
use crate::facts::Facts;
use crate::options::Options;
use crate::rule::{Check, Document, Ratchet, Rule, Sink};
use crate::select::Role;

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/file-too-long",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[Applicability::Unsafe],
    check: Check::DocumentInRepository(check),
};

fn check(document: &Document<'_>, facts: &Facts<'_>, options: &Options, sink: &mut Sink<'_>) {
    if document.role != Role::Learnings {
        return;
    }
    let (cap, count) = (options.learnings.lines, document.source.line_count() as u64);
    if count <= cap {
        return;
    }
    let grows = match document.ratchet(cap, count, |old| old.source.as_ref().map_or(0, |old| old.line_count() as u64)) {
        Ratchet::Over => false,
        Ratchet::Grows => true,
        Ratchet::Holds => return,
    };
    let over = count - cap;
    let have = if over == 1 { "one has to go".to_owned() } else { format!("{over} have to go") };
    let going = oldest(document, facts, options, over);
    let finding = Finding::whole_file(format!("{count} lines, expected at most {cap}: {have}"));
    let finding = match going.as_slice() {
        [] => finding.help("shorten what is there: no entry can be archived"),
        entries => {
            let places = at_lines(document, entries.iter().map(|entry| entry.span));
            finding.help(format!("archive the oldest entries: {places}"))
        }
    };
    let finding = if grows { finding.at_most(Severity::Info) } else { finding };
    let going: Vec<Going<'_>> = going.into_iter().map(|entry| Going { entry, reason: None }).collect();
    let moving = archiving(document, facts, &going, today(options.now));
    sink.report(match moving {
        Some(moving) => finding.move_to(moving.edits, moving.append),
        None => finding,
    });
}
