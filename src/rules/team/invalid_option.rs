//! # team/invalid-option
//!
//! ## What it flags
//!
//! An option that Claude Code does not accept when it spawns a member. It is an unknown model, a budget that is not
//! above zero, an unknown permission mode or isolation, or a tool with the wrong syntax.
//!
//! ## Why it matters
//!
//! Claude Code cannot spawn the member, or the member has fewer rights than it needs, because Claude Code does not
//! allow a tool that it does not understand.
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
//! A model is an alias (`sonnet`, `opus`, `haiku`) or a full name. A permission mode is `default`, `acceptEdits`,
//! `plan`, `auto`, `dontAsk` or `bypassPermissions`. A tool is a name, or a name with a specifier in parentheses:
//! `"Bash(git:*)"`.
//!
//! ## Source
//!
//! Learning teams, "Optional fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#optional-fields>
//!
//! Claude Code, "CLI reference":
//! <https://code.claude.com/docs/en/cli-reference>

use crate::diagnostic::{Finding, Severity};
use crate::formats::manifest::values::{self, Flaw};
use crate::formats::manifest::{Manifest, Text, breaks_out};
use crate::formats::yaml::Node;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "team/invalid-option", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(manifest) = document.body::<Manifest>() else { return };
    for (field, value) in manifest.values() {
        let Some(flaw) = flaw(field, value) else { continue };
        let span = value.as_str().map_or(value.span, |text| Text::new(value.span, text).inner(document.text()));
        let span = super::first_line(span, document.text());
        let finding = Finding::at(span, flaw.message).label(flaw.label).help(flaw.help);
        sink.report(flaw.note.into_iter().fold(finding, Finding::note));
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
