//! State roots, and the part that a file plays in one (seed 000, "Files": decisions, inbox, histories, skills).

use bstr::{BStr, BString, ByteSlice};

use crate::globs::Globs;

/// The part that a file plays in a team's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// `decisions.md`, and what stands beside it in `decisions/`.
    Decisions,
    /// A file of `decisions/inbox/`: one entry on its way into `decisions.md`.
    Inbox,
    /// `agents/*/history.md`.
    History,
    /// Entries moved out of the way.
    Archive,
    /// `skills/*/SKILL.md`: prose, in which entries may stand (seed 001, "Cross-Squad Knowledge Transfer").
    Skill,
    /// `team.md`: the roster.
    Team,
    /// A file outside every state root that was named on the command line.
    Named,
    /// Any other Markdown.
    Prose,
}

impl Role {
    /// Whether SEM entries stand in such a file.
    pub fn holds_entries(self) -> bool {
        self.holds_legacy() || self == Self::Skill
    }

    /// Whether entries of before SEM stand in such a file. Skills never had any: a dated heading there is a section.
    pub fn holds_legacy(self) -> bool {
        matches!(self, Self::Decisions | Self::Inbox | Self::History | Self::Archive | Self::Named)
    }

    /// The part of the file at `inner`, a path inside a state root; `None` for a file that is not read.
    pub fn of(inner: &BStr) -> Option<Self> {
        let parts: Vec<&[u8]> = inner.split_str("/").collect();
        let name = *parts.last()?;
        if !has_extension(name, b".md") {
            return None;
        }
        let is_archive = name.contains_str("-archive") || name.starts_with(b"archive");
        Some(match parts.as_slice() {
            [b"decisions", b"inbox", ..] => Self::Inbox,
            [b"decisions", folder, _, ..] if matches!(*folder, b"archive" | b"processed") => Self::Archive,
            [b"decisions", ..] | [b"decisions.md"] => Self::Decisions,
            [name] if name.starts_with(b"decisions") && is_archive => Self::Archive,
            [b"agents", .., b"history.md"] => Self::History,
            [b"agents", .., name] if name.starts_with(b"history") && is_archive => Self::Archive,
            [b"skills", .., b"SKILL.md"] => Self::Skill,
            [b"team.md"] => Self::Team,
            _ => Self::Prose,
        })
    }

    /// The part of a file outside every state root, by its name alone.
    pub fn of_named(path: &BStr) -> Self {
        match path.rsplit_str("/").next() {
            Some(b"decisions.md") => Self::Decisions,
            Some(b"history.md") => Self::History,
            _ => Self::Named,
        }
    }
}

fn has_extension(name: &[u8], extension: &[u8]) -> bool {
    name.len() > extension.len()
        && name.get(name.len() - extension.len()..).is_some_and(|end| end.eq_ignore_ascii_case(extension))
}

/// Where state is kept: folders by glob. A glob without `/` matches the folder's name anywhere.
#[derive(Clone, Debug)]
pub struct Roots {
    globs: Vec<String>,
    set: Globs,
    folded: Globs,
}

/// The folders that hold state by default: Squad's two and the learning teams' (seed 004, and later upstream).
pub const DEFAULT_ROOTS: [&str; 5] = [".ai-team", ".squad", "memory/agents", "memory/team", ".claude/tackline/memory"];

impl Roots {
    /// The roots that `globs` name.
    ///
    /// # Errors
    /// The first glob that is none.
    pub fn new<S: AsRef<str>>(globs: impl IntoIterator<Item = S>) -> Result<Self, globset::Error> {
        let globs: Vec<String> = globs.into_iter().map(|glob| anchored(glob.as_ref())).collect();
        Ok(Self { set: Globs::new(&globs)?, folded: Globs::ignoring_case(&globs)?, globs })
    }

    /// The globs, each relative to the repository's root.
    pub fn globs(&self) -> &[String] {
        &self.globs
    }

    /// The innermost state root that holds `path`.
    pub fn root_of(&self, path: &BStr) -> Option<BString> {
        let ends = memchr::memrchr_iter(b'/', path);
        ends.filter_map(|end| path.get(..end)).find(|folder| self.is_root(folder.as_bstr())).map(BString::from)
    }

    /// Whether the folder at `path` is a state root itself on some file system: `.AI-Team` is where names have no case.
    pub fn is_folded_root(&self, path: &BStr) -> bool {
        self.folded.is_match(path)
    }

    /// Whether the folder at `path` is a state root itself.
    pub fn is_root(&self, path: &BStr) -> bool {
        self.set.is_match(path)
    }
}

/// `name` as a glob relative to the repository's root: anywhere, unless it starts with `/`.
fn anchored(glob: &str) -> String {
    let glob = glob.trim_end_matches('/');
    match glob.strip_prefix('/') {
        Some(rest) => rest.to_owned(),
        None if glob.starts_with("**/") => glob.to_owned(),
        None => format!("**/{glob}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(inner: &str) -> Option<Role> {
        Role::of(inner.into())
    }

    #[test]
    fn every_file_has_its_part() {
        assert_eq!(role("decisions.md"), Some(Role::Decisions));
        assert_eq!(role("decisions/decisions.md"), Some(Role::Decisions));
        assert_eq!(role("decisions/inbox/keaton-x.md"), Some(Role::Inbox));
        assert_eq!(role("decisions/archive/2026-Q1.md"), Some(Role::Archive));
        assert_eq!(role("decisions-archive-2026.md"), Some(Role::Archive));
        assert_eq!(role("agents/keaton/history.md"), Some(Role::History));
        assert_eq!(role("agents/_alumni/keaton/history.md"), Some(Role::History));
        assert_eq!(role("agents/keaton/history-archive.md"), Some(Role::Archive));
        assert_eq!(role("agents/keaton/charter.md"), Some(Role::Prose));
        assert_eq!(role("skills/x/SKILL.md"), Some(Role::Skill));
        assert_eq!(role("config.json"), None);
    }

    #[test]
    fn the_innermost_root_counts() -> Result<(), globset::Error> {
        let roots = Roots::new(DEFAULT_ROOTS)?;
        let root = |path: &str| roots.root_of(path.into()).map(|root| root.to_string());
        assert_eq!(root(".squad/decisions.md").as_deref(), Some(".squad"));
        assert_eq!(root("a/b/.ai-team/x/y.md").as_deref(), Some("a/b/.ai-team"));
        assert_eq!(root("memory/agents/x/learnings.md").as_deref(), Some("memory/agents"));
        assert_eq!(root(".squad"), None);
        assert_eq!(root("a/.squad-templates/x.md"), None);
        Ok(())
    }
}
