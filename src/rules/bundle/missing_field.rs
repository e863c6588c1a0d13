//! # bundle/missing-field
//!
//! ## What it flags
//!
//! A bundle without a required field:
//!
//! - in the portable format: `squad_format_version`, `exported_at`, `exported_from` with `project` and `owner`, `casting`
//!   with `registry`, `history` and `policy`, `agents` with the `charter` of each agent, `team` and `routing`;
//! - in an export of Squad: `version`, `casting`, `agents` and `skills`.
//!
//! In both formats, `agents` has at least one agent.
//!
//! ## Why it matters
//!
//! Tools refuse the bundle, or write incomplete files. A squad without agents is of no use, and prevents the import of
//! another one.
//!
//! ## Example
//!
//! ```json
//! { "squad_format_version": "1.0", "exported_at": "2026-02-08T10:30:00Z", "agents": { "keaton": {} } }
//! ```
//!
//! `agents.keaton.charter`, `exported_from`, `casting`, `team` and `routing` are missing.
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
