//! # legacy/impossible-date
//!
//! ## What it flags
//!
//! A legacy entry dated more than a week before the first commit of the repository, or more than two days after the
//! last one. The rule reports the first entry of a file of each kind and counts the others. It reads the date at the
//! start of a heading or in a field. In a file with uncommitted changes, it compares the dates with today's date.
//!
//! The rule ignores early dates if the history is no evidence: without git, in a shallow clone, with fewer than three
//! commits, if most entries of the file are older than the repository (as after a move from another repository), and
//! with `--staged` and `--from`. If the team has entries of three or more days before the first commit, without a gap of more
//! than thirty days, it worked elsewhere before, and only earlier dates are impossible.
//!
//! ## Why it matters
//!
//! Agents do not know the date and guess it; often the year is wrong. Archivers then move a new entry too early or
//! never, and readers mistake an older entry for the newer one.
//!
//! ## Example
//!
//! In a repository whose first commit is of February 2026:
//!
//! ```markdown
//! ### 2025-02-10: Use Postgres
//! ```
//!
//! ## How to fix
//!
//! Write the day on which the entry was added. `git log -S '2025-02-10: Use Postgres'` finds the commit.
//!
//! ## Source
//!
//! Legacy entries, "Dates":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/legacy-entries.md#dates>

use crate::diagnostic::{Finding, Severity};
use crate::facts::age::{AFTER, Ymd, day_at, own_day};
use crate::facts::{Run, unused};
use crate::formats::legacy::LegacyEntry;
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::rules::shell::log_of;
use crate::text::prose::more_in_file;

/// The rule.
pub static RULE: Rule = Rule {
    name: "legacy/impossible-date",
    severity: Severity::Warning,
    once_a_file: true,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let text = document.text();
    let dated = document.entries.legacy().filter_map(|entry| Some((entry, own_day(text, entry)?)));
    let dated: Vec<(&LegacyEntry, Ymd)> = dated.collect();
    let Some(newest) = dated.iter().map(|(_, day)| *day).max() else { return };
    let run = context.run();
    let (first, (first_offset, last_offset)) = (run.age().first, run.age().offsets);
    let earliest = run.age().earliest;
    let committed = committed(run, document, newest);
    let latest = day_at(committed.unwrap_or_else(|| run.options.now.unix()).saturating_add(AFTER));
    let is_early = |day: Ymd| earliest.is_some_and(|earliest| day < earliest);
    let is_moved = dated.iter().filter(|(_, day)| is_early(*day)).count() * 2 > dated.len();
    let is_wrong = |day: Ymd| is_early(day) && !is_moved || latest.is_some_and(|latest| day > latest);
    let sound = dated.iter().map(|(_, day)| *day).filter(|day| !is_wrong(*day)).max();
    let wrong = dated.into_iter().filter(|(_, day)| is_wrong(*day));
    let (early, late): (Vec<(&LegacyEntry, Ymd)>, Vec<_>) = wrong.partition(|(_, day)| is_early(*day));
    if unused::is_unused(run, document.root()) {
        return;
    }
    for wrong in [early, late] {
        let Some((entry, day)) = document.shown(&wrong, |(entry, _)| entry.heading) else { continue };
        let message = match (first.filter(|_| is_early(*day)), committed) {
            (Some(first), _) => {
                format!(
                    "entry is dated before the first commit of the repository, made on {}",
                    shown(first.saturating_add(first_offset))
                )
            }
            (None, Some(last)) => {
                format!("entry is dated after the last commit, made on {}", shown(last.saturating_add(last_offset)))
            }
            (None, None) => "entry is dated in the future".to_owned(),
        };
        // A date alone is in other lines as well.
        let is_said = |line: &&str| line.contains(char::is_alphabetic);
        let title =
            entry.span.of(text).lines().find(is_said).unwrap_or_default().trim_start_matches(['#', ' ', '*', '-']);
        sink.report(
            Finding::at(entry.date.unwrap_or(entry.heading), format!("{message}{}", more_in_file(wrong.len())))
                .help(match with_other_year(run, *day, sound) {
                    Some(Ymd(year, month, day)) => {
                        format!("write the date of the commit that added the entry, or `{year}-{month:02}-{day:02}` if only the year is wrong")
                    }
                    None => "write the date of the commit that added the entry".to_owned(),
                })
                .note(format!("`{}` finds that commit", log_of(title, document.path()))),
        );
    }
}

/// The same day of another year, from the first commit to the last day of the file, `sound`, that can be right.
fn with_other_year(run: &Run<'_>, Ymd(year, month, day): Ymd, sound: Option<Ymd>) -> Option<Ymd> {
    let (first, last) = (day_at(run.age().first?)?, sound?);
    let mut others = (first.0..=last.0).filter(|other| *other != year).map(|year| Ymd(year, month, day));
    others.find(|day| (first..=last).contains(day) && day.midnight().is_some())
}

/// When the text of `document` was committed at the latest; `None` if it has changes that are not committed, or is not newer
/// than that by its `newest` entry.
fn committed(run: &Run<'_>, document: &Document, newest: Ymd) -> Option<i64> {
    let last = run.age().last.filter(|last| day_at(last.saturating_add(AFTER)).is_some_and(|limit| newest > limit))?;
    let is_committed = run.git(|git| git.has_committed(document.path(), document.source.bytes()))?;
    is_committed.then(|| last.min(run.options.now.unix()))
}

/// The day of a moment as `2026-02-15`.
fn shown(seconds: i64) -> String {
    day_at(seconds).map(|Ymd(year, month, day)| format!("{year}-{month:02}-{day:02}")).unwrap_or_default()
}
