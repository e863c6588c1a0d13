//! # session/dependency-cycle
//!
//! ## What it flags
//!
//! Tasks that wait for each other in a cycle, by `requires` and `blocks` together. There is one finding for each cycle,
//! in its first plan.
//!
//! ## Why it matters
//!
//! None of these tasks can ever start.
//!
//! ## Example
//!
//! ```yaml
//! # task_001
//! dependencies:
//!   requires:
//!     - task_002
//!   blocks:
//!     - task_002
//! ```
//!
//! ## How to fix
//!
//! Remove one of the dependencies, or split a task so that one part of it does not depend on the others.
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
pub static RULE: Rule =
    Rule { name: "session/dependency-cycle", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    if context.document.body::<SessionFile>().and_then(SessionFile::plan).is_none() {
        return;
    }
    let path = context.document.path();
    let Some(session) = team_session::of(context.run(), context.document) else { return };
    let Some(cycle) = session.cycle(path) else { return };
    let id = |task: usize| session.plan(task).and_then(|(_, plan)| plan.task_id.as_ref());
    let ids: Vec<String> = cycle.iter().filter_map(|task| Some(super::shared::short(&id(*task)?.value))).collect();
    let message = match ids.as_slice() {
        [only] => format!("task `{only}` waits for itself"),
        ids => {
            let shown: Vec<String> = ids.iter().take(SHOWN).chain(ids.first()).map(|id| format!("`{id}`")).collect();
            let more = if ids.len() > SHOWN { format!(", a circle of {} tasks", ids.len()) } else { String::new() };
            format!("tasks wait for each other: {}{more}", shown.join(" → "))
        }
    };
    let mut places = Vec::new();
    for (at, task) in cycle.iter().enumerate() {
        let next = cycle.get(at + 1).or(cycle.first()).copied().unwrap_or(*task);
        let (Some((document, own)), Some((other, blocking))) = (session.plan(*task), session.plan(next)) else {
            return;
        };
        // The plan that waits says so, or the one that it waits for does.
        let requires =
            id(next).and_then(|id| graph::find(&own.requires, &id.value)).map(|found| (document, found.span));
        let blocks =
            || id(*task).and_then(|id| graph::find(&blocking.blocks, &id.value)).map(|found| (other, found.span));
        let name = |task: usize| id(task).map_or_else(String::new, |id| super::shared::short(&id.value));
        let edge = format!("`{}` waits for `{}`", name(*task), name(next));
        places.extend(requires.or_else(blocks).map(|(document, span)| (document, span, edge)));
    }
    let help = if places.len() == 1 { "remove this dependency" } else { "remove one of these dependencies" };
    let mut places = places.into_iter();
    let Some((first, span, edge)) = places.next() else { return };
    let finding = Finding::at(span, message).in_file(first.path()).label(edge);
    let related = places.take(SHOWN);
    let finding =
        related.fold(finding, |finding, (document, span, edge)| finding.related_in(document.path(), span, edge));
    sink.report(finding.help(help));
}

/// How many tasks of a circle are named.
const SHOWN: usize = 5;
