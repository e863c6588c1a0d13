//! # bundle/roster-mismatch
//!
//! ## What it flags
//!
//! A member that is missing from a part of a bundle. An agent is not in the registry or in the table of `team.md`, or
//! `agents` lacks an active agent of the registry or a member in `team.md`. The rule ignores Scribe, Ralph, Rai, Fact
//! Checker, `@copilot`, people and agents that have left, a folder without texts, such as `_alumni`, a registry without
//! agents, and a `team.md` without a table of members.
//!
//! ## Why it matters
//!
//! After an import, the coordinator assigns work to members without a charter, and does not know others.
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
//! Correct the three places in the source project, then export the squad again. To export a part of a squad, use
//! `squad-lint bundle export --agents`, which removes the other agents from all three.
//!
//! ## Source
//!
//! Portable squads, "The portable format":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/portable-squads.md#the-portable-format>

use std::collections::{HashMap, HashSet};

use super::shared::places;
use crate::diagnostic::{Finding, Severity};
use crate::formats::bundle::{Bundle, MOST, hazard};
use crate::formats::manifest::Text;
use crate::formats::roster::{Casting, Entry, Row, Status, Team, bare, is_built_in};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "bundle/roster-mismatch", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    // Where `agents` is not an object, or has too many members to compare, that is the finding.
    let is_list = |bundle: &&Bundle| bundle.has_agents && bundle.agents.len() <= MOST;
    let Some(bundle) = context.document.body::<Bundle>().filter(is_list) else { return };
    let folders: HashSet<String> = bundle.agents.iter().map(|agent| bare(&agent.key.value)).collect();
    let registry = bundle.registry.as_ref().filter(|registry| (1..=MOST).contains(&registry.agents.len()));
    let team = bundle.file("team.md").map(|text| (text, Team::parse(&text.value)));
    find_unlisted(bundle, registry, team.as_ref().map(|(_, team)| team), sink);
    let is_there = |name: &Text| folders.contains(&bare(&name.value)) || is_built_in(&name.value);
    for entry in registry.into_iter().flat_map(|registry| &registry.agents) {
        let mut names = names(entry);
        let Some(first) = names.next().filter(|_| entry.status == Status::Active) else { continue };
        if !is_there(&first) && !names.any(|name| is_there(&name)) {
            report(first.span, &first, "`agents`", "add its charter, or set its registry status to `retired`", sink);
        }
    }
    let Some((text, team)) = team else { return };
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

fn names(entry: &Entry) -> impl Iterator<Item = Text> {
    [entry.key.clone(), entry.name.clone()].into_iter().flatten()
}

/// Reports the agents whom the registry or `team.md` does not name.
fn find_unlisted(bundle: &Bundle, registry: Option<&Casting>, team: Option<&Team>, sink: &mut Sink<'_>) {
    let mut registered: HashMap<String, &Entry> = HashMap::new();
    for entry in registry.into_iter().flat_map(|registry| &registry.agents) {
        registered.extend(names(entry).map(|name| (bare(&name.value), entry)));
    }
    // In a team of sections, or without a place for members, a row that is missing says nothing.
    let team = team.filter(|team| !team.has_sections || team.agents().next().is_some());
    let team = team.filter(|team| !team.rows.is_empty() || team.members_heading.is_some() && !team.has_sections);
    let rows = team.into_iter().flat_map(|team| &team.rows);
    let listed: HashSet<String> =
        rows.flat_map(|row| [Some(&row.name), row.charter.as_ref()]).flatten().map(|name| bare(&name.value)).collect();
    // What is no name at all is another rule's.
    let is_member = |name: &str| !is_built_in(name) && hazard(name).is_none();
    let agents = bundle.agents.iter().filter(|agent| !agent.is_empty()).map(|agent| &agent.key);
    for key in agents.filter(|key| is_member(&key.value)) {
        let entry = registered.get(&bare(&key.value)).copied();
        let mut names = entry.into_iter().flat_map(names).map(|name| bare(&name.value)).chain([bare(&key.value)]);
        // Those who left need no row.
        let is_away = entry.is_some_and(|entry| entry.status == Status::Away);
        let is_unlisted = team.is_some() && !is_away && !names.any(|name| listed.contains(&name));
        let (place, help) = match (registry.is_some() && entry.is_none(), is_unlisted) {
            (true, true) => ("the registry and from `team.md`", "add the agent to both"),
            (true, false) => ("the registry", "add the agent to `casting/registry.json`"),
            (false, true) => ("`team.md`", "add a row to `team.md`"),
            (false, false) => continue,
        };
        report(key.span, key, place, help, sink);
    }
}

fn report(span: Span, name: &Text, place: &str, help: &str, sink: &mut Sink<'_>) {
    sink.report(
        Finding::at(span, format!("`{}` is missing from {place} of the bundle", name.value))
            .help(format!("in the source project, {help}, then export the squad again")),
    );
}
