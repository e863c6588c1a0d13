//! # bundle/wrong-type
//!
//! ## What it flags
//!
//! A field of a bundle whose value has the wrong type, such as a list of agents or a charter that is a number.
//! `"ceremonies": null` and an empty `owner` are valid. In `casting`, the rule also reports a number with more digits
//! than programs keep, such as `18446744073709551616`.
//!
//! ## Why it matters
//!
//! Tools stop in the middle of an import, or write `[object Object]` or a wrong number into a file.
//!
//! ## Example
//!
//! ```json
//! "agents": [{ "name": "keaton", "charter": "# Keaton" }]
//! ```
//!
//! ## How to fix
//!
//! Write the value that the message expects:
//!
//! ```json
//! "agents": { "keaton": { "charter": "# Keaton" } }
//! ```
//!
//! ## Source
//!
//! Portable squads, "The portable format":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/portable-squads.md#the-portable-format>

use super::shared::report;
use crate::diagnostic::Severity;
use crate::formats::bundle::ProblemKind;
use crate::rule::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    name: "bundle/wrong-type",
    severity: Severity::Error,
    check: Check::Document(|context, sink| report(ProblemKind::WrongType, context, sink)),
    ..Rule::NEW
};
