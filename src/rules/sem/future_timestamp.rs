//! # sem/future-timestamp
//!
//! ## What it flags
//!
//! An entry whose timestamp is more than a day in the future. One day is allowed for wrong clocks and offsets.
//!
//! ## Why it matters
//!
//! Until that day the entry is the newest one: it leads every list of recent entries, and archivers keep it. Agents
//! often guess the date, or write local time as UTC.
//!
//! ## Example
//!
//! ```markdown
//! ### 2062-02-15T14:32:15-0800: decision: Use Postgres
//! ```
//!
//! ## How to fix
//!
//! Write the time of the decision, in the header and in the field. `git log` shows when the entry was committed.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Timestamps":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#timestamps>

use crate::diagnostic::{Finding, Severity};
use crate::formats::sem::{Entry, FieldName};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "sem/future-timestamp", severity: Severity::Warning, check: Check::Entry(check), ..Rule::NEW };

const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;

fn check(entry: Entry<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let options = context.options;
    let Some(at) = entry.timestamp() else { return };
    let ahead = at.unix().saturating_sub(options.now.unix());
    if ahead <= DAY {
        return;
    }
    let text = entry.text();
    let header = entry.header();
    let span = match (header.reading.moment(), entry.field(FieldName::Timestamp)) {
        (None, Some(field)) => field.first_line_span(text),
        _ => header.timestamp,
    };
    // Days alone would call anything up to two of them one.
    let distance = if ahead < 3 * DAY { format!("{} hours", ahead / HOUR) } else { format!("{} days", ahead / DAY) };
    sink.report(
        Finding::at(span, format!("timestamp `{}` is {distance} in the future", span.of(text)))
            .help("correct the time in the header, and in the `timestamp` field if there is one"),
    );
}
