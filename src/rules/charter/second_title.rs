//! # charter/second-title
//!
//! ## What it flags
//!
//! A second heading of level 1: `SQC015`. Headings in an extension do not count.
//!
//! ## Why it matters
//!
//! A charter is about one agent. With two titles it is unclear which one, and Squad refuses it.
//!
//! ## Example
//!
//! ```markdown
//! # Keaton — Lead
//!
//! # Boundaries
//! ```
//!
//! ## How to fix
//!
//! Make the second one a heading of level 2 or 3, or remove it.
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
    Rule { name: "charter/second-title", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::SecondTitle], context, sink);
}
