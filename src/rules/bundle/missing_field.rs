//! # bundle/missing-field
//!
//! ## What it flags
//!
//! A field that a bundle must have and has not: no version, no `agents`, no `casting`, no `skills` in an export of Squad, an agent without
//! a `charter`.
//!
//! ## Why it matters
//!
//! Tools refuse the bundle, or write files that lack a part.
//!
//! ## Example
//!
//! ```json
//! { "squad_format_version": "1.0", "exported_at": "2026-02-08T10:30:00Z", "agents": {} }
//! ```
//!
//! `exported_from`, `casting`, `team` and `routing` are missing.
//!
//! ## How to fix
//!
//! Export the squad again, or add the field. Of a squad without such a file, `routing`, `casting.history` and `casting.policy` are `null`.
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
    name: "bundle/missing-field",
    severity: Severity::Error,
    check: Check::Document(|context, sink| report(ProblemKind::MissingField, context, sink)),
    ..Rule::NEW
};
