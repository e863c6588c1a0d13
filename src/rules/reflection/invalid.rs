//! # reflection/invalid
//!
//! ## What it flags
//!
//! A reflection that does not match its schema. It is not JSON, a key is missing, misspelt or repeated, a value has
//! the wrong type, or a word is not one of those allowed. In the output of `claude -p --output-format json`, the rule
//! checks the answer inside. An unknown key is a warning.
//!
//! ## Why it matters
//!
//! Tools cannot read the reflection, so the learnings that it suggests are lost.
//!
//! ## Example
//!
//! ```json
//! { "task_result": { "status": "complete", "summary": "The login works again." } }
//! ```
//!
//! `status` is not one of the four words, and `files_changed`, `reflection`, `suggested_learnings` and `follow_up` are missing.
//!
//! ## How to fix
//!
//! Follow the schema, which `squad-lint schema reflection` prints. If you spawn members with `--json-schema`, as
//! `squad-lint team spawn` does, they always return valid reflections.
//!
//! ## Source
//!
//! Learning teams, "Reflection":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#reflection>

use crate::diagnostic::{Finding, Severity};
use crate::formats::reflection::Reflection;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "reflection/invalid", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(reflection) = document.body::<Reflection>() else { return };
    for problem in &reflection.problems {
        let mut finding = Finding::at(problem.span, problem.message()).label(problem.label()).help(problem.help());
        if let Some((span, message)) = problem.related() {
            finding = finding.related(span, message);
        }
        if let Some(note) = problem.note() {
            finding = finding.note(note);
        }
        if problem.is_mild() {
            finding = finding.at_most(Severity::Warning);
        }
        sink.report(finding);
    }
}
