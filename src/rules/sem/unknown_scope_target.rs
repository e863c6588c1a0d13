//! # sem/unknown-scope-target
//!
//! ## What it flags
//!
//! A `scope` for an agent or skill that the state root does not have. Agents are the folders under `agents/` and the
//! names in `team.md`, including people. Skills are the folders under `skills/`. Case, spaces and hyphens do not
//! matter. The rule is silent in a state root without agents, or without skills.
//!
//! ## Why it matters
//!
//! No agent loads an entry for an agent that does not exist, so a typing error hides the entry.
//!
//! ## Example
//!
//! ```markdown
//! **scope:** agent:Keeton
//! ```
//!
//! ## How to fix
//!
//! Write the name as it is in `team.md`, or widen the scope to `team`.
//!
//! ## Source
//!
//! Squad Entry Markdown, "scope":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#scope>

use crate::diagnostic::{Finding, Severity};
use crate::formats::roster::Names;
use crate::formats::sem::{Entry, FieldName, Scope};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;
use crate::text::suggest::all_near;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/unknown-scope-target",
    severity: Severity::Warning,
    check: Check::Entry(check),
    compares_entries: true,
    ..Rule::NEW
};

/// Agents that every team has, whether its roster lists them or not.
const BUILT_IN: [&str; 5] = ["coordinator", "squad", "scribe", "ralph", "copilot"];

/// A name is compared with this many others: no team has more, but a hostile `team.md` does.
const COMPARED: usize = 200;
/// How many names a help line gives.
const NAMED: usize = 8;

fn check(entry: Entry<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let text = entry.text();
    let Some(field) = entry.field(FieldName::Scope) else { return };
    let span = field.first_line_span(text);
    let Some(scope @ (Scope::Agent(name) | Scope::Skill(name))) = Scope::parse(span.of(text)) else { return };
    let Some(team) = context.squad() else { return };
    let is_agent = matches!(scope, Scope::Agent(_));
    let (kind, known) = if is_agent { ("agent", &team.agents) } else { ("skill", &team.skills) };
    let exempt = || is_agent && (team.humans.contains_bare(name) || is_built_in(name));
    if known.is_empty() || known.contains(name) || known.contains_bare(name) || exempt() {
        return;
    }
    let span = Span::new(span.end() - name.len(), span.end());
    let finding = Finding::at(span, format!("unknown {kind} `{name}` in `scope`"));
    sink.report(finding.help(match all_near(name, nameable(known)).as_slice() {
        [] => format!("name one of the {kind}s: {}", list(nameable(known))),
        [one] => format!("write `{kind}:{one}`"),
        many => format!("write the name that you mean: {}", list(many.iter().copied())),
    }));
}

fn is_built_in(name: &str) -> bool {
    BUILT_IN.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// The names that a scope can hold: those without blanks.
fn nameable(known: &Names) -> impl Iterator<Item = &str> {
    known.iter().take(COMPARED).filter(|known| !known.contains(' '))
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
    if names.len() > NAMED {
        names.truncate(NAMED);
        names.push("…".to_owned());
    }
    names.join(", ")
}
