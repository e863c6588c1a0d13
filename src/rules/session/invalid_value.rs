//! # session/invalid-value
//!
//! ## What it flags
//!
//! A value that its field cannot have. Examples are an unknown word, a percentage above 100, a time that is a number or has no offset
//! from UTC, text where a list should be, and a boundary that is an invalid glob. `session/invalid-lock` checks the values of locks.
//!
//! ## Why it matters
//!
//! Readers either stop at such a value or take it for something else: `20240115` is a number, and no date.
//!
//! ## Example
//!
//! ```yaml
//! status: done
//! progress_percentage: 120
//! ```
//!
//! ## How to fix
//!
//! Write a value that the field can have. Times are written as `2024-01-15T10:30:00Z`.
//!
//! ## Source
//!
//! Sessions, "Fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#fields>

use super::shared;
use crate::diagnostic::{Finding, Severity};
use crate::formats::session::boundaries::Escape;
use crate::formats::session::{Fault, Kind, SessionFile};
use crate::ownership;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/invalid-value", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(file) = context.document.body::<SessionFile>() else { return };
    for problem in &file.problems {
        if problem.fault == Fault::Value && file.kind != Some(Kind::Lock) {
            sink.report(shared::finding(problem));
        }
    }
    let Some(plan) = file.plan() else { return };
    for glob in plan.allowed.iter().chain(&plan.forbidden).filter(|boundary| boundary.paths.is_none()) {
        let text = &glob.glob.value;
        // `session/boundary-escape` reports what leads out.
        let problem = ownership::problem(text).filter(|_| Escape::of(text).is_none());
        if let Some(problem) = problem {
            sink.report(
                Finding::at(glob.glob.span, format!("glob `{}` {problem}", shared::short(text)))
                    .label("matches nothing")
                    .help("write a path, or a glob such as `src/**`"),
            );
        }
    }
}
