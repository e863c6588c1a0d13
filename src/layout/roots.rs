//! State roots and manifests: which files belong to a team. The kinds of these files are in [`dialects`](crate::dialects).

use bstr::{BStr, BString, ByteSlice};

use crate::dialects::manifest::MANIFEST;
use crate::dialects::{self, FileKind};
use crate::layout::globs::Globs;

/// Where state is kept: folders by glob. A glob without `/` matches the folder's name anywhere.
#[derive(Clone, Debug)]
pub struct Roots {
    globs: Vec<String>,
    set: Globs,
    folded: Globs,
    manifests: Globs,
    manifest_globs: Vec<String>,
    /// Whether the repository itself is a state root.
    top: bool,
}

/// The state root and the kind of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The state root that it lies in; empty for a manifest or a bundle in none.
    pub root: BString,
    /// Its kind; `None` if no rule reads it.
    pub kind: Option<&'static FileKind>,
}

impl Roots {
    /// The roots that `globs` name, and no manifest.
    ///
    /// # Errors
    /// The first glob that is none.
    pub fn new<S: AsRef<str>>(globs: impl IntoIterator<Item = S>) -> Result<Self, globset::Error> {
        let globs: Vec<String> = globs.into_iter().map(|glob| anchored(glob.as_ref())).collect();
        let (set, folded) = (Globs::new(&globs)?, Globs::ignoring_case(&globs)?);
        Ok(Self { set, folded, globs, manifests: Globs::default(), manifest_globs: Vec::new(), top: false })
    }

    /// With the manifests that `globs` name.
    ///
    /// # Errors
    /// The first glob that is none.
    pub fn with_manifests<S: AsRef<str>>(self, globs: impl IntoIterator<Item = S>) -> Result<Self, globset::Error> {
        let manifest_globs: Vec<String> = globs.into_iter().map(|glob| anchored(glob.as_ref())).collect();
        Ok(Self { manifests: Globs::new(&manifest_globs)?, manifest_globs, ..self })
    }

    /// With the top of the repository as a state root or not: a state branch has `decisions.md` there, and not in `.squad/`.
    #[must_use]
    pub fn with_top(self, top: bool) -> Self {
        Self { top, ..self }
    }

    /// Whether the repository itself is a state root, whose path is empty. The path of a file in no root is empty as well.
    pub fn has_top(&self) -> bool {
        self.top
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

    /// Where the file at `path` lies; `None` for a file that belongs to no team.
    pub fn locate(&self, path: &BStr) -> Option<Location> {
        match self.root_of(path) {
            Some(root) => {
                let kind = dialects::kind_in_root(path, root.as_bstr()).or_else(|| dialects::kind_anywhere(path));
                Some(Location { root, kind })
            }
            None if self.is_manifest(path) => Some(Location { root: BString::default(), kind: Some(&MANIFEST) }),
            None => dialects::kind_anywhere(path).map(|kind| Location { root: BString::default(), kind: Some(kind) }),
        }
    }

    /// Where a file that was named on the command line lies: as [`Roots::locate`], and elsewhere its name is enough.
    pub fn locate_named(&self, path: &BStr) -> Location {
        let by_name = || Location { root: BString::default(), kind: dialects::kind_by_name(path) };
        self.locate(path).unwrap_or_else(by_name)
    }

    /// The innermost state root that holds `path`.
    pub fn root_of(&self, path: &BStr) -> Option<BString> {
        let ends = memchr::memrchr_iter(b'/', path);
        let root = ends.filter_map(|end| path.get(..end)).find(|folder| self.is_root(folder.as_bstr()));
        root.or(self.top.then_some(b"")).map(BString::from)
    }

    /// Whether the folder at `path` is a state root itself on some file system: `.AI-Team` is where names have no case.
    pub fn is_folded_root(&self, path: &BStr) -> bool {
        if path.is_empty() { self.top } else { self.folded.is_match(path) }
    }

    /// Whether the folder at `path` is a state root itself.
    pub fn is_root(&self, path: &BStr) -> bool {
        if path.is_empty() { self.top } else { self.set.is_match(path) }
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
    use crate::dialects::manifest::DEFAULT_MANIFESTS;
    use crate::dialects::{default_roots, learnings, reflection, squad};

    fn roots() -> Result<Roots, globset::Error> {
        Roots::new(default_roots().map(|root| root.glob))?.with_manifests(DEFAULT_MANIFESTS)
    }

    #[test]
    fn the_files_of_learning_teams_have_their_kinds() -> Result<(), globset::Error> {
        let roots = roots()?;
        for (path, expected) in [
            ("memory/agents/x/learnings.md", Some(&learnings::LEARNINGS)),
            ("a/memory/agents/x/archive.md", Some(&learnings::LEARNINGS_ARCHIVE)),
            ("memory/agents/x/archive-2026.md", Some(&learnings::LEARNINGS_ARCHIVE)),
            ("memory/agents/x/y/learnings.md", Some(&squad::PROSE)),
            ("memory/agents/x/notes.txt", None),
            ("memory/team/decisions.md", Some(&learnings::TEAM_DECISIONS)),
            ("memory/team/retro-history.md", Some(&learnings::RETRO_HISTORY)),
            (".claude/tackline/memory/agents/x/learnings.md", Some(&learnings::LEARNINGS)),
            (".claude/tackline/memory/team/decisions.md", Some(&learnings::TEAM_DECISIONS)),
            (".claude/tackline/memory/MEMORY.md", Some(&squad::PROSE)),
            ("memory/reflections/x.json", Some(&reflection::REFLECTION)),
            ("b/.claude/team.yaml", Some(&MANIFEST)),
            (".squad/decisions.md", Some(&squad::DECISIONS)),
        ] {
            assert_eq!(roots.locate(path.into()).and_then(|found| found.kind), expected, "{path}");
        }
        assert_eq!(roots.locate(".claude/settings.json".into()), None);
        assert_eq!(roots.locate_named("out/reflection-1.json".into()).kind, Some(&reflection::REFLECTION));
        assert_eq!(roots.locate_named("package.json".into()).kind, None);
        let only = Roots::new([".claude/tackline/memory"])?;
        let found = only.locate(".claude/tackline/memory/agents/x/learnings.md".into());
        assert_eq!(found.and_then(|found| found.kind), Some(&learnings::LEARNINGS));
        Ok(())
    }

    #[test]
    fn the_innermost_root_counts() -> Result<(), globset::Error> {
        let roots = roots()?;
        let root = |path: &str| roots.root_of(path.into()).map(|root| root.to_string());
        assert_eq!(root(".squad/decisions.md").as_deref(), Some(".squad"));
        assert_eq!(root("a/b/.ai-team/x/y.md").as_deref(), Some("a/b/.ai-team"));
        assert_eq!(root("memory/agents/x/learnings.md").as_deref(), Some("memory/agents"));
        assert_eq!(root(".squad"), None);
        assert_eq!(root("a/.squad-templates/x.md"), None);
        Ok(())
    }
}
