//! # sem/invalid-scope
//!
//! ## What it flags
//!
//! A `scope` that is not `team`, `project`, `agent:NAME` or `skill:NAME`. A name consists of letters, digits, `.`,
//! `_` and `-`, and begins with a letter or a digit.
//!
//! ## Why it matters
//!
//! The scope says who loads the entry. If no reader knows the scope, either no agent loads the entry or every agent
//! does.
//!
//! ## Example
//!
//! ```markdown
//! **scope:** Agent: Keaton
//! ```
//!
//! ## How to fix
//!
//! Write one of the four forms. The fix is safe if only upper case or a space at the colon is wrong.
//!
//! ## Source
//!
//! Squad Entry Markdown, "scope":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#scope>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::{Entry, FieldName, Scope};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/invalid-scope",
    severity: Severity::Error,
    fixes: &[Applicability::Safe],
    check: Check::Entry(check),
    ..Rule::NEW
};

const FORMS: &str = "`team`, `project`, `agent:NAME` or `skill:NAME`";

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    let text = entry.text();
    let Some(field) = entry.field(FieldName::Scope) else { return };
    let span = field.first_line_span(text);
    let value = span.of(text);
    if Scope::parse(value).is_some() {
        return;
    }
    if value.is_empty() {
        let finding = Finding::at(field.label(), format!("`scope` is empty, expected {FORMS}"));
        sink.report(finding.help("name a scope, or delete the line"));
        return;
    }
    let finding = Finding::at(span, format!("scope `{value}` is not one of {FORMS}"));
    sink.report(match normalised(value) {
        Some(scope) => finding
            .label(format!("expected `{scope}`"))
            .help(format!("write `{scope}`"))
            .fix(Applicability::Safe, [Edit::replace(span, scope)]),
        None => match named(value) {
            Some((kind, "")) => finding.help(format!("write a name after `{kind}:`")),
            Some(_) => finding
                .help("write the name with letters, digits, `.`, `_` and `-` only")
                .note("a name cannot contain spaces"),
            None => finding.help(forms_of(value)),
        },
    });
}

/// Which of the four forms `value` may mean.
fn forms_of(value: &str) -> String {
    let agent = format!("agent:{}", value.trim_start_matches('@'));
    let one = if Scope::parse(&agent).is_some() { agent.as_str() } else { "agent:NAME" };
    format!("write `{one}` for one agent, `team` for all agents, or `project` for the whole project")
}

/// The kind of a scope with a name, in lower case, and the name.
fn named(value: &str) -> Option<(&'static str, &str)> {
    let (kind, name) = value.split_once(':')?;
    let known = ["agent", "skill"].into_iter().find(|known| kind.trim().eq_ignore_ascii_case(known));
    known.map(|kind| (kind, name.trim()))
}

/// The scope that `value` is, except for upper case and blanks at the colon.
fn normalised(value: &str) -> Option<String> {
    let scope = match value.split_once(':') {
        Some((kind, name)) => format!("{}:{}", kind.trim_end().to_ascii_lowercase(), name.trim_start()),
        None => value.to_ascii_lowercase(),
    };
    Scope::parse(&scope).is_some().then_some(scope)
}
