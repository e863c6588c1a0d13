//! # bundle/missing-field
//!
//! ## What it flags
//!
//! A bundle without a required field: the version, `agents`, `casting`, `skills` in an export of Squad, or the
//! `charter` of an agent.
//!
//! ## Why it matters
//!
//! Tools refuse the bundle, or write incomplete files.
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
//! Export the squad again, or add the field. If the squad has no such file, `routing`, `casting.history` and
//! `casting.policy` are `null`.
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
