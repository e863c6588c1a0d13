//! # memory/merge-marker
//!
//! ## What it flags
//!
//! A line with which a script marks where one file ends and the next one begins, such as `--- FILE: keaton-tabs.md ---`
//! or `==> keaton-tabs.md <==`. Code and templates are ignored.
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
use crate::text::{Span, line_end};

/// The rule.
pub static RULE: Rule = Rule {
    name: "memory/merge-marker",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    if !document.kind().holds_legacy() || !document.entries.outline.has_file_marker {
        return;
    }
    let text = document.text();
    for (form, _) in FORMS {
        for line in lines_with(text, form, |line| is_file_marker(line.of(text).trim())) {
            if context.is_unused() {
                return;
            }
            let (_, next) = line_end(text.as_bytes(), line.start());
            let finding = Finding::at(line.trim(text), "separator is left over from joining files")
                .label("written by the tool that joined the files");
            sink.report(if front_matter(text.get(next..).unwrap_or_default().trim_start()).is_some() {
                finding.help("delete the line, and write the front matter below it as fields below the heading")
            } else {
                finding
                    .help("delete the line, and check that the text below it begins with a heading")
                    .fix(Applicability::Unsafe, [Edit::delete(Span::new(line.start(), next))])
            });
        }
    }
}
