//! # sem/unknown-type
//!
//! ## What it flags
//!
//! A type, in the header or in the `type` field, other than `decision`, `memory`, `note` and `directive`. The four
//! are written in lower case.
//!
//! ## Why it matters
//!
//! The pattern of a header matches these four words only, so a header with another type is not an entry. Scope and
//! retention depend on the type.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-15T14:32:15-0800: decison: Use Postgres
//! ```
//!
//! ## How to fix
//!
//! Write one of the four. The fix is safe if only the case is wrong, and unsafe for a misspelling. If no type fits,
//! use `note`.
//!
//! ## Source
//!
//! Squad Entry Markdown, "type":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#type>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::{Defect, Entry, EntryType, FieldName, Header};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;
use crate::text::suggest::Tolerance;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/unknown-type",
    severity: Severity::Error,
    fixes: &[Applicability::Safe, Applicability::Unsafe],
    check: Check::Entry(check),
    ..Rule::NEW
};

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    let text = entry.text();
    let header = entry.header();
    let in_header = Some(header.kind).filter(|_| header.entry_type.is_none() && is_certain(text, header));
    let in_field = entry.field(FieldName::Type).map(|field| field.first_line_span(text));
    let in_field = in_field.filter(|span| !span.is_empty() && EntryType::from_word(span.of(text)).is_none());
    match (in_header, in_field) {
        // The same word twice is one mistake.
        (Some(header), Some(field)) if header.of(text) == field.of(text) => {
            sink.report(describe(text, header, Some(field), None));
        }
        _ => {
            let said = entry.entry_type();
            let wrong = in_header.into_iter().chain(in_field);
            wrong.for_each(|span| sink.report(describe(text, span, None, said)));
        }
    }
}

/// Whether the word in the type's place was meant as one: not when `sem/malformed-header` already asks what it is.
fn is_certain(text: &str, header: &Header) -> bool {
    !header.kind.is_empty()
        && match header.defect {
            Some(Defect::NoTimestamp | Defect::NoTime | Defect::NoType) => false,
            Some(Defect::AfterTimestamp(gap)) => !gap.of(text).trim().is_empty(),
            Some(Defect::Level | Defect::AfterType(_) | Defect::NoSummary) | None => true,
        }
}

/// `said` is the type that the entry has all the same, by its other place.
fn describe(text: &str, span: Span, again: Option<Span>, said: Option<EntryType>) -> Finding {
    let word = span.of(text);
    let finding =
        Finding::at(span, format!("unknown type `{word}`, expected `decision`, `memory`, `note` or `directive`"));
    let finding = match again {
        Some(again) => finding.related(again, "the same here"),
        None => finding,
    };
    let Some(near) = EntryType::nearest(word, Tolerance::Help).map(EntryType::as_str) else {
        return finding
            .label("not a type")
            .help("use the type that fits: `decision` (agreed), `memory` (learned), `note` (information), `directive` (a person's rule)");
    };
    // Where the other place says another type, only a person knows which is meant.
    let agrees = said.is_none_or(|said| said.as_str() == near);
    let finding = finding.help(format!("write `{near}`"));
    let edits = [span].into_iter().chain(again).map(|span| Edit::replace(span, near));
    if agrees && word.eq_ignore_ascii_case(near) {
        return finding.label(format!("expected `{near}`")).fix(Applicability::Safe, edits);
    }
    let finding = finding.label(format!("did you mean `{near}`?"));
    // `node` may be meant for `note`: whoever wrote it knows, or the other place.
    if agrees && said.is_some() || EntryType::nearest(word, Tolerance::Sure).is_some() {
        finding.fix(Applicability::Unsafe, edits)
    } else {
        finding
    }
}
