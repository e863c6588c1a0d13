//! # roster/drift
//!
//! ## What it flags
//!
//! An agent that is missing from `team.md`, from the registry or from the folders in `agents/`. The comparison of names
//! ignores case, punctuation and emoji. A path in the row of an agent decides which folder belongs to it.
//!
//! Agents that every squad has (Scribe, Ralph, Rai, Fact Checker), the coordinator, `@copilot`, people, agents below a
//! heading such as `## Agents (external)`, and agents with an inactive status may be missing from any of the three. So
//! may an agent that has a folder of the same name in `templates/agents/`: the coordinator starts it. If a change
//! touches `team.md`, it may not: the change may have deleted its row. The rule ignores a place that names no agent of
//! the team at all. It reports an empty registry once, and a folder only if it has a `charter.md`. A folder with
//! another name than its agent has one finding, and none if `charter/id-mismatch` reports it; if no agent in `team.md`
//! has a folder, and several folders have no row, there is one finding for all. If a change deletes a charter, a row or
//! an entry, the rule compares the change with the other files. It is an error if a change deletes or renames `team.md`
//! or `casting/registry.json` while other files name agents.
//!
//! It is only a warning if two rows share a charter, or if the name of an agent in the registry has no word in common with its name in
//! `team.md`, or with the title of its charter.
//!
//! ## Why it matters
//!
//! The coordinator starts the agents in `team.md`, tools look names up in the registry, and an agent finds its charter
//! and its history in its folder. If an agent is missing from one of these places, it gets no work, or starts without
//! its memory.
//!
//! ## Example
//!
//! ```markdown
//! | Name | Role | Charter | Status |
//! | --- | --- | --- | --- |
//! | Keaton | Lead | `.squad/agents/keaton/charter.md` | Active |
//! ```
//!
//! without `.squad/agents/keaton/`.
//!
//! ## How to fix
//!
//! Add the agent where it is missing. If it has left, remove its row, set its `status` in the registry to `retired`, and move
//! its folder to `agents/_alumni/`.
//!
//! ## Source
//!
//! Squad folders, "Team":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#team>

use std::collections::BTreeMap;

use super::shared::missing::{FOLDER, missing, report_renamed, with_article};
use super::shared::moved::Moved;
use super::shared::place::{Place, place_of, shown_at};
use super::shared::{each, elsewhere, gone, names};
use bstr::{BString, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::facts::Run;
use crate::facts::roster::{Member, Roster};
use crate::rule::{Check, Document, Rule, Sink};
use crate::rules::charter::id_mismatch;
use crate::rules::most::Most;
use crate::text::prose::enumerated;

/// The rule.
pub static RULE: Rule = Rule {
    name: "roster/drift",
    severity: Severity::Error,
    looks_beside: true,
    check: Check::Repository(check),
    ..Rule::NEW
};

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    let mut moved: BTreeMap<BString, Moved> = BTreeMap::new();
    each(run, |document, roster| {
        if report_renamed(document, roster, sink) {
            return;
        }
        let root = document.root();
        let moved = moved.entry(root.into()).or_insert_with(|| Moved::of(roster, run, root));
        check_in(document, roster, moved, run, sink);
    });
    for finding in gone::found(run) {
        sink.report(finding);
    }
}

fn check_in(document: &Document, roster: &Roster, moved: &Moved, run: &Run<'_>, sink: &mut Sink<'_>) {
    let Some(place) = place_of(document) else { return };
    if matches!(place, Place::Registry) {
        check_empty(document, roster, sink);
    }
    // A charter is about one agent; the other places are about all.
    let members: Vec<&Member> = match place {
        Place::Charter(name) => roster.find(&name.to_str_lossy()).filter(|one| one.is_agent).into_iter().collect(),
        Place::Team | Place::Registry => roster.agents().collect(),
    };
    let mut report = |finding: Finding| sink.report(finding.in_file(document.path()));
    let mut most = Most::new(&mut report);
    let is_own =
        |member: &&Member| !moved.is_of_another(member) && !elsewhere::is_of_templates(run, document.root(), member);
    for member in members.into_iter().filter(is_own) {
        let missing = missing(roster, member);
        let Some(span) = shown_at(member, place).filter(|_| !missing.is_empty()) else { continue };
        if let Some(folder) = moved.folder_of(member) {
            // The charter says it in its own place.
            if !(folder.has_id && run.runs(id_mismatch::RULE.name)) {
                most.report(folder.finding(member, span));
            }
            continue;
        }
        let message = format!("agent `{}` has no {}", member.name, missing.join(" and no "));
        let label = |finding: Finding| finding.label(format!("no {}", missing.join(", no ")));
        let finding = span.map_or_else(|| Finding::whole_file(&message), |span| label(Finding::at(span, &message)));
        let steps = [
            ("remove its row from `team.md`", member.row.is_some()),
            ("set its `status` in `casting/registry.json` to `retired`", member.entry.is_some()),
            ("move its folder to `agents/_alumni/`", !member.folders.is_empty()),
        ];
        let steps: Vec<_> = steps.into_iter().filter(|(_, has)| *has).map(|(step, _)| step.to_owned()).collect();
        let old = elsewhere::old_folder(run, document.root(), member).filter(|_| missing.contains(&FOLDER));
        let add = missing.iter().filter(|place| old.is_none() || **place != FOLDER).map(|place| with_article(place));
        let add =
            Some(add.collect::<Vec<_>>()).filter(|add| !add.is_empty()).map(|add| format!("add {}", enumerated(&add)));
        let moves = old.map(|old| format!("move `{old}/` to `{}/agents/`", document.root()));
        let done = enumerated(&moves.into_iter().chain(add).collect::<Vec<_>>());
        most.report(finding.help(format!("{done}; if the agent has left, {}", enumerated(&steps))));
    }
    names::compare(document, roster, &mut |finding| most.report(finding));
    names::compare_titles(document, run, &mut |finding| most.report(finding));
    most.finish();
}

/// A registry without agents beside a team with some.
fn check_empty(document: &Document, roster: &Roster, sink: &mut Sink<'_>) {
    let Some(span) =
        roster.registry.as_ref().filter(|registry| registry.agents.is_empty()).and_then(|it| it.agents_span)
    else {
        return;
    };
    let count = roster.agents().filter(|agent| agent.row.is_some() && agent.has_charter).count();
    if count > 0 && roster.registry.as_ref().is_some_and(|registry| registry.problems.is_empty()) {
        sink.report(
            Finding::at(span, format!("registry has no agents, expected the {count} of `team.md`"))
                .in_file(document.path())
                .label("no agents")
                .help("add an entry for each agent"),
        );
    }
}
