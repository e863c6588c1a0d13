//! # bundle/invalid-json
//!
//! ## What it flags
//!
//! A bundle that is not JSON: an empty file, a trailing comma, half of a surrogate pair, or values that are nested deeper than 128
//! levels. A `*.squad` file that does not begin with `{` belongs to another program, and is ignored.
//!
//! ## Why it matters
//!
//! No tool can import the bundle.
//!
//! ## Example
//!
//! ```json
//! { "squad_format_version": "1.0", }
//! ```
//!
//! ## How to fix
//!
//! Correct the syntax at the place that the message names, or export the squad again.
//!
//! ## Source
//!
//! Portable squads, "Files":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/portable-squads.md#files>

use super::shared::report;
use crate::diagnostic::Severity;
use crate::formats::bundle::ProblemKind;
use crate::rule::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    name: "bundle/invalid-json",
    severity: Severity::Error,
    check: Check::Document(|context, sink| report(ProblemKind::InvalidJson, context, sink)),
    ..Rule::NEW
};
