//! Where an agent is missing, and teams in which all are.

use crate::diagnostic::Finding;
use crate::facts::roster::{Member, Roster};
use crate::formats::roster::Team;
use crate::rule::{Document, Sink};

/// What an agent without a folder is missing.
pub const FOLDER: &str = "folder in `agents/`";

/// So many agents with other names are a team that was renamed.
const TEAM: usize = 3;

/// Reports a team that was renamed as a whole once, on `team.md`: no agent in a row has a folder, and no folder has a row. Returns whether
/// it was.
pub fn report_renamed(document: &Document, roster: &Roster, sink: &mut Sink<'_>) -> bool {
    let of = |row: bool, folder: bool| {
        let is = move |member: &&Member| member.row.is_some() == row && member.folders.is_empty() != folder;
        roster.agents().filter(is)
    };
    let (rows, folders) = (of(true, false).count(), of(false, true).count());
    if rows < TEAM || folders < TEAM || of(true, true).count() > 0 {
        return false;
    }
    let first = of(true, false).find_map(|member| member.row);
    if let Some(span) = first.filter(|_| document.body::<Team>().is_some()) {
        let message =
            format!("none of the {rows} agents has a folder in `agents/`, and {folders} folders have no agent");
        let source = match is_generated(document.text()) {
            true => "in the file that `team.md` is generated from",
            false => "in `team.md`",
        };
        let help = format!("rename the folders to the names of the agents, or rename the agents {source}");
        sink.report(
            Finding::at(span, message).label("the first agent without a folder").help(help).in_file(document.path()),
        );
    }
    true
}

/// Whether the first lines say that a program wrote the file.
fn is_generated(text: &str) -> bool {
    text.lines().take(4).any(|line| line.to_ascii_lowercase().contains("do not edit"))
}

/// What the agent is missing, of what others have.
pub fn missing(roster: &Roster, member: &Member) -> Vec<&'static str> {
    let row = (roster.known.rows && member.row.is_none()).then_some("row in `team.md`");
    let entry = (roster.known.entries && member.entry.is_none()).then_some("entry in `casting/registry.json`");
    let folder = (roster.known.folders && member.folders.is_empty()).then_some(FOLDER);
    [row, entry, folder].into_iter().flatten().collect()
}

/// The place with its article.
pub fn with_article(place: &str) -> String {
    if place.starts_with('e') { format!("an {place}") } else { format!("a {place}") }
}
