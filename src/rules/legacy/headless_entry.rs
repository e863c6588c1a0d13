//! # legacy/headless-entry
//!
//! ## What it flags
//!
//! Fields `By`, `What` and `Why` without a heading, below an entry that already has an author. They belong to an entry
//! that lost its heading, or whose heading was pasted behind a label, as in `**Why:** ### 2026-02-10: Small files`. The
//! rule checks `decisions.md`, its inbox and its archives.
//!
//! ## Why it matters
//!
//! Tools read these fields as a part of the previous entry. They miss the author, the date and the decision, and
//! archive and convert the text together with that entry.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-10: Use Postgres
//! **By:** Keaton
//! **What:** Postgres for all services.
//!
//! **By:** Verbal
//! **What:** No file has more than 300 lines.
//! **Why:** Small files are easier to review.
//! ```
//!
//! ## How to fix
//!
//! Write a heading above the fields: `### 2026-02-10: Small files`. If it is behind a label, put it on a line of its own.
//!
//! ## Source
//!
//! Legacy entries, "The usual form":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/legacy-entries.md#the-usual-form>

use crate::diagnostic::{Finding, Severity};
use crate::dialects::squad;
use crate::formats::label;
use crate::formats::legacy::headless;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "legacy/headless-entry", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    if ![&squad::DECISIONS, &squad::INBOX, &squad::ARCHIVE].contains(&document.kind()) {
        return;
    }
    for entry in document.entries.legacy() {
        for author in headless::labels(document.text(), &document.entries.outline.marks, entry) {
            if context.is_unused() {
                return;
            }
            let previous = entry.heading.trim(document.text());
            let finding = match heading_behind_label(document.text(), author) {
                Some(heading) => {
                    Finding::at(heading, "heading is behind a label, so the entry is read as part of the previous one")
                        .label("expected on a line of its own")
                        .help("put the heading on a line of its own, with a blank line above")
                }
                None => Finding::at(author, "entry has no heading, so it is read as part of the previous entry")
                    .label("expected a heading above this line")
                    .help("write `### YYYY-MM-DD: Title` above it"),
            };
            sink.report(finding.related(previous, "previous entry"));
        }
    }
}

/// The heading on the line above `author`, where it is the value of a field: `**Why:** ### 2026-07-08: Language`.
fn heading_behind_label(text: &str, author: Span) -> Option<Span> {
    let above = text.get(..author.start())?.trim_end();
    let line = Span::new(above.rfind('\n').map_or(0, |at| at + 1), above.len());
    let value = Span::new(label::parse(text, line)?.span.end(), line.end()).trim(text);
    let title = value.of(text).trim_start_matches('#');
    (title.starts_with(' ') && title.len() < value.len()).then_some(value)
}
