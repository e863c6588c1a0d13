//! # bundle/roster-mismatch
//!
//! ## What it flags
//!
//! A member whom the parts of a bundle do not agree on. An agent is not in the registry, or `agents` lacks an active agent of
//! the registry or a member in `team.md`. Scribe, Ralph, Rai, Fact Checker, `@copilot`, people and those who left are ignored,
//! and so is a registry without agents.
//!
//! ## Why it matters
//!
//! After an import, the coordinator sends work to members without a charter, and does not know others.
//!
//! ## Example
//!
//! ```json
//! "casting": { "registry": { "agents": { "keaton": { "persistent_name": "Keaton", "status": "active" } } } },
//! "agents": { "verbal": { "charter": "# Verbal" } }
//! ```
//!
//! ## How to fix
//!
//! Make the three agree where the squad comes from, and export it again. For a part of a squad, `squad-lint bundle export --agents` leaves
//! the others out of all three.
//!
//! ## Source
//!
//! Portable squads, "The portable format":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/portable-squads.md#the-portable-format>

use std::collections::HashSet;

use super::shared::places;
use crate::diagnostic::{Finding, Severity};
use crate::formats::bundle::Bundle;
use crate::formats::manifest::Text;
use crate::formats::roster::{Casting, Entry, Row, Status, Team, bare, is_built_in};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "bundle/roster-mismatch", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(bundle) = context.document.body::<Bundle>().filter(|bundle| !bundle.agents.is_empty()) else { return };
    if let Some(registry) = bundle.registry.as_ref().filter(|registry| !registry.agents.is_empty()) {
        compare_registry(bundle, registry, sink);
    }
    if let Some(team) = bundle.file("team.md") {
        compare_team(bundle, team, context, sink);
    }
}

/// The names of the agents that have a text, as names are compared.
fn folders(bundle: &Bundle) -> HashSet<String> {
    bundle.agents.iter().map(|agent| bare(&agent.key.value)).collect()
}

fn compare_registry(bundle: &Bundle, registry: &Casting, sink: &mut Sink<'_>) {
    let names = |entry: &'_ Entry| [entry.key.clone(), entry.name.clone()].into_iter().flatten();
    let known: HashSet<String> = registry.agents.iter().flat_map(names).map(|name| bare(&name.value)).collect();
    for key in bundle.agents.iter().map(|agent| &agent.key) {
        if !known.contains(&bare(&key.value)) && !is_built_in(&key.value) {
            report(key.span, key, "the registry", "add the agent to `casting/registry.json`", sink);
        }
    }
    let folders = folders(bundle);
    let is_there = |name: &Text| folders.contains(&bare(&name.value)) || is_built_in(&name.value);
    for entry in registry.agents.iter().filter(|entry| entry.status == Status::Active) {
        let mut names = names(entry);
        let Some(first) = names.next() else { continue };
        if !is_there(&first) && !names.any(|name| is_there(&name)) {
            report(first.span, &first, "`agents`", "add its charter, or set its status in the registry", sink);
        }
    }
}

fn compare_team(bundle: &Bundle, text: &Text, context: &Context<'_>, sink: &mut Sink<'_>) {
    let folders = folders(bundle);
    let is_there = |name: &Text| folders.contains(&bare(&name.value)) || is_built_in(&name.value);
    let team = Team::parse(&text.value);
    let is_missing = |row: &&Row| !is_there(&row.name) && !row.charter.as_ref().is_some_and(is_there);
    let missing: Vec<&Text> = team.agents().filter(is_missing).map(|row| &row.name).collect();
    if missing.is_empty() {
        return;
    }
    let spans: Vec<Span> = missing.iter().map(|name| name.span).collect();
    for (name, span) in missing.into_iter().zip(places(context, text, &spans)) {
        report(span, name, "`agents`", "add its charter, or remove the row from `team.md`", sink);
    }
}

fn report(span: Span, name: &Text, place: &str, help: &str, sink: &mut Sink<'_>) {
    sink.report(
        Finding::at(span, format!("`{}` is not in {place} of the bundle", name.value))
            .label("expected in all parts")
            .help(format!("{help} where the squad comes from, and export it again")),
    );
}
