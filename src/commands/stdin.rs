//! `-` and `--stdin-filename`: one file from standard input.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::cli::CheckArgs;
use crate::options::Options;

/// Why standard input was not read.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum StdinError {
    /// Other paths beside it.
    #[error("standard input and other paths cannot be checked in one run")]
    #[diagnostic(help("run once for `-` and once for the others"))]
    Paths,
    /// Comments are to be added.
    #[error("cannot use `--add-ignore` with standard input")]
    #[diagnostic(help("name the file"))]
    AddIgnore,
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

/// What stands for a file without a name: Markdown outside of every state root.
const UNNAMED: &str = "stdin.md";

/// Whether the arguments ask for the file on standard input.
pub fn is_asked_for(args: &CheckArgs) -> bool {
    args.stdin_filename.is_some() || args.paths.iter().any(|path| is_dash(path))
}

fn is_dash(path: &Path) -> bool {
    path.as_os_str() == OsStr::new("-")
}

/// The name and the bytes of the file on standard input; `None` where the arguments do not ask for it.
///
/// # Errors
/// See [`StdinError`].
pub fn read(args: &CheckArgs, options: &Options) -> Result<Option<(PathBuf, Vec<u8>)>, StdinError> {
    if !is_asked_for(args) {
        return Ok(None);
    }
    if !args.paths.iter().all(|path| is_dash(path)) {
        return Err(StdinError::Paths);
    }
    if args.add_ignore.is_some() {
        return Err(StdinError::AddIgnore);
    }
    let name = args.stdin_filename.clone().unwrap_or_else(|| PathBuf::from(UNNAMED));
    let cap = options.max_file_bytes.get();
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(cap.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > cap {
        return Err(StdinError::TooBig { cap });
    }
    Ok(Some((name, bytes)))
}
