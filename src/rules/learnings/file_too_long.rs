//! # learnings/file-too-long
//!
//! ## What it flags
//!
//! A `learnings.md` of more than 60 lines. The cap is `lines-max` under `[learnings]`. The help names what can go: pairs to
//! merge, then what is stale, then the notes that nobody settled; where that is not enough, the oldest entries.
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
//! Merge entries that say the same, archive what is stale, settle the notes of others. `squad-lint --fix --unsafe-fixes` moves
//! entries to the `archive.md` beside the file, until it is at its cap: stale ones, then unsettled notes, then the oldest; those
//! of `Core` last. A section of the team's own goes along when nothing is left in it.
//!
//! ## Source
//!
//! Seed 004, "Size Cap and Tiered Structure" and "Consolidation Triggers".

use super::shared::{at_lines, oldest};
use crate::diagnostic::{Applicability, Finding, Severity};
use crate::facts::Facts;
use crate::facts::aging::today;
use crate::layout::role::Role;
use crate::options::Options;
use crate::rule::{Check, Document, Ratchet, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/file-too-long",
    since: "0.1.0",
    severity: Severity::Error,
    enabled: true,
    fixes: &[Applicability::Unsafe],
    check: Check::DocumentInRepository(check),
};

/// So many pairs to merge are named.
const PAIRS: usize = 5;

fn check(document: &Document<'_>, facts: &Facts<'_>, options: &Options, sink: &mut Sink<'_>) {
    let Some(learnings) = document.learnings().filter(|_| document.role == Role::Learnings) else { return };
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
    let (stale, unsettled) = (facts.stale(document, options), facts.unsettled(document, options));
    let going = oldest(document, facts, options, (&stale, &unsettled), over);
    let places = |places: &[usize]| {
        let spans = places.iter().filter_map(|place| learnings.entries.get(*place)).map(|entry| entry.span);
        at_lines(document, spans)
    };
    let mut steps: Vec<String> = Vec::new();
    for pair in facts.similar(document, options).iter().take(PAIRS) {
        steps.push(format!("merge {}", places(&[pair.first, pair.second])));
    }
    for (aged, what) in [(&stale, "archive what is stale"), (&unsettled, "settle the notes")] {
        let aged: Vec<usize> = aged.iter().map(|aged| aged.entry).collect();
        if !aged.is_empty() {
            steps.push(format!("{what}: {}", places(&aged)));
        }
    }
    let is_named = |place: &usize| stale.iter().chain(&unsettled).any(|aged| aged.entry == *place);
    let others: Vec<usize> = going.iter().copied().filter(|place| !is_named(place)).collect();
    if !others.is_empty() {
        steps.push(format!("archive the oldest entries: {}", places(&others)));
    } else if steps.is_empty() {
        steps.push("shorten what is there: it has no entries".to_owned());
    }
    let finding = Finding::whole_file(format!("{count} lines, expected at most {cap}: {have}")).help(steps.join("; "));
    let finding = if grows { finding.at_most(Severity::Info) } else { finding };
    let why = format!("Archived {}: over the cap of {cap} lines", today(options));
    sink.report(match facts.archiving(document, &going, &why) {
        Some((edits, append)) => finding.move_to(edits, append),
        None => finding,
    });
}
