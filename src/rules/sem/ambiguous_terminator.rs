//! # sem/ambiguous-terminator
//!
//! ## What it flags
//!
//! A `---` after which the text goes on: neither a heading, nor a comment, nor the end of the file follows. Inside a
//! code fence `---` is text.
//!
//! ## Why it matters
//!
//! `---` ends the entry. What follows it belongs to no entry, and its fields are lost.
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
//! For a horizontal line write `***`. If the text below is not part of the entry, put it under a heading. The fix
//! writes `***` and, where no other `---` follows, ends the entry below the text; look at the result.
//!
//! ## Source
//!
//! Seed 000, "Entry Termination".

use super::missing_terminator::{headings, terminator};
use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::entries::Block;
use crate::formats::markdown::MarkKind;
use crate::formats::sem::End;
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/ambiguous-terminator",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
};

fn check(document: &Document<'_>, _: &Options, sink: &mut Sink<'_>) {
    let text = document.text();
    let mut blocks = document.entries.blocks().peekable();
    while let Some(block) = blocks.next() {
        let Block::Sem(entry) = block else { continue };
        let (End::Rule(rule), Some(continued)) = (entry.end, entry.continued) else { continue };
        let rule = rule.trim(text);
        let below = blocks.peek().map_or(continued, |block| block.span());
        let end = new_end(document, below).map(|at| terminator(text, at));
        sink.report(
            Finding::at(rule, "`---` ends the entry, but its text goes on below")
                .label("the entry ends here")
                .related(continued.trim(text), "this belongs to no entry")
                .help("for a horizontal line write `***`; put text that is not part of the entry under a heading")
                .fix(Applicability::Unsafe, [Edit::replace(rule, "***")].into_iter().chain(end)),
        );
    }
}

/// Where an entry that goes on through `below` needs a new end: nowhere if a `---` or the end of the file ends it.
fn new_end(document: &Document<'_>, below: Span) -> Option<usize> {
    let outline = &document.entries.outline;
    let first = outline.marks.partition_point(|mark| mark.line.start < below.start);
    let mut inside = outline.marks.iter().skip(first).take_while(|mark| mark.line.start < below.end);
    let rule = inside.find(|mark| mark.kind == MarkKind::Rule).map(|mark| mark.line.start());
    // Deeper headings are parts of the entry.
    let section = headings(outline, below).find(|(level, _)| *level <= 3).map(|(_, line)| line.start());
    let end = section.unwrap_or(below.end());
    (end < document.text().len() && rule.is_none_or(|rule| rule > end)).then_some(end)
}
