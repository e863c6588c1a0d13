//! # lint/unused-suppression
//!
//! ## What it flags
//!
//! A suppression of a rule that has no finding there. Rules that did not run do not count.
//!
//! ## Why it matters
//!
//! The defect was repaired or has moved. If the comment stays, it hides the next defect of the same kind.
//!
//! ## Example
//!
//! An entry that has its rationale:
//!
//! ```markdown
//! <!-- squad-lint: ignore sem/missing-rationale -- agreed in the call -->
//! ### 2026-02-15T14:32:15-0800: decision: Per-agent models
//! ```
//!
//! ## How to fix
//!
//! Delete the comment, or the name of that rule in it; the safe fix does this. If the finding has moved, move the
//! comment there.
//!
//! ## Source
//!
//! README, "Suppressions and baselines":
//! <https://github.com/squad-lint/squad-lint/blob/main/README.md#suppressions-and-baselines>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::rule::{Check, Rule, Sink};
use crate::rules;
use crate::suppress::{Unused, covers};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "lint/unused-suppression",
    severity: Severity::Warning,
    fixes: &[Applicability::Safe],
    check: Check::Unused(check),
    ..Rule::NEW
};

fn check(unused: Unused<'_>, sink: &mut Sink<'_>) {
    let Unused { text, suppression, names, ran } = unused;
    let names: Vec<Span> = names.iter().copied().filter(|name| is_judged(name.of(text), ran)).collect();
    let (Some(&first), None) = (names.first(), suppression.problem) else { return };
    let listed: Vec<String> = names.iter().map(|name| format!("`{}`", name.of(text))).collect();
    let here = match (suppression.whole_file, suppression.target.is_empty()) {
        (true, _) => "in this file",
        (false, true) => "here, because no text follows",
        (false, false) => "here",
    };
    let verb = if names.len() == 1 { "finds" } else { "find" };
    // Both are in the order of the text.
    let mut going = names.iter().peekable();
    let stays = |name: &&Span| going.next_if_eq(name).is_none();
    let left: Vec<&str> = suppression.names.iter().filter(stays).map(|name| name.of(text)).collect();
    let (span, edit, help) = match (suppression.names.first(), suppression.names.last()) {
        (Some(&start), Some(&end)) if !left.is_empty() => {
            (first, Edit::replace(start.to(end), left.join(", ")), format!("keep only `{}`", left.join("`, `")))
        }
        _ => (suppression.comment, Edit::delete(suppression.line), "delete the comment".to_owned()),
    };
    sink.report(
        Finding::at(span, format!("unused suppression: {} {verb} nothing {here}", listed.join(" and ")))
            .help(help)
            .fix(Applicability::Safe, [edit]),
    );
}

/// Whether enough rules ran to say that `name` suppresses nothing: all that it names, except those that are off.
fn is_judged(name: &str, ran: &dyn Fn(&str) -> bool) -> bool {
    let covered = || rules::all().map(|registered| registered.rule).filter(|rule| covers(name, rule.name));
    covered().any(|rule| ran(rule.name)) && covered().all(|rule| ran(rule.name) || !rule.enabled)
}
