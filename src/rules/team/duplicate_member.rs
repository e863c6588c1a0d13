//! # team/duplicate-member
//!
//! ## What it flags
//!
//! Two members of a team with the same name.
//!
//! ## Why it matters
//!
//! They share one folder of learnings, and a command with this name always gets the first one.
//!
//! ## Example
//!
//! ```yaml
//! members:
//!   - name: backend
//!     role: Server
//!   - name: backend
//!     role: Database
//! ```
//!
//! ## How to fix
//!
//! Rename one of them, or merge the two members.
//!
//! ## Source
//!
//! Learning teams, "Required fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#required-fields>

use std::collections::HashMap;

use crate::diagnostic::{Finding, Severity};
use crate::formats::manifest::Manifest;
use crate::formats::manifest::values::short;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "team/duplicate-member", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(manifest) = document.body::<Manifest>() else { return };
    let mut first = HashMap::new();
    for member in &manifest.members {
        let Some(name) = member.name.as_ref().filter(|name| !name.value.trim().is_empty()) else { continue };
        let Some(&before) = first.get(name.value.as_str()) else {
            first.insert(name.value.as_str(), name.span);
            continue;
        };
        sink.report(
            Finding::at(name.span, format!("duplicate member `{}`", short(&name.value)))
                .label("same name")
                .related(before, "first one")
                .help("rename one of them, or merge the two"),
        );
    }
}
