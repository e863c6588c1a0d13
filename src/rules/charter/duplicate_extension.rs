//! # charter/duplicate-extension
//!
//! ## What it flags
//!
//! An extension that appears twice, ignoring case: `SQC012`.
//!
//! ## Why it matters
//!
//! The tool of the extension reads only one of them. Squad refuses such a charter.
//!
//! ## Example
//!
//! ```markdown
//! ## X-acme-deploy
//! target: staging
//!
//! ## X-acme-deploy
//! target: production
//! ```
//!
//! ## How to fix
//!
//! Merge the two, or give one of them another name.
//!
//! ## Source
//!
//! Charters, "Extensions":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/charters.md#extensions>

use crate::diagnostic::Severity;
use crate::formats::charter::Code;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "charter/duplicate-extension", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::DuplicateExtension], context, sink);
}
