//! # learnings/future-date
//!
//! ## What it flags
//!
//! A mark in `learnings.md` or its archive whose date is in the future in every time zone.
//!
//! ## Why it matters
//!
//! Until that day has passed, the entry counts as new: it never becomes stale, and a note is never overdue. Agents
//! often guess the date.
//!
//! ## Example
//!
//! ```markdown
//! - REST over GraphQL (added: 2062-02-13)
//! ```
//!
//! ## How to fix
//!
//! Write the day on which the entry was added. `squad-lint --fix --unsafe-fixes` writes the day of the commit that
//! added the line, if git has one.
//!
//! ## Source
//!
//! Learning teams, "Entries":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#entries>

use super::shared::latest_day;
use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::facts::blame;
use crate::formats::learnings::Learnings;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/future-date",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, options, .. } = *context;
    let Some(learnings) = document.body::<Learnings>() else { return };
    let latest = latest_day(options.now);
    for (entry, mark) in learnings.entries.iter().flat_map(|entry| entry.marks.iter().map(move |mark| (entry, mark))) {
        let Some(day) = mark.day.filter(|day| *day > latest) else { continue };
        let days = latest.until(day).map_or(0, |span| span.get_days());
        let ahead = if days == 1 { "a day".to_owned() } else { format!("{days} days") };
        let finding =
            Finding::at(mark.value, format!("date `{day}` is {ahead} in the future")).help("write the actual date");
        let known = blame::committed_on(context.run(), document, entry.span.start()).filter(|day| *day <= latest);
        sink.report(match known {
            Some(known) => finding.fix(Applicability::Unsafe, [Edit::replace(mark.value, known.to_string())]),
            None => finding,
        });
    }
}
