//! The memory of a learning team in `memory/agents/` and `memory/team/`, or in `.claude/tackline/memory/` of later versions.
//! See `docs/formats/learning-teams.md`.

use bstr::{BStr, ByteSlice};

use super::{Body, Dialect, FileKind, InGit, Root, StatePath, has_extension};
use crate::formats::learnings::Learnings;
use crate::formats::team_decisions::TeamDecisions;

/// The dialect.
pub static DIALECT: Dialect = Dialect {
    roots: &[
        Root { glob: "memory/agents", in_git: InGit::Everything, merged: &["*/learnings.md", "*/archive*.md"] },
        Root { glob: "memory/team", in_git: InGit::Everything, merged: &["decisions.md"] },
        Root { glob: "memory/reflections", in_git: InGit::Everything, merged: &[] },
        Root {
            glob: ".claude/tackline/memory",
            in_git: InGit::Everything,
            merged: &["agents/*/learnings.md", "agents/*/archive*.md", "team/decisions.md"],
        },
    ],
    kind_in_root,
    kind_by_name: |name| (name == "learnings.md").then_some(&LEARNINGS),
    ..Dialect::NEW
};

/// What a member has learned: `memory/agents/backend/learnings.md`.
pub static LEARNINGS: FileKind =
    FileKind { name: "learnings", parse: |text| Box::new(Learnings::parse(text)), ..FileKind::MARKDOWN };

/// Learnings that are no longer loaded: `memory/agents/backend/archive.md`.
pub static LEARNINGS_ARCHIVE: FileKind =
    FileKind { name: "learnings-archive", parse: |text| Box::new(Learnings::parse(text)), ..FileKind::MARKDOWN };

/// What the team has decided: `memory/team/decisions.md`.
pub static TEAM_DECISIONS: FileKind =
    FileKind { name: "team-decisions", parse: |text| Box::new(TeamDecisions::parse(text)), ..FileKind::MARKDOWN };

/// The retrospectives of the team: `memory/team/retro-history.md`.
pub static RETRO_HISTORY: FileKind = FileKind { name: "retro-history", ..FileKind::MARKDOWN };

impl Body for Learnings {
    fn part_starts(&self) -> Vec<u32> {
        self.entries.iter().map(|entry| entry.span.start).collect()
    }
}

impl Body for TeamDecisions {
    fn part_starts(&self) -> Vec<u32> {
        self.items.entries.iter().map(|entry| entry.span.start).collect()
    }
}

fn kind_in_root(path: StatePath<'_>) -> Option<&'static FileKind> {
    let (folder, inner) = in_memory(path)?;
    match folder {
        b"agents" => match inner.split_once_str("/")? {
            (_, b"learnings.md") => Some(&LEARNINGS),
            (_, name) if name.starts_with(b"archive") && !name.contains(&b'/') && has_extension(name, ".md") => {
                Some(&LEARNINGS_ARCHIVE)
            }
            _ => None,
        },
        b"team" => match inner.as_bytes() {
            b"decisions.md" => Some(&TEAM_DECISIONS),
            b"retro-history.md" => Some(&RETRO_HISTORY),
            _ => None,
        },
        _ => None,
    }
}

/// The folder in the memory of a learning team that `path` is in, such as `agents`, and the path in that folder.
pub(super) fn in_memory(path: StatePath<'_>) -> Option<(&[u8], &BStr)> {
    match path.root.strip_prefix(b"memory/") {
        Some(folder) => Some((folder, path.inner)),
        None if path.root == "tackline/memory" => {
            path.inner.split_once_str("/").map(|(folder, inner)| (folder, inner.as_bstr()))
        }
        None => None,
    }
}
