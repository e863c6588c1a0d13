//! # charter/missing-section
//!
//! ## What it flags
//!
//! A charter without the section `Identity` (`SQC101`), `Accountable Responsibilities`, `Non-Responsibilities`, or
//! `Collaboration and Review Authority` (`SQC104`). A section with its older name counts as missing. The rule runs only
//! with `profile = "squad-charter/v0.1"` under `[charter]` in the configuration.
//!
//! ## Why it matters
//!
//! Each section answers one question: what the agent is, what it does, what it leaves to others, and whose work it may
//! reject.
//!
//! ## Example
//!
//! ```markdown
//! # Keaton — Lead
//!
//! ## Identity
//! - **ID:** `keaton`
//! ```
//!
//! The other three sections are missing.
//!
//! ## How to fix
//!
//! Add the section. If the charter has it with its older name, the unsafe fix writes the charter in its canonical form,
//! as `squad-lint convert` does.
//!
//! ## Source
//!
//! Charters, "Sections":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/charters.md#sections>

use crate::diagnostic::{Applicability, Severity};
use crate::formats::charter::Code;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "charter/missing-section",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::MissingIdentity, Code::MissingSection], context, sink);
}
