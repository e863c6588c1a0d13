//! Checks what an agent wrote, and says what it may do about it.

use std::path::{Path, PathBuf};

use bstr::ByteSlice;

use super::record::{Line, Record};
use super::written::is_state;
use crate::baseline::file as baseline;
use crate::diagnostic::{Applicability, Diagnostic, Severity};
use crate::engine::Progress;
use crate::engine::session::Session;
use crate::engine::target::{Scope, Target};
use crate::errors::CliError;
use crate::fs::path::to_bytes;
use crate::git::repository::Git;
use crate::outcome::Outcome;
use crate::project::{At, Open, Project};
use crate::rules::shell::word;
use crate::terminal::{display_path, escape, find_active};
use crate::text::ColumnUnit;

/// One finding, for an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    /// How bad it is.
    pub(super) severity: Severity,
    /// Whether a check would fail because of it.
    pub(super) is_error: bool,
    /// Whether a safe fix repairs it.
    pub(super) is_fixable: bool,
    /// The path, as a word of a shell; `None` if it does not fit a line.
    pub(super) path: Option<String>,
    /// What is wrong where, and what to do: lines with a line end each.
    pub(super) text: String,
}

/// A longer path, in bytes, is not part of a command.
const LONGEST_PATH: usize = 200;

/// The text of one finding has so many characters at most.
const LONGEST: usize = 1_500;

/// What is wrong with `files`, each in its own repository, and what a session noted about them.
///
/// # Errors
/// When a repository or its configuration cannot be read.
pub(super) fn files(files: &[PathBuf], session: Option<&str>) -> Result<Vec<Finding>, CliError> {
    let mut found = Vec::new();
    let mut rest = files.to_vec();
    while let Some(first) = rest.first().cloned() {
        let project = Project::open_with(&Open { at: At::Path(&first), ..Open::default() })?;
        let root = project.repository.root.clone();
        let (own, others) = rest.into_iter().partition(|path| *path == first || path.starts_with(&root));
        rest = others;
        found.extend(in_project(&project, own, session)?);
    }
    Ok(found)
}

fn in_project(project: &Project, mut files: Vec<PathBuf>, session: Option<&str>) -> Result<Vec<Finding>, CliError> {
    let root = &project.repository.root;
    let inner = |path: &Path| path.strip_prefix(root).ok().map(to_bytes);
    files.retain(|path| {
        let path = inner(path);
        path.is_some_and(|path| is_state(&project.roots, path.as_bstr()) && !project.excludes.matches(path.as_bstr()))
    });
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let git = project.repository.git.as_ref();
    let mut record = git.zip(session).and_then(|(git, session)| Record::open(&git.common_dir(), session).ok());
    let head = git.and_then(|git| git.commit("HEAD"));
    let since = record.as_ref().and_then(Record::base).map(str::to_owned).or(head);
    if let Some(record) = &mut record {
        let base = since.clone().filter(|_| record.base().is_none()).map(Line::Base);
        for line in base.into_iter().chain(files.iter().cloned().map(Line::File)) {
            // Without a record the agent is not kept from stopping; what it wrote is checked all the same.
            let _ = record.add(line);
        }
    }
    let paths: Vec<_> = files.iter().filter_map(|path| inner(path)).collect();
    let outcome = check(project, Target::Written { paths: files, since })?;
    Ok(findings(project, &outcome, "", |found| paths.contains(&found.path)))
}

/// What is wrong with `keys` on the state branch of the repository that holds `folder`.
///
/// # Errors
/// When the repository or its configuration cannot be read.
pub(super) fn keys(folder: &Path, keys: &[String], session: Option<&str>) -> Result<Vec<Finding>, CliError> {
    let project = Project::open_with(&Open { at: At::Path(folder), ..Open::default() })?;
    let Some(git) = &project.repository.git else { return Ok(Vec::new()) };
    let branch = project.options.guard.state_branch.as_str().to_owned();
    if git.commit(&branch).is_none() {
        return Ok(Vec::new());
    }
    let mut record = session.and_then(|session| Record::open(&git.common_dir(), session).ok());
    let since = record.as_ref().and_then(Record::state_base).map(str::to_owned);
    // Each write is a commit of its own.
    let since = since.or_else(|| git.commit(&format!("{branch}~1")));
    if let Some(record) = &mut record {
        let base = since.clone().filter(|_| record.state_base().is_none()).map(Line::StateBase);
        for line in base.into_iter().chain(keys.iter().cloned().map(Line::Key)) {
            let _ = record.add(line);
        }
    }
    let target = match since.filter(|since| is_comparable(git, since)) {
        Some(from) => {
            let paths = keys.iter().map(|key| project.repository.root.join(key)).collect();
            Target::Range { from, to: Some(branch.clone()), scope: Scope { paths, ..Scope::default() } }
        }
        None => Target::Revision(branch.clone()),
    };
    let outcome = check(&project, target)?;
    let place = format!("{branch}:");
    Ok(findings(&project, &outcome, &place, |found| keys.iter().any(|key| found.path == key.as_bytes())))
}

/// Whether the commit is here: a record can be older than a rewritten branch.
fn is_comparable(git: &Git, since: &str) -> bool {
    git.commit(since).is_some()
}

fn check(project: &Project, target: Target) -> Result<Outcome, CliError> {
    let rules = project.rules(&[], &[])?;
    let known = baseline::configured(&project.options, &project.repository)?;
    let known = known.map(|path| baseline::load(&project.repository.root, &path)).transpose()?;
    let progress = Progress::default();
    Ok(Session::new(project, target, rules, &progress)?.without(known).check_once())
}

/// The findings that are shown, of those for which `is_own` holds, in files at `place`.
fn findings(project: &Project, outcome: &Outcome, place: &str, is_own: impl Fn(&Diagnostic) -> bool) -> Vec<Finding> {
    let (fail_on, shown) = project.options.severities(None, None);
    let own = outcome.diagnostics.iter().filter(|found| is_own(found) && found.severity >= shown);
    let finding = |found: &Diagnostic| Finding {
        severity: found.severity,
        is_error: found.severity >= fail_on,
        is_fixable: place.is_empty() && found.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe),
        path: Some(word(found.path.as_bstr())).filter(|word| find_active(word).is_none() && word.len() <= LONGEST_PATH),
        text: text(outcome, found, place),
    };
    own.map(finding).collect()
}

/// The line of a finding, its label, and what to do.
fn text(outcome: &Outcome, found: &Diagnostic, place: &str) -> String {
    let path = display_path(&found.path);
    let position = outcome.source(&found.path).zip(found.span);
    let position = position.map(|(source, span)| source.position(span.start(), ColumnUnit::Char));
    let position = position.map(|at| format!(":{}:{}", at.line, at.column)).unwrap_or_default();
    let (severity, rule, message) = (found.severity, found.rule.name, escape(&found.message));
    let label = if found.label.is_empty() { String::new() } else { format!(" ({})", escape(&found.label)) };
    let mut text = format!("{place}{path}{position}: {severity}[{rule}]: {message}{label}\n");
    for note in &found.notes {
        text.extend(["  ", &escape(&note.to_string()), "\n"]);
    }
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…\n", text.split_at(at).0),
        None => text,
    }
}
