//! # lint/malformed-suppression
//!
//! ## What it flags
//!
//! A comment that should suppress findings but does not. It names no rule, shares its line with other text, does not
//! end on its line, uses a word other than `ignore` or `ignore-file`, or is an `ignore-file` below the top of the file.
//!
//! ## Why it matters
//!
//! It suppresses nothing, but readers believe that it does.
//!
//! ## Example
//!
//! ```markdown
//! <!-- squad-lint: ignore sem/missing-rationale because it was agreed in the call -->
//! ### 2026-02-15T14:32:15-0800: decision: Per-agent models
//! ```
//!
//! ## How to fix
//!
//! Write it on a line of its own, with `,` between rules and `--` before the reason:
//!
//! ```markdown
//! <!-- squad-lint: ignore sem/missing-rationale -- agreed in the call -->
//! ```
//!
//! It applies to what follows: an entry, a list item, a code block or a table, otherwise the next line. `ignore-file`
//! applies to the whole file and belongs at its top; only a title and other comments may come before it.
//!
//! ## Source
//!
//! README, "Suppressions and baselines":
//! <https://github.com/squad-lint/squad-lint/blob/main/README.md#suppressions-and-baselines>

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Check, Rule, Sink};
use crate::suppress::{ProblemKind, Suppression};

/// The rule.
pub static RULE: Rule = Rule {
    name: "lint/malformed-suppression",
    severity: Severity::Error,
    check: Check::Suppression(check),
    ..Rule::NEW
};

fn check(text: &str, suppression: &Suppression, sink: &mut Sink<'_>) {
    let Some(problem) = suppression.problem else { return };
    let given = problem.span.of(text);
    let (message, label, help) = match problem.kind {
        ProblemKind::NotAlone => (
            "suppression shares its line with other text, expected a line of its own".to_owned(),
            "suppresses nothing",
            "move it to the line above",
        ),
        ProblemKind::Unclosed => (
            "suppression is not closed on its line, expected `-->`".to_owned(),
            "suppresses nothing",
            "write the whole comment on one line",
        ),
        ProblemKind::NoColon => (
            "missing `:` after `squad-lint` in a suppression".to_owned(),
            "suppresses nothing",
            "write `<!-- squad-lint: ignore RULE -- reason -->`",
        ),
        ProblemKind::UnknownWord => (
            format!("unknown suppression `{given}`, expected `ignore` or `ignore-file`"),
            "suppresses nothing",
            "write `<!-- squad-lint: ignore RULE -- reason -->`",
        ),
        ProblemKind::NoRule => (
            "suppression has no rule, expected at least one".to_owned(),
            "suppresses nothing",
            "name the rule, as in `<!-- squad-lint: ignore sem/expired -- reason -->`",
        ),
        ProblemKind::Words => (
            format!("`{given}` is not a rule"),
            "suppresses nothing",
            "write `--` before the reason, and `,` between rules",
        ),
        ProblemKind::NotAtTop => (
            "`ignore-file` is below other text, expected it at the top".to_owned(),
            "suppresses nothing",
            "move it to the top, or use `ignore` for only the next entry, list item or line",
        ),
    };
    sink.report(Finding::at(problem.span, message).label(label).help(help));
}
