//! Files that are asked for and not read.

use bstr::{BString, ByteSlice};

use super::session::Session;
use crate::fs::path::is_in;
use crate::layout::roots::Location;
use crate::outcome::Failure;
use crate::project::Project;
use crate::select::read_error::ReadError;
use crate::select::selected::Selected;

/// The files that are `of_kind` and links that lead out of the repository: they are not read, and an answer without them is not all of it.
pub fn outside(project: &Project, session: &Session<'_>, of_kind: impl Fn(&Selected) -> bool) -> Vec<Failure> {
    let is_asked_for = |path: &BString| {
        let Some(Location { root, kind: Some(kind) }) = project.roots.locate(path.as_bstr()) else { return false };
        of_kind(&Selected::on_disk(path.clone(), root, kind, true, false))
    };
    let folders = &session.selection().folders;
    let is_below = |path: &&BString| folders.iter().any(|folder| is_in(path.as_bstr(), folder.as_bstr()));
    let paths = session.selection().escapes.keys().filter(is_below).filter(|path| is_asked_for(path));
    paths.map(|path| Failure { path: path.clone(), reason: ReadError::Outside }).collect()
}
