//! # charter/section-order
//!
//! ## What it flags
//!
//! The first unknown section, and the first section that comes after one that it belongs before: `SQC108`. The rule runs
//! only with `profile = "squad-charter/v0.1"` under `[charter]` in the configuration.
//!
//! ## Why it matters
//!
//! The order is the same in every charter, so that people find things. An unknown section has no meaning for tools.
//!
//! ## Example
//!
//! ```markdown
//! ## Model
//! - **Preferred:** auto
//!
//! ## Collaboration and Review Authority
//! - Reviews all.
//! ```
//!
//! `Model` is the last section.
//!
//! ## How to fix
//!
//! Move the section. The unsafe fix does so, and leaves unknown sections in their places. Make an unknown section a part
//! of another one, under a heading of the third level, or an extension.
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
    name: "charter/section-order",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::SectionOrder], context, sink);
}
