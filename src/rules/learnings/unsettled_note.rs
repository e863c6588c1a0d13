//! # learnings/unsettled-note
//!
//! ## What it flags
//!
//! Notes under `Cross-Agent Notes` that have stood there for more than 14 days. `unsettled-after-days` in the configuration says
//! otherwise. There is one finding for a file, with the ten oldest of its notes. A newer mark counts, and a note without a date has
//! no age.
//!
//! ## Why it matters
//!
//! A note of another member is there to be taken up: it belongs among the member's own learnings, or it is done, or it is of no
//! use to them. Left standing it is read at every task and acted upon at none.
//!
//! ## Example
//!
//! ```markdown
//! - (from architect) Use TrustLevel enum from src/core/types.ts (added: 2026-01-13)
//! ```
//!
//! ## How to fix
//!
//! Move the note into another section, act upon it, or discard it: `squad-lint --fix --unsafe-fixes` moves it to `archive.md`,
//! and says there that it was not settled.
//!
//! ## Source
//!
//! Seed 004, "Consolidation Triggers" 4: "Notes in "Cross-Agent Notes" that are older than 14 days must be either
//! acknowledged, acted upon, or discarded (moved to archive with rationale)".

use crate::diagnostic::{Applicability, Finding, Severity};
use crate::facts::Facts;
use crate::facts::aging::{Aged, today};
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/unsettled-note",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[Applicability::Unsafe],
    check: Check::DocumentInRepository(check),
};

/// So many notes are shown; the fix moves all.
const SHOWN: usize = 10;

fn check(document: &Document<'_>, facts: &Facts<'_>, options: &Options, sink: &mut Sink<'_>) {
    let most = options.learnings.unsettled_after_days.get();
    let notes = facts.unsettled(document, options);
    let (Some(learnings), Some(oldest)) = (document.learnings(), notes.first()) else { return };
    let text_of = |aged: &Aged| learnings.entries.get(aged.entry).map(|entry| entry.text).unwrap_or_default();
    let message = match notes.len() {
        1 => format!("note of {} that was not settled within {most} days", oldest.day),
        count => format!("{count} notes that were not settled within {most} days, the oldest of {}", oldest.day),
    };
    let finding = Finding::at(text_of(oldest), message).label("the oldest");
    let finding = notes
        .iter()
        .take(SHOWN)
        .skip(1)
        .fold(finding, |finding, aged| finding.related(text_of(aged), format!("of {}", aged.day)));
    let finding = finding.help("move each into another section, act upon it, or discard it into `archive.md`");
    let mut going: Vec<usize> = notes.iter().map(|aged| aged.entry).collect();
    going.sort_unstable();
    let why = format!("Archived {}: notes that were not settled within {most} days", today(options));
    sink.report(match facts.archiving(document, &going, &why) {
        Some((edits, append)) => finding.move_to(edits, append),
        None => finding,
    });
}
