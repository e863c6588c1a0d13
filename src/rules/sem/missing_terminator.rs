//! # sem/missing-terminator
//!
//! ## What it flags
//!
//! An entry without `---` before the header of the next entry. The next entry may be a legacy entry. At the end of
//! the file no `---` is needed.
//!
//! ## Why it matters
//!
//! The reference parser does not stop at the next header: two entries become one, and the fields of the second
//! overwrite those of the first. Merges with `merge=union` silently drop the
//! `---`.
//!
//! ## Example
//!
//! ```markdown
//! **summary:** Use Postgres.
//!
//! ### 2026-02-16T09:00:00-0800: decision: Use Redis for sessions
//! ```
//!
//! ## How to fix
//!
//! Put `---` between the two entries, with a blank line before and after it. The fix is safe. There is no fix if a
//! heading of level 1 or 2 is between the two, because the entry may end there.
//!
//! ## Source
//!
//! Squad Entry Markdown, "End of an entry":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#end-of-an-entry>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::markdown::{MarkKind, Outline};
use crate::formats::sem::End;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::{Span, line_ending, lines};

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/missing-terminator",
    severity: Severity::Error,
    fixes: &[Applicability::Safe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let text = document.text();
    for entry in document.entries.sem(text).filter(|entry| entry.end() == End::NextEntry) {
        let next = entry.span().end();
        let message = "entry begins before the one above has ended, expected `---` between them";
        let finding = Finding::at(hashes(text, next), message).related(entry.header().line, "this entry has no end");
        let section = headings(&document.entries.outline, entry.span()).find(|(level, _)| *level < 3);
        sink.report(match section {
            Some((_, heading)) => finding
                .related(heading, "perhaps the entry ends above this line")
                .help("put `---` on a line of its own where the entry ends"),
            None => finding
                .label("expected `---` above this line")
                .help("put `---` on a line of its own above this header")
                .fix(Applicability::Safe, [terminator(text, above_comments(text, next))]),
        });
    }
}

/// The start of the comments right above the line at byte `at`: they belong to it.
fn above_comments(text: &str, mut at: usize) -> usize {
    loop {
        let before = Span::new(0, at).of(text).trim_end_matches(['\n', '\r']);
        let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
        let adjacent = lines(text, Span::new(before.len(), at)).count() <= 1;
        if !(adjacent && line.starts_with("<!--") && line.ends_with("-->")) {
            return at;
        }
        at = before.len() - line.len();
    }
}

/// The `#` of the heading whose line starts at byte `at`.
fn hashes(text: &str, at: usize) -> Span {
    let line = lines(text, Span::new(at, text.len())).next().unwrap_or(Span::at(at));
    let title = line.of(text).trim_start_matches(' ').trim_start_matches('#');
    Span::new(at, line.end() - title.len()).trim(text)
}

/// The headings in `span` after its first line, with their levels.
pub(super) fn headings(outline: &Outline, span: Span) -> impl Iterator<Item = (u8, Span)> {
    let first = outline.marks.partition_point(|mark| mark.line.start <= span.start);
    let inside = outline.marks.iter().skip(first).take_while(move |mark| mark.line.start < span.end);
    inside.filter_map(|mark| match mark.kind {
        MarkKind::Heading(level) => Some((level, mark.line)),
        _ => None,
    })
}

/// Puts a `---` before the heading whose line starts at byte `at`. Right below a line of text it would underline that
/// line as a heading, so a blank line goes before it if there is none.
pub(super) fn terminator(text: &str, at: usize) -> Edit {
    let end = line_ending(text);
    let before = Span::new(0, at).of(text);
    let white = Span::new(before.trim_end().len(), at);
    let blank_above = lines(text, white).nth(1).is_some();
    Edit::insert(at, format!("{}---{end}{end}", if blank_above { "" } else { end }))
}
