//! From names on the command line and levels in the configuration to the rules of a run.

use std::collections::BTreeMap;

use crate::diagnostic::Level;
use crate::engine::RuleSet;
use crate::rule::Registered;
use crate::rules;

/// A name that is neither a rule nor a family.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("there is no rule or family `{name}`")]
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
        Self { name: crate::terminal::escape(name), help }
    }
}

/// The rules that run, with their severities.
///
/// Without `select`, every rule that its page or the configuration switches on. With it, only what it names: a rule, a
/// family (those of its rules that are on), or `all`. `ignore` takes away in the end.
///
/// # Errors
/// The first name that is none.
pub fn resolve(select: &[String], ignore: &[String], levels: &BTreeMap<String, Level>) -> Result<RuleSet, UnknownRule> {
    for name in select.iter().chain(ignore) {
        if name != "all" && rules::find(name).is_none() && !rules::families().contains(&name.as_str()) {
            return Err(UnknownRule::new(name));
        }
    }
    let names = |list: &[String], registered: &Registered| {
        let has = |name: &str| list.iter().any(|given| given == name);
        (has(registered.rule.name), has(registered.family()), has("all"))
    };
    Ok(RuleSet::new(rules::all().filter_map(|registered| {
        let rule = registered.rule;
        let level = levels.get(rule.name).or_else(|| levels.get(registered.family()));
        // A family set to a severity changes the severity of its rules, not whether they run.
        let on = match levels.get(rule.name) {
            Some(level) => *level != Level::Off,
            None => rule.enabled && level != Some(&Level::Off),
        };
        let (by_name, by_family, by_all) = names(select, registered);
        let selected = if select.is_empty() { on } else { by_name || by_all || by_family && on };
        let (by_name, by_family, by_all) = names(ignore, registered);
        let severity = level.and_then(|level| level.severity()).unwrap_or(rule.severity);
        (selected && !(by_name || by_family || by_all)).then_some((rule, severity))
    })))
}
