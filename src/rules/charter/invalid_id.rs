//! # charter/invalid-id
//!
//! ## What it flags
//!
//! An ID that is empty or not in kebab case, lower-case words of letters and digits joined by `-`: `SQC005`. With
//! `profile = "squad-charter/v0.1"` under `[charter]`, also a charter without an ID, as a warning: `SQC102`.
//!
//! ## Why it matters
//!
//! The ID is the name of the agent's folder, by which other files refer to the agent. Squad refuses an ID in another
//! form.
//!
//! ## Example
//!
//! ```markdown
//! ## Identity
//! - **ID:** `Code Reviewer`
//! ```
//!
//! The rule expects `code-reviewer`.
//!
//! ## How to fix
//!
//! Write the name of the agent's folder, in backticks.
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
    Rule { name: "charter/invalid-id", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::InvalidId, Code::MissingId], context, sink);
}
