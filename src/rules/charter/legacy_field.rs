//! # charter/legacy-field
//!
//! ## What it flags
//!
//! A field of older charters: `Name`, `Role`, `Expertise` or `Style` in `Identity`, `Fallback` in `Model`. Each is
//! reported under `SQC107`. The rule runs only with `profile = "squad-charter/v0.1"` under `[charter]` in the
//! configuration.
//!
//! ## Why it matters
//!
//! The title has the name and the role, and the purpose describes the rest. If a charter says something in two places,
//! they contradict each other sooner or later.
//!
//! ## Example
//!
//! ```markdown
//! ## Identity
//! - **Name:** Keaton
//! - **Role:** Lead
//! ```
//!
//! ## How to fix
//!
//! Remove `Name` and `Role`, and move the others into the purpose or a section. The unsafe fix removes a name and a role
//! that the title repeats, once the charter has an ID and a purpose.
//!
//! ## Source
//!
//! Charters, "Fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/charters.md#fields>

use crate::diagnostic::{Applicability, Severity};
use crate::formats::charter::Code;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "charter/legacy-field",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::LegacyField], context, sink);
}
