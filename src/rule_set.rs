//! The rules of a run.

use bstr::{BStr, ByteSlice};

use crate::diagnostic::{Applicability, Diagnostic, Severity};
use crate::layout::exclude::Excludes;
use crate::rule::Rule;

/// The rules of a run with the severity that each reports with.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    pub(crate) rules: Vec<(&'static Rule, Severity)>,
    overrides: Vec<Override>,
    /// The rules of `rules` that are on only where an override says so.
    off: Vec<&'static str>,
    /// The rules of `rules` whose fixes are advice only, because they were not named.
    unnamed: Vec<&'static str>,
    /// The rules of `rules` that run for the sake of the suppressions and report nothing.
    pub(crate) unreported: Vec<&'static str>,
}

/// Other severities for some files.
#[derive(Clone, Debug)]
pub struct Override {
    /// Which files.
    pub files: Excludes,
    /// The rules by name, with their severity there; `None` is off.
    pub levels: Vec<(&'static str, Option<Severity>)>,
}

impl RuleSet {
    /// These rules.
    pub fn new(rules: impl IntoIterator<Item = (&'static Rule, Severity)>) -> Self {
        Self { rules: rules.into_iter().collect(), ..Self::default() }
    }

    /// With `overrides`: the last one that names a rule counts. The rules in `off` are on only where one says so.
    #[must_use]
    pub fn overridden(self, overrides: Vec<Override>, off: Vec<&'static str>) -> Self {
        Self { overrides, off, ..self }
    }

    /// Where the fixes of the rules in `unnamed` are advice.
    #[must_use]
    pub fn without_fixes_of(self, unnamed: Vec<&'static str>) -> Self {
        Self { unnamed, ..self }
    }

    /// With those of `others` that it has not, which run and report nothing.
    #[must_use]
    pub fn with_unreported(mut self, others: &Self) -> Self {
        let missing: Vec<_> =
            others.rules.iter().filter(|(rule, _)| !self.rules.iter().any(|(own, _)| own.name == rule.name)).collect();
        let is_missing = |name: &&&str| missing.iter().any(|(rule, _)| rule.name == **name);
        self.off.extend(others.off.iter().filter(is_missing));
        self.unreported.extend(missing.iter().map(|(rule, _)| rule.name));
        self.rules.extend(missing);
        self
    }

    /// Whether what the rule of that name finds is reported.
    pub fn reports(&self, name: &str) -> bool {
        self.names().any(|other| other == name) && !self.unreported.contains(&name)
    }

    /// Gives each finding the severity that its rule has in its file, takes away those of rules that are off there, and makes
    /// fixes advice that was not asked for.
    pub(crate) fn adjust(&self, diagnostics: &mut Vec<Diagnostic>) {
        for diagnostic in diagnostics.iter_mut().filter(|found| self.unnamed.contains(&found.rule.name)) {
            if let Some(fix) = &mut diagnostic.fix {
                fix.applicability = Applicability::Manual;
            }
        }
        if self.overrides.is_empty() {
            return;
        }
        diagnostics.retain_mut(|diagnostic| {
            match self.overridden_at(diagnostic.rule.name, diagnostic.path.as_bstr()) {
                Some((_, Some(severity))) => diagnostic.severity = severity,
                Some((_, None)) => return false,
                None => return !self.off.contains(&diagnostic.rule.name),
            }
            true
        });
    }

    /// What the last override that speaks of the rule of that name in the file at `path` says, with its place in the list.
    fn overridden_at(&self, name: &str, path: &BStr) -> Option<(usize, Option<Severity>)> {
        let of_rule = |(rule, level): &(&str, Option<Severity>)| (*rule == name).then_some(*level);
        let mut matching = self.overrides.iter().enumerate().rev().filter(|(_, over)| over.files.matches(path));
        matching.find_map(|(at, over)| Some((at, over.levels.iter().find_map(of_rule)?)))
    }

    /// The severity with which the rule of that name reports, in the file at `path` where one is given, and the override
    /// that says so, by its place in the list. `None` where the rule does not report.
    pub fn severity_at(&self, name: &str, path: Option<&BStr>) -> (Option<Severity>, Option<usize>) {
        let own = self.rules.iter().find(|(rule, _)| rule.name == name && !self.unreported.contains(&name));
        let Some((_, own)) = own else { return (None, None) };
        match path.and_then(|path| self.overridden_at(name, path)) {
            Some((at, severity)) => (severity, Some(at)),
            None => ((!self.off.contains(&name)).then_some(*own), None),
        }
    }

    /// Whether one of the rules compares entries with those of the whole repository.
    pub(crate) fn ask_for_entries(&self) -> bool {
        self.rules.iter().any(|(rule, _)| rule.compares_entries)
    }

    /// How many rules report.
    pub fn len(&self) -> usize {
        self.rules.len() - self.unreported.len()
    }

    /// The names of the rules that run.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.rules.iter().map(|(rule, _)| rule.name)
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}
