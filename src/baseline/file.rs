//! The file of a baseline: which one it is, reading and writing it.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use bstr::ByteSlice;
use miette::SourceSpan;

use super::{Baseline, Malformed, VERSION};
use crate::config::Named;
use crate::fs::atomic::{self, WriteError};
use crate::fs::read::leads_out;
use crate::outcome::Outcome;
use crate::select::repository::Repository;
use crate::settings::{Settings, Text};
use crate::terminal::escape;

/// Why a baseline cannot be used.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum BaselineError {
    /// It cannot be read.
    #[error("cannot read the baseline {}", path.display())]
    #[diagnostic(help("`--write-baseline {}` writes one; `--no-baseline` uses none", path.display()))]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The configuration names one that does not lie in the repository.
    #[error("the baseline `{path}` in the configuration is outside of the repository")]
    #[diagnostic(help("write `baseline` as a path below the root; `--baseline FILE` accepts any path"))]
    Outside {
        /// As the configuration has it.
        path: String,
    },
    /// A symbolic link leads to it out of the repository: what else is read must stay unknown.
    #[error("a symbolic link leads from the baseline {} out of the repository", path.display())]
    #[diagnostic(help("replace the link with the file itself"))]
    Link {
        /// The file.
        path: PathBuf,
    },
    /// It is of another version.
    #[error("the baseline {} has version {found}, expected {VERSION}", path.display())]
    #[diagnostic(help("write it again with `--write-baseline {}`, or use the version of squad-lint that wrote it", path.display()))]
    Version {
        /// The file.
        path: PathBuf,
        /// The version that it has.
        found: u64,
    },
    /// It is not a baseline.
    #[error("the baseline is not understood: {message}")]
    #[diagnostic(help("write it again with `--write-baseline {}`", path.display()))]
    Content {
        /// The file.
        path: PathBuf,
        /// The value that was found, and the value that was expected.
        message: String,
        /// The file with its text.
        #[source_code]
        source_code: Arc<Named>,
        /// The place.
        #[label]
        span: SourceSpan,
    },
}

/// The file of known findings that the configuration names.
///
/// # Errors
/// When the configuration names a file outside of the repository, whose text an error could print.
pub fn configured(settings: &Settings, repository: &Repository) -> Result<Option<PathBuf>, BaselineError> {
    let Some(configured) = settings.baseline.as_ref().map(Text::as_str) else { return Ok(None) };
    let path = repository.root.join(configured);
    let is_below =
        Path::new(configured).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let leads_out = path.canonicalize().is_ok_and(|path| !path.starts_with(&repository.root));
    if !is_below || leads_out { Err(BaselineError::Outside { path: escape(configured) }) } else { Ok(Some(path)) }
}

/// The baseline in the file at `path`, for the repository at `root`.
///
/// # Errors
/// See [`BaselineError`].
pub fn load(root: &Path, path: &Path) -> Result<Baseline, BaselineError> {
    if leads_out(root, path) {
        return Err(BaselineError::Link { path: path.into() });
    }
    let bytes = std::fs::read(path).map_err(|source| BaselineError::Read { path: path.into(), source })?;
    Baseline::parse(&bytes).map_err(|malformed| match malformed {
        Malformed::Version(found) => BaselineError::Version { path: path.into(), found },
        Malformed::Content { message, at } => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let source_code = Arc::new(Named::new(path.display().to_string(), text));
            let message = escape(&message);
            BaselineError::Content { path: path.into(), message, source_code, span: SourceSpan::from((at, 0)) }
        }
    })
}

/// Why no baseline was written.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum NotWritten {
    /// Another kind of file has this path.
    #[error("{} exists and is not a baseline", path.display())]
    #[diagnostic(help("name another file, or delete it"))]
    Other {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be written.
    #[error("the baseline was not written")]
    #[diagnostic(help("check that the folder exists, and that you have permission to write there"))]
    Write(#[source] WriteError),
}

/// Writes the findings in `outcome` to `path`: how many there are, and in how many files.
///
/// # Errors
/// See [`NotWritten`].
pub fn write(path: &Path, outcome: &Outcome) -> Result<(usize, usize), NotWritten> {
    let baseline = Baseline::of(&outcome.diagnostics, |path| outcome.source(path));
    store(path, baseline.to_json().as_bytes())?;
    let mut files: Vec<_> = outcome.diagnostics.iter().map(|diagnostic| &diagnostic.path).collect();
    files.dedup();
    Ok((baseline.len(), files.len()))
}

/// Puts `new` into the file at `path`: a new one, or one that holds a baseline.
fn store(path: &Path, new: &[u8]) -> Result<(), NotWritten> {
    let failed =
        |source| NotWritten::Write(WriteError::Io { step: "find the folder of", path: path.to_path_buf(), source });
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().map_err(failed)?;
    let name = path.file_name().ok_or_else(|| failed(std::io::ErrorKind::InvalidFilename.into()))?;
    match std::fs::read(path) {
        Ok(old) if old == new => Ok(()),
        Ok(old) if is_baseline(&old) => atomic::replace(&folder, Path::new(name), &old, new).map_err(NotWritten::Write),
        Ok(_) => Err(NotWritten::Other { path: path.to_path_buf() }),
        Err(_) => atomic::create(&folder, Path::new(name), new).map_err(NotWritten::Write),
    }
}

/// Whether a file is an empty one, or looks like a baseline of any version.
fn is_baseline(bytes: &[u8]) -> bool {
    let json = serde_json::from_slice::<serde_json::Value>(bytes);
    bytes.trim().is_empty() || json.is_ok_and(|json| json.get("version").is_some() && json.get("findings").is_some())
}
