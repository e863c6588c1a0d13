//! State roots, and the kinds of files in them. See `docs/formats/squad-folders.md` and
//! `docs/formats/learning-teams.md`.

use bstr::{BStr, BString, ByteSlice};

use crate::fs::path::inner_path;
use crate::layout::globs::Globs;

/// The part that a file plays in a team's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// `decisions.md`, and what is beside it in `decisions/`.
    Decisions,
    /// A file of `decisions/inbox/`: one entry on its way into `decisions.md`.
    Inbox,
    /// `agents/*/history.md`.
    History,
    /// Entries moved out of the way.
    Archive,
    /// `skills/*/SKILL.md`: prose that may contain entries.
    Skill,
    /// `team.md`: the roster.
    Team,
    /// `.claude/team.yaml`: the manifest of a learning team.
    Manifest,
    /// `memory/agents/*/learnings.md`.
    Learnings,
    /// `memory/agents/*/archive.md`: learnings moved out of the way.
    LearningsArchive,
    /// `memory/team/decisions.md`: what a learning team decided.
    TeamDecisions,
    /// `memory/team/retro-history.md`.
    RetroHistory,
    /// What a member of a learning team returned, as JSON.
    Reflection,
    /// A file outside every state root that was named on the command line.
    Named,
    /// Any other Markdown.
    Prose,
}

impl Role {
    /// Whether SEM entries are in such a file.
    pub fn holds_entries(self) -> bool {
        self.holds_legacy() || self == Self::Skill
    }

    /// Whether entries from before SEM are in such a file. Skills never had any: a dated heading there is a section.
    pub fn holds_legacy(self) -> bool {
        matches!(self, Self::Decisions | Self::Inbox | Self::History | Self::Archive | Self::Named)
    }

    /// Whether such a file is Markdown.
    pub fn is_markdown(self) -> bool {
        !matches!(self, Self::Manifest | Self::Reflection)
    }

    /// The part of the file at `path` in the state root at `root`; `None` for a file that is not read.
    pub fn in_root(path: &BStr, root: &BStr) -> Option<Self> {
        let inner = inner_path(path, root);
        match folder(root).unwrap_or_default() {
            b"memory/agents" => Self::of_member(inner),
            b"memory/team" => Self::of_team(inner),
            b"memory/reflections" => Self::of_reflection(inner),
            b"tackline/memory" => match inner.split_once_str("/") {
                Some((b"agents", inner)) => Self::of_member(inner.as_bstr()),
                Some((b"team", inner)) => Self::of_team(inner.as_bstr()),
                Some((b"reflections", inner)) => Self::of_reflection(inner.as_bstr()),
                _ => Self::of(inner),
            },
            _ => Self::of(inner),
        }
    }

    /// The part of a file in `memory/agents/`.
    fn of_member(inner: &BStr) -> Option<Self> {
        let other = Self::of(inner)?;
        Some(match inner.split_once_str("/") {
            Some((_, b"learnings.md")) => Self::Learnings,
            Some((_, name)) if name.starts_with(b"archive") && !name.contains(&b'/') => Self::LearningsArchive,
            _ => other,
        })
    }

    /// The part of a file in `memory/team/`.
    fn of_team(inner: &BStr) -> Option<Self> {
        match inner.as_bytes() {
            b"decisions.md" => Some(Self::TeamDecisions),
            b"retro-history.md" => Some(Self::RetroHistory),
            _ => Self::of(inner),
        }
    }

    /// The part of a file in `memory/reflections/`.
    fn of_reflection(inner: &BStr) -> Option<Self> {
        if has_extension(inner, b".json") { Some(Self::Reflection) } else { Self::of(inner) }
    }

    /// The part of the file at `inner`, a path inside a Squad's state root; `None` for a file that is not read.
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

    /// The part of a file outside every state root, by its name alone; `None` for a file that is not read.
    pub fn of_named(path: &BStr) -> Option<Self> {
        let name = path.rsplit_str("/").next().unwrap_or_default();
        match name {
            b"decisions.md" => Some(Self::Decisions),
            b"history.md" => Some(Self::History),
            b"learnings.md" => Some(Self::Learnings),
            b"team.yaml" | b"team.yml" => Some(Self::Manifest),
            _ if has_extension(name, b".md") => Some(Self::Named),
            _ if has_extension(name, b".json") && name.contains_str("reflection") => Some(Self::Reflection),
            _ => None,
        }
    }
}

/// The last two names of a path.
fn folder(path: &BStr) -> Option<&[u8]> {
    let mut slashes = memchr::memrchr_iter(b'/', path);
    slashes.next()?;
    path.get(slashes.next().map_or(0, |slash| slash + 1)..)
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
    manifests: Globs,
    manifest_globs: Vec<String>,
}

/// The folders that hold state by default: Squad's two and the learning teams' (`memory/`, and `.claude/tackline/memory/` of later versions).
pub const DEFAULT_ROOTS: [&str; 6] =
    [".ai-team", ".squad", "memory/agents", "memory/team", "memory/reflections", ".claude/tackline/memory"];

/// The manifests of learning teams by default.
pub const DEFAULT_MANIFESTS: [&str; 1] = [".claude/team.yaml"];

/// Where a file belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The state root that it is in; empty for a manifest, which is in none.
    pub root: BString,
    /// The part that it plays; `None` if no rule reads it.
    pub role: Option<Role>,
}

impl Roots {
    /// The roots that `globs` name, and no manifest.
    ///
    /// # Errors
    /// The first glob that is none.
    pub fn new<S: AsRef<str>>(globs: impl IntoIterator<Item = S>) -> Result<Self, globset::Error> {
        let globs: Vec<String> = globs.into_iter().map(|glob| anchored(glob.as_ref())).collect();
        let (set, folded) = (Globs::new(&globs)?, Globs::ignoring_case(&globs)?);
        Ok(Self { set, folded, globs, manifests: Globs::default(), manifest_globs: Vec::new() })
    }

    /// With the manifests that `globs` name.
    ///
    /// # Errors
    /// The first glob that is none.
    pub fn with_manifests<S: AsRef<str>>(self, globs: impl IntoIterator<Item = S>) -> Result<Self, globset::Error> {
        let manifest_globs: Vec<String> = globs.into_iter().map(|glob| anchored(glob.as_ref())).collect();
        Ok(Self { manifests: Globs::new(&manifest_globs)?, manifest_globs, ..self })
    }

    /// The globs of the folders, each relative to the repository's root.
    pub fn globs(&self) -> &[String] {
        &self.globs
    }

    /// The globs of the manifests, each relative to the repository's root.
    pub fn manifest_globs(&self) -> &[String] {
        &self.manifest_globs
    }

    /// Whether a manifest is at `path`.
    pub fn is_manifest(&self, path: &BStr) -> bool {
        self.manifests.is_match(path)
    }

    /// Whether a manifest may be directly in `folder`.
    pub fn may_hold_manifest(&self, folder: &BStr) -> bool {
        self.manifests.may_match_in(folder)
    }

    /// Where the file at `path` belongs; `None` if it is nothing of a team's.
    pub fn place_of(&self, path: &BStr) -> Option<Place> {
        match self.root_of(path) {
            Some(root) => Some(Place { role: Role::in_root(path, root.as_bstr()), root }),
            None if self.is_manifest(path) => Some(Place { root: BString::default(), role: Some(Role::Manifest) }),
            None => None,
        }
    }

    /// As [`Roots::place_of`]; for a file that was named, its name is enough.
    pub fn place_of_named(&self, path: &BStr) -> Place {
        let by_name = || Place { root: BString::default(), role: Role::of_named(path) };
        self.place_of(path).unwrap_or_else(by_name)
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
    fn the_files_of_learning_teams_have_theirs() -> Result<(), globset::Error> {
        let roots = Roots::new(DEFAULT_ROOTS)?.with_manifests(DEFAULT_MANIFESTS)?;
        for (path, expected) in [
            ("memory/agents/x/learnings.md", Some(Role::Learnings)),
            ("a/memory/agents/x/archive.md", Some(Role::LearningsArchive)),
            ("memory/agents/x/archive-2026.md", Some(Role::LearningsArchive)),
            ("memory/agents/x/y/learnings.md", Some(Role::Prose)),
            ("memory/agents/x/notes.txt", None),
            ("memory/team/decisions.md", Some(Role::TeamDecisions)),
            ("memory/team/retro-history.md", Some(Role::RetroHistory)),
            (".claude/tackline/memory/agents/x/learnings.md", Some(Role::Learnings)),
            (".claude/tackline/memory/team/decisions.md", Some(Role::TeamDecisions)),
            (".claude/tackline/memory/MEMORY.md", Some(Role::Prose)),
            ("memory/reflections/x.json", Some(Role::Reflection)),
            ("b/.claude/team.yaml", Some(Role::Manifest)),
            (".squad/decisions.md", Some(Role::Decisions)),
        ] {
            assert_eq!(roots.place_of(path.into()).and_then(|place| place.role), expected, "{path}");
        }
        assert_eq!(roots.place_of(".claude/settings.json".into()), None);
        assert_eq!(roots.place_of_named("out/reflection-1.json".into()).role, Some(Role::Reflection));
        assert_eq!(roots.place_of_named("package.json".into()).role, None);
        let only = Roots::new([".claude/tackline/memory"])?;
        let place = only.place_of(".claude/tackline/memory/agents/x/learnings.md".into());
        assert_eq!(place.and_then(|place| place.role), Some(Role::Learnings));
        Ok(())
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
