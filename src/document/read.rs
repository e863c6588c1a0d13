//! Reading a file, and what the change that is checked touched in it.

use std::sync::Arc;

use bstr::ByteSlice;

use super::compare::touched;
use super::{Before, Document};
use crate::git::lines;
use crate::git::repository::BlobError;
use crate::select::input::{Input, Mode};
use crate::select::read_error::ReadError;
use crate::select::selected::{Earlier, Selected};
use crate::text::{MAX_BYTES, Source};

impl Document {
    /// Reads `file`, which may have `cap` bytes at most, as it is now. Its secrets are not known yet.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn source(input: Input<'_>, file: &Selected, cap: u64) -> Result<Arc<Source>, ReadError> {
        let bytes = input.read_selected(file, cap.min(MAX_BYTES))?;
        Ok(Arc::new(Source::unshown(file.path.clone(), bytes)))
    }

    /// Reads and parses `file`, which may have `cap` bytes at most.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn read(input: Input<'_>, file: &Selected, cap: u64) -> Result<Self, ReadError> {
        let cap = cap.min(MAX_BYTES);
        let bytes = input.read_selected(file, cap)?;
        let mut before = before(input, file, cap)?;
        let mut document = Self::parse(file.clone(), Arc::new(Source::new(file.path.clone(), bytes)));
        let compared = before.as_mut().filter(|_| file.earlier != Earlier::Nothing);
        document.touched = compared.and_then(|before| {
            let old = Self::parse(file.clone(), before.source.clone()?);
            let hunks = lines::hunks(old.source.bytes(), document.source.bytes());
            let lines: Vec<_> = hunks.iter().map(|(_, now)| now.clone()).collect();
            before.hunks = Some(hunks);
            Some(touched(&document, &old, &lines, matches!(input.mode, Mode::WorkTree)))
        });
        document.before = before;
        Ok(document)
    }
}

fn before(input: Input<'_>, file: &Selected, cap: u64) -> Result<Option<Before>, ReadError> {
    let path = file.path.as_bstr();
    let read = |bytes: Vec<u8>| Before {
        size: bytes.len() as u64,
        source: Some(Arc::new(Source::new(path, bytes))),
        hunks: None,
    };
    let (Earlier::Blob(id), Some(git)) = (file.earlier, &input.repository.git) else {
        return Ok((file.earlier == Earlier::Nothing).then(|| read(Vec::new())));
    };
    match git.blob(id, path, cap) {
        Ok(bytes) => Ok(Some(read(bytes))),
        Err(BlobError::TooBig { size, .. }) => Ok(Some(Before { size, source: None, hunks: None })),
        Err(error) => Err(error.into()),
    }
}
