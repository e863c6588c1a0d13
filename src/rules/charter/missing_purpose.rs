//! # charter/missing-purpose
//!
//! ## What it flags
//!
//! A charter without the field `Purpose` in `Identity`: `SQC103`. The rule runs only with `profile =
//! "squad-charter/v0.1"` under `[charter]` in the configuration.
//!
//! ## Why it matters
//!
//! The purpose describes in one line what the agent is for. Other agents read it before they hand over work.
//!
//! ## Example
//!
//! ```markdown
//! ## Identity
//! - **ID:** `keaton`
//! ```
//!
//! ## How to fix
//!
//! Add a line `- **Purpose:** …` with one sentence. No tool can write it for you.
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
    Rule { name: "charter/missing-purpose", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::MissingPurpose], context, sink);
}
