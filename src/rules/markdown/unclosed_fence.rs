//! # markdown/unclosed-fence
//!
//! ## What it flags
//!
//! A code fence that is never closed. Everything from it to the end of the file is code.
//!
//! ## Why it matters
//!
//! For every reader that knows Markdown, the headings, entries and fields after the fence are code, so they are lost
//! silently. Code fences do not nest: the end of an inner fence closes the outer one, and the last fence then opens a
//! new one. A fence that is indented by four blanks or more closes none.
//!
//! ## Example
//!
//! ````markdown
//! ```markdown
//! An example with code:
//! ```js
//! run();
//! ```
//! ```
//! ### 2026-02-15T14:32:15-0800: decision: This is code now
//! ````
//!
//! ## How to fix
//!
//! Close the fence with the same characters on a line of their own. Use four backticks, at both ends, around text
//! that contains fences. Remove the indentation of a fence that ends code, and delete a superfluous one.
//!
//! ## Source
//!
//! CommonMark 0.31.2, "Fenced code blocks":
//! <https://spec.commonmark.org/0.31.2/#fenced-code-blocks>

use crate::diagnostic::{Finding, Severity};
use crate::formats::legacy::find_date;
use crate::formats::markdown::{Mark, MarkKind};
use crate::rule::{Check, Context, Rule, Sink};
use crate::rules::markdown::heading_in_fence::entry_header;
use crate::rules::markdown::shared::fences::{fence_of, indented_close, nested_fence};
use crate::text::{Span, lines};

/// The rule.
pub static RULE: Rule =
    Rule { name: "markdown/unclosed-fence", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(line) = document.entries.outline.unclosed_fence else { return };
    let (text, marks) = (document.text(), &document.entries.outline.marks);
    let at = marks.iter().rposition(|mark| mark.line == line).unwrap_or(marks.len());
    let (before, behind) = marks.split_at_checked(at).unwrap_or_default();
    let swallowed = swallowed_lines(text, line);
    let open = line.trim(text);
    let fence = fence_of(open.of(text));
    let headings: Vec<&Mark> = behind.iter().filter(|mark| mark.kind == MarkKind::FencedHeading).collect();
    let entries = headings.iter().filter(|mark| entry_header(text, mark.line).is_some()).count();

    let lost = match (entries, headings.len()) {
        (0, 0) => String::new(),
        (0, headings) => format!(", including {}", count(headings, "heading", "headings")),
        (entries, _) => format!(", including {}", count(entries, "entry", "entries")),
    };
    let message = match swallowed {
        0 => "code fence at the end of the file is never closed".to_owned(),
        1 => format!("code fence is never closed: it swallows 1 line{lost}"),
        lines => format!("code fence is never closed: it swallows {lines} lines{lost}"),
    };
    let mut finding = Finding::at(open, message).label("opens here");
    if let Some(first) = headings.first() {
        finding = finding.related(first.line.trim(text), "first heading lost");
    }
    // Only a bare fence can have been meant to close another one.
    let is_bare = open.len() == fence.len();
    let nested = if is_bare { nested_fence(text, before) } else { None };
    // Of two entries, neither is in the code of the other.
    let has_info = |fence: Span| fence.of(text).ends_with(char::is_alphanumeric);
    let nested = nested.filter(|(outer, _)| has_info(*outer) || !has_dated_heading(text, before, *outer));
    let indented = if is_bare && nested.is_none() { indented_close(text, before) } else { None };
    if let Some((outer, close)) = indented {
        let finding = finding
            .related(outer, "this fence goes on below the indented one")
            .related(close, "a fence that is indented by 4 or more closes no fence");
        return sink.report(finding.help("remove the indentation of that fence"));
    }
    sink.report(match nested {
        Some((outer, inner)) => finding
            .related(outer, "outer fence: the end of the inner fence closes it")
            .related(inner, "the inner fence")
            .help(format!(
                "begin and end the outer fence with {} {}",
                fence_of(outer.of(text)).len() + 1,
                if fence_of(outer.of(text)).starts_with('~') { "tildes" } else { "backticks" }
            )),
        None if swallowed == 0 => finding.help(if is_bare { "delete the line" } else { "restore the lost code" }),
        None => finding
            .help(format!("write {fence} on a line of its own where the code ends"))
            .help("delete the fence if there is no code"),
    });
}

fn count(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// How many lines are after `line`, up to the last one that is not blank.
fn swallowed_lines(text: &str, line: Span) -> usize {
    let end = text.trim_end().len().max(line.end());
    lines(text, Span::new(line.end(), end)).skip(1).count()
}

/// Whether a heading with a date is behind `from`, in code or not.
fn has_dated_heading(text: &str, marks: &[Mark], from: Span) -> bool {
    let is_heading = |mark: &&Mark| matches!(mark.kind, MarkKind::Heading(_) | MarkKind::FencedHeading);
    let mut behind = marks.iter().rev().take_while(|mark| mark.line.start() > from.start()).filter(is_heading);
    behind.any(|mark| find_date(text, mark.line).is_some())
}
