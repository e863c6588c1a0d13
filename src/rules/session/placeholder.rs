//! # session/placeholder
//!
//! ## What it flags
//!
//! A placeholder of the protocol's template. It is a choice such as `high|medium|low`, a word in brackets such as
//! `[timestamp]` in an ID, a name or a timestamp, or a whole path such as `[filename]`. The number of an instance, as
//! in `frontend[1]`, is allowed, and so are brackets in names that a team has chosen, such as `app/[id]/page.tsx`.
//! Fields for people, such as `instruction`, and files outside of sessions may contain any text.
//!
//! ## Why it matters
//!
//! If all IDs are `task_[timestamp]_[sequence]`, they are the same ID, and no reader knows a priority
//! `high|medium|low`.
//!
//! ## Example
//!
//! ```yaml
//! meta:
//!   task_id: task_[timestamp]_[sequence]
//!   priority: high|medium|low
//! ```
//!
//! ## How to fix
//!
//! Replace the placeholder with a value.
//!
//! ## Source
//!
//! Sessions, "Fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#fields>

use super::shared;
use crate::diagnostic::Severity;
use crate::formats::session::{Fault, SessionFile};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/placeholder", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(file) = context.document.body::<SessionFile>() else { return };
    for problem in file.problems.iter().filter(|problem| problem.fault == Fault::Placeholder) {
        sink.report(shared::finding(problem));
    }
}
