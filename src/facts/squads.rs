//! Who is on the team of each state root.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::context::document_of;
use super::{Gather, Run, files, unused};
use crate::dialects::squad;
use crate::document::Document;
use crate::formats::roster::{Names, Team};
use crate::fs::path::{inner_path, join};
use crate::select::selected::Selected;

/// The team of one state root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Squad {
    /// Folders under `agents/`, and the tables of `team.md`.
    pub agents: Names,
    /// Those who can be started: agents with a charter, and those in the tables of `team.md`, by their folders' names,
    /// case-folded.
    pub active: BTreeSet<String>,
    /// The humans that `team.md` names.
    pub humans: Names,
    /// Folders under `skills/`.
    pub skills: Names,
}

impl Squad {
    /// The team of one state root with these files, by their names alone.
    pub fn of_files<'f>(files: impl Iterator<Item = &'f Selected>) -> Self {
        let mut team = Self::default();
        for (add, name) in files.filter_map(member) {
            add(&mut team, &name);
        }
        team
    }

    /// Adds those that a `team.md` names.
    pub fn add_team(&mut self, names: &Team) {
        for row in &names.rows {
            let name = row.name.value.trim_matches('@');
            self.active.insert(name.to_lowercase().replace(' ', "-"));
            self.agents.insert(name);
        }
        names.humans.iter().for_each(|name| self.humans.insert(name));
    }

    fn add_active(&mut self, name: &str) {
        self.active.insert(name.to_owned());
        self.agents.insert(name);
    }
}

/// The selected files of a work tree.
type Files = Arc<Vec<Selected>>;

/// The teams by their state roots.
#[derive(Debug)]
pub struct Squads {
    teams: BTreeMap<BString, Squad>,
    /// The files of the work tree that it was made from, and those `team.md` among them that could be read.
    made_from: Option<(Files, Vec<Arc<Document>>)>,
}

/// See [`Squads`]. A session shares it between checks.
pub type Fact = Arc<Squads>;

impl Squads {
    /// The team of the state root at `root`; `None` if the root has neither agents nor a `team.md`.
    pub fn at(&self, root: &BStr) -> Option<&Squad> {
        self.teams.get(root)
    }

    /// The state roots that have a team.
    pub fn roots(&self) -> impl Iterator<Item = &BStr> {
        self.teams.keys().map(|root| root.as_bstr())
    }

    /// The state roots that have another team than in `other`.
    pub fn changed_since<'s>(&'s self, other: &'s Self) -> BTreeSet<&'s BStr> {
        let roots = self.teams.keys().chain(other.teams.keys()).map(|root| root.as_bstr());
        match std::ptr::eq(self, other) {
            true => BTreeSet::new(),
            false => roots.filter(|root| self.at(root) != other.at(root)).collect(),
        }
    }

    /// Whether it would be made from the same files again.
    fn is_of(&self, files: &Files, rosters: &[Arc<Document>]) -> bool {
        self.made_from.as_ref().is_some_and(|(own, read)| {
            Arc::ptr_eq(own, files)
                && read.len() == rosters.len()
                && read.iter().zip(rosters).all(|(one, other)| Arc::ptr_eq(one, other))
        })
    }
}

/// Whether agents load this file of a team's memory when they start. They do not where another one is in its place:
/// `.squad/` for `.ai-team/`, `decisions.md` for `decisions/decisions.md`; nor do they load the history of an agent
/// that left or was never on the team.
pub fn is_loaded(run: &Run<'_>, document: &Document) -> bool {
    let inner = inner_path(document.source.path().as_bstr(), document.root());
    let parts: Vec<&[u8]> = inner.split_str("/").collect();
    let loaded = match parts.as_slice() {
        [b"agents", b"_alumni", ..] => false,
        [b"agents", agent, ..] => run
            .squads()
            .at(document.root())
            .is_none_or(|team| team.active.is_empty() || team.active.contains(&agent.to_str_lossy().to_lowercase())),
        [b"decisions", .., b"decisions.md"] => !files::has(run, join(document.root(), "decisions.md").as_bstr()),
        _ => true,
    };
    loaded && !unused::is_left_over(run, document.root())
}

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        let mut teams: BTreeMap<BString, Squad> = BTreeMap::new();
        // After a change only the roots of the documents are checked: a hook asks.
        let listed: Option<Vec<Selected>> = run.changes().map(|changes| {
            let (input, roots) =
                (run.input, run.documents.iter().map(|document| document.root()).collect::<BTreeSet<_>>());
            let inside = roots
                .into_iter()
                .filter(|root| !root.is_empty() || input.roots.has_top())
                .map(|root| Some(root).filter(|root| !root.is_empty()))
                .filter_map(|below| run.git(|_| changes.files(input.roots, input.excludes, below)));
            inside.flatten().collect()
        });
        let files = listed.as_ref().unwrap_or(&run.input.selection.files);
        let rosters = rosters(run, files);
        let made_from = listed.is_none().then(|| run.input.selection.files.clone());
        for file in files {
            if let Some((set, name)) = member(file) {
                set(teams.entry(file.root.clone()).or_default(), &name);
            }
        }
        for roster in &rosters {
            let Some(names) = roster.body::<Team>() else { continue };
            teams.entry(roster.root().into()).or_default().add_team(names);
        }
        // A state branch has the memory alone: the team is on the other branches.
        if run.input.roots.has_top() && !rosters.iter().any(|roster| roster.root().is_empty()) {
            teams.remove(BStr::new(""));
        }
        Self::new(Squads { teams, made_from: made_from.map(|files| (files, rosters)) })
    }
}

/// Keeps the teams of an earlier check for `run`, if they would be made from the same files again.
pub fn keep(run: &Run<'_>, earlier: &Fact) {
    let files = &run.input.selection.files;
    if run.changes().is_none() && earlier.is_of(files, &rosters(run, files)) {
        run.store.squads.get_or_init(|| earlier.clone());
    }
}

/// The teams, if a rule asked for them or they were kept.
pub fn gathered(run: &Run<'_>) -> Option<Fact> {
    run.store.squads.get().cloned()
}

/// Each `team.md` among `files` that can be read.
fn rosters(run: &Run<'_>, files: &[Selected]) -> Vec<Arc<Document>> {
    files.iter().filter(|file| file.kind == &squad::TEAM).filter_map(|file| document_of(run, file)).collect()
}

/// Adds a name to a team.
type Add = fn(&mut Squad, &str);

/// What the name of `file` says about the team of its root: how it is added, and the name.
fn member(file: &Selected) -> Option<(Add, String)> {
    let mut parts = file.inner_path().split(|byte| *byte == b'/');
    let mut part = || parts.next();
    let (add, name): (Add, _) = match (part(), part(), part(), part()) {
        (Some(b"agents"), Some(b"_alumni"), Some(name), Some(_)) => (|team, name| team.agents.insert(name), name),
        (Some(b"agents"), Some(name), Some(b"charter.md"), None) => (Squad::add_active, name),
        (Some(b"agents"), Some(name), Some(_), _) => (|team, name| team.agents.insert(name), name),
        (Some(b"skills"), Some(name), Some(_), _) => (|team, name| team.skills.insert(name), name),
        _ => return None,
    };
    Some((add, name.to_str_lossy().to_lowercase()))
}
