//! # bundle/forbidden-content
//!
//! ## What it flags
//!
//! A key of a portable squad with content that belongs to a project: `decisions`, the inbox, logs and sessions. Other
//! keys are allowed. A path such as `decisions/inbox` or `.squad/log/2026-02-08.md` counts, too, in any case.
//!
//! ## Why it matters
//!
//! Decisions and logs are about the project that the squad leaves. In another project they mislead the agents, and
//! everyone who gets the bundle can read them.
//!
//! ## Example
//!
//! ```json
//! "decisions": "# Decisions\n\n### 2026-02-08: The API runs on port 3000"
//! ```
//!
//! ## How to fix
//!
//! Delete the key; `squad-lint --fix --unsafe-fixes` does this.
//!
//! ## Source
//!
//! Portable squads, "What travels":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/portable-squads.md#what-travels>

use super::shared::portable;
use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::roster::bare;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "bundle/forbidden-content",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

/// What does not travel, as letters alone.
const FORBIDDEN: [&str; 16] = [
    "decisions",
    "decisionsmd",
    "decisionsarchive",
    "decisionsarchivemd",
    "decisioninbox",
    "decisionsinbox",
    "decisionlog",
    "decisionslog",
    "inbox",
    "log",
    "logs",
    "sessionlog",
    "sessionlogs",
    "sessions",
    "orchestrationlog",
    "orchestrationlogs",
];

/// The folders of a squad.
const SQUAD: [&str; 4] = [".squad", ".ai-team", ".", ""];

/// Whether `key` is the name of what does not travel, or a path in it: `decisions/inbox`, `.squad/log/2026-02-08.md`.
fn is_forbidden(key: &str) -> bool {
    let place = key.split(['/', '\\']).find(|part| !SQUAD.iter().any(|squad| part.trim().eq_ignore_ascii_case(squad)));
    [Some(key), place].into_iter().flatten().any(|name| FORBIDDEN.contains(&bare(name).as_str()))
}

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(bundle) = portable(context) else { return };
    for member in &bundle.others {
        let key = &member.key;
        if is_forbidden(&key.value) {
            sink.report(
                Finding::at(key.span, format!("portable squad contains `{}`", key.value))
                    .label("belongs to the project")
                    .help("delete the key and its value")
                    .fix(Applicability::Unsafe, [Edit::delete(member.whole)]),
            );
        }
    }
}
