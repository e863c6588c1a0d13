//! # lint/unknown-rule
//!
//! ## What it flags
//!
//! A suppression that names neither a rule nor a family. Other rules in the same comment are still suppressed.
//!
//! ## Why it matters
//!
//! It suppresses nothing: the name is misspelt, or the rule was renamed.
//!
//! ## Example
//!
//! ```markdown
//! <!-- squad-lint: ignore sem/mising-rationale -- agreed in the call -->
//! ### 2026-02-15T14:32:15-0800: decision: Per-agent models
//! ```
//!
//! ## How to fix
//!
//! Write a name that `squad-lint rules` lists, or the name of a family, such as `sem`.
//!
//! ## Source
//!
//! README, "Suppressions and baselines":
//! <https://github.com/squad-lint/squad-lint/blob/main/README.md#suppressions-and-baselines>

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Check, Rule, Sink};
use crate::rules;
use crate::suppress::{Suppression, covers};

/// The rule.
pub static RULE: Rule =
    Rule { name: "lint/unknown-rule", severity: Severity::Warning, check: Check::Suppression(check), ..Rule::NEW };

fn check(text: &str, suppression: &Suppression, sink: &mut Sink<'_>) {
    for &span in &suppression.names {
        let name = span.of(text);
        if rules::all().any(|registered| covers(name, registered.rule.name)) {
            continue;
        }
        let finding = Finding::at(span, format!("unknown rule or family `{name}`"));
        sink.report(match rules::nearest(name) {
            Some(nearest) => finding.label("suppresses nothing").help(format!("did you mean `{nearest}`?")),
            None => finding.label("suppresses nothing").help("run `squad-lint rules` to list all rules"),
        });
    }
}
