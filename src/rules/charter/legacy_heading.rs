//! # charter/legacy-heading
//!
//! ## What it flags
//!
//! A section with its older name: `What I Own`, `Boundaries` or `Collaboration`. Each is reported as `SQC105`. The rule
//! runs only with `profile = "squad-charter/v0.1"` under `[charter]` in the configuration.
//!
//! ## Why it matters
//!
//! Tools still accept the older names, but the canonical form has new ones.
//!
//! ## Example
//!
//! ```markdown
//! ## What I Own
//! - The parser.
//! ```
//!
//! The rule expects `Accountable Responsibilities`.
//!
//! ## How to fix
//!
//! Rename it. The unsafe fix writes the charter in its canonical form, as `squad-lint convert` does.
//!
//! ## Source
//!
//! Charters, "Sections":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/charters.md#sections>

use crate::diagnostic::{Applicability, Severity};
use crate::formats::charter::Code;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "charter/legacy-heading",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::LegacyHeading], context, sink);
}
