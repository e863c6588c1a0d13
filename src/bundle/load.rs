//! A bundle on disk.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use crate::formats::bundle::{Bundle, Format, Member, Problem, ProblemKind};
use crate::formats::json::{Raw, said};
use crate::fs::read::{self, FileError};
use crate::terminal::{display_path, escape};
use crate::text::{ColumnUnit, Source, Span};

/// A bundle that was read.
#[derive(Debug)]
pub struct Loaded {
    /// Its text.
    pub source: Source,
    /// What it says.
    pub bundle: Bundle,
    /// Which format it has.
    pub format: Format,
}

/// Why a file is not read as a bundle.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum LoadError {
    /// It cannot be read.
    #[error("cannot read {}", display_path(path.as_os_str().as_encoded_bytes()))]
    #[diagnostic(help("{}", read_help(source)))]
    Read {
        /// The path as given.
        path: PathBuf,
        /// Why.
        source: FileError,
    },
    /// It is not text.
    #[error("{path} is not a bundle: line {line} is not UTF-8")]
    #[diagnostic(help("export the squad again"))]
    NotUtf8 {
        /// The path as given.
        path: String,
        /// The line, from 1.
        line: usize,
    },
    /// It is not JSON, or has no version.
    #[error("{path} is not a bundle: {}", escape(reason))]
    #[diagnostic(help("`squad-lint bundle export` writes a bundle"))]
    NoBundle {
        /// The path as given.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// What to do about a bundle that cannot be read.
fn read_help(error: &FileError) -> &'static str {
    match error {
        FileError::NotAFile("a folder") => "name the file of the bundle, such as `squad-export.squad`",
        FileError::NotAFile(_) => "name a file, or write the bundle to standard input and name `-`",
        FileError::TooBig { .. } => "raise `max-file-bytes` in the configuration",
        FileError::Changing => "wait until the other program is done",
        FileError::Io(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            "check that you have permission to read it"
        }
        FileError::Outside | FileError::Io(_) => "check the spelling",
    }
}

impl Loaded {
    /// Reads the bundle at `path`, which may have `cap` bytes at most.
    ///
    /// # Errors
    /// See [`LoadError`]. A bundle with other defects is read as far as it goes.
    pub fn read(path: &Path, cap: u64) -> Result<Self, LoadError> {
        Self::parse(path, Self::bytes(path, cap)?)
    }

    /// The bytes of the file at `path`, at most `cap` of them.
    ///
    /// # Errors
    /// [`LoadError::Read`].
    pub fn bytes(path: &Path, cap: u64) -> Result<Vec<u8>, LoadError> {
        read::read_named(path, cap).map_err(|source| LoadError::Read { path: path.to_path_buf(), source })
    }

    /// The bundle in `bytes`, which are those of the file at `path`.
    ///
    /// # Errors
    /// [`LoadError::NotUtf8`], [`LoadError::NoBundle`].
    pub fn parse(path: &Path, bytes: Vec<u8>) -> Result<Self, LoadError> {
        let source = Source::new(path.as_os_str().as_encoded_bytes(), bytes);
        let shown = || display_path(path.as_os_str().as_encoded_bytes());
        if let Some(span) = source.invalid().first() {
            let line = source.position(span.start(), ColumnUnit::Char).line;
            return Err(LoadError::NotUtf8 { path: shown(), line });
        }
        let bundle = Bundle::parse(source.text());
        if let Some(format) = bundle.format {
            return Ok(Self { source, bundle, format });
        }
        let problem = bundle.problems.iter().find(|problem| problem.kind != ProblemKind::DuplicateKey);
        let in_words = |problem: &Problem| {
            let place = source.position(problem.span.start(), ColumnUnit::Char);
            format!("{} (line {}, column {})", problem.message, place.line, place.column)
        };
        let reason = problem.map_or_else(String::new, in_words);
        Err(LoadError::NoBundle { path: shown(), reason })
    }

    /// The value of that key of `casting`; `None` if it is missing or `null`.
    pub(super) fn casting(&self, key: &str) -> Option<Raw<'_>> {
        self.value(self.bundle.casting(key)?)
    }

    /// The value of `member`; `None` if it is `null`.
    pub(super) fn value(&self, member: &Member) -> Option<Raw<'_>> {
        Some(self.raw(member.value)).filter(|value| !value.is_null())
    }

    /// The value at `span`.
    pub(super) fn raw(&self, span: Span) -> Raw<'_> {
        Raw(span.of(self.source.text()))
    }

    /// What the JSON string at `span` says.
    pub(super) fn said(&self, span: Span) -> Cow<'_, str> {
        said(span.of(self.source.text()))
    }
}
