//! # sem/header-field-mismatch
//!
//! ## What it flags
//!
//! A `type` or `timestamp` field that differs from the header. The same moment with another offset is fine. The
//! summary may be worded differently in the two places.
//!
//! ## Why it matters
//!
//! The reference parser reads the header first and then lets the field override it, while lists and references use
//! the header.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-15T14:32:15-0800: decision: Use Postgres
//!
//! **type:** note
//! ```
//!
//! ## How to fix
//!
//! Decide which one is right. The fix writes the header's value into the field. It is unsafe, because the field may
//! be the right one.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Required fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#required-fields>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::{Entry, EntryType, FieldName};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/header-field-mismatch",
    severity: Severity::Error,
    fixes: &[Applicability::Unsafe],
    check: Check::Entry(check),
    ..Rule::NEW
};

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    let text = entry.text();
    let header = entry.header();
    if let (Some(ours), Some(field)) = (header.entry_type, entry.field(FieldName::Type)) {
        let span = field.first_line_span(text);
        let differs = EntryType::from_word(span.of(text)).is_some_and(|theirs| theirs != ours);
        // Such a word may belong to the summary: a matter of `sem/malformed-header`.
        if differs && !header.type_is_bare(text) {
            sink.report(mismatch("type", text, span, header.kind, ours.as_str()));
        }
    }
    if let (Some(ours), Some((span, reading))) = (header.reading.moment(), entry.stamp(FieldName::Timestamp))
        && reading.moment().is_some_and(|theirs| theirs.unix() != ours.unix())
    {
        sink.report(mismatch("timestamp", text, span, header.timestamp, &ours.to_string()));
    }
}

fn mismatch(what: &str, text: &str, field: Span, header: Span, right: &str) -> Finding {
    let (in_field, in_header) = (field.of(text), header.of(text));
    Finding::at(field, format!("field `{what}` is `{in_field}`, but the header says `{in_header}`"))
        .label(format!("expected `{right}`"))
        .related(header, "the header says this")
        .help(format!("write `{right}` here, or correct the header"))
        .fix(Applicability::Unsafe, [Edit::replace(field, right)])
}
