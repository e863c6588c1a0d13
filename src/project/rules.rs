//! From names on the command line and levels in the configuration to the rules of a run.

use std::collections::BTreeMap;

use super::Project;
use super::globs::{self, SettingsError};
use crate::diagnostic::{Level, Severity};
use crate::layout::exclude::Excludes;
use crate::rule::{Registered, Rule};
use crate::rule_set::{Override, RuleSet};
use crate::rules::{self, lint};
use crate::settings::Settings;
use crate::terminal::escape;

/// A name that is neither a rule nor a family.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("unknown rule or family `{name}`")]
pub struct UnknownRule {
    name: String,
    #[help]
    help: String,
}

impl UnknownRule {
    /// The error for `name`, with the nearest name there is.
    pub fn new(name: &str) -> Self {
        let help = match rules::nearest(name) {
            Some(nearest) => format!("did you mean `{nearest}`? `squad-lint rules` lists all"),
            None => "`squad-lint rules` lists all rules".to_owned(),
        };
        Self { name: escape(name), help }
    }
}

/// Why the rules of a run cannot be told.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum RuleSetError {
    /// A name on the command line.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Unknown(#[from] UnknownRule),
    /// A glob.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Glob(#[from] SettingsError),
}

/// The rules that run, with their severities.
///
/// Without `select`, every rule that its page or the configuration switches on. With it, only what it names: a rule, a
/// family (those of its rules that are on), or `all`. `ignore` takes away in the end.
///
/// # Errors
/// The first name that is none, and the first glob that is none.
pub fn resolve(select: &[String], ignore: &[String], config: &Settings) -> Result<RuleSet, RuleSetError> {
    for name in select.iter().chain(ignore) {
        if name != "all" && rules::find(name).is_none() && !rules::families().contains(&name.as_str()) {
            return Err(UnknownRule::new(name).into());
        }
    }
    let names = |list: &[String], registered: &Registered| {
        let has = |name: &str| list.iter().any(|given| given == name);
        (has(registered.rule.name), has(registered.family()), has("all"))
    };
    let levels = &config.rules.levels;
    let mut off = Vec::new();
    let rules: Vec<(&'static Rule, Severity)> = rules::all()
        .filter_map(|registered| {
            let rule = registered.rule;
            let level = level_of(levels, registered);
            let on = is_on(levels, registered);
            let (by_name, by_family, by_all) = names(select, registered);
            let on_there =
                on || config.overrides.iter().any(|over| over.rules.get(rule.name).is_some_and(|l| *l != Level::Off));
            let selected = if select.is_empty() { on_there } else { by_name || by_all || by_family && on_there };
            let (ignored_by_name, ignored_by_family, ignored_by_all) = names(ignore, registered);
            if !selected || ignored_by_name || ignored_by_family || ignored_by_all {
                return None;
            }
            if !on && !by_name && !by_all {
                off.push(rule.name);
            }
            Some((rule, level.and_then(Level::severity).unwrap_or(rule.severity)))
        })
        .collect();
    let overrides = config.overrides.iter().map(|over| {
        let files = globs::compile(&over.files, |globs| Excludes::new(globs))?;
        let levels = rules::all().filter_map(|registered| {
            let level = level_of(&over.rules, registered)?;
            let may_switch_on = over.rules.contains_key(registered.rule.name) || is_on(levels, registered);
            (level == Level::Off || may_switch_on).then_some((registered.rule.name, level.severity()))
        });
        Ok(Override { files, levels: levels.collect() })
    });
    let named = |rule: &Rule| select.iter().any(|name| name == rule.name);
    let unnamed =
        rules.iter().filter(|(rule, _)| rule.fix_if_named && !named(rule)).map(|(rule, _)| rule.name).collect();
    let rules = RuleSet::new(rules).overridden(overrides.collect::<Result<_, RuleSetError>>()?, off);
    let rules = rules.without_fixes_of(unnamed);
    // Whether a suppression is of use is known when all rules have run.
    let judges = !select.is_empty() && rules.names().any(|name| name == lint::unused_suppression::RULE.name);
    Ok(if judges { rules.with_unreported(&resolve(&[], ignore, config)?) } else { rules })
}

/// What `levels` say about a rule, by its own name or by its family's.
fn level_of(levels: &BTreeMap<String, Level>, registered: &Registered) -> Option<Level> {
    levels.get(registered.rule.name).or_else(|| levels.get(registered.family())).copied()
}

/// Whether a rule runs, as its page and `levels` have it. A family set to a severity changes the severity of its rules, not whether they run.
pub fn is_on(levels: &BTreeMap<String, Level>, registered: &Registered) -> bool {
    match levels.get(registered.rule.name) {
        Some(level) => *level != Level::Off,
        None => registered.rule.enabled && levels.get(registered.family()) != Some(&Level::Off),
    }
}

impl Project {
    /// The rules that run, as [`resolve`] finds them.
    ///
    /// # Errors
    /// See [`RuleSetError`].
    pub fn rules(&self, select: &[String], ignore: &[String]) -> Result<RuleSet, RuleSetError> {
        resolve(select, ignore, &self.options)
    }
}
