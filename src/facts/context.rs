//! The files beside those to check, read when a rule first asks what they tell, and who is on the team.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};

use super::{Facts, Team};
use crate::document::Document;
use crate::formats::roster::{self, Names};
use crate::fs::read::Unread;
use crate::layout::role::Role;
use crate::parsed::Parsed;
use crate::select::selected::Selected;

/// Where a file with entries is found: among those to check, or those read for what they tell about the repository.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Checked(usize),
    Context(usize),
}

impl Facts<'_> {
    /// The files with entries that are not to be checked, as names.
    pub(super) fn context_files(&self) -> Vec<Selected> {
        let is_checked = |path: &BString| {
            self.documents.binary_search_by(|document| document.source.path().as_bytes().cmp(path)).is_ok()
        };
        let others = self.state_files().iter().filter(|file| !file.checked && file.role.holds_entries());
        others.filter(|file| !is_checked(&file.path)).cloned().collect()
    }

    fn context(&self) -> &[Parsed] {
        self.context.get_or_init(|| self.context_files().into_iter().filter_map(|file| self.parse(file)).collect())
    }

    /// A file of the context; what cannot be read is told where the file itself is checked.
    pub(super) fn parse(&self, file: Selected) -> Option<Parsed> {
        let guard = self.guard.as_ref()?;
        match Parsed::read(guard.input(), file, self.max_file_size) {
            Ok(parsed) => Some(parsed),
            Err((_, Unread::Git(error))) => {
                guard.fail(error);
                None
            }
            Err(_) => None,
        }
    }

    /// All files with entries. In a change what it leaves alone comes first: of two equals the new one is too many.
    pub(super) fn order(&self) -> &[Place] {
        self.order.get_or_init(|| {
            let context = (0..self.context().len()).map(Place::Context);
            let mut order: Vec<Place> = context.chain((0..self.documents.len()).map(Place::Checked)).collect();
            if self.changes().is_none() {
                order.sort_by_key(|place| self.at(*place).map(|document| document.source.path()));
            }
            order
        })
    }

    pub(super) fn document(&self, index: usize) -> Option<Document<'_>> {
        self.at(*self.order().get(index)?)
    }

    fn at(&self, place: Place) -> Option<Document<'_>> {
        match place {
            Place::Checked(index) => self.documents.get(index).copied(),
            Place::Context(index) => self.context().get(index).map(Parsed::document),
        }
    }

    pub(super) fn gather_teams(&self) -> BTreeMap<BString, Team> {
        let mut teams: BTreeMap<BString, Team> = BTreeMap::new();
        let listed: Vec<Selected> = match (self.changes(), &self.guard) {
            (Some(changes), Some(guard)) => {
                let input = guard.input();
                let roots: BTreeSet<&BStr> = self.documents.iter().map(|document| document.root).collect();
                let inside = roots
                    .into_iter()
                    .filter(|root| !root.is_empty())
                    .filter_map(|root| guard.read(|_| changes.files(input.roots, input.excludes, Some(root))));
                inside.flatten().collect()
            }
            _ => Vec::new(),
        };
        let files = if self.changes().is_some() { listed.as_slice() } else { self.files };
        for file in files {
            add_member(&mut teams, file);
        }
        for file in files.iter().filter(|file| file.role == Role::Team) {
            let checked = self.documents.iter().find(|document| document.source.path() == file.path);
            let read = if checked.is_none() { self.parse(file.clone()) } else { None };
            let text = checked.map(Document::text).or_else(|| read.as_ref().map(|parsed| parsed.source.text()));
            let Some(text) = text else { continue };
            let names = roster::parse(text);
            let team = teams.entry(file.root.clone()).or_default();
            team.active.extend(names.agents.iter().map(|name| name.to_lowercase().replace(' ', "-")));
            names.agents.iter().for_each(|name| team.agents.insert(name));
            names.humans.iter().for_each(|name| team.humans.insert(name));
        }
        teams
    }
}

/// Adds what the name of `file` says about the team of its root.
fn add_member(teams: &mut BTreeMap<BString, Team>, file: &Selected) {
    let parts: Vec<&[u8]> = file.inner_path().split_str("/").collect();
    let (set, name): (fn(&mut Team) -> &mut Names, _) = match parts.as_slice() {
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
