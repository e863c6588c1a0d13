//! # charter/title-form
//!
//! ## What it flags
//!
//! A title that is not `Name — Role`, with an em dash between spaces: `SQC003`. The rule runs only with
//! `profile = "squad-charter/v0.1"` under `[charter]` in the configuration.
//!
//! ## Why it matters
//!
//! Tools read the name and the role of the agent from the two parts of the title.
//!
//! ## Example
//!
//! ```markdown
//! # Keaton - Lead
//! ```
//!
//! ## How to fix
//!
//! Write the em dash. The unsafe fix does this if a hyphen or an en dash separates the two parts.
//!
//! ## Source
//!
//! Charters, "Title":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/charters.md#title>

use crate::diagnostic::{Applicability, Severity};
use crate::formats::charter::Code;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "charter/title-form",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::TitleForm], context, sink);
}
