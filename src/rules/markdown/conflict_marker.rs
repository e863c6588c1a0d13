//! # markdown/conflict-marker
//!
//! ## What it flags
//!
//! A merge conflict that was committed unresolved: `<<<<<<<`, `=======` and `>>>>>>>` in this order, outside code fences.
//!
//! ## Why it matters
//!
//! Both versions stand there as if both were agreed, and a merge of such a file makes more of them.
//!
//! ## Example
//!
//! ```text
//! <<<<<<< HEAD
//! ### 2026-02-15T14:32:15-0800: decision: Use Postgres
//! =======
//! ### 2026-02-15T15:00:00-0800: decision: Use Redis
//! >>>>>>> feature
//! ```
//!
//! ## How to fix
//!
//! Memory files are append-only: mostly both sides are right. Keep both, each entry with its `---`, and delete the three
//! marker lines. Until then nothing writes the file: not `--fix`, not `--add-ignore`, not `convert`, not `team`.
//!
//! ## Source
//!
//! `git merge`, "How conflicts are presented".

use crate::diagnostic::{Finding, Severity};
use crate::formats::conflict::{self, Conflict};
use crate::formats::markdown::{Mark, MarkKind};
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "markdown/conflict-marker",
    since: "0.1.0",
    severity: Severity::Error,
    enabled: true,
    fixes: &[],
    check: Check::Document(check),
};

fn check(document: &Document<'_>, _: &Options, sink: &mut Sink<'_>) {
    let marks = &document.entries.outline.marks;
    for Conflict { start, end } in conflict::all(document.text().as_bytes()) {
        let at = marks.partition_point(|mark| mark.line.start < start.start);
        let is_marker = |mark: &Mark| mark.line.start == start.start && matches!(mark.kind, MarkKind::Conflict(_));
        // Without a name after it, it may be an arrow that somebody drew; in a fence, it is shown.
        if marks.get(at).is_some_and(is_marker) && start.len() > 8 {
            sink.report(
                Finding::at(start, "unresolved merge conflict")
                    .label("begins here")
                    .related(end, "ends here")
                    .help("keep what is right on both sides, and delete the marker lines"),
            );
        }
    }
}
