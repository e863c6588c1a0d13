//! Agents that the repository has outside of the state root.

use bstr::{BStr, BString, ByteSlice};

use crate::facts::presence::{self, Presence};
use crate::facts::roster::Member;
use crate::facts::{Run, files};
use crate::fs::path::join;

/// The folder in an old `.ai-team/` beside the state root `root` of an agent without one in `root`.
pub fn old_folder(run: &Run<'_>, root: &BStr, member: &Member) -> Option<BString> {
    let parent = root.strip_suffix(b".squad").filter(|_| member.folders.is_empty())?;
    let path = |folder: String| BString::from([parent, b".ai-team/agents/", folder.as_bytes()].concat());
    let spellings = [path(slug(&member.name)), path(member.name.clone())];
    spellings.into_iter().find(|folder| files::any_in(run, folder.as_bstr()))
}

/// Whether the coordinator starts the agent without a row in `team.md`: Squad's templates in `root` have a charter for a folder of
/// this name.
pub fn is_of_templates(run: &Run<'_>, root: &BStr, member: &Member) -> bool {
    // A change that touches the team may have deleted a row.
    let team = join(root, "team.md");
    if run.changes().is_some_and(|changes| changes.change_of(team.as_bstr()).is_some()) {
        return false;
    }
    let path = |folder: &BString| {
        BString::from([root.as_bytes(), b"/templates/agents/", folder.as_slice(), b"/charter.md"].concat())
    };
    let has_charter = |folder: &BString| presence::of(run, path(folder).as_bstr(), root) == Presence::There;
    member.row.is_none() && member.entry.is_none() && member.folders.iter().any(has_charter)
}

/// Whether `name` is that of a custom agent, which Copilot starts without a squad: `.github/agents/mary-ann.agent.md`.
pub fn is_custom_agent(run: &Run<'_>, name: &str, named_in: &BStr) -> bool {
    let path = format!(".github/agents/{}.agent.md", slug(name));
    presence::of(run, path.as_str().into(), named_in) == Presence::There
}

/// `Mary Ann` as the name of a file: `mary-ann`.
fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}
