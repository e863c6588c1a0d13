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
    /// Its text; `None` if it has more bytes than may be read.
    pub text: Option<Vec<u8>>,
}

/// The notes in `reference`, at most `cap` bytes of each, in the order of what they are about.
///
/// # Errors
/// When an object is missing or damaged.
pub fn of(git: &Git, reference: &BStr, cap: u64) -> Result<Vec<Note>, GitError> {
    let tree = git.read(|repository| commit_of(repository, &reference.to_str_lossy(), true))?.tree;
    let mut blobs: Vec<(BString, Blob)> = Vec::new();
    let visit = &mut |path: &BStr, blob: Blob| {
        // Git makes folders of the first digits if there are many notes. What has another name is not a note.
        let about = path.replace("/", "");
        if matches!(about.len(), 40 | 64) && about.iter().all(u8::is_ascii_hexdigit) {
            blobs.push((about.into(), blob));
        }
        ControlFlow::Continue(())
    };
    git.read(|repository| walk(repository, tree, BString::default(), visit)).map(drop)?;
    blobs.sort_by(|a, b| a.0.cmp(&b.0));
    let read = |(about, blob): (BString, Blob)| {
        let text = match git.blob(blob.id, about.as_bstr(), cap) {
            Ok(bytes) => Some(bytes),
            Err(BlobError::TooBig { .. }) => None,
            Err(BlobError::Git(error)) => return Err(error),
        };
        Ok(Note { about, text })
    };
    blobs.into_iter().filter(|(_, blob)| blob.is_file()).map(read).collect()
}
