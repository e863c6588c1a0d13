//! Names in marks against those of the team.

use std::sync::Arc;

use crate::document::Document;
use crate::facts::learning_team::LearningTeam;
use crate::facts::{Run, learning_team};
use crate::text::Span;
use crate::text::suggest::{Tolerance, nearest};

/// Names that are not members and can still send a note or decide: people, and the whole team.
const OTHERS: [&str; 20] = [
    "user",
    "human",
    "humans",
    "owner",
    "maintainer",
    "everyone",
    "all",
    "team",
    "consensus",
    "meeting",
    "lead",
    "orchestrator",
    "coordinator",
    "dispatcher",
    "claude",
    "retro",
    "retrospective",
    "sprint",
    "review",
    "user feedback",
];

/// The team that the document belongs to, where its members are known.
pub fn team(document: &Document, run: &Run<'_>) -> Option<Arc<LearningTeam>> {
    let team = learning_team::of(run, document.source.path())?;
    (team.manifest.error.is_none() && team.manifest.names().next().is_some()).then_some(team)
}

/// The names in `value`, one or several, that are not members of the team.
pub fn unknown_names(text: &str, value: Span, team: &LearningTeam) -> Vec<Span> {
    let is_sign = |c: char| c.is_whitespace() || matches!(c, '@' | '`' | '*' | '_' | '"' | '\'');
    let mut at = value.start();
    let mut found = Vec::new();
    for part in value.of(text).split([',', '/', '&', '+', '|']).flat_map(|part| part.split_inclusive(" and ")) {
        let start = Span::new(at, value.end()).of(text).find(part).map_or(at, |skip| at + skip);
        at = start + part.len();
        let name = part.strip_suffix(" and ").unwrap_or(part);
        let bare = name.trim_matches(is_sign);
        let lead = name.len() - name.trim_start_matches(is_sign).len();
        if !bare.is_empty() && !is_known(bare, team) {
            found.push(Span::new(start + lead, start + lead + bare.len()));
        }
    }
    found
}

fn is_known(name: &str, team: &LearningTeam) -> bool {
    let lower = name.to_lowercase();
    let first = lower.split_whitespace().next().unwrap_or_default();
    let is = |known: &str| known.eq_ignore_ascii_case(&lower) || known.eq_ignore_ascii_case(first);
    team.manifest.names().any(is) || OTHERS.into_iter().any(is)
}

/// What to write instead of `name`, as a help says it.
pub fn expected(name: &str, team: &LearningTeam) -> String {
    meant(name, team).unwrap_or_else(|| format!("write the name of a member: {}", members(team)))
}

/// Which member may be meant by `name`, as a question.
pub fn meant(name: &str, team: &LearningTeam) -> Option<String> {
    nearest(name, team.manifest.names(), Tolerance::Help).map(|known| format!("did you mean `{known}`?"))
}

/// The first members, in backticks.
pub fn members(team: &LearningTeam) -> String {
    team.manifest.names().take(12).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
