//! Which of the files that git tracks no member of a learning team owns.

use bstr::{BStr, BString, ByteSlice};

use super::learning_team::folder_of;
use super::survey::{claims, ownership, with_manifest};
use super::{GatherAt, Run, tracked_files};
use crate::formats::manifest::Manifest;

/// The files without an owner.
#[derive(Debug, Default)]
pub struct Unowned {
    /// How many tracked files the folder of the team has.
    pub files: usize,
    /// How many of them have no owner.
    pub count: usize,
    /// The first of these, relative to the folder of the team.
    pub first: Vec<BString>,
}

/// See [`Unowned`].
pub type Fact = Unowned;

impl GatherAt for Unowned {
    /// `path` is that of the manifest.
    fn gather(run: &Run<'_>, path: &BStr) -> Self {
        let folder = folder_of(path);
        // The files of the team's own memory need no owner.
        let wants_owner = |file: &BStr| {
            let full =
                if folder.is_empty() { file.to_vec() } else { [folder.as_bytes(), b"/", file.as_bytes()].concat() };
            run.input.roots.locate(BStr::new(&full)).is_none()
        };
        let survey = |manifest: &Manifest| {
            let survey = ownership(&claims(manifest)).survey(tracked_files::of_team(run, path), wants_owner);
            Self { files: survey.files, count: survey.unowned, first: survey.unowned_files }
        };
        with_manifest(run, path, survey).unwrap_or_default()
    }
}
