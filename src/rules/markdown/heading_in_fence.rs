//! # markdown/heading-in-fence
//!
//! ## What it flags
//!
//! A line in a code fence that looks like the header of an entry, `### ` and a date, in a file that holds entries. The
//! rule ignores skills, where such a line is an example.
//!
//! ## Why it matters
//!
//! Readers that do not know code fences, such as archivers and `grep`, mistake the example for an entry and cut the
//! real one in two. The text is correct Markdown, so this rule is off by default.
//!
//! ## Example
//!
//! ````markdown
//! ```markdown
//! ### 2026-02-15T14:32:15-0800: decision: An example
//! ```
//! ````
//!
//! ## How to fix
//!
//! Write `YYYY-MM-DD` instead of the date in the example, or indent its lines.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#fields>
//!
//! Squad issue 1839:
//! <https://github.com/bradygaster/squad/issues/1839>

use crate::diagnostic::{Finding, Severity};
use crate::formats::markdown::MarkKind;
use crate::formats::timestamp::Reading;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "markdown/heading-in-fence",
    severity: Severity::Warning,
    enabled: false,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    // A skill teaches by examples, and those belong into fences.
    if !document.kind().holds_legacy() {
        return;
    }
    let text = document.text();
    let outline = &document.entries.outline;
    let mut open = None;
    for mark in &outline.marks {
        match mark.kind {
            // What an unclosed fence holds is not an example.
            MarkKind::FenceOpen if outline.unclosed_fence == Some(mark.line) => return,
            MarkKind::FenceOpen => open = Some(mark.line),
            MarkKind::FencedHeading => {
                let (Some(open), Some(header)) = (open, entry_header(text, mark.line)) else { continue };
                sink.report(
                    Finding::at(header, "line in a code fence looks like the header of an entry")
                        .label("a tool that ignores fences reads this as an entry")
                        .related(open.trim(text), "the fence opens here")
                        .help("indent the example, or replace its date with the literal `YYYY-MM-DD`"),
                );
            }
            _ => {}
        }
    }
}

/// The hashes and the date of a line that looks like the header of an entry.
pub(super) fn entry_header(text: &str, line: Span) -> Option<Span> {
    let inner = line.of(text);
    let rest = inner.strip_prefix("### ")?.trim_start();
    let (reading, len) = Reading::prefix(rest);
    let before = inner.len() - rest.len();
    (reading != Reading::Other).then(|| Span::new(line.start(), line.start() + before + len))
}
