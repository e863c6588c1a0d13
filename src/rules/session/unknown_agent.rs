//! # session/unknown-agent
//!
//! ## What it flags
//!
//! A message to an agent that the session does not have. The status, the plans, the progress updates and the broadcasts
//! do not name it, and it has written no message. An instance can also be unknown, such as `frontend[3]` if the session
//! has only `frontend[1]` and `frontend[2]`. Every session has `supervisor`, `coordinator`, `user`, `all` and the like.
//!
//! ## Why it matters
//!
//! No agent reads the message, and its sender waits for an answer.
//!
//! ## Example
//!
//! ```yaml
//! meta:
//!   from_agent: frontend
//!   to_agent: backend-sytem-architect
//! ```
//!
//! ## How to fix
//!
//! Correct the name, or add the agent to `agents_active` of the session status.
//!
//! ## Source
//!
//! Sessions, "Messages":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#messages>

use crate::diagnostic::{Finding, Severity};
use crate::facts::team_session;
use crate::formats::session::{Presence, SessionFile};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::prose::enumerated;
use crate::text::suggest::{Tolerance, nearest};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/unknown-agent", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(message) = context.document.body::<SessionFile>().and_then(SessionFile::message) else { return };
    let Some(to) = &message.to else { return };
    let Some(session) = team_session::of(context.run(), context.document)
        .filter(|session| session.summary.names_agents() && session.is_complete)
    else {
        return;
    };
    let (agents, name) = (&session.summary.agents, super::shared::short(&to.value.to_string()));
    let finding = match agents.presence(&to.value) {
        Presence::Known => return,
        Presence::OtherInstances => {
            let others: Vec<String> =
                agents.instances(&to.value.name).map(|number| format!("`{}[{number}]`", to.value.name)).collect();
            let message = format!("`to_agent` is `{name}`, but the session has only {}", enumerated(&others));
            Finding::at(to.span, message).label("no such instance").help("correct the number of the instance")
        }
        Presence::Unknown => {
            let finding = Finding::at(to.span, format!("`to_agent` is `{name}`, which is not in the session"));
            match nearest(&to.value.name, agents.names_to_compare(), Tolerance::Help) {
                Some(meant) => finding.label(format!("did you mean `{meant}`?")).help(format!("write `{meant}`")),
                None => finding.label("unknown agent").help("correct the name, or add the agent to `agents_active`"),
            }
        }
    };
    sink.report(finding);
}
