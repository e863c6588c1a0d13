//! The text on standard input.

use std::io::Read;

/// Why standard input was not read.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum StdinError {
    /// It is larger than the cap.
    #[error("standard input has more than {cap} bytes, which is `max-file-bytes`")]
    #[diagnostic(help("raise `max-file-bytes` in the configuration"))]
    TooBig {
        /// The cap in bytes.
        cap: u64,
    },
    /// It cannot be read.
    #[error("cannot read standard input")]
    Io(#[from] std::io::Error),
}

/// The bytes on standard input, at most `cap` of them.
///
/// # Errors
/// See [`StdinError`].
pub fn read(cap: u64) -> Result<Vec<u8>, StdinError> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(cap.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > cap { Err(StdinError::TooBig { cap }) } else { Ok(bytes) }
}
