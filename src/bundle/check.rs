//! Whether a bundle is safe to pass on or to take over. The configuration of the project has no say in this.

use std::sync::Arc;

use bstr::{BStr, BString};

use crate::diagnostic::{Diagnostic, Severity};
use crate::dialects::bundle::EXPORT;
use crate::engine::{self, Progress};
use crate::layout::exclude::Excludes;
use crate::outcome::Outcome;
use crate::project::Project;
use crate::project::rules::{RuleSetError, resolve};
use crate::rule::{Check, Rule, Sink};
use crate::rules::lint::file_too_large;
use crate::select::input::{Input, Mode, Overlay};
use crate::select::read_error::ReadError;
use crate::select::selected::Selected;
use crate::select::worktree::Selection;
use crate::settings::Settings;

/// The families whose warnings are shown, too.
const FAMILIES: [&str; 2] = ["bundle", "security"];

/// What is wrong with `bytes`, a bundle that is called `name`: all errors, as `check` finds them by default, and what the rules for
/// bundles and for security warn of. The rest is about the work of the squad, and can wait until it is somewhere.
///
/// # Errors
/// When the rules cannot be told.
pub fn check(project: &Project, name: BString, bytes: Vec<u8>) -> Result<Outcome, RuleSetError> {
    check_with(project, name, bytes, |_, _| true)
}

fn check_with(
    project: &Project,
    name: BString,
    bytes: Vec<u8>,
    is_wanted: impl Fn(&Rule, Severity) -> bool,
) -> Result<Outcome, RuleSetError> {
    let mut rules = resolve(&[], &[], &Settings::default())?;
    // The project around it is not asked about.
    rules.rules.retain(|(rule, severity)| {
        !matches!(rule.check, Check::Repository(_) | Check::Change(_)) && is_wanted(rule, *severity)
    });
    let file = Selected::on_disk(name.clone(), BString::default(), &EXPORT, true, true);
    let selection = Selection { files: Arc::new(vec![file]), ..Selection::default() };
    let (overlay, excludes) = (Overlay::from([(name, bytes)]), Excludes::default());
    let Project { repository, roots, options, .. } = project;
    let input = Input {
        repository,
        roots,
        excludes: &excludes,
        selection: &selection,
        overlay: &overlay,
        mode: Mode::WorkTree,
    };
    let mut outcome = engine::run(input, &rules, options, &Progress::default());
    // Whoever made the bundle wrote the comments in it, too.
    let suppressed = std::mem::take(&mut outcome.suppressed);
    outcome.diagnostics.extend(suppressed.into_iter().map(|suppressed| suppressed.diagnostic));
    let is_asked = |found: &Diagnostic| match found.severity {
        Severity::Error => true,
        Severity::Warning => FAMILIES.contains(&found.rule.family()),
        Severity::Info => false,
    };
    outcome.diagnostics.retain(is_asked);
    outcome.diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    Ok(outcome)
}

/// What is wrong with the bundle `bytes` itself, which is called `name`: the errors of the rules for bundles.
///
/// # Errors
/// When the rules cannot be told.
pub fn check_form(project: &Project, name: BString, bytes: Vec<u8>) -> Result<Outcome, RuleSetError> {
    let mut outcome = check_with(project, name, bytes, |rule, severity| {
        rule.name.starts_with("bundle/") && severity == Severity::Error
    })?;
    outcome.diagnostics.retain(|found| found.severity == Severity::Error);
    Ok(outcome)
}

/// The finding in a bundle that is called `name` and was not read because it is too large; none for another reason.
pub fn unread(name: &BStr, reason: &ReadError) -> Outcome {
    let mut outcome = Outcome { files: 1, ..Outcome::default() };
    if let Check::Unread(check) = file_too_large::RULE.check {
        // Nothing can be said about what was not read.
        let severity = Severity::Error;
        check(reason, &mut Sink::new(&file_too_large::RULE, severity, name, &mut outcome.diagnostics));
    }
    outcome
}
