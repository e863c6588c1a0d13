//! # charter/section-order
//!
//! ## What it flags
//!
//! The first unknown section, and the first section that is out of order: `SQC108`. The rule runs only with
//! `profile = "squad-charter/v0.1"` under `[charter]` in the configuration.
//!
//! ## Why it matters
//!
//! The order is the same in every charter, so that people find each section quickly. An unknown section has no meaning
//! for tools.
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
//! `Model` must be the last section.
//!
//! ## How to fix
//!
//! Move the section. The unsafe fix does this, and leaves unknown sections in their places. Make an unknown section
//! part of another one, under a heading of level 3, or make it an extension.
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
