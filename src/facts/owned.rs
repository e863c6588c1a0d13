//! What the members of a learning team own of the files that git tracks.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use bstr::{BStr, BString, ByteSlice};

use super::Facts;
use super::learning_team::folder_of;
use crate::formats::manifest::{Manifest, Text};
use crate::ownership::{Ownership, Survey};
use crate::select::input::Mode;
use crate::select::paths::Paths;

/// A glob under `owns`.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The place of the first member of that name among the members; of a member without name, its own.
    pub member: usize,
    /// The member's name; empty where it has none.
    pub name: &'a str,
    /// The glob.
    pub glob: &'a Text,
}

/// All globs of a team, in the order in which they are written.
pub fn claims(manifest: &Manifest) -> Vec<Claim<'_>> {
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut claims = Vec::new();
    for (place, member) in manifest.members.iter().enumerate() {
        let name = member.name.as_ref().map_or("", |name| name.value.as_str());
        let member_place = if name.is_empty() { place } else { *first.entry(name).or_insert(place) };
        let globs = member.owns.iter().flatten();
        claims.extend(globs.map(|glob| Claim { member: member_place, name, glob }));
    }
    claims
}

/// The index of `claims`.
pub fn ownership(claims: &[Claim<'_>]) -> Ownership {
    Ownership::new(claims.iter().map(|claim| (claim.member, claim.glob.value.as_str())))
}

impl Facts<'_> {
    /// All files that git tracks: in the work tree and for what is staged those in the index, else those after the change.
    /// `None` without git, and where only names are looked at.
    pub fn tracked_files(&self) -> Option<&Paths> {
        let guard = self.guard.as_ref()?;
        let read = || match guard.input().mode {
            Mode::WorkTree => {
                let index = guard.index()?;
                guard.read(|git| Paths::in_index(git, index))
            }
            Mode::Change(changes) => guard.read(|git| Paths::after(changes, git)),
            Mode::Tree(_) | Mode::Push(_) => None,
        };
        self.tracked_files.get_or_init(read).as_ref()
    }

    /// Those of the tracked files that lie in the folder of the team whose manifest is at `path`, relative to that folder.
    pub fn files_of_team(&self, path: &BStr) -> impl Iterator<Item = &BStr> {
        let folder = folder_of(path);
        let inside = if folder.is_empty() { Vec::new() } else { [folder.as_bytes(), b"/"].concat() };
        let files = self.tracked_files().into_iter().flat_map(Paths::iter);
        files.filter_map(move |file| file.strip_prefix(inside.as_slice()).map(BStr::new))
    }

    /// What the globs of the manifest at `path` say about the tracked files, or about no file where these are not known. It is
    /// found out once for each manifest. Which files nobody owns is only known where the rule runs that asks for it.
    pub fn ownership(&self, path: &BStr, claims: &[Claim<'_>]) -> Arc<Survey> {
        let mut known = self.surveys.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(survey) = known.get(path) {
            return survey.clone();
        }
        let folder = folder_of(path);
        let asks = self.runs("team/unowned-file");
        let roots = self.guard.as_ref().map(|guard| guard.input().roots);
        // What the team keeps for itself is nobody's in particular.
        let wants_owner = |file: &BStr| {
            let file = if folder.is_empty() {
                BString::from(file)
            } else {
                [folder.as_bytes(), b"/", file.as_bytes()].concat().into()
            };
            asks && roots.is_none_or(|roots| roots.place_of(file.as_bstr()).is_none())
        };
        let survey = Arc::new(ownership(claims).survey(self.files_of_team(path), wants_owner));
        known.insert(path.into(), survey.clone());
        survey
    }
}
