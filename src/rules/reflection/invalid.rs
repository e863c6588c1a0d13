//! # reflection/invalid
//!
//! ## What it flags
//!
//! A reflection that is not what its schema asks for. A key can be missing, misspelt or given twice, a value of another type,
//! a word none of those there are; or it is no JSON at all. Of what `claude -p --output-format json` prints, the answer is
//! looked at. A key that the schema does not know is a warning.
//!
//! ## Why it matters
//!
//! What cannot be read is not learned: the suggested learnings of the task are lost.
//!
//! ## Example
//!
//! ```json
//! { "task_result": { "status": "complete", "summary": "The login works again." } }
//! ```
//!
//! `status` is none of the four, and `files_changed`, `reflection`, `suggested_learnings` and `follow_up` are missing.
//!
//! ## How to fix
//!
//! Write what the schema asks for: `squad-lint schema reflection` prints it. Members that are spawned with
//! `--json-schema`, as `squad-lint team spawn` has it, return nothing else.
//!
//! ## Source
//!
//! Seed 004, "Reflection Schema".

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "reflection/invalid", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(reflection) = document.reflection() else { return };
    for problem in &reflection.problems {
        let mut finding = Finding::at(problem.span, problem.message()).label(problem.label()).help(problem.help());
        if let Some((span, message)) = problem.related() {
            finding = finding.related(span, message);
        }
        if problem.is_mild() {
            finding = finding.at_most(Severity::Warning);
        }
        sink.report(finding);
    }
}
