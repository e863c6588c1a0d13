//! Notes of git: texts about commits, each in a reference of its own.

use std::ops::ControlFlow;

use bstr::{BStr, BString, ByteSlice};

use super::changes::walk;
use crate::git::change::Blob;
use crate::git::error::GitError;
use crate::git::repository::{BlobError, Git, commit_of};

/// A note.
#[derive(Debug)]
pub struct Note {
    /// The commit or other object that it is about, in hexadecimal digits.
    pub about: BString,
    /// Its text, or why it was not read.
    pub text: Result<Vec<u8>, BlobError>,
}

/// Calls `look` with the notes in `reference`, of which at most `cap` bytes are read, in the order of what they are about.
///
/// # Errors
/// When the reference has no tree, or it is missing or damaged.
pub fn each(git: &Git, reference: &BStr, cap: u64, mut look: impl FnMut(Note)) -> Result<(), GitError> {
    let tree = git.read(|repository| commit_of(repository, &reference.to_str_lossy(), true))?.tree;
    let mut blobs: Vec<(BString, Blob)> = Vec::new();
    let visit = &mut |path: &BStr, blob: Blob| {
        // Git makes folders of the first digits if there are many notes. What has another name is not a note.
        let about = path.replace("/", "");
        if blob.is_file() && matches!(about.len(), 40 | 64) && about.iter().all(u8::is_ascii_hexdigit) {
            blobs.push((about.into(), blob));
        }
        ControlFlow::Continue(())
    };
    git.read(|repository| walk(repository, tree, BString::default(), visit)).map(drop)?;
    blobs.sort_by(|a, b| a.0.cmp(&b.0));
    for (about, blob) in blobs {
        let text = git.blob(blob.id, about.as_bstr(), cap);
        look(Note { about, text });
    }
    Ok(())
}
