//! The learning team that a file belongs to: its manifest, and where its memory is. See `docs/formats/learning-teams.md`.

use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::{GatherAt, Run, files};
use crate::formats::manifest::Manifest;
use crate::select::selected::Selected;
use crate::text::Source;

/// The folders, in that of a team, that may hold its memory: the first, unless only the other one does.
const MEMORIES: [&str; 2] = ["memory", ".claude/tackline/memory"];

/// A team with a manifest.
#[derive(Debug)]
pub struct LearningTeam {
    /// The folder that it works in; empty for the repository's root.
    pub folder: BString,
    /// The folder of its memory.
    pub memory: BString,
    /// The text of its manifest.
    pub source: Arc<Source>,
    /// What the manifest says.
    pub manifest: Manifest,
}

impl LearningTeam {
    /// The path of its manifest.
    pub fn manifest_path(&self) -> &BStr {
        self.source.path()
    }

    /// Where the learnings of the member of that name are.
    pub fn learnings_of(&self, member: &str) -> BString {
        format!("{}/agents/{member}/learnings.md", self.memory).into()
    }

    /// Where what left the learnings of the member of that name is.
    pub fn archive_of(&self, member: &str) -> BString {
        format!("{}/agents/{member}/archive.md", self.memory).into()
    }

    /// The name of the member whose learnings or archive are at `path`.
    pub fn member_at<'a>(&self, path: &'a BStr) -> Option<&'a str> {
        let inner = path.strip_prefix(self.memory.as_bytes())?.strip_prefix(b"/agents/")?;
        inner.split_once_str("/").and_then(|(name, _)| name.to_str().ok())
    }
}

/// What is in the memory of a team.
const INSIDE: [&str; 3] = ["memory/agents/", "memory/team/", "memory/reflections/"];

/// The folder of the team whose manifest or memory is at `path`.
pub(super) fn folder_of(path: &BStr) -> &BStr {
    let is_folder = |at: &usize| *at == 0 || path.get(at - 1) == Some(&b'/');
    let memory = INSIDE.iter().find_map(|inside| path.rfind(inside).filter(is_folder));
    let file = || path.rfind_byte(b'/').unwrap_or(0);
    let folder = path.get(..memory.unwrap_or_else(file)).unwrap_or_default();
    let without = |folder: &'_ [u8], name: &str| {
        let folder = folder.strip_suffix(b"/").unwrap_or(folder);
        match folder.strip_suffix(name.as_bytes()) {
            Some(rest) if rest.is_empty() || rest.ends_with(b"/") => rest.len(),
            _ => folder.len(),
        }
    };
    let folder = folder.get(..without(folder, ".claude/tackline")).unwrap_or_default();
    let folder = folder.get(..without(folder, ".claude")).unwrap_or_default();
    folder.strip_suffix(b"/").unwrap_or(folder).as_bstr()
}

/// The team in a folder; `None` if it has no manifest that can be read.
pub type Fact = Option<Arc<LearningTeam>>;

impl GatherAt for Fact {
    /// `folder` is that of the team; empty for the repository's root.
    fn gather(run: &Run<'_>, folder: &BStr) -> Self {
        let source = find_manifest(run, folder)?;
        let memories = MEMORIES.map(|memory| below(folder, memory));
        let holds_agents = |memory: &&BString| files::any_in(run, below(memory.as_bstr(), "agents").as_bstr());
        let memory = memories.iter().find(holds_agents).or(memories.first()).cloned().unwrap_or_default();
        let manifest = Manifest::parse(source.text());
        Some(Arc::new(LearningTeam { folder: folder.to_owned(), memory, source, manifest }))
    }
}

/// The team whose manifest or memory is at `path`; `None` if it has no manifest that can be read.
pub fn of(run: &Run<'_>, path: &BStr) -> Fact {
    Option::clone(&run.learning_team(folder_of(path)))
}

fn find_manifest(run: &Run<'_>, folder: &BStr) -> Option<Arc<Source>> {
    let usual = below(folder, ".claude/team.yaml");
    let read = |path: &BStr| if run.input.roots.is_manifest(path) { run.read(path) } else { None };
    read(usual.as_bstr()).or_else(|| {
        let is_own = |file: &&Selected| {
            run.input.roots.is_manifest(file.path.as_bstr()) && folder_of(file.path.as_bstr()) == folder
        };
        let path = |files: &[Selected]| files.iter().find(is_own).map(|file| file.path.clone());
        // It is right in the folder, or in one of these two: a hook asks, and does not wait for a list of all files.
        let path = match run.input.roots.may_hold_manifest(folder) {
            true => path(files::all(run)),
            false => [".claude", "memory"]
                .iter()
                .find_map(|inner| path(&files::in_folder(run, below(folder, inner).as_bstr()))),
        };
        run.read(path?.as_bstr())
    })
}

/// The paths of the manifests of all learning teams, in order.
pub fn manifests(run: &Run<'_>) -> Vec<BString> {
    let is_manifest = |file: &&Selected| run.input.roots.is_manifest(file.path.as_bstr());
    files::all(run).iter().filter(is_manifest).map(|file| file.path.clone()).collect()
}

/// `inner` in `folder`.
fn below(folder: &BStr, inner: &str) -> BString {
    match folder.is_empty() {
        true => inner.into(),
        false => [folder.as_bytes(), b"/", inner.as_bytes()].concat().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_team() {
        for (path, expected) in [
            ("memory/agents/x/learnings.md", ""),
            ("a/b/memory/team/decisions.md", "a/b"),
            (".claude/tackline/memory/agents/x/archive.md", ""),
            ("a/.claude/tackline/memory/agents/x/archive.md", "a"),
            (".claude/team.yaml", ""),
            ("a/.claude/team.yaml", "a"),
            ("team.yaml", ""),
            ("a/team.yaml", "a"),
            ("memory/agents/memory/learnings.md", ""),
        ] {
            assert_eq!(folder_of(path.into()), expected, "{path}");
        }
    }
}
