//! # memory/merge-marker
//!
//! ## What it flags
//!
//! A line with which a script marks where one file ends and the next one begins, such as `--- FILE: keaton-tabs.md ---`
//! or `==> keaton-tabs.md <==`. Code and templates are ignored. The
//! rule reports the first one of a file and counts the others.
//!
//! ## Why it matters
//!
//! The person or agent that merged the files copied the output of a tool instead of the files. Readers take the line as
//! a part of the entry above, and the text below it has often lost its heading.
//!
//! ## Example
//!
//! ```text
//! --- FILE: keaton-tabs.md ---
//! ### 2026-02-10: Tabs
//! ```
//!
//! ## How to fix
//!
//! Delete the line, and check that the text below it begins with a heading. The unsafe fix deletes it, unless front matter
//! is below it.
//!
//! ## Source
//!
//! Squad folders, "Inbox":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#inbox>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::file_marker::{FORMS, is_file_marker};
use crate::formats::markdown::{front_matter, lines_with};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::prose::more_in_file;
use crate::text::{Span, line_end};

/// The rule.
pub static RULE: Rule = Rule {
    name: "memory/merge-marker",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    once_a_file: true,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    if !document.kind().holds_legacy() || !document.entries.outline.has_file_marker {
        return;
    }
    let text = document.text();
    let of_form = |form| lines_with(text, form, |line| is_file_marker(line.of(text).trim()));
    let mut found: Vec<Span> = FORMS.iter().flat_map(|(form, _)| of_form(form)).collect();
    found.sort_by_key(|line| line.start());
    let Some(first) = document.shown(&found, |line| *line).filter(|_| !context.is_unused()) else { return };
    let next = |line: &Span| line_end(text.as_bytes(), line.start()).1;
    let above_matter = |line: &&Span| front_matter(text.get(next(line)..).unwrap_or_default().trim_start()).is_some();
    let (kept, deleted): (Vec<&Span>, Vec<&Span>) = found.iter().partition(above_matter);
    let more = more_in_file(found.len());
    let mut finding = Finding::at(first.trim(text), format!("separator is left over from joining files{more}"))
        .label("written by the tool that joined the files");
    let (line, front) = match found.len() {
        1 => ("the line", "the front matter"),
        _ => ("each of these lines", "front matter"),
    };
    if !deleted.is_empty() {
        finding = finding
            .help(format!("delete {line}, and check that the text below it begins with a heading"))
            .fix(Applicability::Unsafe, deleted.iter().map(|line| Edit::delete(Span::new(line.start(), next(line)))));
    }
    sink.report(match kept.as_slice() {
        [] => finding,
        _ => finding.help(format!("delete {line}, and write {front} below it as fields below the heading")),
    });
}
