//! # charter/missing-title
//!
//! ## What it flags
//!
//! A charter without a heading of level 1: `SQC002`. A heading in a code fence, a comment or a block quote is not a
//! title, and neither is one that is underlined instead of marked with `#`.
//!
//! ## Why it matters
//!
//! The title contains the name of the agent and its role. Squad refuses a charter without it.
//!
//! ## Example
//!
//! ```markdown
//! ## Identity
//! - **ID:** `keaton`
//! ```
//!
//! `# Keaton — Lead` is missing above it.
//!
//! ## How to fix
//!
//! Add `# Name — Role` as the first line.
//!
//! ## Source
//!
//! Charters, "Title":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/charters.md#title>

use crate::diagnostic::Severity;
use crate::formats::charter::Code;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "charter/missing-title", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::MissingTitle], context, sink);
}
