//! # session/dangling-dependency
//!
//! ## What it flags
//!
//! A task under `requires` or `blocks` that no plan of the session has.
//!
//! ## Why it matters
//!
//! The task waits for one that never ends, because no agent works on it.
//!
//! ## Example
//!
//! ```yaml
//! dependencies:
//!   requires:
//!     - task_0001
//! ```
//!
//! ## How to fix
//!
//! Correct the ID, write the missing plan, or remove the dependency.
//!
//! ## Source
//!
//! Sessions, "Plans":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#plans>

use crate::diagnostic::{Finding, Severity};
use crate::facts::team_session;
use crate::formats::session::SessionFile;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::suggest::{Tolerance, nearest};

/// The rule.
pub static RULE: Rule = Rule {
    name: "session/dangling-dependency",
    severity: Severity::Warning,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(plan) = context.document.body::<SessionFile>().and_then(SessionFile::plan) else { return };
    if plan.requires.is_empty() && plan.blocks.is_empty() {
        return;
    }
    let Some(session) = team_session::of(context.run(), context.document) else { return };
    let all = [("requires", &plan.requires), ("blocks", &plan.blocks)];
    for (key, id) in all.iter().flat_map(|(key, ids)| ids.iter().map(move |id| (key, id))) {
        if session.summary.graph.task(&id.value).is_some() {
            continue;
        }
        let known = session.summary.graph.ids_to_compare();
        let text = super::shared::short(&id.value);
        let finding =
            Finding::at(id.span, format!("no plan of the session has the task `{text}`, which is under `{key}`"));
        sink.report(match nearest(&id.value, known, Tolerance::Help) {
            Some(meant) => finding.label(format!("did you mean `{meant}`?")).help(format!("write `{meant}`")),
            None => finding.label("no such task").help("correct the ID, or write the plan of this task"),
        });
    }
}
