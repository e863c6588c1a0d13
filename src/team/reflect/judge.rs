//! Whether a reflection may be learned from: what the rules find in it, and what no learnings file can take.

use std::io;

use super::apply::Refused;
use crate::diagnostic::{Finding, Severity};
use crate::engine;
use crate::errors::CliError;
use crate::facts::Run;
use crate::facts::learning_team::LearningTeam;
use crate::formats::reflection::Reflection;
use crate::outcome::Outcome;
use crate::report::{self, Format, Report};
use crate::reports;
use crate::rule::{Document, Sink};
use crate::rules::reflection::{invalid, unknown_target};
use crate::team::workspace::Workspace;

/// The rules that a reflection is held against.
const RULES: [&str; 2] = ["reflection", "lint/invalid-utf8"];

/// How many findings are all shown in full.
const ALL: usize = 50;

/// What is wrong with the reflection in `document`.
///
/// # Errors
/// When the configuration is not understood.
pub(super) fn judge(
    workspace: &Workspace,
    run: &Run<'_>,
    team: &LearningTeam,
    document: &Document,
    refused: Vec<Refused>,
) -> Result<Outcome, CliError> {
    let rules = workspace.project.rules(&RULES.map(String::from), &[])?;
    let mut found = engine::check(document, run, &rules);
    // The team is known here, wherever the file lies; and what is for no member can go nowhere, whatever is configured.
    found.retain(|diagnostic| diagnostic.rule.name != unknown_target::RULE.name);
    found.retain_mut(|diagnostic| {
        let (severity, _) = rules.severity_at(diagnostic.rule.name, Some(document.path()));
        diagnostic.severity = severity.map_or(diagnostic.severity, |severity| severity.min(diagnostic.severity));
        severity.is_some()
    });
    if let Some(reflection) = document.body::<Reflection>() {
        let mut sink = Sink::new(&unknown_target::RULE, Severity::Error, document.path(), &mut found);
        unknown_target::report(reflection, &team.manifest, &mut sink);
    }
    let mut sink = Sink::new(&invalid::RULE, Severity::Error, document.path(), &mut found);
    for Refused { span, reason } in refused {
        let finding = Finding::at(span, format!("`content` cannot be an entry: {reason}"));
        sink.report(finding.help("write it as a sentence or two of plain text"));
    }
    found.sort_by_key(|diagnostic| diagnostic.span.map_or((0, 0), |span| (span.start, span.end)));
    Ok(Outcome { diagnostics: found, files: 1, sources: vec![document.source.clone()], ..Outcome::default() })
}

/// Whether something keeps it from being learned from.
pub(super) fn is_refused(workspace: &Workspace, outcome: &Outcome) -> bool {
    let (fail_on, _) = workspace.project.options.severities(None, None);
    let stops = |severity: Severity| severity >= fail_on || severity == Severity::Error;
    outcome.diagnostics.iter().any(|diagnostic| stops(diagnostic.severity))
}

/// Prints what was found, as the linter does: on standard output where that is all there is to say.
pub(super) fn print(workspace: &Workspace, outcome: &Outcome, is_refused: bool) -> io::Result<()> {
    if outcome.diagnostics.is_empty() {
        return Ok(());
    }
    let (_, min_severity) = workspace.project.options.severities(None, None);
    let report = Report {
        min_severity,
        // The linter has an option for more; here all are wanted, unless they are not use any more.
        all: outcome.diagnostics.len() <= ALL,
        has_show_all: false,
        colors: workspace.terminal.has_colors(!is_refused),
        width: workspace.terminal.width,
        quiet: workspace.terminal.quiet,
        page: reports::page,
        exit_code: u8::from(is_refused),
        ..Report::of(outcome)
    };
    match is_refused {
        true => report::write(report, Format::default(), &mut workspace.terminal.stdout()),
        false => report::write(report, Format::default(), &mut workspace.terminal.stderr()),
    }
}
