//! # sem/label-layout
//!
//! ## What it flags
//!
//! `**details:**` with text on its own line or without a blank line below, and a summary of more than one sentence.
//!
//! ## Why it matters
//!
//! Tools that show details as Markdown expect separate blocks, and lists show the summary as one sentence. Parsers
//! accept both, so this rule is off by default.
//!
//! ## Example
//!
//! ```markdown
//! **summary:** Use Postgres. It scales.
//!
//! **details:** We compared three databases.
//! ```
//!
//! ## How to fix
//!
//! Put the label alone on its line, with a blank line below it; the safe fix does this. Keep the first sentence of
//! the summary and move the others below `**details:**`.
//!
//! ## Source
//!
//! Squad Entry Markdown, "details":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#details>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::{Entry, Field, FieldName};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::{Span, line_end, line_ending};

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/label-layout",
    severity: Severity::Info,
    enabled: false,
    fixes: &[Applicability::Safe],
    check: Check::Entry(check),
    ..Rule::NEW
};

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    let text = entry.text();
    if let Some(details) = entry.field(FieldName::Details) {
        layout(text, *details, sink);
    }
    let second = |span: Span| second_sentence(span.of(text)).map(|at| Span::new(span.start() + at, span.end()));
    let header = second(entry.header().summary);
    let field = entry.field(FieldName::Summary).and_then(|field| second(field.first_paragraph(text)));
    let finding = |span| {
        Finding::at(span, "summary has more than one sentence, expected one")
            .label("a second sentence")
            .help("keep the first sentence, and move the others under `**details:**`")
    };
    match (header, field) {
        // The same sentences twice are one mistake.
        (Some(header), Some(field)) if header.of(text) == field.of(text) => {
            sink.report(finding(header).related(field, "the same here"));
        }
        _ => header.into_iter().chain(field).for_each(|span| sink.report(finding(span))),
    }
}

/// The label alone, a blank line, the text.
fn layout(text: &str, details: Field, sink: &mut Sink<'_>) {
    let label = details.label();
    let (end, next) = line_end(text.as_bytes(), label.end());
    let start = details.value.start();
    let (blank_line, _) = line_end(text.as_bytes(), next);
    if details.value.is_empty() || !details.exact || start > blank_line {
        return;
    }
    let line_end = line_ending(text);
    let (message, expected, gap, replacement) = if start < end {
        let gap = Span::new(label.end(), start);
        ("text follows `**details:**` on its line", "expected on a line of its own", gap, line_end.repeat(2))
    } else {
        (
            "missing blank line after `**details:**`",
            "expected a blank line after this",
            Span::at(next),
            line_end.to_owned(),
        )
    };
    let finding = Finding::at(label, message).label(expected).help(if start < end {
        "put the label on a line of its own, with a blank line after it"
    } else {
        "add a blank line after the label"
    });
    let indent = Span::new(next.min(start), start).of(text);
    let safe =
        if start < end { stays_text(details.first_line(text)) } else { indent.len() < 4 && !indent.contains('\t') };
    sink.report(if safe { finding.fix(Applicability::Safe, [Edit::replace(gap, replacement)]) } else { finding });
}

/// Whether a line that begins so is a plain paragraph wherever it is: no list, fence, rule, heading, label or tag.
fn stays_text(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let listed = number.len() < line.len() && number.starts_with(['.', ')']);
    let code = line.starts_with('`') && !line.starts_with("```");
    code || !listed
        && line.starts_with(|c: char| c.is_alphanumeric() || !c.is_ascii() || matches!(c, '"' | '\'' | '(' | '@'))
}

/// Abbreviations that a capital may follow.
const ABBREVIATIONS: [&str; 15] =
    ["vs", "cf", "dr", "mr", "mrs", "ms", "st", "no", "nr", "fig", "ca", "approx", "incl", "resp", "inc"];

/// Where the second sentence begins: after a full stop and a space, before a capital. Full stops of abbreviations,
/// initials, numbers and code are skipped.
fn second_sentence(summary: &str) -> Option<usize> {
    let (mut start, mut in_code) = (0, false);
    // A full stop before a blank ends a word: each is checked once.
    for word in summary.split_inclusive(char::is_whitespace) {
        in_code ^= word.bytes().filter(|&byte| byte == b'`').count() % 2 == 1;
        start += word.len();
        let rest = summary.get(start..)?;
        if let Some(word) = word.trim_end().strip_suffix('.')
            && !in_code
            && !is_abbreviation(word.trim_start_matches(['(', '"', '\'', '*', '[']))
            && rest.trim_start().starts_with(char::is_uppercase)
        {
            return Some(summary.len() - rest.trim_start().len());
        }
    }
    None
}

/// Whether the full stop after this word is a part of it.
fn is_abbreviation(word: &str) -> bool {
    word.chars().nth(1).is_none()
        || word.bytes().all(|byte| byte.is_ascii_digit())
        || word.contains('.') && !word.contains(|c: char| c.is_ascii_digit())
        || ABBREVIATIONS.iter().any(|known| word.eq_ignore_ascii_case(known))
}
