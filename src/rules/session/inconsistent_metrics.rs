//! # session/inconsistent-metrics
//!
//! ## What it flags
//!
//! Metrics that contradict the plans of the session or themselves. The number of completed or failed tasks is above the
//! number of plans, or an agent has more tasks than plans, or has completed more tasks than it was assigned.
//!
//! ## Why it matters
//!
//! Tools compute success rates and costs from these numbers.
//!
//! ## Example
//!
//! ```yaml
//! per_agent_metrics:
//!   backend:
//!     tasks_assigned: 4
//!     tasks_completed: 6
//! ```
//!
//! ## How to fix
//!
//! Correct the number, or write the missing plan.
//!
//! ## Source
//!
//! Sessions, "Metrics":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#metrics>

use crate::diagnostic::{Finding, Severity};
use crate::facts::team_session;
use crate::formats::session::SessionFile;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::prose::plural;

/// The rule.
pub static RULE: Rule = Rule {
    name: "session/inconsistent-metrics",
    severity: Severity::Warning,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(metrics) = context.document.body::<SessionFile>().and_then(SessionFile::metrics) else { return };
    let Some(session) = team_session::of(context.run(), context.document) else { return };
    let plans = u64::try_from(session.summary.plans.len()).unwrap_or(u64::MAX);
    let has_plans = plans > 0 && session.is_complete;
    let failed = metrics.tasks_failed.as_ref().map_or(0, |failed| failed.value);
    if let Some(completed) = &metrics.tasks_completed {
        let ended = completed.value.saturating_add(failed);
        if has_plans && ended > plans {
            let plans = plural(session.summary.plans.len(), "plan");
            let (message, related) = match &metrics.tasks_failed {
                Some(failed) if failed.value > 0 => (
                    format!("`tasks_completed` and `tasks_failed` add up to {ended}, but the session has {plans}"),
                    Some((failed.span, format!("{} failed", failed.value))),
                ),
                _ => (format!("`tasks_completed` is {ended}, but the session has {plans}"), None),
            };
            let finding = Finding::at(completed.span, message).label(format!("{} completed", completed.value));
            let related = related.into_iter();
            sink.report(related.fold(finding, |finding, (span, label)| finding.related(span, label)).help(HELP));
        }
    }
    for agent in &metrics.agents {
        let name = super::shared::short(&agent.agent.value.to_string());
        let own = session.summary.plans_of(&agent.agent.value.name);
        if let Some(assigned) = agent.assigned.as_ref().filter(|assigned| has_plans && assigned.value > own) {
            let plans = plural(usize::try_from(own).unwrap_or(usize::MAX), "plan");
            let message = format!("`tasks_assigned` of `{name}` is {}, but it has {plans}", assigned.value);
            sink.report(Finding::at(assigned.span, message).label("more than its plans").help(HELP));
        }
        if let (Some(assigned), Some(completed)) = (&agent.assigned, &agent.completed)
            && completed.value > assigned.value
        {
            let message = format!("`{name}` completed {} of {} assigned tasks", completed.value, assigned.value);
            let finding = Finding::at(completed.span, message).label("more than `tasks_assigned`");
            sink.report(finding.related(assigned.span, "assigned").help("correct one of the two numbers"));
        }
    }
}

const HELP: &str = "correct the number, or write the missing plan";
