//! # learnings/unsettled-note
//!
//! ## What it flags
//!
//! Notes under `Cross-Agent Notes` that are older than 14 days. `unsettled-after-days` under `[learnings]` sets another
//! number of days. The newest mark of a note counts, and the rule ignores notes without a date. A note with a mark
//! `triaged` or `consolidated`, or one that begins with `RESOLVED`, `DONE` or `FIXED`, is settled. There is one finding
//! per file, with the ten oldest notes.
//!
//! ## Why it matters
//!
//! A note from another member needs a reaction: the member turns it into a learning, acts on it, or discards it. An
//! unsettled note takes up space in every task without any effect.
//!
//! ## Example
//!
//! ```markdown
//! - (from architect) Use TrustLevel enum from src/core/types.ts (added: 2026-01-13)
//! ```
//!
//! ## How to fix
//!
//! Act on the note, then mark it with `(triaged: YYYY-MM-DD)` or move it to another section; or move it to `archive.md`.
//! `squad-lint --fix --unsafe-fixes --select learnings/unsettled-note` moves it to `archive.md` and records there that
//! it was not settled. Without the name of the rule, `--unsafe-fixes` does not move it. If all notes are overdue, those
//! with the newest date stay.
//!
//! ## Source
//!
//! Learning teams, "Cross-agent notes":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#cross-agent-notes>

use super::shared::{archiving, without_last};
use crate::diagnostic::{Applicability, Finding, Severity};
use crate::facts::staleness;
use crate::facts::staleness::{StaleEntry, today};
use crate::formats::learnings::Learnings;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/unsettled-note",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    fix_if_named: true,
    check: Check::Document(check),
    ..Rule::NEW
};

/// So many notes are shown; the fix moves all.
const SHOWN: usize = 10;

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, options, .. } = *context;
    let Some(learnings) = document.body::<Learnings>() else { return };
    let most = options.learnings.unsettled_after_days.get();
    let notes = staleness::unsettled(context.run(), document);
    let Some(oldest) = notes.first() else { return };
    let text_of = |aged: &StaleEntry| learnings.entries.get(aged.entry).map(|entry| entry.text).unwrap_or_default();
    let message = match notes.len() {
        1 => format!("note has been unsettled since {}, expected at most {most} days", oldest.day),
        count => format!("{count} notes have been unsettled for more than {most} days"),
    };
    let finding = Finding::at(text_of(oldest), message);
    let finding = if notes.len() == 1 { finding } else { finding.label(format!("since {}", oldest.day)) };
    let finding = notes
        .iter()
        .take(SHOWN)
        .skip(1)
        .fold(finding, |finding, aged| finding.related(text_of(aged), format!("since {}", aged.day)));
    let each = if notes.len() == 1 { "the note" } else { "each note" };
    let finding = finding
        .help(format!(
            "act on {each}, then settle it: mark it with `(triaged: YYYY-MM-DD)`, or move it to another section"
        ))
        .help("if a note is useless, move it to `archive.md`");
    let going = without_last(learnings, &notes);
    let why = format!("Archived {}: notes not settled within {most} days", today(options));
    sink.report(match archiving(context.run(), document, &going, &why) {
        Some(steps) => finding.fix(Applicability::Unsafe, steps),
        None => finding,
    });
}
