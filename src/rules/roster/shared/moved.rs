//! Agents whose folders have other names: `git mv` of a folder is one defect, and not two.

use std::collections::HashMap;

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::Finding;
use crate::facts::Run;
use crate::facts::roster::{Member, Roster};
use crate::formats::charter::Charter;
use crate::formats::charter::validate::mismatch;
use crate::formats::roster::bare;
use crate::fs::path::join;
use crate::text::Span;

/// A folder that no place names, with the charter of an agent whose folder does not exist.
#[derive(Debug)]
pub struct MovedFolder {
    /// Its name.
    pub name: BString,
    /// Whether its charter has the `ID` of the agent, which a rule about charters reports.
    pub has_id: bool,
}

/// Those folders, by the names of the agents.
#[derive(Debug, Default)]
pub struct Moved(HashMap<String, MovedFolder>);

impl Moved {
    /// Those of the squad of the state root `root`.
    pub fn of(roster: &Roster, run: &Run<'_>, root: &BStr) -> Self {
        let is_named = |member: &&Member| member.row.is_some() || member.entry.is_some();
        let homeless = roster.agents().filter(is_named).filter(|member| member.folders.is_empty());
        let homeless: HashMap<String, &Member> = homeless.map(|member| (bare(&member.name), member)).collect();
        let mut moved = HashMap::new();
        let strangers = roster.agents().filter(|member| !is_named(member) && member.has_charter);
        for stranger in strangers.filter(|_| !homeless.is_empty()) {
            let [folder] = stranger.folders.as_slice() else { continue };
            let path = join(root, &format!("agents/{folder}/charter.md"));
            let Some(source) = run.read(path.as_bstr()) else { continue };
            let charter = Charter::parse(source.text());
            let Some(title) = charter.title() else { continue };
            let name = title.name.of(source.text());
            let first = name.split(['—', '–', '-', ':', '(']).next().unwrap_or_default();
            let Some(member) = [name, first].iter().find_map(|name| homeless.get(&bare(name))) else { continue };
            let has_id = mismatch(source.text(), &charter, path.as_bstr()).is_some();
            moved.insert(member.name.clone(), MovedFolder { name: folder.clone(), has_id });
        }
        Self(moved)
    }

    /// The folder with the charter of `member`.
    pub fn folder_of(&self, member: &Member) -> Option<&MovedFolder> {
        self.0.get(&member.name)
    }

    /// Whether the folder of `member` is that of another one.
    pub fn is_of_another(&self, member: &Member) -> bool {
        member.row.is_none()
            && member.entry.is_none()
            && self.0.values().any(|moved| member.folders.contains(&moved.name))
    }
}

impl MovedFolder {
    /// The finding about it, at the `span` that names its agent.
    pub fn finding(&self, member: &Member, span: Option<Span>) -> Finding {
        let (name, folder) = (&member.name, &self.name);
        let message = format!("the charter of agent `{name}` is in `agents/{folder}/`");
        let finding = match span {
            Some(span) => Finding::at(span, message).label("differs from the folder name"),
            None => Finding::whole_file(message),
        };
        finding
            .help(format!("rename the folder to the name of the agent, or rename the agent to `{folder}` everywhere"))
    }
}
