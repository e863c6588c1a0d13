//! # session/name-mismatch
//!
//! ## What it flags
//!
//! A file whose name disagrees with its content. For example, the name is that of a plan and the content is a progress
//! update, or the agent, its instance, the task, the sender or the recipient differs. Case does not matter, and each
//! run of characters other than letters and digits counts as one `-`. The name may omit the number of an instance and
//! `task_`.
//!
//! ## Why it matters
//!
//! Agents look for files by their names: `backend` reads `role-plan-backend-*.md`. So it gets the task of another
//! agent, and the agent that the content names never gets it.
//!
//! ## Example
//!
//! ```yaml
//! # role-plan-frontend-task_001.md
//! meta:
//!   task_id: task_001
//!   agent: backend
//! ```
//!
//! ## How to fix
//!
//! Rename the file, or correct the content, whichever is wrong.
//!
//! ## Source
//!
//! Sessions, "Names of files":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#names-of-files>

use bstr::ByteSlice;

use crate::diagnostic::{Finding, Severity};
use crate::dialects::sessions;
use crate::facts::team_session;
use crate::formats::session::{Kind, SessionFile, name};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/name-mismatch", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(file) = context.document.body::<SessionFile>() else { return };
    let (Some(kind), Some((_, path))) = (file.kind, sessions::split(context.document.path())) else { return };
    if !file.named.allows(kind) {
        let (named, found) = (file.named.noun(), kind.noun());
        return sink.report(
            Finding::at(file.first, format!("file is named as {named}, but contains {found}"))
                .label(format!("first field of {found}"))
                .help(format!("rename the file to `{}`, or correct its content", pattern(kind))),
        );
    }
    let Some(content) = file.content.as_ref().filter(|_| kind != Kind::Lock) else { return };
    if let Some(wrong) = name::mismatch(content, path) {
        let (what, value) = (wrong.what, &wrong.value);
        let message = match &wrong.found {
            Some(found) => format!("file name has `{found}`, but the content has `{value}`"),
            None => format!("file name does not contain the {what} `{value}`"),
        };
        sink.report(
            Finding::at(wrong.span, message)
                .label(match wrong.found {
                    Some(found) => format!("`{value}` here, `{found}` in the file name"),
                    None => format!("not in `{}`", path.to_str_lossy()),
                })
                .help(format!("rename the file to `{}.md`, or correct the {what}", wrong.expected)),
        );
    }
    if kind == Kind::Metrics {
        let session = team_session::of(context.run(), context.document);
        let status = session.as_ref().and_then(|session| session.file(session.summary.status?));
        let id = status.and_then(|(document, status)| Some((document, status.status()?.session_id.as_ref()?)));
        if let Some((document, id)) = id.filter(|(_, id)| !name::has_session(path, &id.value)) {
            let message = format!("file name does not contain the session ID `{}`", id.value);
            sink.report(
                Finding::at(file.first, message)
                    .label(format!("belongs to session `{}`", id.value))
                    .related_in(document.path(), id.span, "the ID of the session")
                    .help(format!("rename the file to `metrics-{}.md`", id.value)),
            );
        }
    }
}

/// How files of `kind` are named.
fn pattern(kind: Kind) -> &'static str {
    match kind {
        Kind::Status => "session-status.md",
        Kind::Plan => "role-plan-[agent]-[task-id].md",
        Kind::Progress => "role-comm-[agent]-[task-id].md",
        Kind::Message => "role-comm-[from-agent]-to-[to-agent]-[id].md",
        Kind::Broadcast => "broadcast-phase-change.md",
        Kind::Error => "error-[agent]-[timestamp].md",
        Kind::Metrics => "metrics-[session-id].md",
        Kind::Lock => "locks/[filename]-[agent]-[timestamp].lock",
    }
}
