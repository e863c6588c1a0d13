//! The globs of the configuration and the command line, compiled.

pub use super::error::SettingsError;
use crate::layout::exclude::{DEFAULT_EXCLUDES, Excludes};
use crate::layout::roots::Roots;
use crate::settings::{Glob, Settings};
use crate::terminal::escape;

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
