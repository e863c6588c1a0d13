//! What a reflection makes of the learnings files.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice};

use super::error::NotLearned;
use crate::facts::learning_team::LearningTeam;
use crate::fix::passes::FixedFile;
use crate::formats::learnings::{Date, SectionKind};
use crate::formats::reflection::{Category, Reflection};
use crate::fs::atomic::{self, Rewrite, WriteError};
use crate::fs::read::{self, FileError};
use crate::team::learned;
use crate::team::workspace::Workspace;
use crate::team::{is_folder_name, merge};
use crate::terminal::{display_path, escape};
use crate::text::conflict;
use crate::text::{Source, Span};

/// A learning on its way.
pub(super) struct Route {
    target: String,
    section: SectionKind,
    entry: String,
}

/// A learning that no file can take.
pub(super) struct Refused {
    pub(super) span: Span,
    pub(super) reason: String,
}

impl Route {
    /// Where the learnings in `reflection`, which `member` returned, go. Those that are not valid go nowhere.
    pub(super) fn all(reflection: &Reflection, member: &str, today: Date) -> (Vec<Self>, Vec<Refused>) {
        let (mut routes, mut refused) = (Vec::new(), Vec::new());
        for learning in &reflection.learnings {
            let (Some(category), Some(content)) = (learning.category, &learning.content) else { continue };
            let (section, target, from) = match category {
                Category::CodebasePattern => (SectionKind::CodebasePatterns, member, None),
                Category::Gotcha => (SectionKind::Gotchas, member, None),
                Category::Preference => (SectionKind::Preferences, member, None),
                Category::CrossAgent => {
                    let Some(name) = &learning.for_agent else { continue };
                    (SectionKind::CrossAgentNotes, name.value.trim(), Some(member))
                }
            };
            match learned::entry(&content.value, today, from) {
                Ok(entry) => routes.push(Self { target: target.to_owned(), section, entry }),
                Err(reason) => refused.push(Refused { span: content.span, reason: reason.to_string() }),
            }
        }
        (routes, refused)
    }
}

/// What becomes of the files.
pub(super) struct Plan {
    targets: Vec<Target>,
}

struct Target {
    member: String,
    file: FixedFile,
    added: BTreeMap<SectionKind, usize>,
    known: usize,
    /// The lines of the file by then.
    lines: usize,
}

impl Plan {
    /// What `routes` make of the learnings of `team`: those of others first, then those of `member`.
    pub(super) fn new(
        workspace: &Workspace,
        team: &LearningTeam,
        member: &str,
        routes: &[Route],
    ) -> Result<Self, NotLearned> {
        let mut by_target: BTreeMap<(bool, String), Vec<(SectionKind, String)>> = BTreeMap::new();
        for Route { target, section, entry } in routes {
            by_target.entry((target == member, target.clone())).or_default().push((*section, entry.clone()));
        }
        let target = |((_, name), entries): ((bool, String), Vec<_>)| Target::new(workspace, team, name, &entries);
        Ok(Self { targets: by_target.into_iter().map(target).collect::<Result<_, _>>()? })
    }

    /// The files that change.
    pub(super) fn files(&self) -> impl Iterator<Item = &FixedFile> {
        let changes = |file: &&FixedFile| file.old.as_deref() != Some(file.new.as_slice());
        self.targets.iter().map(|target| &target.file).filter(changes)
    }

    /// Writes all of them, or none.
    pub(super) fn write(&self, root: &Path) -> Result<(), WriteError> {
        let mut paths: Vec<(PathBuf, &FixedFile)> = Vec::new();
        for file in self.files() {
            let path = file.path.to_path().map_err(|error| WriteError::Io {
                step: "name",
                path: file.path.to_str_lossy().as_ref().into(),
                source: io::Error::new(io::ErrorKind::InvalidFilename, error),
            })?;
            paths.push((path.to_owned(), file));
        }
        // Runs that wait for each other's files take them in one order.
        paths.sort_by(|(a, _), (b, _)| a.cmp(b));
        let rewrites = paths.iter().map(|(path, file)| Rewrite { path, old: file.old.as_deref(), new: &file.new });
        atomic::together(root, &rewrites.collect::<Vec<_>>())?;
        let folders: BTreeSet<PathBuf> = paths.iter().filter_map(|(path, _)| Some(root.join(path.parent()?))).collect();
        for folder in folders {
            atomic::sweep(&folder);
        }
        Ok(())
    }

    /// Says what was added where, and which files are over `cap` lines by now.
    pub(super) fn tell(&self, would: bool, cap: u64, out: &mut dyn Write) -> io::Result<()> {
        if self.targets.is_empty() {
            return writeln!(out, "the reflection suggests no learnings");
        }
        let verb = if would { "would be added" } else { "added" };
        for Target { file, added, known, .. } in &self.targets {
            let mut parts: Vec<String> =
                added.iter().map(|(kind, count)| format!("{count} {verb} to {}", kind.name())).collect();
            if *known > 0 {
                parts.push(format!("{known} there already"));
            }
            let new = if file.old.is_none() { " (new file)" } else { "" };
            writeln!(out, "{}{new}: {}", display_path(&file.path), parts.join(", "))?;
        }
        for Target { member, file, lines, .. } in &self.targets {
            let over = (*lines as u64).saturating_sub(cap);
            if over > 0 {
                let (path, member) = (display_path(&file.path), escape(member));
                writeln!(
                    out,
                    "note: {path} has {lines} lines, {over} over its limit of {cap}: run `squad-lint team prune {member}`"
                )?;
            }
        }
        Ok(())
    }
}

impl Target {
    fn new(
        workspace: &Workspace,
        team: &LearningTeam,
        member: String,
        entries: &[(SectionKind, String)],
    ) -> Result<Self, NotLearned> {
        if !is_folder_name(&member) {
            return Err(NotLearned::Name { name: escape(&member) });
        }
        let path = team.learnings_of(&member);
        let old = read_old(workspace, &path)?;
        let source = Source::new(path.clone(), old.clone().unwrap_or_default());
        let unreadable = |reason: &str| NotLearned::Target { path: display_path(&path), reason: reason.to_owned() };
        if !source.invalid().is_empty() {
            return Err(unreadable("it has bytes that are not UTF-8"));
        }
        if let Some(line) = conflict::first_line(source.bytes()) {
            return Err(unreadable(&format!("it has an unresolved merge conflict on line {line}")));
        }
        let template = merge::template(&member);
        let is_blank = source.text().trim_start_matches('\u{feff}').trim().is_empty();
        let text = if is_blank { template.as_str() } else { source.text() };
        let merged = merge::merge(text, entries)
            .map_err(|error| NotLearned::Swallowed { path: display_path(&path), reason: error.to_string() })?;
        let changes = merged.text != text;
        let count = merged.added.values().sum();
        let new = if changes { merged.text.into_bytes() } else { old.clone().unwrap_or_default() };
        let lines = Source::new(path.clone(), new.clone()).line_count();
        let file = FixedFile { path, old, new, count, after: BTreeSet::new() };
        Ok(Self { member, file, added: merged.added, known: merged.known, lines })
    }
}

/// What the file holds; `None` if it is not there.
fn read_old(workspace: &Workspace, path: &BString) -> Result<Option<Vec<u8>>, NotLearned> {
    let failed = |reason: String| NotLearned::Target { path: display_path(path), reason };
    let full = workspace.project.repository.root.join(path.to_path().map_err(|error| failed(error.to_string()))?);
    match read::read_inside(&workspace.project.repository.root, &full, workspace.project.options.max_file_bytes.get()) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(FileError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(error.to_string())),
    }
}
