//! # session/asymmetric-dependency
//!
//! ## What it flags
//!
//! A dependency that only one of two plans lists. One plan lists the other task under `requires`, but the plan of that
//! task does not list this one under `blocks`, or the other way round.
//!
//! ## Why it matters
//!
//! Agents that read only their own plan do not know that another agent waits for them, or they start too early.
//!
//! ## Example
//!
//! ```yaml
//! # task_002 has no `blocks: [task_003]`
//! meta:
//!   task_id: task_003
//! dependencies:
//!   requires:
//!     - task_002
//! ```
//!
//! ## How to fix
//!
//! Add the task to the other plan as well.
//!
//! ## Source
//!
//! Sessions, "Plans":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#plans>

use crate::diagnostic::{Finding, Severity};
use crate::facts::team_session;
use crate::formats::session::SessionFile;
use crate::formats::session::graph;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "session/asymmetric-dependency",
    severity: Severity::Info,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(plan) = context.document.body::<SessionFile>().and_then(SessionFile::plan) else { return };
    let Some(own) = plan.task_id.as_ref().filter(|_| !plan.requires.is_empty() || !plan.blocks.is_empty()) else {
        return;
    };
    let Some(session) = team_session::of(context.run(), context.document) else { return };
    let all = [("requires", &plan.requires, "blocks"), ("blocks", &plan.blocks, "requires")];
    for (key, id, other_key) in all.iter().flat_map(|(key, ids, other)| ids.iter().map(move |id| (key, id, other))) {
        let Some((other, other_plan)) = session.plan_of(&id.value).filter(|_| id.value != own.value) else { continue };
        let others = if *key == "requires" { &other_plan.blocks } else { &other_plan.requires };
        if graph::find(others, &own.value).is_some() {
            continue;
        }
        let (text, own_text) = (super::shared::short(&id.value), super::shared::short(&own.value));
        let finding = Finding::at(
            id.span,
            format!(
                "`{own_text}` {key} `{text}`, but the plan of `{text}` does not list `{own_text}` under `{other_key}`"
            ),
        );
        let finding = match &other_plan.task_id {
            Some(task) => finding.related_in(other.path(), task.span, format!("the plan of `{text}`")),
            None => finding,
        };
        sink.report(finding.label("only here").help(format!("add `{own_text}` to `{other_key}` of `{text}`")));
    }
}
