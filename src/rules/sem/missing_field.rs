//! # sem/missing-field
//!
//! ## What it flags
//!
//! An entry without `author`, or whose `author`, `type`, `timestamp` or `summary` is empty. `sem/unknown-field`
//! reports an author under another label, such as `By`. `sem/missing-body-field` reports a value that is only in the
//! header.
//!
//! ## Why it matters
//!
//! The validator of the specification rejects the entry. An empty field even overrides the header.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-15T14:32:15-0800: decision: Use Postgres
//!
//! **type:** decision
//! **author:**
//! ```
//!
//! ## How to fix
//!
//! Add the value. The author is an agent, a person, or `Coordinator`.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Required fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#required-fields>

use crate::diagnostic::{Finding, Severity};
use crate::formats::sem::{Entry, Field, FieldName};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "sem/missing-field", severity: Severity::Error, check: Check::Entry(check), ..Rule::NEW };

const REQUIRED: [FieldName; 4] = [FieldName::Author, FieldName::Type, FieldName::Timestamp, FieldName::Summary];

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    for name in REQUIRED {
        match entry.field(name) {
            Some(field) if field.value.is_empty() && !given_again(entry, name) => sink.report(empty(entry, *field)),
            None if name == FieldName::Author && !entry.mentions(name) => sink.report(no_author(entry)),
            _ => {}
        }
    }
}

/// Whether a second field of that name has the value: a matter of `sem/duplicate-field`.
fn given_again(entry: Entry<'_>, name: FieldName) -> bool {
    entry.fields().iter().any(|field| field.name == name && !field.value.is_empty())
}

fn empty(entry: Entry<'_>, field: Field) -> Finding {
    let name = field.name.as_str();
    let finding = Finding::at(field.label(), format!("field `{name}` is empty")).label("expected a value after this");
    match (field.name, entry.header().entry_type, entry.header().reading.moment()) {
        (FieldName::Author, ..) => finding.help("name the agent, the person, or `Coordinator`"),
        (FieldName::Type, Some(kind), _) => finding.help(format!("write `{}`, as in the header", kind.as_str())),
        (FieldName::Timestamp, _, Some(at)) => finding.help(format!("write `{at}`, as in the header")),
        (FieldName::Summary, ..) => finding.help("write one sentence that says what the entry is about"),
        _ => finding.help(format!("write the {name}")),
    }
}

/// A line `author: Wren` above the first text of the entry: the line, and the value.
fn bare_author(entry: Entry<'_>) -> Option<(Span, &str)> {
    let (text, line_end) = (entry.text(), entry.header().line.end());
    let mut at = line_end;
    let lines = Span::new(line_end, entry.span().end()).of(text).split_inclusive('\n').map(|line| {
        at += line.len();
        Span::new(at - line.len(), at).trim(text)
    });
    let fields = lines.skip(1).take_while(|line| !line.of(text).starts_with("```"));
    fields.into_iter().find_map(|line| {
        let (name, value) = line.of(text).split_once(':')?;
        let is_author = name.eq_ignore_ascii_case(FieldName::Author.as_str()) && !value.trim().is_empty();
        is_author.then_some((line, value.trim()))
    })
}

fn no_author(entry: Entry<'_>) -> Finding {
    if let Some((line, name)) = bare_author(entry) {
        let written = line.of(entry.text());
        return Finding::at(
            line,
            format!("missing field `author`: you wrote `{written}`, expected `**author:** {name}`"),
        )
        .label("no field without the asterisks")
        .help(format!("write `**author:** {name}`"));
    }
    let header = entry.header();
    let span = [header.summary, header.kind].into_iter().find(|span| !span.is_empty()).unwrap_or(header.line);
    let before = |name: &FieldName| matches!(name, FieldName::Type | FieldName::Timestamp);
    let last = entry.fields().iter().map(|field| field.name).rfind(before);
    let place = match last {
        Some(FieldName::Timestamp) => "below `**timestamp:**`",
        Some(_) => "below `**type:**`",
        None => "below the header",
    };
    Finding::at(span, "missing field `author`")
        .help(format!("add a line `**author:** NAME` {place}"))
        .note("NAME is an agent, a person, or `Coordinator`")
}
