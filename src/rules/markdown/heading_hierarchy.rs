//! # markdown/heading-hierarchy
//!
//! ## What it flags
//!
//! A heading of level 1 or 2 inside an SEM entry. It is usually a section of the file that was inserted into an
//! entry.
//!
//! ## Why it matters
//!
//! The reference parser reads the section as text of the entry. In Markdown, and in every table of contents, the entry
//! ends there, and the rest of it belongs to the section.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-15T14:32:15-0800: decision: Use Postgres
//! **author:** Keaton
//! # Archived Decisions
//! **details:** ...
//! ---
//! ```
//!
//! ## How to fix
//!
//! Move the section below the entry's `---`. `squad-lint --fix --unsafe-fixes` does this if the section contains no
//! fields of the entry. If the heading belongs to the entry, give it level 4.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Header":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#header>
//!
//! Squad issue 1760:
//! <https://github.com/bradygaster/squad/issues/1760>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::markdown::MarkKind;
use crate::formats::sem::{End, Entry};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "markdown/heading-hierarchy",
    severity: Severity::Warning,
    enabled: false,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let text = document.text();
    // Entries and marks both run through the file once.
    let mut marks = document.entries.outline.marks.iter().peekable();
    for entry in document.entries.sem(text) {
        let inside = inside(entry);
        while marks.next_if(|mark| mark.line.start() < inside.start()).is_some() {}
        let mut is_first = true;
        while let Some(mark) = marks.next_if(|mark| mark.line.start() < inside.end()) {
            if matches!(mark.kind, MarkKind::Heading(1 | 2)) {
                let line = mark.line.trim(text);
                let level = line.of(text).bytes().take_while(|&byte| byte == b'#').count();
                let message = format!("level {level} heading is inside an entry that starts at level 3");
                let finding = Finding::at(line, message)
                    .label("in Markdown, the entry ends here")
                    .related(entry.header().line, "the entry")
                    .help("if this section belongs to the entry, write its heading with `####`")
                    .help("otherwise, end the entry with `---` above this heading");
                // What follows goes with the first.
                let edits = is_first.then(|| below(entry, mark.line, document.source.line_ending())).flatten();
                is_first = false;
                sink.report(match edits {
                    Some(edits) => finding.fix(Applicability::Unsafe, edits),
                    None => finding,
                });
            }
        }
    }
}

/// Brings the section that starts with the line `heading` below the end of the entry, unless fields of the entry are in it.
fn below(entry: Entry<'_>, heading: Span, end: &str) -> Option<Vec<Edit>> {
    let text = entry.text();
    if entry.fields().iter().any(|field| field.label().start > heading.start) {
        return None;
    }
    let gap = if Span::new(0, heading.start()).of(text).ends_with([end, end].concat().as_str()) { "" } else { end };
    let mut edits = vec![Edit::insert(heading.start(), format!("{gap}---{end}{end}"))];
    if let End::Rule(line) = entry.end() {
        edits.push(Edit::delete(line));
    }
    Some(edits)
}

/// The lines between an entry's header and its end; none if the level is not a fixed one, and where a missing `---` is
/// what went wrong.
fn inside(entry: Entry<'_>) -> Span {
    let header = entry.header();
    let start = header.line.end();
    match entry.end() {
        _ if header.level != 3 => Span::at(start),
        End::Rule(line) => Span::new(start, line.start()),
        End::EndOfFile => Span::new(start, entry.span().end()),
        End::NextEntry => Span::at(start),
    }
}
