//! # sem/missing-rationale
//!
//! ## What it flags
//!
//! A decision or directive whose `rationale` is missing or empty. Memories and notes do not need one.
//!
//! ## Why it matters
//!
//! Without the reason, no reader can tell later whether a decision still applies, so the next agent decides again.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-15T14:32:15-0800: decision: Use Postgres
//!
//! **summary:** Use Postgres for everything that is stored.
//!
//! ---
//! ```
//!
//! ## How to fix
//!
//! Add a line below the details: `**rationale:** The team knows it, and it is already in production.`
//!
//! ## Source
//!
//! Squad Entry Markdown, "rationale":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#rationale>

use crate::diagnostic::{Finding, Severity};
use crate::formats::label;
use crate::formats::markdown::MarkKind;
use crate::formats::sem::{Entry, EntryType, FieldName};
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "sem/missing-rationale", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    for entry in document.entries.sem(document.text()) {
        let Some(entry_type @ (EntryType::Decision | EntryType::Directive)) = entry.entry_type() else { continue };
        let field = entry.field(FieldName::Rationale);
        // Behind a `---` inside the entry the rationale may follow: that is sem/ambiguous-terminator's.
        if field.is_some_and(|field| !field.value.is_empty()) || entry.continued().is_some() {
            continue;
        }
        let word = entry_type.as_str();
        if let Some(field) = field {
            let finding = Finding::at(field.label(), format!("empty field `rationale` in a {word}"));
            sink.report(finding.help("write the rationale on this line"));
            continue;
        }
        sink.report(match near_label(entry, document) {
            Some(label) => {
                let written = label.of(document.text());
                Finding::at(label, format!("missing field `rationale` in a {word}: `{written}` is not a field label"))
                    .label("expected `**rationale:**`")
                    .help("write `**rationale:**` in lower case at the start of the line")
            }
            None => Finding::at(place(entry), format!("missing field `rationale` in a {word}"))
                .help("add a line `**rationale:** …` with the reason, below the details"),
        });
    }
}

/// A label in the body that was meant as `**rationale:**` but reads as text.
fn near_label(entry: Entry<'_>, document: &Document) -> Option<Span> {
    let (text, span) = (entry.text(), entry.span());
    let marks = &document.entries.outline.marks;
    let first = marks.partition_point(|mark| mark.line.start < span.start);
    let inside = marks.iter().skip(first).take_while(|mark| mark.line.start < span.end);
    let labels = inside.filter(|mark| mark.kind == MarkKind::Bold).filter_map(|mark| label::parse(text, mark.line));
    let mut meant = labels.filter(|label| label.name.of(text).eq_ignore_ascii_case("rationale"));
    meant.next().map(|label| label.span)
}

/// The word that makes the entry what it is.
fn place(entry: Entry<'_>) -> Span {
    let header = entry.header();
    match entry.field(FieldName::Type) {
        Some(field) if header.entry_type.is_none() => field.first_line_span(entry.text()),
        _ => header.kind,
    }
}
