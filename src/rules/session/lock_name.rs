//! # session/lock-name
//!
//! ## What it flags
//!
//! A lock whose name disagrees with its content: the name does not begin with the name of the locked file, or does not
//! contain the agent that holds it.
//!
//! ## Why it matters
//!
//! Agents look for a lock by its name: `locks/App.tsx-*.lock`. They do not find this one, and change the file.
//!
//! ## Example
//!
//! ```yaml
//! # locks/Main.tsx-frontend-1705315020.lock
//! file: src/App.tsx
//! locked_by: frontend[1]
//! ```
//!
//! ## How to fix
//!
//! Rename the lock to `[filename]-[agent]-[timestamp].lock`, or correct its content.
//!
//! ## Source
//!
//! Sessions, "Locks":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#locks>

use bstr::ByteSlice;

use crate::diagnostic::{Finding, Severity};
use crate::dialects::sessions;
use crate::formats::session::{Kind, Named, SessionFile, name};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/lock-name", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(file) = context.document.body::<SessionFile>().filter(|file| file.named == Named::Lock) else { return };
    let Some(content) = file.content.as_ref().filter(|content| content.kind() == Kind::Lock) else { return };
    let Some((_, path)) = sessions::split(context.document.path()) else { return };
    if let Some(wrong) = name::mismatch(content, path) {
        let value = &wrong.value;
        let what = if wrong.what == "file" { "the name of the locked file" } else { "the agent that holds the lock" };
        sink.report(
            Finding::at(wrong.span, format!("lock file name does not contain `{value}`, {what}"))
                .label(format!("not in `{}`", path.to_str_lossy()))
                .help(format!("rename the lock to `{}.lock`, or correct its content", wrong.expected)),
        );
    }
}
