//! The skills of a team that are not in its state root.

use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::{Gather, Run, files, unused};
use crate::dialects::squad;
use crate::fs::path::{is_in, to_bytes};
use crate::git::change::{Blob, Change};
use crate::select::changes::Changes;
use crate::select::input::Mode;
use crate::text::Source;

/// Where other programs look for skills, beside the state root.
const FOLDERS: [&str; 2] = [".copilot/skills", ".github/skills"];

/// The state roots of squads.
const ROOTS: [&str; 2] = [".squad", ".ai-team"];

/// A skill, and what it was before the change that is checked, unless all of it counts.
pub type Skill = (Arc<Source>, Option<Source>);

/// Each `SKILL.md` in the folders beside the state roots with a team, in the order of their paths: of a change, those that it
/// touches.
pub type Fact = Vec<Skill>;

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        let mut paths: Vec<BString> = match run.input.mode {
            Mode::Change(changes) => return touched(run, changes),
            Mode::WorkTree => folders(run).iter().flat_map(|folder| on_disk(run, folder)).collect(),
            Mode::Revision(revision) => {
                let below = |folder: &BString| run.git(|_| revision.files_below(folder.as_bstr())).unwrap_or_default();
                folders(run).iter().flat_map(below).collect()
            }
            Mode::Tree(_) | Mode::Push(_) => Vec::new(),
        };
        paths.sort();
        paths.dedup();
        let paths = paths.iter().filter(|path| folder_of(path.as_bstr()).is_some() && is_asked(run, path.as_bstr()));
        paths.filter_map(|path| Some((run.read(path.as_bstr())?, None))).collect()
    }
}

/// How many of them a rule checked that are not among the documents.
pub fn checked(run: &Run<'_>) -> usize {
    let skills = run.store.skills.get().into_iter().flatten();
    skills.filter(|(source, _)| run.document_at(source.path()).is_none()).count()
}

/// The skills that the change touches.
fn touched(run: &Run<'_>, changes: &Changes) -> Vec<Skill> {
    let of_team = changes.list().iter().filter(|change| change.after.is_some_and(Blob::is_file)).filter(|change| {
        let parent = folder_of(change.path.as_bstr());
        let root = |parent: &BStr, name: &str| BString::from([parent.as_bytes(), name.as_bytes()].concat());
        let is_team = |root: BString| {
            let team = [root.as_bytes(), b"/team.md"].concat();
            files::has(run, team.as_bstr()) && !unused::is_example(run, root.as_bstr())
        };
        parent.is_some_and(|parent| ROOTS.iter().any(|name| is_team(root(parent, name))))
    });
    let read = |change: &Change| {
        let old = (!changes.all_lines).then(|| changes.before(change, run.max_bytes()).ok()?).flatten();
        Some((run.read(change.path.as_bstr())?, old.map(|bytes| Source::new(change.old_path(), bytes))))
    };
    of_team.filter(|change| is_asked(run, change.path.as_bstr())).filter_map(read).collect()
}

/// The folders beside the state roots with a team.
fn folders(run: &Run<'_>) -> Vec<BString> {
    let teams = run.input.selection.files.iter().filter(|file| file.kind == &squad::TEAM);
    let mut folders: Vec<BString> = Vec::new();
    for root in teams.map(|file| file.root.as_bstr()) {
        if root.is_empty() || unused::is_unused(run, root) {
            continue;
        }
        let parent = root.rfind_byte(b'/').map_or(&b""[..], |slash| root.get(..=slash).unwrap_or_default());
        folders.extend(FOLDERS.iter().map(|folder| BString::from([parent, folder.as_bytes()].concat())));
    }
    folders.sort();
    folders.dedup();
    folders
}

/// The folder, with its slash, beside whose state root a skill is; `None` for a path of another file.
fn folder_of(path: &BStr) -> Option<&BStr> {
    let skill = path.strip_suffix(b"/SKILL.md")?;
    let folder = skill.get(..skill.rfind_byte(b'/')?)?;
    let parent = FOLDERS.iter().find_map(|name| folder.strip_suffix(name.as_bytes()))?;
    (parent.is_empty() || parent.ends_with(b"/")).then_some(parent.as_bstr())
}

/// The paths of the skills in `folder` on disk.
fn on_disk(run: &Run<'_>, folder: &BString) -> Vec<BString> {
    let Ok(path) = folder.to_path() else { return Vec::new() };
    // A folder that is not there has no skills.
    let listed = std::fs::read_dir(run.input.repository.root.join(path)).into_iter().flatten().flatten();
    let listed = listed.map(|skill| to_bytes(&path.join(skill.file_name()).join("SKILL.md")));
    // One that comes from standard input need not be there.
    let given = run.documents.iter().map(|document| document.path()).filter(|path| is_in(path, folder.as_bstr()));
    listed.chain(given.map(BString::from)).collect()
}

/// Whether the run covers the file at `path`.
fn is_asked(run: &Run<'_>, path: &BStr) -> bool {
    let folders = &run.input.selection.folders;
    let is_asked = folders.iter().any(|folder| folder == path || is_in(path, folder.as_bstr()));
    (is_asked || run.document_at(path).is_some()) && !run.input.excludes.matches(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skills_by_their_paths() {
        let of = |path: &str| folder_of(path.into()).map(ToString::to_string);
        assert_eq!(of(".github/skills/a/SKILL.md").as_deref(), Some(""));
        assert_eq!(of("x/y/.copilot/skills/a/SKILL.md").as_deref(), Some("x/y/"));
        for path in [
            ".github/skills/SKILL.md",
            ".github/skills/a/b/SKILL.md",
            "x.github/skills/a/SKILL.md",
            ".github/skills/a/README.md",
            ".squad/skills/a/SKILL.md",
        ] {
            assert_eq!(of(path), None, "{path}");
        }
    }
}
