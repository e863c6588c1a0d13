//! # charter/extension-name
//!
//! ## What it flags
//!
//! An extension whose name is not `X-<namespace>-<name>` in lower case: `SQC106`. The rule runs only with `profile =
//! "squad-charter/v0.1"` under `[charter]` in the configuration.
//!
//! ## Why it matters
//!
//! The namespace tells which tool an extension belongs to. Without it, two tools may read the same section in two ways.
//!
//! ## Example
//!
//! ```markdown
//! ## X-Deploy
//! target: staging
//! ```
//!
//! The rule expects a name such as `X-acme-deploy`.
//!
//! ## How to fix
//!
//! Rename it, in the charter and in the tool that reads it.
//!
//! ## Source
//!
//! Charters, "Extensions":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/charters.md#extensions>

use crate::diagnostic::Severity;
use crate::formats::charter::Code;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "charter/extension-name", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    super::report(&[Code::ExtensionName], context, sink);
}
