//! # session/output-outside-boundary
//!
//! ## What it flags
//!
//! A path under `outputs` of a plan, or under `artifacts_created` of a progress update, that the boundaries of the task
//! do not allow. The folder `artifacts/` of the session is always allowed. A folder is allowed if one of its files is.
//! The rule ignores text that does not look like a path, such as `n/a`, the version `v1.2.0`, the route `/api/search`,
//! the package `@org/name`, the type `application/vnd.api+json`, the address `ann@example.com` or the day `2026/3/1`.
//!
//! ## Why it matters
//!
//! The agent cannot do its task within its boundaries. If the file already exists, the agent may have changed a file on
//! which another agent works.
//!
//! ## Example
//!
//! ```yaml
//! boundaries:
//!   allowed:
//!     - frontend/**
//! outputs:
//!   documentation: docs/search.md
//! ```
//!
//! ## How to fix
//!
//! Choose an allowed path for the output, or change the boundaries: add the path to `allowed`, or make the glob under
//! `forbidden` narrower.
//!
//! ## Source
//!
//! Sessions, "Boundaries":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#boundaries>

use crate::diagnostic::{Finding, Severity};
use crate::facts::team_session;
use crate::formats::session::SessionFile;
use crate::formats::session::boundaries::{Escape, inner_path, is_no_path};
use crate::formats::session::field::Field;
use crate::formats::session::model::Plan;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "session/output-outside-boundary",
    severity: Severity::Warning,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(file) = context.document.body::<SessionFile>() else { return };
    if let Some(plan) = file.plan() {
        for output in &plan.outputs {
            sink_outside(plan, "output", output, sink);
        }
    } else if let Some(progress) = file.progress().filter(|progress| !progress.artifacts.is_empty()) {
        let Some(task) = &progress.task_id else { return };
        let Some(session) = team_session::of(context.run(), context.document) else { return };
        let Some((_, plan)) = session.plan_of(&task.value) else { return };
        for artifact in &progress.artifacts {
            sink_outside(plan, "artifact", artifact, sink);
        }
    }
}

fn sink_outside(plan: &Plan, what: &str, path: &Field<String>, sink: &mut Sink<'_>) {
    let text = super::shared::short(&path.value);
    let (message, help) = match (Escape::of(&path.value), inner_path(path)) {
        (Some(escape), _) if !path.value.contains(char::is_whitespace) && !is_no_path(&path.value) => (
            format!("{what} `{text}` {}, expected a path in the repository", escape.message()),
            "write a path relative to the root of the repository, such as `docs/search.md`",
        ),
        (_, Some(inner))
            if plan.has_clear_boundary()
                && !is_of_session(&inner)
                && !plan.permits_output(&inner, path.value.ends_with(['/', '\\'])) =>
        {
            let (reason, help) = match plan.forbids(&inner) {
                true => (
                    "is forbidden",
                    "write to a place that is allowed, or make the glob that forbids the path narrower",
                ),
                false => ("is not allowed", "add the path to `allowed`, or write to a place that is allowed"),
            };
            (format!("{what} `{text}` {reason} by the boundaries of the task"), help)
        }
        _ => return,
    };
    sink.report(Finding::at(path.span, message).label("outside of the boundaries").help(help));
}

/// Whether `path` is in the folder of artifacts of a session.
fn is_of_session(path: &str) -> bool {
    path.starts_with("artifacts/") || path.contains("sessions/") && path.contains("/artifacts/")
}
