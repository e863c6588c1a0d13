//! # charter/empty-field
//!
//! ## What it flags
//!
//! A field `Preferred` (`SQC006`) or `Purpose` (`SQC009`) without a value.
//!
//! ## Why it matters
//!
//! Squad refuses a charter with an empty `Preferred` or `Purpose`.
//!
//! ## Example
//!
//! ```markdown
//! ## Model
//! - **Preferred:**
//! ```
//!
//! ## How to fix
//!
//! Write a value on the line of the field, such as `auto` for `Preferred`. If you have no preference, remove the field
//! `Preferred`.
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
    Rule { name: "charter/empty-field", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::EmptyPreferred, Code::EmptyPurpose], context, sink);
}
