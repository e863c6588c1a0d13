//! # sem/malformed-related
//!
//! ## What it flags
//!
//! An item under `related` that is not written as `- type: identifier`. The type is `proposal`, `issue`, `decision`,
//! `memory`, `pr` or `skill`. Text without a list marker is ignored.
//!
//! ## Why it matters
//!
//! The reference parser drops such an item silently, and the reference is lost.
//!
//! ## Example
//!
//! ```markdown
//! **related:**
//! * issue:#18
//! - ticket: 9
//! ```
//!
//! ## How to fix
//!
//! Write `- issue: #18`. If the type is one of the six, a safe fix corrects the dash, the spaces and the case. Only
//! you know which type a `ticket` is.
//!
//! ## Source
//!
//! Squad Entry Markdown, "related":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#related>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::field::{RELATED_TYPES, RelatedItem};
use crate::formats::sem::{Entry, Field, FieldName};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::suggest::{Tolerance, nearest};
use crate::text::{Span, line_ending};

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/malformed-related",
    severity: Severity::Warning,
    fixes: &[Applicability::Safe],
    check: Check::Entry(check),
    ..Rule::NEW
};

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    let text = entry.text();
    // Fields and items both run through the entry once.
    let mut items = entry.related().iter().peekable();
    for field in entry.fields().iter().filter(|field| field.name == FieldName::Related) {
        while let Some(item) = items.next_if(|item| item.line.end() <= field.value.end()) {
            if !item.is_well_formed {
                sink.report(judge(text, field, item));
            }
        }
    }
}

fn judge(text: &str, field: &Field, item: &RelatedItem) -> Finding {
    let (kind, identifier) = split(text, item);
    let (written, name) = (kind.of(text), identifier.of(text));
    let Some(known) = RELATED_TYPES.into_iter().find(|known| known.eq_ignore_ascii_case(written)) else {
        return no_type(text, kind, item);
    };
    if name.is_empty() {
        let span = Span::new(kind.start(), item.line.end());
        return Finding::at(span, format!("related {known} has no identifier"))
            .help(format!("name the {known} after the colon, or delete the line"));
    }
    let between = Span::new(kind.start(), identifier.start());
    let (span, message) = match item.bullet().of(text) {
        _ if item.line.start() < field.line.end() && holds_more(name) => {
            (item.line, "items are on the `**related:**` line, expected one item per line".to_owned())
        }
        _ if item.line.start() < field.line.end() => {
            (item.line, format!("related {known} is on the `**related:**` line, expected a line of its own"))
        }
        "" => (kind, format!("related {known} has no `- ` before it")),
        "-" if written != known => (kind, format!("related type `{written}` is not in lower case")),
        "-" => (between, format!("related {known} is not written as `- {known}: identifier`")),
        bullet => (item.bullet(), format!("related {known} begins with `{bullet}`, expected `-`")),
    };
    let canonical = format!("- {known}: {name}");
    let finding = Finding::at(span, message);
    if holds_more(name) {
        return finding.help("put each related item on its own line, such as `- issue: #18`");
    }
    let help = match item.line.start() < field.line.end() {
        true => format!("write `{canonical}` on the line below `**related:**`"),
        false => format!("write `{canonical}`"),
    };
    // An item on the label's line moves to a line of its own.
    let edit = if item.line.start() < field.line.end() {
        Edit::replace(Span::new(field.label().end(), item.line.end()), format!("{}{canonical}", line_ending(text)))
    } else {
        Edit::replace(item.line, canonical)
    };
    finding.help(help).fix(Applicability::Safe, [edit])
}

/// Type and identifier, also where blanks or asterisks keep the type from its colon: `**issue:** #18`.
fn split(text: &str, item: &RelatedItem) -> (Span, Span) {
    const STRAY: [char; 2] = ['*', ' '];
    let inner = item.identifier().of(text);
    let Some(colon) = inner.find(':').filter(|_| item.kind.is_empty()) else { return (item.kind, item.identifier()) };
    let (start, end) = (item.identifier().start(), item.identifier().end());
    let (head, tail) = inner.split_at(colon + 1);
    let kind_start = start + head.len() - head.trim_start_matches(STRAY).len();
    let kind = Span::new(kind_start, start + head.trim_end_matches(':').trim_end_matches(STRAY).len());
    (kind, Span::new(end - tail.trim_start_matches(STRAY).len(), end))
}

fn no_type(text: &str, kind: Span, item: &RelatedItem) -> Finding {
    let word = kind.of(text);
    // The scheme of a URL, a time of day or a sentence is not meant as a type.
    let is_word = word.starts_with(|c: char| c.is_alphabetic() || c == '{') && !word.contains(char::is_whitespace);
    let is_url = Span::new(kind.end(), item.line.end()).of(text).starts_with("://");
    let types: Vec<String> = RELATED_TYPES.iter().map(|known| format!("`{known}`")).collect();
    let advised = |finding: Finding| {
        let help = "write a type and an identifier, such as `- issue: #18`, or delete the line";
        finding.help(help).note(format!("the types are {}", types.join(", ")))
    };
    if !is_word || is_url {
        let span =
            if item.identifier().is_empty() { item.line } else { Span::new(item.bullet().end(), item.line.end()) };
        let is_empty = span.of(text).trim_matches(['-', '*', '+', ' ']).is_empty();
        let message = if is_empty { "related item is empty" } else { "related item has no type" };
        return advised(Finding::at(span.trim(text), message));
    }
    let near = nearest(word, RELATED_TYPES, Tolerance::Help);
    let finding = Finding::at(kind, format!("unknown type `{word}` in a related item"));
    advised(match near {
        Some(known) => finding.label(format!("expected `{known}`")),
        None => finding,
    })
}

/// Whether further items follow a comma: `#18, pr: #42`.
fn holds_more(identifier: &str) -> bool {
    let is_item = |part: &str| part.split_once(':').is_some_and(|(kind, _)| RELATED_TYPES.contains(&kind.trim()));
    identifier.split(',').skip(1).any(is_item)
}
