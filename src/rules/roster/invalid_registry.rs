//! # roster/invalid-registry
//!
//! ## What it flags
//!
//! A file in `casting/`, or a registry in a bundle, that tools cannot read:
//!
//! - invalid JSON, something other than an object in `registry.json`, a duplicate key, and the key `__proto__`;
//! - in `registry.json`: no object `agents`; a key that is neither in lower-case letters, digits and hyphens nor the agent's name
//!   in lower case; an agent without a `persistent_name` or a `status` of `active`, `inactive` or `retired`;
//! - in `history.json` and `policy.json`, as a warning: something other than an object, or a known field of another type. All
//!   other fields are free.
//!
//! ## Why it matters
//!
//! `squad health` fails, and commands that look up an agent do not find it. If a key occurs twice, readers keep the
//! last value, and the other agent is lost at the next write.
//!
//! ## Example
//!
//! ```json
//! {"agents": {"Mary Ann": {"persistent_name": "Mary Ann", "status": "on leave"}}}
//! ```
//!
//! ## How to fix
//!
//! Write the value that the message expects:
//!
//! ```json
//! {"agents": {"mary-ann": {"persistent_name": "Mary Ann", "status": "inactive"}}}
//! ```
//!
//! ## Source
//!
//! Squad folders, "Casting":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#casting>

use super::shared::is_used;
use crate::diagnostic::{Finding, Severity};
use crate::formats::bundle::Bundle;
use crate::formats::json_shape::Further;
use crate::formats::roster::{Casting, WRITE_OBJECT};
use crate::rule::{Check, Context, Rule, Sink};
use crate::rules::most::Most;

/// The rule.
pub static RULE: Rule =
    Rule { name: "roster/invalid-registry", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

/// What Squad writes.
const AS_HISTORY: &str = "make it `{ \"universe_usage_history\": [ … ], \"assignment_cast_snapshots\": { … } }`, and move the items of the list into it";

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let bundled = || document.body::<Bundle>().and_then(|bundle| bundle.registry.as_ref());
    let Some(casting) = document.body::<Casting>().or_else(bundled) else { return };
    if casting.problems.is_empty() || bundled().is_none() && !is_used(context.run(), document.root()) {
        return;
    }
    let mut report = |finding| sink.report(finding);
    let mut most = Most::new(&mut report);
    for problem in &casting.problems {
        let is_list = problem.help == WRITE_OBJECT && problem.message.starts_with("file is a list");
        let is_history = is_list && document.path().ends_with(b"/history.json");
        let help = if is_history { AS_HISTORY } else { problem.help.as_str() };
        let mut finding = Finding::at(problem.span, &problem.message).label(problem.label).help(help);
        for (span, what) in &problem.related {
            finding = finding.related(*span, what);
        }
        if problem.is_mild {
            finding = finding.at_most(Severity::Warning);
        }
        most.report(finding);
    }
    if let Some(Further { span, count, is_grave }) = casting.further {
        most.further(span, count, !is_grave);
    }
    most.finish();
}
