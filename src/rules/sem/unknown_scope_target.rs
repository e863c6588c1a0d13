//! # sem/unknown-scope-target
//!
//! ## What it flags
//!
//! A `scope` for an agent or a skill that the state root does not have. Agents are the folders under `agents/` and the
//! rows of `team.md`, with its human; skills are the folders under `skills/`. Case, blanks and hyphens do not count. A
//! root without agents, or without skills, is not judged.
//!
//! ## Why it matters
//!
//! Nobody loads an entry for an agent that does not exist: a typing error hides it.
//!
//! ## Example
//!
//! ```markdown
//! **scope:** agent:Keeton
//! ```
//!
//! ## How to fix
//!
//! Write the name as the roster has it, or widen the scope to `team`.
//!
//! ## Source
//!
//! Seed 000, "scope": only the specified agent should read it.

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
    let Context { document, run, .. } = *context;
    let text = entry.text();
    let Some(field) = entry.field(FieldName::Scope) else { return };
    let span = field.first_line_span(text);
    let Some(scope @ (Scope::Agent(name) | Scope::Skill(name))) = Scope::parse(span.of(text)) else { return };
    let Some(team) = run.squads().at(document.root) else { return };
    let is_agent = matches!(scope, Scope::Agent(_));
    let (kind, known) = if is_agent { ("agent", &team.agents) } else { ("skill", &team.skills) };
    let exempt = || is_agent && (team.humans.contains_bare(name) || is_built_in(name));
    if known.is_empty() || known.contains(name) || known.contains_bare(name) || exempt() {
        return;
    }
    let span = Span::new(span.end() - name.len(), span.end());
    let finding = Finding::at(span, format!("scope names the {kind} `{name}`, which is not in the repository"));
    sink.report(finding.help(match all_near(name, nameable(known)).as_slice() {
        [] => format!("name one of the {kind}s: {}", list(nameable(known))),
        [one] => format!("write `{kind}:{one}`"),
        many => format!("name the {kind} that you mean: {}", list(many.iter().copied())),
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
