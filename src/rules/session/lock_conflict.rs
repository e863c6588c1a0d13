//! # session/lock-conflict
//!
//! ## What it flags
//!
//! A lock that was taken while another agent held the file. The finding is at the later lock. An agent holds a file
//! from `locked_at` until `expires_at`. The rule accepts two locks of one agent.
//!
//! ## Why it matters
//!
//! Both agents may have changed the file at the same time. The shell functions of the protocol allow this: they first
//! look for a lock, and then write one.
//!
//! ## Example
//!
//! ```yaml
//! # beside App.tsx-frontend-1705315020.lock, which is held until 10:39
//! file: src/App.tsx
//! locked_by: backend
//! locked_at: 2024-01-15T10:38:00Z
//! expires_at: 2024-01-15T10:40:00Z
//! ```
//!
//! ## How to fix
//!
//! Stop the later agent, compare the changes of both, and delete its lock. `squad-lint session lock` gives a file to
//! one agent only.
//!
//! ## Source
//!
//! Sessions, "Locks":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#locks>

use crate::diagnostic::{Finding, Severity};
use crate::facts::team_session;
use crate::formats::session::SessionFile;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/lock-conflict", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(lock) = context.document.body::<SessionFile>().and_then(SessionFile::lock) else { return };
    let Some(session) = team_session::of(context.run(), context.document) else { return };
    let Some(conflict) = session.lock_conflict(context.document.path()) else { return };
    let (Some((document, other)), Some(file)) = (session.lock(conflict.earlier), &lock.file) else { return };
    let (Some(agent), Some(holder)) = (&lock.locked_by, &other.locked_by) else { return };
    let text = super::shared::short(&file.value);
    let finding = Finding::at(
        agent.span,
        format!("`{}` took the lock on `{text}` while `{}` held it", agent.value, holder.value),
    )
    .label("second holder")
    .related_in(document.path(), holder.span, "held by this agent");
    let finding = match &other.expires_at {
        Some(expires) => finding.related_in(document.path(), expires.span, "held until here"),
        None => finding,
    };
    sink.report(finding.help("stop one of the two agents, and compare what both changed in the file"));
}
