//! From the configuration and the command line to what a run takes.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::Stop;
use crate::config::{self, Config, Loaded};
use crate::diagnostic::Severity;
use crate::formats::timestamp::Timestamp;
use crate::layout::exclude::{DEFAULT_EXCLUDES, Excludes};
use crate::layout::globs::Globs;
use crate::layout::role::{DEFAULT_MANIFESTS, DEFAULT_ROOTS, Roots};
use crate::options::{Guard, LearningsCaps, MemoryCaps, Options};
use crate::rules;
use crate::select::repository::Repository;
use crate::terminal::escape;

/// What the command line says and cannot mean. The configuration is checked when it is read.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum SettingsError {
    /// A glob.
    #[error("`{glob}` is not a glob")]
    #[diagnostic(help(
        "`*`, `?`, `[…]` and `{{…}}` are special; one that stands for itself goes into brackets, as in `[{{]`"
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

/// Where a value comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Origin {
    /// Nobody says anything.
    #[default]
    Default,
    /// The configuration.
    File {
        /// Its line, from 1.
        line: usize,
    },
    /// The command line.
    CommandLine {
        /// With its dashes.
        option: &'static str,
    },
    /// The environment.
    Environment {
        /// Its name.
        variable: &'static str,
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

/// What the rules are tuned with. `now` is the moment against which dates are judged, `target` the branch that what is
/// checked is meant for.
///
/// # Errors
/// When `now` is no timestamp, or a glob none.
pub fn options(config: &Config, now: Option<&str>, target: Option<String>) -> Result<Options, SettingsError> {
    let defaults = Options::at(moment(now)?.0);
    let caps = MemoryCaps::default();
    Ok(Options {
        phase: config.phase.unwrap_or(defaults.phase),
        summary_max: config.rules.options.summary_too_long.max.unwrap_or(defaults.summary_max),
        max_file_size: config.max_file_size.unwrap_or(defaults.max_file_size),
        memory: MemoryCaps {
            decisions: config.memory.decisions_max.unwrap_or(caps.decisions),
            decisions_hard: config.memory.decisions_hard_max.unwrap_or(caps.decisions_hard),
            history: config.memory.history_max.unwrap_or(caps.history),
        },
        learnings: learnings(&config.learnings),
        guard: guard(config, target)?,
        ..defaults
    })
}

fn learnings(config: &config::Learnings) -> LearningsCaps {
    let caps = LearningsCaps::default();
    LearningsCaps {
        lines: config.lines_max.unwrap_or(caps.lines),
        core: config.core_max.unwrap_or(caps.core),
        task_relevant: config.task_relevant_max.unwrap_or(caps.task_relevant),
        stale_after: config.stale_after.unwrap_or(caps.stale_after),
        unsettled_after: config.unsettled_after.unwrap_or(caps.unsettled_after),
        promote_after: config.promote_after.unwrap_or(caps.promote_after),
        similarity: config.similarity.unwrap_or(caps.similarity),
    }
}

fn guard(config: &Config, target: Option<String>) -> Result<Guard, SettingsError> {
    let defaults = Guard::default();
    let branches = match &config.guard.branches {
        Some(globs) => compile(globs, |globs| Globs::new(globs))?,
        None => defaults.branches,
    };
    Ok(Guard {
        policy: config.guard.policy,
        branches,
        state_branch: config.guard.state_branch.clone().unwrap_or(defaults.state_branch),
        target,
    })
}

/// `--now`, else `SOURCE_DATE_EPOCH` (seconds), else the clock.
///
/// # Errors
/// When what is given is no timestamp.
pub fn moment(given: Option<&str>) -> Result<(Timestamp, Origin), SettingsError> {
    if let Some(text) = given {
        let read = Timestamp::read(text).or_else(|| Timestamp::read(&format!("{text}T00:00:00+0000")));
        let moment = read.ok_or_else(|| SettingsError::Now { text: escape(text) })?;
        return Ok((moment, Origin::CommandLine { option: "--now" }));
    }
    if let Some(value) = std::env::var_os(EPOCH) {
        let text = value.to_string_lossy();
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let epoch = text.parse::<i64>().ok().filter(|epoch| is_number && *epoch <= LAST_SECOND);
        let epoch = epoch.ok_or_else(|| SettingsError::Epoch { text: escape(&text) })?;
        return Ok((Timestamp::from_unix(epoch), Origin::Environment { variable: EPOCH }));
    }
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    Ok((Timestamp::from_unix(i64::try_from(clock).unwrap_or(i64::MAX)), Origin::Default))
}

const EPOCH: &str = "SOURCE_DATE_EPOCH";
/// The end of the year 9999, beyond which no timestamp is written.
const LAST_SECOND: i64 = 253_402_300_799;

/// The mildest severity that makes the exit code 1, and the mildest that is shown.
pub fn severities(config: &Config, fail_on: Option<Severity>, shown: Option<Severity>) -> (Severity, Severity) {
    let fail_on = fail_on.or(config.fail_on).unwrap_or(Severity::Error);
    (fail_on, shown.or(config.min_severity).unwrap_or_else(|| Severity::Warning.min(fail_on)))
}

/// The globs of the state roots.
pub fn state_roots(config: &Config) -> Vec<String> {
    config.roots.state.clone().unwrap_or_else(|| DEFAULT_ROOTS.map(String::from).to_vec())
}

/// The globs of the manifests.
pub fn manifests(config: &Config) -> Vec<String> {
    config.roots.manifests.clone().unwrap_or_else(|| DEFAULT_MANIFESTS.map(String::from).to_vec())
}

/// The state roots, the manifests and the excludes of the configuration and the command line.
///
/// # Errors
/// The first glob that is none.
pub fn globs(config: &Config, exclude: &[String]) -> Result<(Roots, Excludes), SettingsError> {
    let manifests = manifests(config);
    let roots = compile(&state_roots(config), |globs| Roots::new(globs))?;
    let roots = compile(&manifests, |globs| roots.with_manifests(globs))?;
    let defaults = DEFAULT_EXCLUDES.iter().map(ToString::to_string);
    let excludes: Vec<String> = defaults.chain(config.exclude.clone()).chain(exclude.to_vec()).collect();
    Ok((roots, compile(&excludes, |globs| Excludes::new(globs))?))
}

/// What `build` makes of `globs`.
///
/// # Errors
/// The first glob that is none.
pub fn compile<T>(
    globs: &[String],
    build: impl FnOnce(&[String]) -> Result<T, globset::Error>,
) -> Result<T, SettingsError> {
    build(globs).map_err(|source| {
        let glob = source.glob().unwrap_or_default();
        SettingsError::Glob { glob: escape(glob), source }
    })
}
