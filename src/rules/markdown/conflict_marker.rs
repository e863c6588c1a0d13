//! # markdown/conflict-marker
//!
//! ## What it flags
//!
//! A merge conflict that was committed unresolved. `<<<<<<<`, `=======` and `>>>>>>>` appear in this order, outside
//! code fences.
//!
//! ## Why it matters
//!
//! Both versions look as if the team had agreed on both, and further merges of the file make more of them.
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
//! Memory files are append-only, so usually both sides are right. Keep both, each entry with its `---`, and delete
//! the three marker lines.
//!
//! ## Source
//!
//! git merge, "How conflicts are presented":
//! <https://git-scm.com/docs/git-merge#_how_conflicts_are_presented>

use crate::diagnostic::{Finding, Severity};
use crate::formats::markdown::{Mark, MarkKind};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "markdown/conflict-marker", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

/// How far a conflict has been read.
enum Seen {
    Nothing,
    Start(Span),
    Middle(Span),
}

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let text = document.text();
    let mut seen = Seen::Nothing;
    for Mark { kind, line, .. } in &document.entries.outline.marks {
        let MarkKind::Conflict(byte) = *kind else { continue };
        // Git writes its markers at the very start of a line.
        if text.as_bytes().get(line.start()) != Some(&byte) {
            continue;
        }
        seen = match (byte, seen) {
            // Without a name after it, it may be an arrow that somebody drew.
            (b'<', _) if line.len() > 8 => Seen::Start(*line),
            (b'=', Seen::Start(start)) => Seen::Middle(start),
            (b'>', Seen::Middle(start)) => {
                sink.report(
                    Finding::at(start, "unresolved merge conflict")
                        .label("begins here")
                        .related(*line, "ends here")
                        .help("keep what is right on both sides, and delete the marker lines"),
                );
                Seen::Nothing
            }
            (_, seen) => seen,
        };
    }
}
