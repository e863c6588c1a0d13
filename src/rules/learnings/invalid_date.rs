//! # learnings/invalid-date
//!
//! ## What it flags
//!
//! A mark in `learnings.md` or its archive whose date does not exist or is not written as `YYYY-MM-DD`. In `added`,
//! any other value is reported; in `updated`, `consolidated` and `triaged`, only a value that looks like a date.
//!
//! ## Why it matters
//!
//! No tool can read such a date, so the entry has no age.
//!
//! ## Example
//!
//! ```markdown
//! - REST over GraphQL (added: 2026-02-30)
//! ```
//!
//! ## How to fix
//!
//! Write the day as `YYYY-MM-DD`. `squad-lint --fix --unsafe-fixes` does this if year, month and day are in this
//! order.
//!
//! ## Source
//!
//! Learning teams, "Entries":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#entries>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::learnings::{Date, Learnings, Mark, MarkKind, looks_like_date};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/invalid-date",
    severity: Severity::Error,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(learnings) = document.body::<Learnings>() else { return };
    let text = document.text();
    for mark in learnings.entries.iter().flat_map(|entry| &entry.marks) {
        if is_invalid(text, mark) {
            report(text, mark, sink);
        }
    }
}

/// Whether the mark needs a date and has none. `updated` may also name the task instead of a date.
fn is_invalid(text: &str, mark: &Mark) -> bool {
    mark.day.is_none()
        && match mark.kind {
            MarkKind::Added => true,
            MarkKind::Updated | MarkKind::Consolidated | MarkKind::Triaged => looks_like_date(mark.value.of(text)),
            _ => false,
        }
}

fn report(text: &str, mark: &Mark, sink: &mut Sink<'_>) {
    let (key, value) = (mark.key.of(text), mark.value.of(text));
    if value.is_empty() {
        return sink.report(
            Finding::at(mark.group, format!("`{key}` has no date, expected `YYYY-MM-DD`"))
                .help("write the date as `YYYY-MM-DD`"),
        );
    }
    let finding = match is_shaped(value) {
        true => Finding::at(mark.value, format!("date `{value}` does not exist")),
        false => Finding::at(mark.value, format!("date `{value}` is not in the form `YYYY-MM-DD`")),
    };
    let finding = finding.help(match is_shaped(value) {
        true => format!("write the day on which the entry was {}", key.to_ascii_lowercase()),
        false => "write the date as `YYYY-MM-DD`".to_owned(),
    });
    sink.report(match day_of(value) {
        Some(day) => finding.fix(Applicability::Unsafe, [Edit::replace(mark.value, day.to_string())]),
        None => finding,
    });
}

/// Whether `value` is written as `YYYY-MM-DD`, whatever the numbers are.
pub(super) fn is_shaped(value: &str) -> bool {
    let digits = |part: Option<&str>, len: usize| {
        part.is_some_and(|part| part.len() == len && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut parts = value.split('-');
    digits(parts.next(), 4) && digits(parts.next(), 2) && digits(parts.next(), 2) && parts.next().is_none()
}

/// The day that `value` means: year, month and day, in this order, apart or not.
fn day_of(value: &str) -> Option<Date> {
    let parts: Vec<&str> = value.split(['-', '/', '.']).collect();
    let (year, month, day) = match parts.as_slice() {
        [year, month, day] if year.len() == 4 => (*year, *month, *day),
        [whole] if whole.len() == 8 => (whole.get(..4)?, whole.get(4..6)?, whole.get(6..)?),
        _ => return None,
    };
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}
