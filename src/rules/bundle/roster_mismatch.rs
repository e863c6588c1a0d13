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
use crate::formats::roster::{Status, Team, bare, is_built_in};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "bundle/roster-mismatch", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(bundle) = context.document.body::<Bundle>().filter(|bundle| !bundle.agents.is_empty()) else { return };
    let folders: HashSet<String> = bundle.agents.iter().map(|agent| bare(&agent.key.value)).collect();
    let is_there = |name: Option<&str>| name.is_some_and(|name| folders.contains(&bare(name)) || is_built_in(name));
    if let Some(registry) = bundle.registry.as_ref().filter(|registry| !registry.agents.is_empty()) {
        let names = |entry: &crate::formats::roster::Entry| [entry.key.clone(), entry.name.clone()];
        let known: HashSet<String> =
            registry.agents.iter().flat_map(names).flatten().map(|name| bare(&name.value)).collect();
        let unknown = bundle
            .agents
            .iter()
            .map(|agent| &agent.key)
            .filter(|key| !known.contains(&bare(&key.value)) && !is_built_in(&key.value));
        for key in unknown {
            report(key.span, key, "the registry", "add the agent to `casting/registry.json`", sink);
        }
        for entry in registry.agents.iter().filter(|entry| entry.status == Status::Active) {
            let (key, name) = (entry.key.as_ref(), entry.name.as_ref());
            let value = |text: Option<&'_ Text>| text.map(|text| text.value.clone());
            if is_there(value(key).as_deref()) || is_there(value(name).as_deref()) {
                continue;
            }
            if let Some(shown) = key.or(name) {
                report(shown.span, shown, "`agents`", "add its charter, or set its status in the registry", sink);
            }
        }
    }
    let Some(text) = bundle.file("team.md") else { return };
    let team = Team::parse(&text.value);
    let missing: Vec<&Text> = team
        .agents()
        .filter(|row| {
            let folder = row.charter.as_ref().map(|charter| charter.value.as_str());
            !is_there(Some(&row.name.value)) && !is_there(folder)
        })
        .map(|row| &row.name)
        .collect();
    let spans: Vec<Span> = missing.iter().map(|name| name.span).collect();
    if missing.is_empty() {
        return;
    }
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
