//! The values that hold, gathered as a run gathers them, each with its origin.

pub mod text;

use std::collections::BTreeMap;
use std::path::Path;

use bstr::{BStr, ByteSlice};
use serde::Serialize;
use serde_json::{Value, json};

use crate::config::{FILE_NAMES, keys, render, schema};
use crate::diagnostic::{Level, Severity};
use crate::layout::exclude::{DEFAULT_EXCLUDES, Excludes};
use crate::project::globs::{self, SettingsError};
use crate::project::rules::{RuleSetError, is_on};
use crate::project::{Project, now};
use crate::rule::Registered;
use crate::rule_set::RuleSet;
use crate::rules;
use crate::settings::{self as own, Glob};
use crate::terminal::display_path;
use crate::value_source::ValueSource;

/// The version of the JSON format: changes when a program that reads it could break.
const VERSION: u32 = 1;

/// What the command line says beside the configuration.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// `--select`.
    pub select: &'a [String],
    /// `--ignore`.
    pub ignore: &'a [String],
    /// `--exclude`.
    pub exclude: &'a [String],
    /// `--fail-on`.
    pub fail_on: Option<Severity>,
    /// `--min-severity`.
    pub min_severity: Option<Severity>,
    /// `--now`.
    pub now: Option<&'a str>,
}

/// What applies to a file, or to the repository.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Effective {
    version: u32,
    /// The file that is asked about.
    pub path: Option<String>,
    /// The configuration file that was read.
    pub config: Option<String>,
    /// Configuration files at the root that were not.
    pub not_read: Vec<String>,
    /// The state root that the file lies in.
    pub root: Option<String>,
    /// The glob that leaves the file out.
    pub excluded: Option<Excluded>,
    /// Every key but those of rules. `exclude` comes once for each origin, as they add up.
    pub settings: Vec<Setting>,
    /// Every rule.
    pub rules: Vec<RuleLevel>,
    /// The overrides that hold for the file, all of them where there is none. They are in the levels of the rules.
    pub overrides: Vec<Override>,
}

/// Why a file is left out.
#[derive(Debug, Serialize)]
pub struct Excluded {
    /// The glob.
    pub glob: String,
    /// Where it comes from.
    pub origin: ValueSource,
}

/// A value.
#[derive(Debug, Serialize)]
pub struct Setting {
    /// The key, with its tables.
    pub key: String,
    /// The value.
    pub value: Value,
    /// Where it comes from.
    pub origin: ValueSource,
}

/// A rule, and how it reports.
#[derive(Debug, Serialize)]
pub struct RuleLevel {
    /// The name of the rule.
    pub name: &'static str,
    /// How it reports.
    pub level: Level,
    /// How it reports by default.
    pub default: Level,
    /// Where it comes from.
    pub origin: ValueSource,
}

/// An override.
#[derive(Debug, Serialize)]
pub struct Override {
    /// The globs of the files.
    pub files: Vec<String>,
    /// The levels of rules and families.
    pub rules: BTreeMap<String, Level>,
    /// Where it comes from.
    pub origin: ValueSource,
}

/// What applies to `file`, relative to `root`, or to the repository.
///
/// # Errors
/// When a rule does not exist, or a glob or a moment is not valid.
pub fn of(given: &Given<'_>, project: &Project, file: Option<&BStr>) -> Result<Effective, RuleSetError> {
    let root = &project.repository.root;
    let rules = project.rules(given.select, given.ignore)?;
    let shown = |path: &Path| {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        display_path(path.strip_prefix(root).unwrap_or(&path).as_os_str().as_encoded_bytes())
    };
    let config = project.config.as_deref().map(shown);
    let at_root = FILE_NAMES.iter().map(|name| root.join(name)).filter(|path| path.is_file());
    let not_read = at_root.map(|path| shown(&path)).filter(|path| config.as_ref() != Some(path)).collect();
    let state_root = file.and_then(|file| project.roots.root_of(file));
    let source = Gathering { args: given, project, rules: &rules };
    Ok(Effective {
        version: VERSION,
        path: file.map(|file| display_path(file)),
        config,
        not_read,
        root: state_root.as_ref().map(|root| display_path(root)),
        excluded: file.map_or(Ok(None), |file| source.excluded(file))?,
        settings: source.settings(state_root.as_ref().map(|root| root.as_bstr()))?,
        rules: rules::all().map(|registered| source.level(registered, file)).collect(),
        overrides: source.overrides(file)?,
    })
}

/// What the values come from.
struct Gathering<'a> {
    args: &'a Given<'a>,
    project: &'a Project,
    rules: &'a RuleSet,
}

impl Gathering<'_> {
    /// The place of a key in the file.
    fn line(&self, way: &[&str]) -> Option<ValueSource> {
        self.project.places.line(way).map(|line| ValueSource::File { line })
    }

    /// The globs that leave files out, from each origin.
    fn excludes(&self) -> [(Vec<String>, ValueSource); 3] {
        [
            (DEFAULT_EXCLUDES.map(String::from).to_vec(), ValueSource::Default),
            (strings(&self.project.options.settings.exclude), self.line(&["exclude"]).unwrap_or_default()),
            (self.args.exclude.to_vec(), ValueSource::CommandLine { option: "--exclude" }),
        ]
    }

    fn excluded(&self, file: &BStr) -> Result<Option<Excluded>, SettingsError> {
        for (globs, origin) in self.excludes() {
            for glob in globs {
                if globs::compile(std::slice::from_ref(&glob), |glob| Excludes::new(glob))?.matches(file) {
                    return Ok(Some(Excluded { glob, origin }));
                }
            }
        }
        Ok(None)
    }

    /// Every key but those of rules; in the state root `root`, where one is given.
    fn settings(&self, root: Option<&BStr>) -> Result<Vec<Setting>, SettingsError> {
        let Self { args, project, .. } = self;
        let given = &project.options.settings;
        let (fail_on, min_severity) = given.severities(args.fail_on, args.min_severity);
        let mut effective = given.clone();
        (effective.fail_on, effective.min_severity) = (fail_on, Some(min_severity));
        effective.guard.policy = root.map_or(effective.guard.policy, |root| effective.guard.policy_of(root));
        let source = |path: &[&str]| {
            let of_file = self.line(path).unwrap_or_default();
            match path {
                ["fail-on"] if args.fail_on.is_some() => ValueSource::CommandLine { option: "--fail-on" },
                ["min-severity"] if args.min_severity.is_some() => {
                    ValueSource::CommandLine { option: "--min-severity" }
                }
                ["guard", "policy"] if effective.guard.policy != given.guard.policy => ValueSource::Default,
                _ => of_file,
            }
        };
        let (moment, from) = now::moment(args.now)?;
        let mut all = vec![Setting { key: "now".to_owned(), value: json!(moment.to_string()), origin: from }];
        // Settings are plain values: they always have a form in JSON.
        let values = serde_json::to_value(&effective).unwrap_or_default();
        for keys::Key { path, .. } in keys::all(&schema::base()) {
            let value = path.iter().try_fold(&values, |table, name| table.get(name));
            let mut add = |value, origin| all.push(Setting { key: render::dotted(&path), value, origin });
            match path.as_slice() {
                // They come rule by rule and override by override.
                ["rules" | "overrides"] => {}
                ["exclude"] => {
                    let given = self.excludes().into_iter().filter(|(globs, _)| !globs.is_empty());
                    given.for_each(|(globs, origin)| add(json!(globs), origin));
                }
                ["min-severity"] => add(
                    json!(min_severity),
                    match source(&path) {
                        // It follows `fail-on` down.
                        ValueSource::Default if min_severity < Severity::Warning => source(&["fail-on"]),
                        origin => origin,
                    },
                ),
                path => add(value.cloned().unwrap_or_default(), source(path)),
            }
        }
        Ok(all)
    }

    fn level(&self, registered: &Registered, file: Option<&BStr>) -> RuleLevel {
        let rule = registered.rule;
        let (severity, by) = self.rules.severity_at(rule.name, file);
        let default = if rule.enabled { Level::from(rule.severity) } else { Level::Off };
        RuleLevel {
            name: rule.name,
            level: severity.map_or(Level::Off, Level::from),
            default,
            origin: self.why(registered, by),
        }
    }

    /// Why a rule has the level that it has; `by` is the override that decides.
    fn why(&self, registered: &Registered, by: Option<usize>) -> ValueSource {
        let name = registered.rule.name;
        let either = |levels: &[&str]| {
            let of = |key| self.line(&[levels, &[key]].concat());
            of(name).or_else(|| of(registered.family()))
        };
        if let Some(at) = by {
            return either(&["overrides", &at.to_string(), "rules"]).unwrap_or_default();
        }
        let names = |list: &[String], words: &[&str]| list.iter().any(|given| words.contains(&given.as_str()));
        if names(self.args.ignore, &[name, registered.family(), "all"]) {
            return ValueSource::CommandLine { option: "--ignore" };
        }
        let levels = &self.project.options.settings.rules.levels;
        let switched_on = !is_on(levels, registered) && names(self.args.select, &[name, "all"]);
        if !self.args.select.is_empty() && (switched_on || !self.rules.reports(name)) {
            return ValueSource::CommandLine { option: "--select" };
        }
        // A family changes the severity of its rules, it switches none on.
        let own = levels.contains_key(name) || registered.rule.enabled;
        either(&["rules"]).filter(|_| own).unwrap_or_default()
    }

    fn overrides(&self, file: Option<&BStr>) -> Result<Vec<Override>, SettingsError> {
        let mut found = Vec::new();
        for (at, over) in self.project.options.settings.overrides.iter().enumerate() {
            let own::Override { files, rules } = over.clone();
            let matching = globs::compile(&files, |globs| Excludes::new(globs))?;
            if file.is_none_or(|file| matching.matches(file)) {
                let origin = self.line(&["overrides", &at.to_string()]).unwrap_or_default();
                found.push(Override { files: strings(&files), rules, origin });
            }
        }
        Ok(found)
    }
}

fn strings(globs: &[Glob]) -> Vec<String> {
    globs.iter().map(|glob| glob.as_ref().to_owned()).collect()
}
