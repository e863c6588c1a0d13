//! Documents that are kept from check to check: a file is read and parsed again only if its bytes changed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bstr::{BStr, BString, ByteSlice};

use super::Document;
use crate::fs::path::below;
use crate::fs::stamp::Stamp;
use crate::select::input::{Input, Mode};
use crate::select::read_error::ReadError;
use crate::select::selected::{Origin, Selected};
use crate::text::Source;

/// Documents and other texts by their paths, of one repository and one target.
#[derive(Debug, Default)]
pub struct Documents {
    documents: Mutex<HashMap<BString, (Arc<Document>, BytesFrom)>>,
    sources: Mutex<HashMap<BString, (Arc<Source>, BytesFrom)>>,
}

/// Where the bytes were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BytesFrom {
    /// An object of git, which never changes.
    Git,
    /// The file on disk with this stamp.
    Disk(Stamp),
    /// The overlay, or a file that may change unseen: only a comparison of the bytes can tell.
    Elsewhere,
}

impl Documents {
    /// The document of `file`, which may have `cap` bytes at most: the one that is kept if its bytes are still the same.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn read(&self, input: Input<'_>, file: &Selected, cap: u64) -> Result<Arc<Document>, ReadError> {
        let from = match file.origin {
            _ if input.overlay.contains_key(&file.path) => BytesFrom::Elsewhere,
            Origin::Blob(_) => BytesFrom::Git,
            _ => on_disk(input, file.path.as_bstr()),
        };
        let known = lock(&self.documents).get(&file.path).filter(|(known, _)| known.file == *file).cloned();
        if let Some((known, was)) = known
            && is_same(input, &known.source, from, was)
        {
            return Ok(known);
        }
        let document = Arc::new(Document::read(input, file, cap)?);
        lock(&self.documents).insert(file.path.clone(), (document.clone(), from));
        Ok(document)
    }

    /// The text of the file at `path`, at most `cap` bytes: the one that is kept if its bytes are still the same.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn source(&self, input: Input<'_>, path: &BStr, cap: u64) -> Result<Arc<Source>, ReadError> {
        let from = if input.overlay.contains_key(path) { BytesFrom::Elsewhere } else { on_disk(input, path) };
        let known = lock(&self.sources).get(path).cloned();
        if let Some((known, was)) = known
            && is_same(input, &known, from, was)
        {
            return Ok(known);
        }
        let source = Arc::new(Source::new(path, input.read(path, cap)?));
        lock(&self.sources).insert(path.into(), (source.clone(), from));
        Ok(source)
    }
}

/// Whether `source`, which was read at `was`, holds the bytes that are read at `now`.
fn is_same(input: Input<'_>, source: &Source, now: BytesFrom, was: BytesFrom) -> bool {
    match input.overlay.get(source.path()) {
        Some(bytes) => source.bytes() == bytes.as_slice(),
        None => now == was && now != BytesFrom::Elsewhere,
    }
}

fn on_disk(input: Input<'_>, path: &BStr) -> BytesFrom {
    if matches!(input.mode, Mode::Change(_) | Mode::Revision(_)) {
        return BytesFrom::Elsewhere;
    }
    let stamp = path.to_path().ok().and_then(|path| Stamp::of(&below(&input.repository.root, path)));
    stamp.map_or(BytesFrom::Elsewhere, BytesFrom::Disk)
}

fn lock<T>(map: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    map.lock().unwrap_or_else(PoisonError::into_inner)
}
