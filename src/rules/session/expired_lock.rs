//! # session/expired-lock
//!
//! ## What it flags
//!
//! A lock whose `expires_at` has passed by more than five minutes.
//!
//! ## Why it matters
//!
//! Its agent has stopped, or has forgotten the lock. Agents that only check whether a lock exists wait forever.
//!
//! ## Example
//!
//! ```yaml
//! file: src/App.tsx
//! locked_by: frontend[1]
//! locked_at: 2024-01-15T10:37:00Z
//! expires_at: 2024-01-15T10:39:00Z
//! ```
//!
//! ## How to fix
//!
//! Delete the lock. The fix is safe: like `session lock` and `session renew`, it waits until no other process changes
//! the locks, and it keeps a lock that was renewed meanwhile. `squad-lint session clean` deletes all expired locks of
//! the sessions.
//!
//! ## Source
//!
//! Sessions, "Locks":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#locks>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::session::locks::CLOCK_SKEW_SECONDS;
use crate::formats::session::{Fault, SessionFile};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "session/expired-lock",
    severity: Severity::Warning,
    check: Check::Document(check),
    fixes: &[Applicability::Safe],
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(read) = context.document.body::<SessionFile>() else { return };
    let Some(lock) = read.lock() else { return };
    let Some(expires) = lock.expires_at.as_ref().filter(|_| lock.is_expired(context.options.now, CLOCK_SKEW_SECONDS))
    else {
        return;
    };
    // One that ends before it begins has another problem.
    if lock.locked_at.as_ref().is_some_and(|from| from.value.unix() >= expires.value.unix()) {
        return;
    }
    let file = lock
        .file
        .as_ref()
        .map_or_else(|| "a file".to_owned(), |file| format!("`{}`", super::shared::short(&file.value)));
    let finding = Finding::at(expires.span, format!("lock on {file} has expired"))
        .help("delete the lock, or run `squad-lint session clean`");
    // A lock without content is deleted; in a commit it would be an empty file.
    // Where a key is there twice, another program may read another end.
    let is_clear = !read.problems.iter().any(|problem| problem.fault == Fault::Yaml);
    sink.report(match context.run().changes() {
        None if is_clear => {
            finding.fix(Applicability::Safe, [Edit::delete(Span::new(0, context.document.text().len()))])
        }
        _ => finding,
    });
}
