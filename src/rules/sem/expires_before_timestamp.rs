//! # sem/expires-before-timestamp
//!
//! ## What it flags
//!
//! An `expires` that is earlier than the entry's own timestamp. The comparison respects offsets.
//!
//! ## Why it matters
//!
//! The entry was never valid: tools that honour `expires` ignore it from the start.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-15T14:32:15-0800: decision: Freeze the API until the release
//!
//! **expires:** 2025-03-01T00:00:00-0800
//! ```
//!
//! ## How to fix
//!
//! Correct the date of `expires`. Often only the year is wrong.
//!
//! ## Source
//!
//! Squad Entry Markdown, "expires":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#expires>

use crate::diagnostic::{Finding, Severity};
use crate::formats::sem::{Entry, FieldName};
use crate::formats::timestamp::Timestamp;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "sem/expires-before-timestamp", severity: Severity::Error, check: Check::Entry(check), ..Rule::NEW };

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    let Some((span, reading)) = entry.stamp(FieldName::Expires) else { return };
    let (Some(expires), Some(own)) = (reading.moment(), entry.timestamp()) else { return };
    if expires.unix() >= own.unix() {
        return;
    }
    let header = entry.header();
    let written = match entry.stamp(FieldName::Timestamp) {
        Some((span, _)) if header.reading.moment().is_none() => span,
        _ => header.timestamp,
    };
    let finding = Finding::at(span, format!("entry expires before it was written, expected a time after `{own}`"))
        .label("expires here")
        .related(written, "written here")
        .help("correct `expires`, or delete the line");
    // Two offsets are hard to compare by eye.
    let (expires_utc, own_utc) = (Timestamp::from_unix(expires.unix()), Timestamp::from_unix(own.unix()));
    sink.report(match expires.offset() == own.offset() {
        true => finding,
        false => finding.note(format!("in UTC, the entry was written at `{own_utc}` and expires at `{expires_utc}`")),
    });
}
