//! # sem/trailing-hard-break
//!
//! ## What it flags
//!
//! A metadata line without two spaces at its end, if another field follows on the next line. A backslash at the end
//! is fine, too.
//!
//! ## Why it matters
//!
//! Markdown joins such lines into one paragraph: on GitHub `type`, `timestamp` and `author` run together. Parsers
//! ignore the difference, so this rule is off by default.
//!
//! ## Example
//!
//! ```markdown
//! **type:** decision
//! **author:** Verbal
//! ```
//!
//! ## How to fix
//!
//! End the line with two spaces; the safe fix does this. An `.editorconfig` with `trim_trailing_whitespace` removes
//! them again.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#fields>
//!
//! CommonMark 0.31.2, "Hard line breaks":
//! <https://spec.commonmark.org/0.31.2/#hard-line-breaks>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::{Entry, Field};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::{Span, line_end};

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/trailing-hard-break",
    severity: Severity::Info,
    enabled: false,
    fixes: &[Applicability::Safe],
    check: Check::Entry(check),
    ..Rule::NEW
};

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    let text = entry.text();
    let fields = entry.fields();
    for (field, below) in fields.iter().zip(fields.iter().skip(1)) {
        let (_, next) = line_end(text.as_bytes(), field.line.end());
        let line = field.line.of(text);
        // List items are on separate lines anyway.
        if next != below.line.start() || !is_metadata(field) || below.form.bulleted || breaks(line) {
            continue;
        }
        let blanks = Span::new(field.line.start() + line.trim_end().len(), field.line.end());
        let (message, label) = match blanks.of(text) {
            blanks if blanks.contains('\t') => {
                ("field line ends with a tab and not with two spaces", "expected two spaces, found a tab")
            }
            _ => ("field line does not end with two spaces", "expected two spaces"),
        };
        sink.report(
            Finding::at(blanks, format!("{message}, so it runs into the next line when rendered"))
                .label(label)
                .help("end the line with two spaces")
                .fix(Applicability::Safe, [Edit::replace(blanks, "  ")]),
        );
    }
}

fn is_metadata(field: &Field) -> bool {
    !field.name.is_body() && !field.form.bulleted
}

/// Whether Markdown breaks the line here.
fn breaks(line: &str) -> bool {
    line.ends_with("  ") || line.ends_with('\\')
}
