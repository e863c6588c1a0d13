//! Bundles of portable squads (`docs/formats/portable-squads.md`): the `.squad` file, and the `squad-export.json` that the tool
//! of Squad writes. The version key tells them apart.

mod claim;
mod classified;
mod content;
mod cut;
mod doubt;
mod elements;
mod ends;
mod heading;
mod html_title;
mod items;
mod line;
mod marks;
mod name;
mod orders;
mod plain;
mod portable;
mod prefix;
mod problem;
mod read;
mod says;
mod scribe;
mod specific;
mod tag;
mod titled;
mod version;
mod words;
mod work;

pub use content::Sections;
pub use cut::{Cut, Reason, Stay};
pub use name::{folded, hazard, is_name_for_squad, second_folders};
pub use portable::{has_local, only_portable, project_context, without_local, without_project_context};
pub use problem::{Problem, ProblemKind, shortened};
pub use read::{Loss, loss};
pub use scribe::Scribes;
pub use specific::{Specific, SpecificKind, specifics};
pub use version::is_bundle;

use std::collections::HashSet;

use super::manifest::Text;
use super::roster::Casting;
use crate::text::{Span, bom_len};

/// The most agents of a bundle, and the most skills. A squad of that size is a mistake or an attack.
pub const MOST: usize = 1000;

/// A bundle, as far as it can be understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// Which of the formats it has; `None` for a file that says no version.
    pub format: Option<Format>,
    /// When it was exported.
    pub exported_at: Option<Text>,
    /// The project that it comes from.
    pub project: Option<Text>,
    /// All that it says about where it comes from.
    pub exported_from: Option<Member>,
    /// The values of `casting`, by their keys.
    pub casting: Vec<Member>,
    /// What the registry in `casting` says.
    pub registry: Option<Casting>,
    /// Whether `agents` is there and an object.
    pub has_agents: bool,
    /// The agents, in the order of the file.
    pub agents: Vec<Agent>,
    /// The texts of the squad as a whole: `team.md`, `routing.md`, `ceremonies.md`, and `decisions.md` in an export of Squad.
    pub files: Vec<File>,
    /// The strings that say the same as one of these texts, for earlier versions of Squad.
    pub copies: Vec<Span>,
    /// The texts of the skills in an export of Squad.
    pub skills: Vec<Text>,
    /// The keys at the top that are not read: those that neither format has, and second texts of the same file that differ.
    pub others: Vec<Member>,
    /// Where it is not what tools expect, in the order of the file.
    pub problems: Vec<Problem>,
}

/// The formats of bundles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The portable format, with `squad_format_version`: `team.squad`.
    Portable,
    /// What the tool of Squad exports, with `version`: `squad-export.json`.
    Export,
}

impl Format {
    /// Its version key.
    pub fn version_key(self) -> &'static str {
        match self {
            Self::Portable => "squad_format_version",
            Self::Export => "version",
        }
    }
}

/// A key of an object and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The key, with its quotes.
    pub key: Text,
    /// The bytes of the value.
    pub value: Span,
    /// What goes away with it, a comma included.
    pub whole: Span,
}

/// One agent of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its key, which becomes the name of its folder.
    pub key: Text,
    /// Who it is: the text of its `charter.md`.
    pub charter: Option<Text>,
    /// What it remembers: the text of its `history.md`.
    pub history: Option<Text>,
    /// The key and the value of that, if it is a text.
    pub history_member: Option<Member>,
    /// The keys that neither format has, with their quotes, and their values.
    pub others: Vec<(Span, Span)>,
}

/// A text of the squad as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The name of the file that it becomes, such as `team.md`.
    pub name: &'static str,
    /// The JSON string, and its text.
    pub text: Text,
}

impl Agent {
    /// Whether it is a folder without any text of an agent: `_alumni`, in which Squad keeps those who left.
    pub fn is_empty(&self) -> bool {
        self.charter.is_none() && self.history.is_none() && self.others.is_empty()
    }
}

impl Bundle {
    /// Reads `text`, the text of a `*.squad` file. Other programs have such files, too, in other languages: what does not begin
    /// with `{` is not a bundle.
    pub fn squad(text: &str) -> Self {
        let is_json = text.get(bom_len(text)..).is_some_and(|text| text.trim_start().starts_with('{'));
        if is_json { Self::parse(text) } else { Self::default() }
    }

    /// The duplicate keys of agents, see [`second_folders`].
    pub fn second_folders(&self) -> HashSet<&str> {
        second_folders(self.agents.iter().map(|agent| agent.key.value.as_str()))
    }

    /// The text of the file with that name, such as `team.md`.
    pub fn file(&self, name: &str) -> Option<&Text> {
        self.files.iter().find(|file| file.name == name).map(|file| &file.text)
    }

    /// The value of that key in `casting`.
    pub fn casting(&self, key: &str) -> Option<&Member> {
        self.casting.iter().rev().find(|member| member.key.value == key)
    }
}

#[cfg(test)]
mod dressed;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod shown;
#[cfg(test)]
mod tests;
