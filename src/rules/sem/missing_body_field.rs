//! # sem/missing-body-field
//!
//! ## What it flags
//!
//! An entry whose type, timestamp or summary is only in the header, not in a field below. One finding names all
//! missing fields.
//!
//! ## Why it matters
//!
//! The format requires them as fields, too. The reference parser takes them from the header, but tools that read only
//! the fields find nothing.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-15T14:32:15-0800: decision: Use Postgres
//!
//! **author:** Verbal
//! ```
//!
//! ## How to fix
//!
//! Repeat the type and the timestamp below the header; the fix for these is safe. Write the summary yourself, as a
//! sentence.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Required fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#required-fields>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::{End, Entry, Field, FieldName};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::{Span, line_end, line_ending};

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/missing-body-field",
    severity: Severity::Info,
    fixes: &[Applicability::Safe],
    check: Check::Entry(check),
    ..Rule::NEW
};

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    let header = entry.header();
    let missing = [
        (FieldName::Type, header.entry_type.is_some() && !header.type_is_bare(entry.text()), header.kind),
        (FieldName::Timestamp, header.reading.moment().is_some(), header.timestamp),
        (FieldName::Summary, !header.summary.is_empty(), header.summary),
    ]
    .map(|(name, given, span)| (given && !entry.mentions(name)).then_some((name, span)));
    let Some((_, span)) = missing.into_iter().flatten().next() else { return };
    let names: Vec<String> = missing.iter().flatten().map(|(name, _)| format!("`{}`", name.as_str())).collect();
    let (list, fields, appear) = match names.as_slice() {
        [all @ .., last] if !all.is_empty() => (format!("{} and {last}", all.join(", ")), "fields", "appear"),
        names => (names.concat(), "field", "appears"),
    };
    let message = format!("{fields} {list} {appear} in the header but not below it");
    let finding = Finding::at(span, message).label("not repeated below");
    let [kind, timestamp, summary] = missing.map(|missing| missing.is_some());
    let insertion = insertion(entry, kind, timestamp);
    let below = match insertion {
        Insertion::AboveText => "below the header, and put the text under `**details:**`",
        Insertion::Nothing | Insertion::At(_) | Insertion::AboveLabel => "below the header",
    };
    let finding = match (kind || timestamp, summary) {
        (true, true) => finding.help(format!("add the fields {list} {below}")).note("`--fix` adds all but the summary"),
        (true, false) => finding.help(format!("add the {fields} {list} {below}")),
        (false, _) => finding.help("add `**summary:**` with one sentence that says what the entry is about"),
    };
    sink.report(match insertion {
        Insertion::At(edit) => finding.fix(Applicability::Safe, [edit]),
        Insertion::Nothing | Insertion::AboveText | Insertion::AboveLabel => finding,
    });
}

/// Where the lines of type and timestamp belong.
enum Insertion {
    Nothing,
    At(Edit),
    /// Free text is right below the header: it would be read as the rest of the last line.
    AboveText,
    /// So would a label that not every reader knows.
    AboveLabel,
}

fn insertion(entry: Entry<'_>, kind: bool, timestamp: bool) -> Insertion {
    let text = entry.text();
    let header = entry.header();
    let end = line_ending(text);
    let kind = header.entry_type.filter(|_| kind).map(|kind| format!("**type:** {}  {end}", kind.as_str()));
    let timestamp = header.reading.moment().filter(|_| timestamp).map(|at| format!("**timestamp:** {at}  {end}"));
    let lines: String = kind.iter().chain(&timestamp).map(String::as_str).collect();
    if lines.is_empty() {
        return Insertion::Nothing;
    }
    match entry.fields() {
        [first, below @ ..]
            if first.name == FieldName::Type
                && first.value.end() <= first.line.end()
                && below.first().is_none_or(Field::is_seen_by_all) =>
        {
            let (line, next) = line_end(text.as_bytes(), first.line.end());
            let before = if next == line { end } else { "" };
            return Insertion::At(Edit::insert(next, format!("{before}{lines}")));
        }
        [first, ..] if first.is_seen_by_all() => {
            let apart = if first.name.is_body() || first.name == FieldName::Summary { end } else { "" };
            return Insertion::At(Edit::insert(first.line.start(), format!("{lines}{apart}")));
        }
        [_, ..] => return Insertion::AboveLabel,
        [] => {}
    }
    let body_end = match entry.end() {
        End::Rule(line) => line.start(),
        End::NextEntry | End::EndOfFile => entry.span().end(),
    };
    let (line, next) = line_end(text.as_bytes(), header.line.end());
    let body = Span::new(next, body_end).of(text);
    if !body.trim().is_empty() {
        return Insertion::AboveText;
    }
    let before = if next == line { end } else { "" };
    // Right below a line of text, `---` would underline it as a heading.
    let behind = if body.is_empty() && next < text.len() { end } else { "" };
    Insertion::At(Edit::insert(next, format!("{before}{end}{lines}{behind}")))
}
