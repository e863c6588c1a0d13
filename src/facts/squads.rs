//! Who is on the team of each state root.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};

use super::context::parse;
use super::{Gather, Run, files};
use crate::document::Document;
use crate::formats::roster::{self, Names};
use crate::fs::path::inner_path;
use crate::layout::role::Role;
use crate::select::selected::Selected;

/// The team of one state root.
#[derive(Clone, Debug, Default)]
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

/// The teams by their state roots.
#[derive(Debug)]
pub struct Squads(BTreeMap<BString, Squad>);

/// See [`Squads`].
pub type Fact = Squads;

impl Squads {
    /// The team of the state root at `root`; `None` where the root has neither agents nor a `team.md`.
    pub fn at(&self, root: &BStr) -> Option<&Squad> {
        self.0.get(root)
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
        [b"decisions", .., b"decisions.md"] => {
            !files::has(run, [document.root().as_bytes(), b"/decisions.md"].concat().as_bstr())
        }
        _ => true,
    };
    loaded && !is_left_over(run, document.root())
}

/// Whether the state root at `root` is what a migration left behind: the old folder, beside the new one with a team.
/// Squad looks for `.squad/team.md` first, and reads `.ai-team/` only where that is missing.
pub fn is_left_over(run: &Run<'_>, root: &BStr) -> bool {
    let parent = root.strip_suffix(b".ai-team").filter(|parent| parent.is_empty() || parent.ends_with(b"/"));
    parent.is_some_and(|parent| files::has(run, [parent, b".squad/team.md"].concat().as_bstr()))
}

impl Gather for Squads {
    fn gather(run: &Run<'_>) -> Self {
        let mut teams: BTreeMap<BString, Squad> = BTreeMap::new();
        // After a change only the roots of the documents are looked at: a hook asks.
        let listed: Option<Vec<Selected>> = run.changes().map(|changes| {
            let (input, roots) =
                (run.input, run.documents.iter().map(|document| document.root()).collect::<BTreeSet<_>>());
            let inside = roots
                .into_iter()
                .filter(|root| !root.is_empty())
                .filter_map(|root| run.git(|_| changes.files(input.roots, input.excludes, Some(root))));
            inside.flatten().collect()
        });
        let files = listed.as_ref().unwrap_or(&run.input.selection.files);
        for file in files {
            add_member(&mut teams, file);
        }
        for file in files.iter().filter(|file| file.role == Role::Team) {
            let checked = run.document_at(file.path.as_bstr());
            let read = if checked.is_none() { parse(run, file) } else { None };
            let text = checked.map(Document::text).or_else(|| read.as_ref().map(|document| document.text()));
            let Some(text) = text else { continue };
            let names = roster::parse(text);
            let team = teams.entry(file.root.clone()).or_default();
            team.active.extend(names.agents.iter().map(|name| name.to_lowercase().replace(' ', "-")));
            names.agents.iter().for_each(|name| team.agents.insert(name));
            names.humans.iter().for_each(|name| team.humans.insert(name));
        }
        Self(teams)
    }
}

/// Adds what the name of `file` says about the team of its root.
fn add_member(teams: &mut BTreeMap<BString, Squad>, file: &Selected) {
    let parts: Vec<&[u8]> = file.inner_path().split_str("/").collect();
    let (set, name): (fn(&mut Squad) -> &mut Names, _) = match parts.as_slice() {
        [b"agents", b"_alumni", name, _, ..] => (|team| &mut team.agents, name),
        [b"agents", name, _, ..] => (|team| &mut team.agents, name),
        [b"skills", name, _, ..] => (|team| &mut team.skills, name),
        _ => return,
    };
    let team = teams.entry(file.root.clone()).or_default();
    let name = name.to_str_lossy().to_lowercase();
    if parts.get(2..) == Some(&[b"charter.md"]) {
        team.active.insert(name.clone());
    }
    set(team).insert(&name);
}
