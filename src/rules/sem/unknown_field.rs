//! # sem/unknown-field
//!
//! ## What it flags
//!
//! A bold label among the fields of an entry that is not the name of a field. Bold labels inside `details` and other
//! bodies are text, and the rule ignores them.
//!
//! ## Why it matters
//!
//! No reader looks for such a field, so the author or the tags that it was meant to give are lost.
//!
//! ## Example
//!
//! ```markdown
//! **auther:** Verbal
//! ```
//!
//! ## How to fix
//!
//! Rename the field to one that the format has, or move the line below `**details:**`. An unsafe fix corrects a
//! misspelling.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#fields>

use std::collections::HashMap;

use crate::diagnostic::{Applicability, Finding, Severity};
use crate::formats::legacy::Meaning;
use crate::formats::sem::{Entry, EntryType, Field, FieldName, Scope};
use crate::formats::timestamp::Timestamp;
use crate::options::Options;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::suggest::Tolerance;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/unknown-field",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Entry(check),
    ..Rule::NEW
};

fn check(entry: Entry<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let options = context.options;
    let mut unknown = entry.fields().iter().filter(|field| field.name == FieldName::Unknown).peekable();
    if unknown.peek().is_none() {
        return;
    }
    // Looked up once: an entry can hold very many unknown fields.
    let text = entry.text();
    let known = FieldName::KNOWN.map(|name| entry.field(name));
    let unknown: Vec<_> =
        unknown.map(|field| (*field, FieldName::nearest(field.word().of(text), Tolerance::Help))).collect();
    let mut meant = HashMap::<FieldName, usize>::new();
    for name in unknown.iter().filter_map(|(_, near)| *near) {
        *meant.entry(name).or_default() += 1;
    }
    for (field, near) in unknown {
        let again = near.and_then(|near| meant.get(&near)).is_some_and(|count| *count > 1);
        let is_slip = near.is_some() && FieldName::nearest(field.word().of(text), Tolerance::Sure) == near;
        let certain = is_slip && !again && near.is_some_and(|name| fits(entry, field, name, options));
        sink.report(describe(text, field, (near, certain), &known));
    }
}

/// `near` is what the label misspells; `certain` whether nothing becomes wrong under that name.
fn describe(text: &str, field: Field, (near, certain): (Option<FieldName>, bool), known: &[Option<&Field>]) -> Finding {
    let word = field.word().of(text);
    let finding = Finding::at(field.word(), format!("unknown field `{word}`"));
    if let Some(meant) = near.or_else(|| FieldName::of_legacy(word)) {
        let name = meant.as_str();
        if let Some(there) = known.iter().flatten().find(|known| known.name == meant) {
            return finding
                .label(format!("called `{name}` in this format"))
                .related(there.label(), "already given here")
                .help(format!("move it to `**{name}:**`"));
        }
        let finding = finding.help(format!("write `**{name}:**`"));
        return match near {
            Some(_) if certain => finding
                .label(format!("did you mean `{name}`?"))
                .fix(Applicability::Unsafe, [super::field_case::relabel(text, field, meant)]),
            Some(_) => finding.label(format!("did you mean `{name}`?")),
            None => finding.label(format!("called `{name}` in this format")),
        };
    }
    if Meaning::of(word) == Meaning::Status {
        return finding.label("not a field of this format").help("move it under `**details:**`, or to `**tags:**`");
    }
    finding.label("not a field of this format").help("move it under `**details:**`, or rename it")
}

/// Whether the value of `field` could be in the field `name` of `entry`, and contradicts nothing there.
fn fits(entry: Entry<'_>, field: Field, name: FieldName, options: &Options) -> bool {
    let text = entry.text();
    if field.value.is_empty() {
        return false;
    }
    let value = field.first_line(text);
    let moments = || Timestamp::read(value).map(|at| (at.unix(), entry.timestamp().map_or(at.unix(), Timestamp::unix)));
    match name {
        FieldName::Scope => Scope::parse(value).is_some(),
        FieldName::Type => {
            let ours = entry.header().entry_type;
            EntryType::from_word(value).is_some_and(|kind| ours.is_none_or(|ours| ours == kind))
        }
        FieldName::Summary => field.first_paragraph(text).of(text).chars().count() <= options.max_summary_characters(),
        FieldName::Timestamp => moments().is_some_and(|(at, own)| at == own),
        FieldName::Expires => moments().is_some_and(|(at, own)| at >= own),
        // Whether another entry has replaced that one already, the entry alone cannot tell.
        FieldName::Supersedes => false,
        _ => true,
    }
}
