//! # charter/duplicate-field
//!
//! ## What it flags
//!
//! A field that appears twice in `Identity` or `Model`: `SQC004`.
//!
//! ## Why it matters
//!
//! Tools may read one of the two values, and people the other. Squad refuses such a charter.
//!
//! ## Example
//!
//! ```markdown
//! ## Model
//! - **Preferred:** auto
//! - **Preferred:** gpt-5.2
//! ```
//!
//! ## How to fix
//!
//! Keep the correct value.
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
    Rule { name: "charter/duplicate-field", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::DuplicateField], context, sink);
}
