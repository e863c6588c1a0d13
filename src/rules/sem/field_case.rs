//! # sem/field-case
//!
//! ## What it flags
//!
//! A field whose label is not written as `**name:**` at the start of the line. It has the wrong case, is indented,
//! follows a list marker, or has its colon outside the asterisks. If the entry also has the field in the correct form,
//! `sem/duplicate-field` reports it instead.
//!
//! ## Why it matters
//!
//! The reference parser reads labels literally. `**Author:** Verbal` sets nothing, so the entry has no author.
//!
//! ## Example
//!
//! ```markdown
//! - **Author**: Verbal
//! ```
//!
//! ## How to fix
//!
//! Write `**author:** Verbal`. The fix is safe.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#fields>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::{Entry, Field, FieldName};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/field-case",
    severity: Severity::Warning,
    fixes: &[Applicability::Safe],
    check: Check::Entry(check),
    ..Rule::NEW
};

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    let text = entry.text();
    let wrong = |field: &&Field| field.name != FieldName::Unknown && !field.exact;
    if !entry.fields().iter().any(|field| wrong(&field)) {
        return;
    }
    let mut counts = [0_usize; FieldName::KNOWN.len()];
    for field in entry.fields() {
        if let Some(count) = counts.get_mut(field.name as usize) {
            *count += 1;
        }
    }
    // Once all readers see both, another one of the two may count: a matter of `sem/duplicate-field`.
    for field in entry.fields().iter().filter(wrong).filter(|field| counts.get(field.name as usize) == Some(&1)) {
        sink.report(describe(text, *field));
    }
}

fn describe(text: &str, field: Field) -> Finding {
    let name = field.name.as_str();
    let before = Span::new(field.line.start(), field.label().start());
    let (span, how, label) = if field.form.bulleted {
        (before.to(field.label()), "follows a list marker", "expected no list marker".to_owned())
    } else if field.form.indented {
        (before.to(field.label()), "is indented", "indented".to_owned())
    } else if field.form.colon_outside {
        (field.label(), "has its colon outside the asterisks", format!("expected `**{name}:**`"))
    } else {
        (field.word(), "is not in lower case", format!("expected `{name}`"))
    };
    let start = if field.form.bulleted || field.form.indented { " at the start of the line" } else { "" };
    Finding::at(span, format!("field label `{}` {how}, expected `**{name}:**`{start}", field.word().of(text)))
        .label(label)
        .help(format!("write `**{name}:**`{start}"))
        .fix(Applicability::Safe, [relabel(text, field, field.name)])
}

/// The edit that gives `field` the label of `name` as the specification has it, at the start of the line.
pub(super) fn relabel(text: &str, field: Field, name: FieldName) -> Edit {
    let label = Span::new(field.line.start(), field.label().end());
    let behind = Span::new(label.end(), field.line.end()).of(text);
    let blank = if behind.is_empty() || behind.starts_with([' ', '\t']) { "" } else { " " };
    Edit::replace(label, format!("**{}:**{blank}", name.as_str()))
}
