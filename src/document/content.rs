//! The parsed content of a file of a learning team: the parser depends on the kind of the file.

use crate::formats::learnings::Learnings;
use crate::formats::manifest::Manifest;
use crate::formats::reflection::Reflection;
use crate::formats::team_decisions::TeamDecisions;
use crate::layout::role::Role;

/// What a file holds beside headings and entries of a Squad.
#[derive(Debug, Default)]
pub enum Content {
    /// Nothing that is known of.
    #[default]
    Nothing,
    /// `learnings.md`, `archive.md`.
    Learnings(Learnings),
    /// `memory/team/decisions.md`.
    TeamDecisions(TeamDecisions),
    /// `.claude/team.yaml`.
    Manifest(Manifest),
    /// JSON in `memory/reflections/`.
    Reflection(Reflection),
}

impl Content {
    /// Parses `text`, the text of a file that plays the part `role`. Nothing fails.
    pub fn parse(text: &str, role: Role) -> Self {
        match role {
            Role::Learnings | Role::LearningsArchive => Self::Learnings(Learnings::parse(text)),
            Role::TeamDecisions => Self::TeamDecisions(TeamDecisions::parse(text)),
            Role::Manifest => Self::Manifest(Manifest::parse(text)),
            Role::Reflection => Self::Reflection(Reflection::parse(text)),
            _ => Self::Nothing,
        }
    }

    /// Where in the text something begins that a person would name: a learning, a member. In bytes, in order.
    pub fn starts(&self) -> Vec<u32> {
        match self {
            Self::Learnings(learnings) => learnings.entries.iter().map(|entry| entry.span.start).collect(),
            Self::TeamDecisions(decisions) => decisions.items.entries.iter().map(|entry| entry.span.start).collect(),
            Self::Manifest(manifest) => manifest.members.iter().map(|member| member.span.start).collect(),
            Self::Nothing | Self::Reflection(_) => Vec::new(),
        }
    }
}
