//! The values that hold, gathered as a run gathers them, each with its origin.

use std::collections::BTreeMap;
use std::path::Path;

use bstr::{BStr, ByteSlice};
use serde::Serialize;
use serde_json::{Value, json};

use crate::cli::ConfigArgs;
use crate::commands::settings::{self, Origin, SettingsError};
use crate::commands::{Stop, ruleset};
use crate::config::{self, FILE_NAMES, Loaded};
use crate::diagnostic::{Level, Severity};
use crate::engine::RuleSet;
use crate::layout::exclude::{DEFAULT_EXCLUDES, Excludes};
use crate::options::Guard;
use crate::rule::Registered;
use crate::rules;
use crate::terminal::display_path;

/// The version of the JSON format: changes when a program that reads it could break.
const VERSION: u32 = 1;

/// What holds for a file, or for the repository.
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
    pub glob: String,
    pub origin: Origin,
}

/// A value.
#[derive(Debug, Serialize)]
pub struct Setting {
    /// The key, with its tables.
    pub key: &'static str,
    pub value: Value,
    pub origin: Origin,
}

/// A rule, and how it reports.
#[derive(Debug, Serialize)]
pub struct RuleLevel {
    pub name: &'static str,
    pub level: Level,
    pub default: Level,
    pub origin: Origin,
}

/// An override.
#[derive(Debug, Serialize)]
pub struct Override {
    pub files: Vec<String>,
    pub rules: BTreeMap<String, Level>,
    pub origin: Origin,
}

/// What holds for `file`, relative to `root`, or for the repository.
pub fn of(args: &ConfigArgs, root: &Path, file: Option<&BStr>, loaded: &Loaded) -> Result<Effective, Stop> {
    let rules = ruleset::resolve(&args.select, &args.ignore, &loaded.config)?;
    let shown = |path: &Path| {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        display_path(path.strip_prefix(root).unwrap_or(&path).as_os_str().as_encoded_bytes())
    };
    let config = loaded.path.as_deref().map(shown);
    let at_root = FILE_NAMES.iter().map(|name| root.join(name)).filter(|path| path.is_file());
    let not_read = at_root.map(|path| shown(&path)).filter(|path| config.as_ref() != Some(path)).collect();
    let (roots, _) = settings::globs(&loaded.config, &args.exclude)?;
    let state_root = file.and_then(|file| roots.root_of(file));
    let source = Gathering { args, loaded, rules: &rules };
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
    args: &'a ConfigArgs,
    loaded: &'a Loaded,
    rules: &'a RuleSet,
}

impl Gathering<'_> {
    /// The place of a key in the file.
    fn line(&self, way: &[&str]) -> Option<Origin> {
        self.loaded.places.line(way).map(|line| Origin::File { line })
    }

    /// The globs that leave files out, from each origin.
    fn excludes(&self) -> [(Vec<String>, Origin); 3] {
        [
            (DEFAULT_EXCLUDES.map(String::from).to_vec(), Origin::Default),
            (self.loaded.config.exclude.clone(), self.line(&["exclude"]).unwrap_or_default()),
            (self.args.exclude.clone(), Origin::CommandLine { option: "--exclude" }),
        ]
    }

    fn excluded(&self, file: &BStr) -> Result<Option<Excluded>, SettingsError> {
        for (globs, origin) in self.excludes() {
            for glob in globs {
                if settings::compile(std::slice::from_ref(&glob), |glob| Excludes::new(glob))?.matches(file) {
                    return Ok(Some(Excluded { glob, origin }));
                }
            }
        }
        Ok(None)
    }

    /// Every key but those of rules; in the state root `root`, where one is given.
    fn settings(&self, root: Option<&BStr>) -> Result<Vec<Setting>, SettingsError> {
        let Self { args, loaded: Loaded { config, .. }, .. } = self;
        let options = settings::options(config, args.now.as_deref(), None)?;
        let (fail_on, min_severity) = settings::severities(config, args.fail_on, args.min_severity);
        let of_file = |way: &[&str]| self.line(way).unwrap_or_default();
        let given = |option, is_given, way: &[&str]| match is_given {
            true => Origin::CommandLine { option },
            false => of_file(way),
        };
        let fail_on_from = given("--fail-on", args.fail_on.is_some(), &["fail-on"]);
        let shown_from = match given("--min-severity", args.min_severity.is_some(), &["min-severity"]) {
            // It follows `fail-on` down.
            Origin::Default if min_severity < Severity::Warning => fail_on_from,
            origin => origin,
        };
        let policy = root.map_or(options.guard.policy, |root| options.guard.policy_of(root));
        let policy_from = if policy == options.guard.policy { of_file(&["guard", "policy"]) } else { Origin::Default };
        let branches = config.guard.branches.clone().unwrap_or_else(|| Guard::BRANCHES.map(String::from).to_vec());
        let mut all = Vec::new();
        let mut add = |key, value, origin| all.push(Setting { key, value, origin });
        add("fail-on", json!(fail_on), fail_on_from);
        add("min-severity", json!(min_severity), shown_from);
        for (globs, origin) in self.excludes() {
            if !globs.is_empty() {
                add("exclude", json!(globs), origin);
            }
        }
        add("phase", json!(options.phase), of_file(&["phase"]));
        add("max-file-size", json!(options.max_file_size), of_file(&["max-file-size"]));
        let (moment, from) = settings::moment(args.now.as_deref())?;
        add("now", json!(moment.to_string()), from);
        add("roots.state", json!(settings::state_roots(config)), of_file(&["roots", "state"]));
        add("roots.manifests", json!(settings::manifests(config)), of_file(&["roots", "manifests"]));
        let summary = ["rules", "options", "sem/summary-too-long", "max"];
        add("rules.options.\"sem/summary-too-long\".max", json!(options.summary_max), of_file(&summary));
        add("memory.decisions-max", json!(options.memory.decisions), of_file(&["memory", "decisions-max"]));
        add(
            "memory.decisions-hard-max",
            json!(options.memory.decisions_hard),
            of_file(&["memory", "decisions-hard-max"]),
        );
        add("memory.history-max", json!(options.memory.history), of_file(&["memory", "history-max"]));
        for (key, name, value) in [
            ("learnings.lines-max", "lines-max", options.learnings.lines),
            ("learnings.core-max", "core-max", options.learnings.core),
            ("learnings.task-relevant-max", "task-relevant-max", options.learnings.task_relevant),
            ("learnings.stale-after", "stale-after", options.learnings.stale_after),
            ("learnings.unsettled-after", "unsettled-after", options.learnings.unsettled_after),
            ("learnings.promote-after", "promote-after", options.learnings.promote_after),
            ("learnings.similarity", "similarity", options.learnings.similarity),
        ] {
            add(key, json!(value), of_file(&["learnings", name]));
        }
        add("guard.policy", json!(policy), policy_from);
        add("guard.branches", json!(branches), of_file(&["guard", "branches"]));
        add("guard.state-branch", json!(options.guard.state_branch), of_file(&["guard", "state-branch"]));
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
    fn why(&self, registered: &Registered, by: Option<usize>) -> Origin {
        let name = registered.rule.name;
        let either = |levels: &[&str]| {
            let of = |key| self.line(&[levels, &[key]].concat());
            of(name).or_else(|| of(registered.family()))
        };
        if let Some(at) = by {
            return either(&["overrides", &at.to_string(), "rules"]).unwrap_or_default();
        }
        let names = |list: &[String], words: &[&str]| list.iter().any(|given| words.contains(&given.as_str()));
        if names(&self.args.ignore, &[name, registered.family(), "all"]) {
            return Origin::CommandLine { option: "--ignore" };
        }
        let levels = &self.loaded.config.rules.levels;
        let switched_on = !ruleset::is_on(levels, registered) && names(&self.args.select, &[name, "all"]);
        if !self.args.select.is_empty() && (switched_on || !self.rules.reports(name)) {
            return Origin::CommandLine { option: "--select" };
        }
        // A family changes the severity of its rules, it switches none on.
        let own = levels.contains_key(name) || registered.rule.enabled;
        either(&["rules"]).filter(|_| own).unwrap_or_default()
    }

    fn overrides(&self, file: Option<&BStr>) -> Result<Vec<Override>, SettingsError> {
        let mut found = Vec::new();
        for (at, over) in self.loaded.config.overrides.iter().enumerate() {
            let config::Override { files, rules } = over.clone();
            let globs = settings::compile(&files, |globs| Excludes::new(globs))?;
            if file.is_none_or(|file| globs.matches(file)) {
                let origin = self.line(&["overrides", &at.to_string()]).unwrap_or_default();
                found.push(Override { files, rules, origin });
            }
        }
        Ok(found)
    }
}
