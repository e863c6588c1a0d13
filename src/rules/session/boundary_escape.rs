//! # session/boundary-escape
//!
//! ## What it flags
//!
//! An allowed glob that leads out of the repository: an absolute path, one in a home folder, or one with `..`.
//!
//! ## Why it matters
//!
//! The agent may change files that no review sees, such as its own settings or those of another project.
//!
//! ## Example
//!
//! ```yaml
//! boundaries:
//!   allowed:
//!     - ../shared/**
//! ```
//!
//! ## How to fix
//!
//! Write the path relative to the root of the repository, or remove it.
//!
//! ## Source
//!
//! Sessions, "Boundaries":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#boundaries>

use crate::diagnostic::{Finding, Severity};
use crate::formats::session::SessionFile;
use crate::formats::session::boundaries::Escape;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/boundary-escape", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(plan) = context.document.body::<SessionFile>().and_then(SessionFile::plan) else { return };
    for boundary in &plan.allowed {
        let text = &boundary.glob.value;
        if let Some(escape) = Escape::of(text) {
            let text = super::shared::short(text);
            sink.report(
                Finding::at(
                    boundary.glob.span,
                    format!("allowed glob `{text}` {}, expected a path in the repository", escape.message()),
                )
                .label("leads out of the repository")
                .help("write the path relative to the root of the repository, such as `src/**`"),
            );
        }
    }
}
