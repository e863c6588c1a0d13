//! # charter/invalid-option
//!
//! ## What it flags
//!
//! An unknown value of `Reasoning Effort` (`SQC007`) or `Context Tier` (`SQC008`).
//!
//! ## Why it matters
//!
//! Squad refuses the charter, because it would otherwise start a model with the wrong effort or context.
//!
//! ## Example
//!
//! ```markdown
//! ## Model
//! - **Reasoning Effort:** extreme
//! ```
//!
//! ## How to fix
//!
//! Use `auto`, `low`, `medium`, `high`, `xhigh` or `max` for `Reasoning Effort`, and `auto`, `default` or `long_context`
//! for `Context Tier`, or remove the field.
//!
//! ## Source
//!
//! Charters, "Fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/charters.md#fields>

use crate::diagnostic::Severity;
use crate::formats::charter::Code;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "charter/invalid-option", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::InvalidEffort, Code::InvalidTier], context, sink);
}
