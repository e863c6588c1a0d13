//! # sem/summary-too-long
//!
//! ## What it flags
//!
//! A summary of more than 120 characters, in the header or in the `summary` field. Characters are Unicode scalar
//! values, so most emoji count as one. In the field, only the first paragraph counts.
//!
//! ## Why it matters
//!
//! Lists and search results show the summary. The validator of the specification rejects one that is too long.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-15T14:32:15-0800: decision: Agents choose their own models, except … and so on for two lines
//! ```
//!
//! ## How to fix
//!
//! Write the one thing that was decided, and move the rest below `**details:**`.
//!
//! ## Source
//!
//! Squad Entry Markdown, "summary":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#summary>

use crate::diagnostic::{Finding, Severity};
use crate::formats::sem::{Entry, FieldName};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "sem/summary-too-long", severity: Severity::Error, check: Check::Entry(check), ..Rule::NEW };

fn check(entry: Entry<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let options = context.options;
    let text = entry.text();
    let length = |span: Span| span.of(text).chars().count();
    let too_long =
        |span: &Span| span.len() > options.max_summary_characters() && length(*span) > options.max_summary_characters();
    let header = Some(entry.header().summary).filter(too_long);
    let field = entry.field(FieldName::Summary).map(|field| field.first_paragraph(text)).filter(too_long);
    let finding = |span: Span| {
        let (length, max) = (length(span), options.max_summary_characters());
        let kept: usize = span.of(text).chars().take(max).map(char::len_utf8).sum();
        let excess = Span::new(span.start() + kept, span.end());
        Finding::at(excess, format!("summary has {length} characters, expected at most {max}"))
            .label(format!("{} too many", length - max))
            .help("shorten the summary, and move the rest to `**details:**`")
    };
    match (header, field) {
        // The same sentence twice is one mistake.
        (Some(header), Some(field)) if header.of(text) == field.of(text) => {
            sink.report(finding(header).related(field, "the same summary, also too long"));
        }
        _ => header.into_iter().chain(field).for_each(|span| sink.report(finding(span))),
    }
}
