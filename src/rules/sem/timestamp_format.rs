//! # sem/timestamp-format
//!
//! ## What it flags
//!
//! A timestamp that is readable but not written as `YYYY-MM-DDTHH:MM:SS±HHMM`. Examples are `Z` or `±HH:MM` as the
//! offset, missing seconds, a space instead of `T`, and missing colons. The rule checks headers, `timestamp`,
//! `supersedes`, `expires` and the timestamps under `related`.
//!
//! ## Why it matters
//!
//! The timestamp identifies the entry. The reference parser does not recognise a header in another form, so the text
//! becomes part of the entry before it.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-15T22:32:15Z: decision: Per-agent model selection
//! ```
//!
//! ## How to fix
//!
//! Write the canonical form, here `2026-02-15T22:32:15+0000`. The fix is safe, unless it drops a fraction of a second.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Timestamps":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#timestamps>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::Entry;
use crate::formats::timestamp::Reading;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/timestamp-format",
    severity: Severity::Error,
    fixes: &[Applicability::Safe, Applicability::Unsafe],
    check: Check::Entry(check),
    ..Rule::NEW
};

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    let text = entry.text();
    let header = entry.header();
    report(text, header.timestamp, header.reading, sink);
    for field in entry.fields().iter().filter(|field| field.name.is_stamp()) {
        report(text, field.first_line_span(text), field.reading, sink);
    }
    for item in entry.related() {
        report(text, item.identifier(), item.reading, sink);
    }
}

fn report(text: &str, span: Span, reading: Reading, sink: &mut Sink<'_>) {
    let Reading::Loose { at, lossless } = reading else { return };
    let applicability = if lossless { Applicability::Safe } else { Applicability::Unsafe };
    sink.report(
        Finding::at(span, format!("timestamp `{}` is not in the form `YYYY-MM-DDTHH:MM:SS±HHMM`", span.of(text)))
            .label(format!("expected `{at}`"))
            .help(format!("write `{at}`"))
            .fix(applicability, [Edit::replace(span, at.to_string())]),
    );
}
