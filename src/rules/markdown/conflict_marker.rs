//! # markdown/conflict-marker
//!
//! ## What it flags
//!
//! A merge conflict that was committed unresolved. `<<<<<<<`, `=======` and `>>>>>>>` appear in this order, outside
//! code fences.
//!
//! ## Why it matters
//!
//! The file looks as if the team had agreed on both versions, and each further merge of the file adds more markers.
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
//! Memory files are append-only, so usually both sides are right. Keep both, each entry with its `---`, and delete the
//! three marker lines. Until then, `--fix`, `--add-ignore`, `convert` and `team` do not write to the file.
//!
//! ## Source
//!
//! git merge, "How conflicts are presented":
//! <https://git-scm.com/docs/git-merge#_how_conflicts_are_presented>

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::conflict::Conflict;

/// The rule.
pub static RULE: Rule =
    Rule { name: "markdown/conflict-marker", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    for Conflict { start, end } in context.document.conflicts() {
        sink.report(
            Finding::at(*start, "unresolved merge conflict")
                .label("begins here")
                .related(*end, "ends here")
                .help("keep the correct lines of each side, and delete the marker lines"),
        );
    }
}
