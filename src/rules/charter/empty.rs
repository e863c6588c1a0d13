//! # charter/empty
//!
//! ## What it flags
//!
//! A charter without text: `SQC001`.
//!
//! ## Why it matters
//!
//! An agent without a charter does not know what it is responsible for. Squad refuses to start it.
//!
//! ## Example
//!
//! An empty file, or one of blank lines.
//!
//! ## How to fix
//!
//! Write the charter, or delete the file and remove the agent from the team.
//!
//! ## Source
//!
//! Charters, "Codes":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/charters.md#codes>

use crate::diagnostic::Severity;
use crate::formats::charter::Code;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "charter/empty", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::Empty], context, sink);
}
