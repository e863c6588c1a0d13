//! # charter/id-mismatch
//!
//! ## What it flags
//!
//! An ID that is not the name of the agent's folder: `SQC010`. Case matters. The rule checks charters in
//! `.squad/agents/`.
//!
//! ## Why it matters
//!
//! Other files refer to the agent by its folder. A different ID means a different agent, and Squad refuses the charter.
//!
//! ## Example
//!
//! ```markdown
//! ## Identity
//! - **ID:** `verbal`
//! ```
//!
//! in `.squad/agents/keaton/charter.md`.
//!
//! ## How to fix
//!
//! Write the name of the folder, or rename the folder.
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
    Rule { name: "charter/id-mismatch", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::IdMismatch], context, sink);
}
