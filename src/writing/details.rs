//! The text of a new entry, as it is given.

use std::io::{self, Read};
use std::path::Path;

use crate::fs::read::{FileError, read};
use crate::terminal::display_path;
use crate::text::MAX_BYTES;

/// Why the text of an entry cannot be read.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum DetailsError {
    /// A file cannot be read.
    #[error("cannot read {path}")]
    File {
        /// The file.
        path: String,
        /// Why.
        source: FileError,
    },
    /// Standard input cannot be read.
    #[error("cannot read standard input")]
    Stdin {
        /// Why.
        source: io::Error,
    },
    /// The bytes are not text.
    #[error("the text is not UTF-8")]
    NotUtf8,
}

/// The text of a file, or of standard input for `-`; nothing if none is named.
///
/// # Errors
/// See [`DetailsError`].
pub fn read_from(path: Option<&Path>) -> Result<String, DetailsError> {
    let bytes = match path {
        None => return Ok(String::new()),
        Some(path) if path.as_os_str() == "-" => {
            let mut bytes = Vec::new();
            io::stdin().take(MAX_BYTES).read_to_end(&mut bytes).map_err(|source| DetailsError::Stdin { source })?;
            bytes
        }
        Some(path) => read(path, MAX_BYTES).map_err(|source| {
            let path = display_path(path.as_os_str().as_encoded_bytes());
            DetailsError::File { path, source }
        })?,
    };
    String::from_utf8(bytes).map_err(|_| DetailsError::NotUtf8)
}
