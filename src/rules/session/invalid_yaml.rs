//! # session/invalid-yaml
//!
//! ## What it flags
//!
//! A file of a session that is not YAML 1.2, has a duplicate key, or contains a second document or a second block of
//! YAML. YAML readers disagree about the last three. The rule also reports files that look like a broken write (with an
//! unclosed bracket, for example), unclosed code fences, and the markers of a merge conflict.
//!
//! ## Why it matters
//!
//! The other agents cannot read the file. They wait for a task, an answer or a lock that already exists.
//!
//! ## Example
//!
//! ```yaml
//! status: in_progress
//! current_action: Fixing the build: tests fail
//! ```
//!
//! ## How to fix
//!
//! Quote text that contains `: ` or ` #`, or write it below `|`. Indent with spaces, not with tabs. Keep one of two
//! equal keys, and one document per file.
//!
//! ## Source
//!
//! Sessions, "Reading a file":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#reading-a-file>

use super::shared;
use crate::diagnostic::Severity;
use crate::formats::session::{Fault, SessionFile};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/invalid-yaml", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(file) = context.document.body::<SessionFile>() else { return };
    for problem in file.problems.iter().filter(|problem| problem.fault == Fault::Yaml) {
        sink.report(shared::finding(problem));
    }
}
