//! `team.md`: who is on the team, by its tables with a column `Name`.

use super::{is_built_in, same};
use crate::formats::manifest::Text;
use crate::formats::markdown::{self, MarkKind};
use crate::formats::table::{self, Table, plain};
use crate::text::{Span, lines};

/// What a `team.md` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Team {
    /// The rows of all tables with a column `Name`, in the order of the file.
    pub rows: Vec<Row>,
    /// Humans: the values of Owner, User and Human.
    pub humans: Vec<String>,
    /// The heading under which tools look for members: `## Members`, `## Roster` or `## Agents`.
    pub members_heading: Option<Span>,
    /// Whether members may be sections below such a heading, as `### Keaton`, instead of rows.
    pub has_sections: bool,
}

/// One row of a table with a column `Name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The name without markup, and its cell.
    pub name: Text,
    /// The role; empty without that column.
    pub role: String,
    /// The agent's folder and its cell, if a cell names one: `keaton` for `.squad/agents/keaton/charter.md`.
    pub charter: Option<Text>,
    /// Which table it is in, counted from 0.
    pub table: usize,
    /// What the row says about the one it names.
    pub standing: Standing,
}

/// Who a row names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// An agent of this team, with a folder and a charter: `| Keaton | Lead | agents/keaton/charter.md | Active |`.
    Agent,
    /// An agent that every squad has, with or without a charter: `| Scribe | Session Logger | — | Silent |`.
    BuiltIn,
    /// The coordinator, which has no folder: `| Squad | Coordinator | Routes work |`.
    Coordinator,
    /// A person, or an agent elsewhere, without a charter: `| @copilot | Coding Agent | — |`, `| Brady | 👤 Human | — |`.
    Outsider,
    /// One who left or is yet to come: `| Kobayashi | Release Engineer | — | Retired |`.
    Away,
    /// Not a member: a slot such as `{Name}`, or a row of a table without roles and charters.
    Other,
}

/// Words of a status or a heading for those who are not at work.
const AWAY: [&str; 14] = [
    "inactive", "retired", "alumni", "former", "left", "planned", "proposed", "future", "paused", "archived",
    "removed", "disabled", "not ", "vacant",
];

/// Roles of the built-in agents, also under another name.
const BUILT_IN_ROLES: [&str; 3] = ["session logger", "work monitor", "coding agent"];

impl Team {
    /// Reads `text`. What is not understood is skipped.
    pub fn parse(text: &str) -> Self {
        let marks = markdown::scan(text).marks;
        let mut team = Self { humans: humans(text), ..Self::default() };
        for (number, table) in table::all(text, &marks).iter().enumerate() {
            team.add(text, number, table);
        }
        for mark in marks.iter().filter(|mark| mark.kind == MarkKind::Heading(2)) {
            let title = title(mark.line.of(text));
            if matches!(title.as_str(), "members" | "team members" | "roster" | "team roster" | "agents") {
                team.members_heading.get_or_insert(mark.line);
            }
            team.has_sections |= ["roster", "team member", "agent"].iter().any(|word| title.starts_with(word));
        }
        team
    }

    fn add(&mut self, text: &str, number: usize, table: &Table) {
        let Some(name) = table.column(text, |header| header == "name") else { return };
        let (role, charter) =
            (table.column(text, |header| header == "role"), table.column(text, |header| header == "charter"));
        let status = table.column(text, |header| header == "status");
        let heading = table.heading.map(|heading| title(heading.of(text))).unwrap_or_default();
        // Asked once: a heading and a table may both be long.
        let is_coordinator = heading.contains("coordinator");
        let (is_gone, is_of_humans) = (is_away(&heading), is_human(&heading));
        for row in &table.rows {
            let cell = |column: Option<usize>| column.and_then(|column| row.get(column)).copied();
            let of = |column| cell(column).map_or("", |cell| plain(cell.of(text)));
            let Some(span) = cell(Some(name)).filter(|span| !plain(span.of(text)).is_empty()) else { continue };
            let value = plain(span.of(text)).replace(['*', '`', '~'], "");
            let name = Text { span, value };
            let standing = match () {
                () if role.is_none() && charter.is_none() || name.value.contains('{') => Standing::Other,
                () if is_coordinator || of(role).to_lowercase().contains("coordinator") => Standing::Coordinator,
                () if is_built_in(&name.value) || BUILT_IN_ROLES.contains(&of(role).to_lowercase().as_str()) => {
                    Standing::BuiltIn
                }
                () if is_gone || is_away(of(status)) || span.of(text).contains("~~") => Standing::Away,
                () if is_of_humans || is_outsider(&name.value, row, text) => Standing::Outsider,
                () if charter.is_some() && !of(charter).contains(char::is_alphanumeric) => Standing::Outsider,
                () => Standing::Agent,
            };
            let folders =
                row.iter().filter_map(|cell| Some(Text { span: *cell, value: folder_in(cell.of(text))?.to_owned() }));
            let charter = folders.into_iter().next();
            self.rows.push(Row { name, role: of(role).to_owned(), charter, table: number, standing });
        }
    }

    /// The rows that name agents of this team.
    pub fn agents(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.standing == Standing::Agent)
    }
}

/// The text of a heading in lower case.
fn title(line: &str) -> String {
    line.trim_matches(['#', ' ', '\t']).to_lowercase()
}

fn is_away(words: &str) -> bool {
    let words = words.to_lowercase();
    AWAY.iter().any(|word| words.contains(word))
}

fn is_human(words: &str) -> bool {
    words.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "human" | "humans"))
}

/// Whether the row is about a person or an agent elsewhere.
fn is_outsider(name: &str, row: &[Span], text: &str) -> bool {
    name.starts_with('@') || row.iter().any(|cell| is_human(cell.of(text)))
}

/// The folder of an agent in a path such as `.squad/agents/keaton/charter.md`.
fn folder_in(cell: &str) -> Option<&str> {
    let (_, rest) = cell.split_once("agents/")?;
    let (folder, rest) = rest.split_once('/')?;
    let is_name = !folder.is_empty() && !folder.contains(['{', '<', '*', '|', '`']) && !same(folder, "_alumni");
    (is_name && rest.to_ascii_lowercase().starts_with("charter.md")).then_some(folder)
}

fn humans(text: &str) -> Vec<String> {
    let mut humans = Vec::new();
    for line in lines(text, Span::new(0, text.len())) {
        let field = line.of(text).trim().trim_start_matches(['-', '*', ' ']);
        for label in ["Owner:**", "User:**", "Human:**"] {
            if let Some(value) = field.strip_prefix(label) {
                let name = value.split(['(', '<', '—']).next().unwrap_or_default();
                humans.push(plain(name).trim_start_matches('@').to_owned());
            }
        }
    }
    humans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_a_row_names() {
        let text = "## Coordinator\n| Name | Role |\n|---|---|\n| Squad | Boss |\n\n## Members\n\
            | Emoji | Name | Role | Charter | Status |\n|---|---|---|---|---|\n\
            | 🏗️ | **Mary Ann** | Lead | [charter](agents/mary-ann/charter.md) | ✅ Active |\n\
            | | Sarah | Design | — | 👤 Human |\n| | Brady | Owner | — | |\n| | @jo | QA | | |\n\
            | | Kobayashi | Git | agents/kobayashi/charter.md | Retired |\n| | ~~Edie~~ | Dev | x | |\n\
            | | Fact Checker | x | y | |\n| | Log | Session Logger | y | |\n| | {Name} | {Role} | y | |\n\
            ## Labels\n| Name | Color |\n|---|---|\n| squad | red |\n";
        let team = Team::parse(text);
        let rows: Vec<_> = team.rows.iter().map(|row| (row.name.value.as_str(), row.standing)).collect();
        assert_eq!(
            rows,
            [
                ("Squad", Standing::Coordinator),
                ("Mary Ann", Standing::Agent),
                ("Sarah", Standing::Outsider),
                ("Brady", Standing::Outsider),
                ("@jo", Standing::Outsider),
                ("Kobayashi", Standing::Away),
                ("Edie", Standing::Away),
                ("Fact Checker", Standing::BuiltIn),
                ("Log", Standing::BuiltIn),
                ("{Name}", Standing::Other),
                ("squad", Standing::Other),
            ]
        );
        let agent = team.agents().next().unwrap();
        assert_eq!(agent.charter.as_ref().unwrap().value, "mary-ann");
        assert_eq!((agent.role.as_str(), team.members_heading.unwrap().of(text)), ("Lead", "## Members"));
    }

    #[test]
    fn a_table_without_header_has_no_members() {
        assert_eq!(Team::parse("## Members\n|---|---|\n| Keaton | Lead |\n").rows, []);
    }
}
