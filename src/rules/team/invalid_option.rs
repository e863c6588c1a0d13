//! # team/invalid-option
//!
//! ## What it flags
//!
//! An option of a spawn that Claude Code does not take. That is a model that is none, a budget that is not above zero, an
//! unknown permission mode or isolation, a tool that is not written as one.
//!
//! ## Why it matters
//!
//! The member is not spawned, or with fewer rights than it needs: a tool that is not understood is not allowed.
//!
//! ## Example
//!
//! ```yaml
//! defaults:
//!   model: sonet
//!   budget: 0
//!   permission-mode: dontask
//! ```
//!
//! ## How to fix
//!
//! A model is an alias (`sonnet`, `opus`, `haiku`) or a full name; a permission mode is `default`, `acceptEdits`, `plan`, `auto`,
//! `dontAsk` or `bypassPermissions`; a tool is a name, or a name with what it may do in brackets: `"Bash(git:*)"`.
//!
//! ## Source
//!
//! Seed 004, "Optional Fields"; Claude Code's `--model`, `--permission-mode`, `--allowedTools` and `--max-budget-usd`.

use crate::diagnostic::{Finding, Severity};
use crate::formats::manifest::values::{self, Flaw};
use crate::formats::manifest::{Text, breaks_out};
use crate::formats::yaml::Node;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "team/invalid-option", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(manifest) = document.manifest() else { return };
    for (field, value) in manifest.values() {
        let Some(flaw) = flaw(field, value) else { continue };
        let span = value.as_str().map_or(value.span, |text| Text::new(value.span, text).inner(document.text()));
        let span = super::first_line(span, document.text());
        sink.report(Finding::at(span, flaw.message).label(flaw.label).help(flaw.help));
    }
}

fn flaw(field: &str, value: &Node) -> Option<Flaw> {
    if let Some(number) = value.as_number().filter(|_| field == "budget") {
        return values::budget(number);
    }
    // An empty one is missing, and one that breaks out of the command is worse than wrong.
    let text = value.as_str().filter(|text| !text.trim().is_empty() && breaks_out(field, text).is_none())?;
    match field {
        "model" => values::model(text),
        "permission-mode" => values::permission_mode(text),
        "isolation" => values::isolation(text),
        "tools" => values::tool(text),
        _ => None,
    }
}
