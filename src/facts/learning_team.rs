//! The learning team that a file belongs to: its manifest, and where its memory is (seed 004, "Team Manifest", "Learnings
//! Files").

use std::sync::{Arc, PoisonError};

use bstr::{BStr, BString, ByteSlice};

use super::Facts;
use crate::formats::manifest::Manifest;
use crate::fs::path::is_in;
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

/// What lies in the memory of a team.
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

impl Facts<'_> {
    /// The team whose manifest or memory is at `path`; `None` where it has no manifest that can be read.
    pub fn learning_team(&self, path: &BStr) -> Option<Arc<LearningTeam>> {
        let folder = folder_of(path);
        if let Some(team) = self.known_team(folder) {
            return team;
        }
        let team = self.find_manifest(folder).map(|source| Arc::new(self.team_of(folder, source)));
        let mut known = self.learning_teams.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(folder.to_owned()).or_insert(team).clone()
    }

    fn known_team(&self, folder: &BStr) -> Option<Option<Arc<LearningTeam>>> {
        self.learning_teams.lock().unwrap_or_else(PoisonError::into_inner).get(folder).cloned()
    }

    fn find_manifest(&self, folder: &BStr) -> Option<Arc<Source>> {
        let roots = self.guard.as_ref()?.input().roots;
        let usual = below(folder, ".claude/team.yaml");
        let read = |path: &BStr| if roots.is_manifest(path) { self.read(path) } else { None };
        read(usual.as_bstr()).or_else(|| {
            let mut paths = self.team_manifests().into_iter().filter(|path| folder_of(path.as_bstr()) == folder);
            self.read(paths.next()?.as_bstr())
        })
    }

    fn team_of(&self, folder: &BStr, source: Arc<Source>) -> LearningTeam {
        let memories = MEMORIES.map(|memory| below(folder, memory));
        let holds_agents = |memory: &&BString| self.has_below(below(memory.as_bstr(), "agents").as_bstr());
        let memory = memories.iter().find(holds_agents).or(memories.first()).cloned().unwrap_or_default();
        let manifest = Manifest::parse(source.text());
        LearningTeam { folder: folder.to_owned(), memory, source, manifest }
    }

    /// The paths of the manifests of all learning teams, in order.
    pub fn team_manifests(&self) -> Vec<BString> {
        let Some(guard) = &self.guard else { return Vec::new() };
        let roots = guard.input().roots;
        self.state_files()
            .iter()
            .filter(|file| roots.is_manifest(file.path.as_bstr()))
            .map(|file| file.path.clone())
            .collect()
    }

    /// Whether a state file lies in `folder`. After a change only what is in the folder is looked at: a hook asks.
    fn has_below(&self, folder: &BStr) -> bool {
        if let Some((changes, guard)) = self.changes().zip(self.guard.as_ref()) {
            let input = guard.input();
            let files = guard.read(|_| changes.files(input.roots, input.excludes, Some(folder)));
            return files.is_some_and(|files| !files.is_empty());
        }
        let at = self.files.partition_point(|file| file.path.as_bstr() <= folder);
        self.files
            .get(at..)
            .unwrap_or_default()
            .iter()
            .take_while(|file| file.path.starts_with(folder))
            .any(|file| is_in(file.path.as_bstr(), folder))
    }

    /// All state files of the repository, whether they are to be checked or not, in the order of their paths.
    pub fn state_files(&self) -> &[Selected] {
        let Some((changes, guard)) = self.changes().zip(self.guard.as_ref()) else { return self.files };
        self.listed.get_or_init(|| {
            let input = guard.input();
            guard.read(|_| changes.files(input.roots, input.excludes, None)).unwrap_or_default()
        })
    }
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
