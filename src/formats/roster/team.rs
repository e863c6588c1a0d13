//! `team.md`: who is on the team, by its tables with a column `Name`.

use super::{bare, has_no_name, is_built_in};
use crate::formats::manifest::Text;
use crate::formats::markdown::{self, MarkKind};
use crate::formats::table::{self, Table, markup, plain};
use crate::text::words::contains;
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
    /// Whether it has the heading `## Members`, in exactly this form.
    pub has_members: bool,
    /// The heading above the first table with agents; not the title of the file.
    pub agents_heading: Option<Span>,
    /// The first cell of a table below `## Members` that has no column `Name`.
    pub nameless: Option<Span>,
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
    /// The cell of the charter, if it names a place outside of the team: `../../etc`.
    pub outside: Option<Span>,
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
    /// One in a table that may be about something else, such as stakeholders or labels: an agent only if another place knows it.
    Listed,
    /// Not a member: a slot such as `{Name}`.
    Other,
}

/// Words of a status or a heading for those who are not at work.
const AWAY: [&str; 24] = [
    "inactive",
    "retired",
    "alumni",
    "former",
    "left",
    "planned",
    "proposed",
    "future",
    "paused",
    "archived",
    "removed",
    "disabled",
    "vacant",
    "dormant",
    "offboarded",
    "departed",
    "leave",
    "sabbatical",
    "suspended",
    "previously",
    "unavailable",
    "pending",
    "hold",
    "upcoming",
];

/// Words of a status for those who are at work. Who has another status may be anything: `Sleeping`, `Onboarding in May`.
const AT_WORK: [&str; 29] = [
    "active",
    "available",
    "online",
    "ready",
    "working",
    "live",
    "current",
    "busy",
    "idle",
    "enabled",
    "on",
    "yes",
    "ok",
    "silent",
    "monitor",
    "monitoring",
    "lead",
    "primary",
    "core",
    "permanent",
    "hired",
    "onboarded",
    "joined",
    "running",
    "operational",
    "employed",
    "always",
    "coding",
    "member",
];

/// Words of a heading above those who belong to another team.
const ELSEWHERE: [&str; 10] =
    ["external", "externals", "outside", "guest", "guests", "partner", "partners", "vendor", "vendors", "contractors"];

/// Words of a heading above the members. One with other words, such as `## Stakeholders`, may be above another table.
const OF_TEAM: [&str; 17] = [
    "the", "our", "core", "active", "current", "ai", "built", "in", "support", "team", "squad", "cast", "crew",
    "roster", "member", "members", "agents",
];

/// Roles of the built-in agents, also under another name.
const BUILT_IN_ROLES: [&str; 3] = ["session logger", "work monitor", "coding agent"];

impl Team {
    /// Reads `text`. What is not understood is skipped.
    pub fn parse(text: &str) -> Self {
        let marks = markdown::scan(text).marks;
        let mut team = Self { humans: humans(text), ..Self::default() };
        let mut has_agents = false;
        for (number, table) in table::all(text, &marks).iter().enumerate() {
            let before = team.rows.len();
            team.add(text, number, table);
            let is_agent = |row: &Row| row.standing == Standing::Agent;
            if !has_agents && team.rows.iter().skip(before).any(is_agent) {
                let heading = table.heading.filter(|heading| heading.of(text).starts_with("##"));
                (team.agents_heading, has_agents) = (heading, true);
            }
        }
        for mark in marks.iter().filter(|mark| mark.kind == MarkKind::Heading(2)) {
            let title = title(mark.line.of(text));
            if matches!(title.as_str(), "members" | "team members" | "roster" | "team roster" | "agents") {
                team.members_heading.get_or_insert(mark.line);
            }
            team.has_members |= mark.line.of(text).trim_end() == "## Members";
            team.has_sections |= ["roster", "team member", "agent"].iter().any(|word| title.starts_with(word));
        }
        team
    }

    fn add(&mut self, text: &str, number: usize, table: &Table) {
        let heading = table.heading.map(|heading| title(heading.of(text))).unwrap_or_default();
        let Some(name) = table.column(text, |header| header == "name") else {
            let first = table.header.first().or_else(|| table.rows.first()?.first()).filter(|_| heading == "members");
            self.nameless = self.nameless.or(first.copied());
            return;
        };
        let (role, charter) =
            (table.column(text, |header| header == "role"), table.column(text, |header| header == "charter"));
        let status = table.column(text, |header| header == "status");
        // Asked once: a heading and a table may both be long.
        let is_coordinator = heading == "coordinator";
        let (is_gone, is_of_humans) = (is_away(&heading), is_human(&heading));
        let is_elsewhere = words(&heading).any(|word| ELSEWHERE.contains(&word));
        let is_headed = words(&heading).all(|word| OF_TEAM.contains(&word)) && !heading.is_empty();
        // The title of the file is about the team, but not about each table below it.
        let is_below_title = table.heading.is_none_or(|heading| !heading.of(text).starts_with("##"));
        let is_of_team = charter.is_some() || is_headed || is_below_title && role.is_some();
        for row in &table.rows {
            let cell = |column: Option<usize>| column.and_then(|column| row.get(column)).copied();
            let of = |column| cell(column).map_or("", |cell| plain(cell.of(text)));
            let Some(span) = cell(Some(name)) else { continue };
            let value = markup::shown(span.of(text));
            if value.is_empty() {
                continue;
            }
            let name = Text { span, value };
            let folders =
                row.iter().filter_map(|cell| Some(Text { span: *cell, value: folder_in(cell.of(text))?.to_owned() }));
            let charter_path = folders.into_iter().next();
            let outside = cell(charter).filter(|cell| charter_path.is_none() && leads_up(cell.of(text)));
            let standing = match () {
                () if name.value.contains('{') || has_no_name(&name.value) => Standing::Other,
                () if is_coordinator || is_coordinating(of(role)) => Standing::Coordinator,
                () if is_built_in(&name.value) || BUILT_IN_ROLES.contains(&of(role).to_lowercase().as_str()) => {
                    Standing::BuiltIn
                }
                () if is_gone || is_away(of(status)) || markup::is_struck(span.of(text)) => Standing::Away,
                () if is_of_humans || is_outsider(&name.value, row, text, charter_path.is_some()) => Standing::Outsider,
                // A dash says that there is no charter; a blank cell says nothing.
                () if is_elsewhere || !of(charter).is_empty() && table::is_none(of(charter)) => Standing::Outsider,
                () if status.is_some() && !is_at_work(of(status)) => Standing::Away,
                () if is_of_team || charter_path.is_some() => Standing::Agent,
                () => Standing::Listed,
            };
            self.rows.push(Row {
                name,
                role: of(role).to_owned(),
                charter: charter_path,
                outside,
                table: number,
                standing,
            });
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

/// The words of a text in lower case, such as a cell or a title.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Whether a status or a heading is that of those who are not at work: `Retired`, but not `Active (not on call)`.
fn is_away(text: &str) -> bool {
    let text = text.to_lowercase();
    let first = words(&text).next();
    first != Some("active") && (first == Some("not") || words(&text).any(|word| AWAY.contains(&word)))
}

/// Whether a status is that of one who is at work: a sign such as `✅`, or a word such as `Active`.
fn is_at_work(status: &str) -> bool {
    !status.contains(char::is_alphanumeric) || words(&status.to_lowercase()).any(|word| AT_WORK.contains(&word))
}

/// Whether a role is that of the coordinator, who has no folder. A `Release Coordinator` is an agent.
fn is_coordinating(role: &str) -> bool {
    let role = role.to_lowercase();
    let mut own = words(&role).filter(|word| !matches!(*word, "the" | "squad" | "team"));
    own.next() == Some("coordinator") && own.next().is_none()
}

fn is_human(text: &str) -> bool {
    // Most texts have no such word, and none of its letters is one outside of ASCII in lower case.
    contains(text, "human") && words(&text.to_lowercase()).any(|word| matches!(word, "human" | "humans"))
}

/// Whether the row is about a person or an agent elsewhere. In the row of one that `has_charter` only a cell that says no more than
/// `Human` counts: an agent can be a `Human Interface Designer`.
fn is_outsider(name: &str, row: &[Span], text: &str, has_charter: bool) -> bool {
    let is_alone = |cell: &str| words(cell).count() == 1;
    name.starts_with('@')
        || row.iter().map(|cell| cell.of(text)).any(|cell| is_human(cell) && (!has_charter || is_alone(cell)))
}

/// The folder of an agent in a path such as `.squad/agents/keaton/charter.md`.
fn folder_in(cell: &str) -> Option<&str> {
    let is_behind_agents = |slash: &usize| cell.get(..*slash).is_some_and(|before| before.ends_with("agents"));
    let slash = memchr::memchr_iter(b'/', cell.as_bytes()).find(is_behind_agents)?;
    let (folder, rest) = cell.get(slash + 1..)?.split_once('/')?;
    let is_name = !folder.is_empty() && !folder.contains(['{', '<', '*', '|', '`']) && bare(folder) != "alumni";
    (is_name && rest.to_ascii_lowercase().starts_with("charter.md")).then_some(folder)
}

/// Whether a part of the path in a cell is `..`.
fn leads_up(cell: &str) -> bool {
    cell.split(['/', '\\', '(', ')', '`', ' ']).any(|part| part == "..")
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
                ("squad", Standing::BuiltIn),
            ]
        );
        let agent = team.agents().next().unwrap();
        assert_eq!(agent.charter.as_ref().unwrap().value, "mary-ann");
        assert_eq!((agent.role.as_str(), team.members_heading.unwrap().of(text)), ("Lead", "## Members"));
    }

    #[test]
    fn the_folder_is_in_the_path_of_a_charter() {
        for (cell, expected) in [
            ("`.squad/agents/mary-ann/charter.md`", Some("mary-ann")),
            ("[charter](a/b/agents/keaton/Charter.md)", Some("keaton")),
            ("agents/agents/keaton/charter.md", None),
            ("agents/_alumni/charter.md", None),
            ("agents/{name}/charter.md", None),
            ("agents/keaton/history.md", None),
            ("agents/keaton", None),
            ("a/b/c", None),
        ] {
            assert_eq!(folder_in(cell), expected, "{cell}");
        }
    }

    #[test]
    fn a_word_in_a_row_is_not_the_row() {
        let text = "## Members\n| Name | Role | Charter | Status |\n|---|---|---|---|\n\
            | Ada | Lead | agents/ada/charter.md | Active (not on call) |\n\
            | Bo | Release Coordinator | agents/bo/charter.md | Active |\n\
            | Cy | Human Interface Dev | agents/cy/charter.md | Active |\n\
            | Di | Dev | agents/di/charter.md | Not yet |\n| Ed | Human | agents/ed/charter.md | |\n\
            | Squad | Squad Coordinator | agents/x/charter.md | |\n";
        let rows: Vec<_> = Team::parse(text).rows.iter().map(|row| row.standing).collect();
        let (agent, away, outsider) = (Standing::Agent, Standing::Away, Standing::Outsider);
        assert_eq!(rows, [agent, agent, agent, away, outsider, Standing::Coordinator]);
    }

    #[test]
    fn a_status_says_who_is_at_work() {
        for (status, expected) in [
            ("Active", Standing::Agent),
            ("✅", Standing::Agent),
            ("", Standing::Agent),
            ("🟢 Available", Standing::Agent),
            ("n/a", Standing::Away),
            ("none", Standing::Away),
            ("TBD", Standing::Away),
            ("Dormant", Standing::Away),
            ("💤 Offboarded", Standing::Away),
            ("On leave", Standing::Away),
            ("Sleeping", Standing::Away),
            ("On hold", Standing::Away),
        ] {
            let row = format!("| Ada | Lead | agents/ada/charter.md | {status} |");
            let team =
                Team::parse(&format!("## Members\n| Name | Role | Charter | Status |\n|---|---|---|---|\n{row}\n"));
            assert_eq!(team.rows[0].standing, expected, "{status}");
        }
    }

    #[test]
    fn a_row_without_a_charter_or_a_name_is_no_agent() {
        for (name, charter, expected) in [
            ("Ada", "n/a", Standing::Outsider),
            ("Ada", "none", Standing::Outsider),
            ("Ada", "TBD", Standing::Outsider),
            ("TBD", "agents/x/charter.md", Standing::Other),
            ("N/A", "—", Standing::Other),
            ("—", "agents/x/charter.md", Standing::Other),
            ("✅", "agents/x/charter.md", Standing::Other),
            ("❌", "agents/x/charter.md", Standing::Other),
            ("－", "agents/x/charter.md", Standing::Other),
            ("🦊", "agents/x/charter.md", Standing::Agent),
            ("**🦊**", "agents/x/charter.md", Standing::Agent),
            ("[`❤️`](agents/x/charter.md)", "x", Standing::Agent),
            ("👩‍💻", "agents/x/charter.md", Standing::Agent),
        ] {
            let team = Team::parse(&format!("## Members\n| Name | Charter |\n|---|---|\n| {name} | {charter} |\n"));
            assert_eq!(team.rows[0].standing, expected, "{name} {charter}");
        }
    }

    #[test]
    fn a_table_is_that_of_the_team_by_its_heading_or_its_charters() {
        for (heading, columns, expected) in [
            ("## Members", "Focus", Standing::Agent),
            ("## 🎬 The Core Team", "Focus", Standing::Agent),
            ("# Team of the Parser", "Role", Standing::Agent),
            ("# Team of the Parser", "Focus", Standing::Listed),
            ("## Stakeholders", "Role", Standing::Listed),
            ("## Team Tools", "Role", Standing::Listed),
            ("## Engineering", "Charter", Standing::Agent),
            ("## Agents (external)", "Charter", Standing::Outsider),
            ("## Partner Agents", "Role", Standing::Outsider),
        ] {
            let team = Team::parse(&format!("{heading}\n\n| Name | {columns} |\n|---|---|\n| Keaton | x |\n"));
            let rows: Vec<_> = team.rows.iter().map(|row| row.standing).collect();
            assert_eq!(rows, [expected], "{heading} {columns}");
        }
    }

    #[test]
    fn a_table_without_header_or_bars_has_no_members() {
        for text in ["|---|---|\n| Keaton | Lead |\n", "| Keaton | Lead |\n| Verbal | Dev |\n"] {
            let text = format!("## Members\n{text}");
            let team = Team::parse(&text);
            assert_eq!((team.rows.len(), team.nameless.unwrap().of(&text)), (0, "Keaton"), "{text}");
        }
        let team = Team::parse("## Members\nName | Role\n---|---\nKeaton | Lead\n");
        assert_eq!((team.rows, team.nameless, team.has_members), (Vec::new(), None, true));
        assert_eq!(Team::parse("## Notes\n| Day | Text |\n|---|---|\n").nameless, None);
    }

    #[test]
    fn the_heading_of_the_members_has_one_form() {
        let table = "| Name | Role |\n|---|---|\n| Keaton | Lead |\n";
        for (heading, expected) in [
            ("## Members", true),
            ("## Members  ", true),
            ("## members", false),
            ("# Members", false),
            ("## The Members", false),
            ("## Team", false),
        ] {
            let text = format!("# X\n\n{heading}\n\n{table}");
            let team = Team::parse(&text);
            let shown = team.agents_heading.map(|heading| heading.of(&text).trim_end());
            let named = heading.starts_with("##").then(|| heading.trim_end());
            assert_eq!((team.has_members, shown), (expected, named), "{heading}");
        }
    }
}
