//! The globs of the configuration and the command line, compiled.

use super::now::EPOCH;
use crate::layout::exclude::{DEFAULT_EXCLUDES, Excludes};
use crate::layout::role::Roots;
use crate::settings::{Glob, Settings};
use crate::terminal::escape;

/// What the command line says and cannot mean. The configuration is checked when it is read.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum SettingsError {
    /// A glob.
    #[error("`{glob}` is not a glob")]
    #[diagnostic(help(
        "`*`, `?`, `[…]` and `{{…}}` are special; put one into brackets to match it literally, as in `[{{]`"
    ))]
    Glob {
        /// The glob.
        glob: String,
        /// Why not.
        source: globset::Error,
    },
    /// A moment.
    #[error("`{text}` is not a timestamp")]
    #[diagnostic(help("write it as 2026-02-15T14:32:15-0800, or as the day alone"))]
    Now {
        /// What was given.
        text: String,
    },
    /// `SOURCE_DATE_EPOCH`.
    #[error("`{EPOCH}` is `{text}`, expected seconds since 1970, as in `1771165935`")]
    #[diagnostic(help("`date +%s` prints the seconds of now; `unset {EPOCH}` goes back to the clock"))]
    Epoch {
        /// What it is.
        text: String,
    },
}

/// The state roots, the manifests and the excludes of the configuration and the command line.
///
/// # Errors
/// The first invalid glob.
pub(super) fn of(settings: &Settings, exclude: &[String]) -> Result<(Roots, Excludes), SettingsError> {
    let roots = compile(&settings.roots.state, |globs| Roots::new(globs))?;
    let roots = compile(&settings.roots.manifests, |globs| roots.with_manifests(globs))?;
    let own = settings.exclude.iter().map(Glob::as_ref).chain(exclude.iter().map(String::as_str));
    let excludes: Vec<&str> = DEFAULT_EXCLUDES.into_iter().chain(own).collect();
    Ok((roots, compile(&excludes, |globs| Excludes::new(globs))?))
}

/// What `build` makes of `globs`.
///
/// # Errors
/// The first invalid glob.
pub fn compile<S: AsRef<str>, T>(
    globs: &[S],
    build: impl FnOnce(&[S]) -> Result<T, globset::Error>,
) -> Result<T, SettingsError> {
    build(globs).map_err(invalid)
}

pub(super) fn invalid(source: globset::Error) -> SettingsError {
    SettingsError::Glob { glob: escape(source.glob().unwrap_or_default()), source }
}
