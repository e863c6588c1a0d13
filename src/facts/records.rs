//! What the learning teams wrote down of their sprints.

use bstr::{BStr, BString, ByteSlice};

use super::{GatherAt, Run};
use crate::formats::records::{self, Index};

/// What one team wrote down.
#[derive(Debug, Default)]
pub struct Records {
    /// Its retrospectives and its sessions.
    pub(super) all: Index,
    /// Its retrospectives.
    pub(super) retros: Index,
}

/// See [`Records`].
pub type Fact = Records;

/// Older sessions than these are not looked through.
const MAX_SESSIONS: usize = 500;

impl GatherAt for Records {
    /// `memory` is the memory folder of the team, with a slash at its end.
    fn gather(run: &Run<'_>, memory: &BStr) -> Self {
        let mut records = Self::default();
        if let Some(history) = run.read([memory.as_bytes(), b"team/retro-history.md"].concat().as_bstr()) {
            for retro in records::retros(history.text()) {
                records.all.add(retro);
                records.retros.add(retro);
            }
        }
        let folder: BString = [memory.as_bytes(), b"sessions"].concat().into();
        for name in names_in(run, folder.as_bstr()) {
            let session = run.read([folder.as_bytes(), b"/", name.as_bytes()].concat().as_bstr());
            let session = session.as_ref().and_then(|file| records::session(&name.to_str_lossy(), file.text()));
            if let Some(session) = session {
                records.all.add(session);
            }
        }
        records
    }
}

/// The names of the Markdown files in a folder of the work tree, sorted; none if another tree is checked.
fn names_in(run: &Run<'_>, folder: &BStr) -> Vec<BString> {
    if !run.sees_work_tree() {
        return Vec::new();
    }
    let path = folder.to_path().map(|folder| run.input.repository.root.join(folder));
    let Ok(Ok(listed)) = path.map(std::fs::read_dir) else { return Vec::new() };
    let names = listed.flatten().map(|file| BString::from(file.file_name().as_encoded_bytes()));
    let mut names: Vec<BString> = names.filter(|name| name.ends_with(b".md")).collect();
    names.sort();
    // The newest have the greatest names.
    names.drain(..names.len().saturating_sub(MAX_SESSIONS));
    names
}
