//! Which of the files that git tracks the globs of a learning team match.

use std::collections::HashMap;

use bstr::BStr;

use super::{GatherAt, Run, learning_team, tracked_files};
use crate::document::Document;
use crate::formats::manifest::{Manifest, Text};
use crate::ownership::{Ownership, Survey};

/// A glob under `owns`.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The place of the first member of that name among the members; of a member without name, its own.
    pub member: usize,
    /// The member's name; empty if it has none.
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

/// What the globs of a manifest say about the tracked files.
pub type Fact = Survey;

impl GatherAt for Fact {
    /// `path` is that of the manifest.
    fn gather(run: &Run<'_>, path: &BStr) -> Self {
        let survey =
            |manifest: &Manifest| ownership(&claims(manifest)).survey(tracked_files::of_team(run, path), |_| false);
        with_manifest(run, path, survey).unwrap_or_default()
    }
}

/// What `look` makes of the manifest at `path`, which is a document or that of a known team.
pub(super) fn with_manifest<T>(run: &Run<'_>, path: &BStr, look: impl FnOnce(&Manifest) -> T) -> Option<T> {
    match run.document_at(path).and_then(Document::body) {
        Some(manifest) => Some(look(manifest)),
        None => learning_team::of(run, path).map(|team| look(&team.manifest)),
    }
}
