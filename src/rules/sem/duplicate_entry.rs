//! # sem/duplicate-entry
//!
//! ## What it flags
//!
//! An entry with the same timestamp and type as another entry of the same state root. The first one, in the order of
//! paths and lines, is not reported.
//!
//! ## Why it matters
//!
//! The timestamp identifies the entry: `decision: 2026-02-15T14:32:15-0800` must lead to one place. Duplicates come
//! from union merges, and from inbox files that were merged but not deleted.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-15T14:32:15-0800: decision: Use Postgres
//! ---
//! ### 2026-02-15T14:32:15-0800: decision: Use Redis
//! ---
//! ```
//!
//! ## How to fix
//!
//! Delete the copy. If the two entries differ, change the seconds of one timestamp. A safe fix removes an identical
//! copy in the same file.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Identity":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#identity>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::Entry;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::{Span, lines};

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/duplicate-entry",
    severity: Severity::Warning,
    fixes: &[Applicability::Safe],
    check: Check::Entry(check),
    compares_entries: true,
    ..Rule::NEW
};

fn check(entry: Entry<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, .. } = *context;
    let (Some(at), Some(entry_type)) = (entry.timestamp(), entry.entry_type()) else { return };
    let path = document.source.path();
    let entries = context.entries();
    let Some(first) = entries.first_of(at, entry_type, document.root()) else { return };
    let same_file = entries.path_of(first) == path;
    if same_file && first.span == entry.span() {
        return;
    }
    let (first_text, text) = (entries.text_of(first), entry.span().of(entry.text()));
    let same_text = body(first_text) == body(text);
    // Without the end of this copy, the first one would run on into what follows.
    let keeps_end = body(first_text) != first_text.trim_end() || body(text) == text.trim_end();
    let message = format!("another {} has the same timestamp, `{at}`", entry_type.as_str());
    let finding =
        Finding::at(entry.header().line, message).related_in(entries.path_of(first), first.header, "first one");
    sink.report(match (same_text, same_file) {
        (true, true) if keeps_end => finding
            .help("delete this entry: the two are identical")
            .fix(Applicability::Safe, [Edit::delete(with_blank_lines(entry))]),
        (true, _) => finding.help("delete one of the two: they are identical"),
        _ => finding.help("give one of the two its own timestamp, in the header, the field and all references"),
    });
}

/// An entry's text without its terminator: a merge may have dropped that of one copy.
fn body(text: &str) -> &str {
    let text = text.trim_end();
    text.strip_suffix("---").unwrap_or(text).trim_end()
}

/// An entry with the blank lines below it.
fn with_blank_lines(entry: Entry<'_>) -> Span {
    let (text, span) = (entry.text(), entry.span());
    let below = Span::new(span.end(), text.len());
    let next = lines(text, below).find(|line| !line.of(text).trim().is_empty());
    Span::new(span.start(), next.map_or(text.len(), Span::start))
}
