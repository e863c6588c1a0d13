//! # session/invalid-lock
//!
//! ## What it flags
//!
//! A lock with a missing or invalid field, or without any fields, such as an empty file or the `...` that the shell
//! functions of the specification write. A lock is also invalid if it ends before it begins, if it begins more than
//! five minutes in the future, if its file is a folder or outside of the repository, or if its agent is not in the
//! session or does not have the task of the lock. The rule also reports a file named `locks` in place of the folder,
//! because then no agent can lock a file.
//!
//! ## Why it matters
//!
//! Agents wait for a lock until it expires. If they cannot tell which agent holds it and until when, they wait forever,
//! or change the file anyway. `squad-lint session lock` refuses to lock a file that such a lock may hold.
//!
//! ## Example
//!
//! ```yaml
//! file: src/App.tsx
//! locked_by: frontend[1]
//! locked_at: 2024-01-15T10:37:00Z
//! expires_at: 2024-01-15T10:35:00Z
//! ```
//!
//! ## How to fix
//!
//! Correct the field, or delete the lock and take it again. `squad-lint session lock` writes valid locks.
//!
//! ## Source
//!
//! Sessions, "Locks":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#locks>

use super::shared;
use crate::diagnostic::{Finding, Severity};
use crate::dialects::sessions::NoLocks;
use crate::facts::team_session;
use crate::formats::session::boundaries::Escape;
use crate::formats::session::locks::CLOCK_SKEW_SECONDS;
use crate::formats::session::model::Lock;
use crate::formats::session::{Fault, Kind, Presence, SessionFile};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::suggest::{Tolerance, nearest};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/invalid-lock", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    if context.document.body::<NoLocks>().is_some() {
        let help = "delete it; `squad-lint session lock` creates the folder";
        return sink.report(Finding::whole_file("`locks` is a file, expected a folder").help(help));
    }
    let Some(file) = context.document.body::<SessionFile>().filter(|file| file.kind == Some(Kind::Lock)) else {
        return;
    };
    for problem in file.problems.iter().filter(|problem| matches!(problem.fault, Fault::Missing | Fault::Value)) {
        sink.report(shared::finding(problem));
    }
    let Some(lock) = file.lock() else { return };
    if let Some((path, escape)) = lock.file.as_ref().and_then(|file| Some((file, Escape::of(&file.value)?))) {
        let text = shared::short(&path.value);
        sink.report(
            Finding::at(
                path.span,
                format!("locked file `{text}` {}, expected a path in the repository", escape.message()),
            )
            .label("leads out of the repository")
            .help("write the path relative to the root of the repository"),
        );
    }
    if let Some(file) = lock.file.as_ref().filter(|file| file.value.ends_with('/')) {
        let text = shared::short(&file.value);
        sink.report(
            Finding::at(file.span, format!("locked file `{text}` is a folder, expected a file"))
                .label("ends with `/`")
                .help("lock each file that changes; a lock on a folder does not cover the files in it"),
        );
    }
    if let (Some(from), Some(to)) = (&lock.locked_at, &lock.expires_at) {
        let now = context.options.now.unix();
        if to.value.unix() <= from.value.unix() {
            sink.report(
                Finding::at(to.span, "`expires_at` is not after `locked_at`")
                    .label("not after `locked_at`")
                    .related(from.span, "taken here")
                    .help("correct one of the two timestamps"),
            );
        } else if from.value.unix() > now.saturating_add(CLOCK_SKEW_SECONDS) {
            sink.report(
                Finding::at(from.span, "`locked_at` is in the future")
                    .label("later than now")
                    .help("correct `locked_at`, or the clock of the agent"),
            );
        }
    }
    check_agent(lock, context, sink);
}

/// Whether the agent is one of the session, and that of the task.
fn check_agent(lock: &Lock, context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(agent) = &lock.locked_by else { return };
    let Some(session) =
        team_session::of(context.run(), context.document).filter(|session| session.summary.names_agents())
    else {
        return;
    };
    let plan = lock.task_id.as_ref().and_then(|task| session.plan_of(&task.value));
    let assigned = plan.and_then(|(document, plan)| Some((document, plan.agent.as_ref()?)));
    if let Some((document, owner)) = assigned.filter(|(_, owner)| !owner.value.may_be(&agent.value)) {
        sink.report(
            Finding::at(agent.span, format!("`{}` holds the lock for a task of `{}`", agent.value, owner.value))
                .related_in(document.path(), owner.span, format!("task of `{}`", owner.value))
                .help("correct `locked_by` or `task_id`"),
        );
    } else if assigned.is_none()
        && session.is_complete
        && session.summary.agents.presence(&agent.value) == Presence::Unknown
    {
        let finding = Finding::at(agent.span, format!("`{}` holds the lock, but is not in the session", agent.value));
        let known = session.summary.agents.names_to_compare();
        sink.report(
            match nearest(&agent.value.name, known, Tolerance::Help) {
                Some(meant) => finding.label(format!("did you mean `{meant}`?")),
                None => finding.label("unknown agent"),
            }
            .help("correct the name, add the agent to `agents_active` of the session status, or delete the lock"),
        );
    }
}
