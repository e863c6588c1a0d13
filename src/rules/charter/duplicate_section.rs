//! # charter/duplicate-section
//!
//! ## What it flags
//!
//! A section that appears twice: `SQC011`. A section and its older name are the same section, such as
//! `Non-Responsibilities` and `Boundaries`.
//!
//! ## Why it matters
//!
//! Tools read the first one only. Squad refuses such a charter.
//!
//! ## Example
//!
//! ```markdown
//! ## Boundaries
//! - No tests.
//!
//! ## Non-Responsibilities
//! - No releases.
//! ```
//!
//! ## How to fix
//!
//! Merge the two into one.
//!
//! ## Source
//!
//! Charters, "Sections":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/charters.md#sections>

use crate::diagnostic::Severity;
use crate::formats::charter::Code;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "charter/duplicate-section", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::DuplicateSection], context, sink);
}
