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

use std::collections::BTreeSet;

use crate::diagnostic::{Finding, Severity};
use crate::facts::Facts;
use crate::formats::sem::{Entry, FieldName, Scope};
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/unknown-scope-target",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[],
    check: Check::EntryInRepository(check),
};

/// Agents that every team has, whether its roster lists them or not.
const BUILT_IN: [&str; 5] = ["coordinator", "squad", "scribe", "ralph", "copilot"];

/// How many names a help line gives.
const NAMED: usize = 8;

fn check(entry: Entry<'_>, document: &Document<'_>, facts: &Facts<'_>, _: &Options, sink: &mut Sink<'_>) {
    let text = entry.text();
    let Some(field) = entry.field(FieldName::Scope) else { return };
    let span = field.first_line_span(text);
    let Some(scope @ (Scope::Agent(name) | Scope::Skill(name))) = Scope::parse(span.of(text)) else { return };
    let Some(team) = facts.team(document.root) else { return };
    let is_agent = matches!(scope, Scope::Agent(_));
    let (kind, known) = if is_agent { ("agent", &team.agents) } else { ("skill", &team.skills) };
    let named = |known: &BTreeSet<String>| known.iter().any(|known| same(known, name));
    let exempt = is_agent && (named(&team.humans) || BUILT_IN.iter().any(|known| same(known, name)));
    if known.is_empty() || named(known) || exempt {
        return;
    }
    let span = Span::new(span.end() - name.len(), span.end());
    let finding = Finding::at(span, format!("scope names the {kind} `{name}`, which is not in the repository"));
    sink.report(finding.help(match near(known, name).as_slice() {
        [] => format!("name one of the {kind}s: {}", list(nameable(known))),
        [one] => format!("write `{kind}:{one}`"),
        many => format!("name the {kind} that you mean: {}", list(many.iter().copied())),
    }));
}

/// Whether two names are one, whatever their case and the signs between their letters.
fn same(known: &str, name: &str) -> bool {
    let known = known.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase());
    known.eq(name.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()))
}

/// The names that a scope can hold: those without blanks.
fn nameable(known: &BTreeSet<String>) -> impl Iterator<Item = &str> {
    known.iter().map(String::as_str).filter(|known| !known.contains(' '))
}

/// The names that `name` may be a slip of, the nearest first.
fn near<'a>(known: &'a BTreeSet<String>, name: &str) -> Vec<&'a str> {
    let name = name.to_lowercase();
    let distance = |known: &&str| strsim::damerau_levenshtein(known, &name);
    let mut near: Vec<_> = nameable(known).filter(|known| distance(known) <= 1 + name.len() / 4).collect();
    near.sort_by_key(distance);
    near
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
    if names.len() > NAMED {
        names.truncate(NAMED);
        names.push("…".to_owned());
    }
    names.join(", ")
}
