//! # sem/ambiguous-terminator
//!
//! ## What it flags
//!
//! A `---` that is followed by text, instead of a heading, a comment or the end of the file. A `---` inside a code
//! fence is text and is not reported.
//!
//! ## Why it matters
//!
//! `---` ends the entry. The text after it belongs to no entry, and fields in it are lost.
//!
//! ## Example
//!
//! ```markdown
//! **details:**
//!
//! First the plan.
//!
//! ---
//!
//! Then the exceptions, which no reader sees.
//! ```
//!
//! ## How to fix
//!
//! For a horizontal rule, write `***`. If the text is not part of the entry, put it under a heading of its own.
//!
//! The unsafe fix writes `***` and, if no other `---` follows, ends the entry below the text. Review the result.
//! There is no fix if the text has fields that the entry also has, because it may be another entry that lost its
//! header.
//!
//! ## Source
//!
//! Squad Entry Markdown, "End of an entry":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#end-of-an-entry>

use super::missing_terminator::{headings, terminator};
use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::entries::Block;
use crate::formats::label;
use crate::formats::markdown::MarkKind;
use crate::formats::sem::{End, EntrySpans, FieldName};
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/ambiguous-terminator",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let text = document.text();
    let mut blocks = document.entries.blocks().peekable();
    while let Some(block) = blocks.next() {
        let Block::Sem(entry) = block else { continue };
        let (End::Rule(rule), Some(continued)) = (entry.end, entry.continued) else { continue };
        let rule = rule.trim(text);
        let below = blocks.peek().map_or(continued, |block| block.span());
        let finding = Finding::at(rule, "`---` ends the entry, but more text follows")
            .label("the entry ends here")
            .related(continued.trim(text), "not part of any entry");
        if has_the_same_fields(document, entry, below) {
            sink.report(
                finding
                    .help("if the text below is an entry, write its header above it")
                    .help("if it continues the entry above, delete this `---`"),
            );
            continue;
        }
        let finding = finding
            .help("if `---` is meant as a horizontal rule, write `***`")
            .help("if the text below is not part of the entry, put a heading above it");
        let end = new_end(document, below).map(|at| terminator(text, at));
        let edits = [Edit::replace(rule, "***")].into_iter().chain(end);
        sink.report(finding.fix(Applicability::Unsafe, edits));
    }
}

/// Whether `below` has a field that the entry has as well, that each entry begins with, or whose value could be wrong: what
/// is not an entry's now would be an error then.
fn has_the_same_fields(document: &Document, entry: &EntrySpans, below: Span) -> bool {
    let (text, marks) = (document.text(), &document.entries.outline.marks);
    let mut seen: Vec<FieldName> = entry.fields.of(&document.entries.fields).iter().map(|field| field.name).collect();
    seen.extend([FieldName::Type, FieldName::Timestamp, FieldName::Scope, FieldName::Supersedes, FieldName::Expires]);
    let first = marks.partition_point(|mark| mark.line.start < below.start);
    let inside = marks.iter().skip(first).take_while(|mark| mark.line.start < below.end);
    let of_entry = inside.take_while(|mark| mark.kind != MarkKind::Rule).filter(|mark| mark.kind == MarkKind::Bold);
    let labels = of_entry.filter_map(|mark| label::parse(text, mark.line));
    let mut names = labels.filter_map(|label| FieldName::from_word(&label.name.of(text).to_ascii_lowercase()));
    names.any(|name| {
        let again = seen.contains(&name);
        seen.push(name);
        again
    })
}

/// Where an entry that continues through `below` needs a new end: `None` if a `---` or the end of the file ends it.
fn new_end(document: &Document, below: Span) -> Option<usize> {
    let outline = &document.entries.outline;
    let first = outline.marks.partition_point(|mark| mark.line.start < below.start);
    let mut inside = outline.marks.iter().skip(first).take_while(|mark| mark.line.start < below.end);
    let rule = inside.find(|mark| mark.kind == MarkKind::Rule).map(|mark| mark.line.start());
    // Deeper headings are parts of the entry.
    let section = headings(outline, below).find(|(level, _)| *level <= 3).map(|(_, line)| line.start());
    let end = section.unwrap_or(below.end());
    (end < document.text().len() && rule.is_none_or(|rule| rule > end)).then_some(end)
}
