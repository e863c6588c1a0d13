//! From the configuration and the command line to what a run takes.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Stop;
use crate::config::{self, Loaded};
use crate::diagnostic::Severity;
use crate::formats::timestamp::Timestamp;
use crate::layout::exclude::{DEFAULT_EXCLUDES, Excludes};
use crate::layout::role::Roots;
use crate::options::Options;
use crate::rules;
use crate::select::repository::Repository;
use crate::settings::{Glob, Settings};
use crate::terminal::escape;
use crate::value_source::ValueSource;

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

/// The configuration that is asked for.
///
/// # Errors
/// When it cannot be read, or says what is not understood.
pub fn load(file: Option<&Path>, no_config: bool, repository: &Repository) -> Result<Loaded, Stop> {
    let names: Vec<&str> = rules::all().map(|registered| registered.rule.name).chain(rules::families()).collect();
    Ok(match file {
        _ if no_config => Loaded::default(),
        Some(path) => config::load(&repository.root, path, &names)?,
        None => config::discover(&repository.root, &names)?,
    })
}

/// What the rules see. `now` is the moment that dates are compared with, `target` the branch that the checked state is meant
/// for.
///
/// # Errors
/// When `now` is not a timestamp, or a glob is invalid.
pub fn options(settings: Settings, now: Option<&str>, target: Option<String>) -> Result<Options, SettingsError> {
    let mut options = Options::new(settings, moment(now)?.0).map_err(invalid)?;
    options.target_branch = target;
    Ok(options)
}

/// `--now`, else `SOURCE_DATE_EPOCH` (seconds), else the clock.
///
/// # Errors
/// When what is given is no timestamp.
pub fn moment(given: Option<&str>) -> Result<(Timestamp, ValueSource), SettingsError> {
    if let Some(text) = given {
        let read = Timestamp::read(text).or_else(|| Timestamp::read(&format!("{text}T00:00:00+0000")));
        let moment = read.ok_or_else(|| SettingsError::Now { text: escape(text) })?;
        return Ok((moment, ValueSource::CommandLine { option: "--now" }));
    }
    if let Some(value) = std::env::var_os(EPOCH) {
        let text = value.to_string_lossy();
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let epoch = text.parse::<i64>().ok().filter(|epoch| is_number && *epoch <= LAST_SECOND);
        let epoch = epoch.ok_or_else(|| SettingsError::Epoch { text: escape(&text) })?;
        return Ok((Timestamp::from_unix(epoch), ValueSource::Environment { variable: EPOCH }));
    }
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    Ok((Timestamp::from_unix(i64::try_from(clock).unwrap_or(i64::MAX)), ValueSource::Default))
}

const EPOCH: &str = "SOURCE_DATE_EPOCH";
/// The end of the year 9999, beyond which no timestamp is written.
const LAST_SECOND: i64 = 253_402_300_799;

/// The lowest severity that makes the exit code 1, and the lowest that is shown.
pub fn severities(settings: &Settings, fail_on: Option<Severity>, shown: Option<Severity>) -> (Severity, Severity) {
    let fail_on = fail_on.unwrap_or(settings.fail_on);
    (fail_on, shown.or(settings.min_severity).unwrap_or_else(|| Severity::Warning.min(fail_on)))
}

/// The state roots, the manifests and the excludes of the configuration and the command line.
///
/// # Errors
/// The first invalid glob.
pub fn globs(settings: &Settings, exclude: &[String]) -> Result<(Roots, Excludes), SettingsError> {
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

fn invalid(source: globset::Error) -> SettingsError {
    SettingsError::Glob { glob: escape(source.glob().unwrap_or_default()), source }
}
