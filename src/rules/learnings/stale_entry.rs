//! # learnings/stale-entry
//!
//! ## What it flags
//!
//! Entries of a `learnings.md` without a reference for 21 days. `stale-after-days` under `[learnings]` sets another number
//! of days. A reference is a newer mark (`updated`, `consolidated`, `triaged`), or a mention in
//! `memory/team/retro-history.md` or in a session in `memory/sessions/`. There is one finding per file, with the ten
//! oldest entries.
//!
//! A record mentions an entry by a name in backticks that no other entry of the file contains, by the task it comes
//! from (`dispatch: a6r.12`), or by most of its long words in one line. The rule ignores entries in `Core`, entries
//! without a date, and notes from other members, which `learnings/unsettled-note` checks.
//!
//! ## Why it matters
//!
//! Every task gets all learnings. Entries that were true several sprints ago take the place of those that are true now.
//!
//! ## Example
//!
//! ```markdown
//! - `simulation.stop()` before adding forces is safe (added: 2026-01-13)
//! ```
//!
//! ## How to fix
//!
//! Mark entries that are still true: `(added: 2026-01-13, updated: 2026-03-01)`.
//! `squad-lint --fix --unsafe-fixes --select learnings/stale-entry` moves the others to `archive.md`, and so does
//! `squad-lint team prune --stale`. Without the name of the rule, `--unsafe-fixes` does not move them. In a section
//! whose entries are all stale, those with the newest date stay. An entry also stays if it orders or forbids something
//! permanently (`never …`, `always …`, `do not …` or `avoid …` at the start of a clause), says that something is needed
//! (`must`, `should`, `requires`, `needs`, `all … via …`), introduces the project or its layout (`Project is …`,
//! `Tests live in …`, ``put views in `src/ui/` ``), says what to do and what not to do
//! (`put it in the store, not in the view`), or guides later work: it sets one thing against another
//! (`imported one by one, not as a bundle`), or says what is `by design`, what a project consists of or what a file is
//! for. Archive it by hand, or let `learnings/too-many-lines` decide. An entry without a date that begins with a word
//! such as `RESOLVED` or `STALE` leaves with the stale ones.
//!
//! ## Source
//!
//! Learning teams, "Consolidation":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#consolidation>

use super::shared::{archiving, guides, holds_for_good, without_last};
use crate::diagnostic::{Applicability, Finding, Severity};
use crate::facts::staleness::{self, StaleEntry, is_settled, may_age, today};
use crate::formats::learnings::{Entry, Learnings};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/stale-entry",
    severity: Severity::Info,
    fixes: &[Applicability::Unsafe],
    fix_if_named: true,
    check: Check::Document(check),
    ..Rule::NEW
};

/// So many entries are shown; the fix moves all.
const SHOWN: usize = 10;

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, options, .. } = *context;
    let Some(learnings) = document.body::<Learnings>() else { return };
    let most = options.learnings.stale_after_days.get();
    let stale = staleness::stale(context.run(), document);
    let Some(oldest) = stale.first() else { return };
    let text_of = |aged: &StaleEntry| learnings.entries.get(aged.entry).map(|entry| entry.text).unwrap_or_default();
    let message = match stale.len() {
        1 => format!("entry has not been updated for {most} days (since {})", oldest.day),
        count => format!("{count} entries have not been updated for {most} days"),
    };
    let finding = Finding::at(text_of(oldest), message);
    let last = |aged: &StaleEntry| format!("last updated {}", aged.day);
    let finding = if stale.len() == 1 { finding } else { finding.label(last(oldest)) };
    let finding =
        stale.iter().take(SHOWN).skip(1).fold(finding, |finding, aged| finding.related(text_of(aged), last(aged)));
    let finding =
        finding.help("move stale entries to `archive.md`, or add `updated: YYYY-MM-DD` to those that still apply");
    let mut going = without_last(learnings, &stale);
    let text = document.text();
    let stays = |text: &str| holds_for_good(text) || guides(text);
    let may_go = |entry: &Entry| is_settled(entry.text.of(text)) || !stays(entry.span.of(text));
    going.retain(|place| learnings.entries.get(*place).is_some_and(may_go));
    let is_over =
        |entry: &Entry| entry.newest().is_none() && is_settled(entry.text.of(text)) && may_age(learnings, entry);
    going.extend((0..).zip(&learnings.entries).filter(|(_, entry)| is_over(entry)).map(|(place, _)| place));
    going.sort_unstable();
    let why = format!("Archived {}: not updated for {most} days", today(options));
    sink.report(match archiving(context.run(), document, &going, &why) {
        Some(steps) => finding.fix(Applicability::Unsafe, steps),
        None => finding,
    });
}
