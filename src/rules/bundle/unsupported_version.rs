//! # bundle/unsupported-version
//!
//! ## What it flags
//!
//! A bundle whose `squad_format_version`, or `version` in an export of Squad, is not `1.0`, or one
//! that has both keys.
//!
//! ## Why it matters
//!
//! Tools do not know the format of another version. Those that check the version refuse the bundle.
//! If it has both keys, some tools read it as one format, and some as the other.
//!
//! ## Example
//!
//! ```json
//! { "squad_format_version": "2.0" }
//! ```
//!
//! ## How to fix
//!
//! Export the squad again with a tool that writes version 1.0. Of two version keys, delete the one of the other format.
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
    name: "bundle/unsupported-version",
    severity: Severity::Error,
    check: Check::Document(|context, sink| report(ProblemKind::UnsupportedVersion, context, sink)),
    ..Rule::NEW
};
