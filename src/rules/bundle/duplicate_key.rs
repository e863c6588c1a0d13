//! # bundle/duplicate-key
//!
//! ## What it flags
//!
//! A duplicate key in an object of a bundle, at any depth.
//!
//! ## Why it matters
//!
//! Programs keep the last value: of two agents with the same key, one is silently lost.
//!
//! ## Example
//!
//! ```json
//! "agents": { "keaton": { "charter": "# Keaton" }, "keaton": { "charter": "# Keaton, later" } }
//! ```
//!
//! ## How to fix
//!
//! Delete one of the two, or rename it.
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
    name: "bundle/duplicate-key",
    severity: Severity::Error,
    check: Check::Document(|context, sink| report(ProblemKind::DuplicateKey, context, sink)),
    ..Rule::NEW
};
