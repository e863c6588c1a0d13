//! # learnings/stale-entry
//!
//! ## What it flags
//!
//! Entries of a `learnings.md` that nobody came back to for 21 days. No newer mark stands on them (`updated`, `consolidated`,
//! `triaged`), and neither `memory/team/retro-history.md` nor a session in `memory/sessions/` mentions them within these days,
//! or within what `stale-after-days` says in the configuration. There is one finding for a file, with the ten oldest entries.
//!
//! A record mentions an entry by a name in backticks that stands in no other entry of the file, by the task it comes from
//! (`dispatch: a6r.12`), or by most of its long words in one line. Entries of `Core` are for good, notes of others have a
//! rule of their own, and what has no date has no age.
//!
//! ## Why it matters
//!
//! All learnings go into every task. What was true of a sprint long past takes the place of what is true of this one.
//!
//! ## Example
//!
//! ```markdown
//! - `simulation.stop()` before adding forces is safe (added: 2026-01-13)
//! ```
//!
//! ## How to fix
//!
//! `squad-lint --fix --unsafe-fixes` moves them to `archive.md`. Mark what still holds: `(added: 2026-01-13, updated: 2026-03-01)`.
//!
//! ## Source
//!
//! Seed 004, "Consolidation Triggers" 2: "Archive stale entries: Move entries older than 21 days (without recent references)
//! to `memory/agents/<name>/archive.md`".

use crate::diagnostic::{Applicability, Finding, Severity};
use crate::facts::Facts;
use crate::facts::aging::{Aged, today};
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/stale-entry",
    since: "0.1.0",
    severity: Severity::Info,
    enabled: true,
    fixes: &[Applicability::Unsafe],
    check: Check::DocumentInRepository(check),
};

/// So many entries are shown; the fix moves all.
const SHOWN: usize = 10;

fn check(document: &Document<'_>, facts: &Facts<'_>, options: &Options, sink: &mut Sink<'_>) {
    let most = options.learnings.stale_after_days.get();
    let stale = facts.stale(document, options);
    let (Some(learnings), Some(oldest)) = (document.learnings(), stale.first()) else { return };
    let text_of = |aged: &Aged| learnings.entries.get(aged.entry).map(|entry| entry.text).unwrap_or_default();
    let message = match stale.len() {
        1 => format!("entry of {} that nobody came back to for {most} days", oldest.day),
        count => format!("{count} entries that nobody came back to for {most} days, the oldest of {}", oldest.day),
    };
    let finding = Finding::at(text_of(oldest), message).label("the oldest");
    let finding = stale
        .iter()
        .take(SHOWN)
        .skip(1)
        .fold(finding, |finding, aged| finding.related(text_of(aged), format!("of {}", aged.day)));
    let finding = finding.help("move them to `archive.md`, or mark what still holds with `updated` and a day");
    let mut going: Vec<usize> = stale.iter().map(|aged| aged.entry).collect();
    going.sort_unstable();
    let why = format!("Archived {}: not referred to for {most} days", today(options));
    sink.report(match facts.archiving(document, &going, &why) {
        Some((edits, append)) => finding.move_to(edits, append),
        None => finding,
    });
}
