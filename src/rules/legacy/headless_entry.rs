//! # legacy/headless-entry
//!
//! ## What it flags
//!
//! Fields `By`, `What` and `Why` without a heading, below an entry that already has an author. They belong to an entry
//! that lost its heading. The rule checks `decisions.md`, its inbox and its archives.
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
//! Write a heading above the fields: `### 2026-02-10: Small files`.
//!
//! ## Source
//!
//! Legacy entries, "The usual form":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/legacy-entries.md#the-usual-form>

use crate::diagnostic::{Finding, Severity};
use crate::dialects::squad;
use crate::formats::legacy::headless;
use crate::rule::{Check, Context, Rule, Sink};

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
            sink.report(
                Finding::at(author, "entry has no heading, so it is read as part of the previous entry")
                    .label("expected a heading above this line")
                    .related(entry.heading.trim(document.text()), "previous entry")
                    .help("write `### YYYY-MM-DD: Title` above it"),
            );
        }
    }
}
