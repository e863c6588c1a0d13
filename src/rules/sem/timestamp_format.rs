//! # sem/timestamp-format
//!
//! ## What it flags
//!
//! A timestamp whose moment is certain but that is not written as `YYYY-MM-DDTHH:MM:SS±HHMM`. Such are `Z` or `±HH:MM`
//! for the offset, no seconds, a space for the `T`, no colons. Headers, `timestamp`, `supersedes`, `expires` and the
//! timestamps under `related` are all read.
//!
//! ## Why it matters
//!
//! The timestamp identifies the entry. A header in another form is no entry to the specification's parser, and the text
//! is lost into the entry before it.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-15T22:32:15Z: decision: Per-agent model selection
//! ```
//!
//! ## How to fix
//!
//! `squad-lint` knows the canonical form: here `2026-02-15T22:32:15+0000`. The fix is safe; only a fraction of a second
//! would be lost, so that fix is marked unsafe.
//!
//! ## Source
//!
//! Seed 000, "timestamp"; seed 001's JSON schema asks for RFC 3339 instead, which JSON output uses.

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
