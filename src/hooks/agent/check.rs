//! Checks what an agent wrote, and says what it may do about it.

use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};

use super::record::{Author, Line, Record};
use super::written::{is_state, root_without_git};
use crate::baseline::file as baseline;
use crate::diagnostic::{Applicability, Diagnostic, Severity};
use crate::engine::Progress;
use crate::engine::session::Session;
use crate::engine::target::{Scope, Target};
use crate::errors::CliError;
use crate::fs::path::{is_in, to_bytes};
use crate::git::repository::Git;
use crate::outcome::Outcome;
use crate::project::{At, Open, Project};
use crate::rules::shell::word;
use crate::terminal::{display_path, escape, find_active};
use crate::text::{ColumnUnit, Source, Span};

/// One finding, for an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    /// How bad it is.
    pub(super) severity: Severity,
    /// Whether a check would fail because of it.
    pub(super) is_error: bool,
    /// The name of its rule.
    pub(super) rule: &'static str,
    /// Whether a safe fix repairs it.
    pub(super) is_fixable: bool,
    /// The path as the agent can use it, as a word of a shell; `None` if it does not fit a line.
    pub(super) path: Option<String>,
    /// The arguments of `check` that show it with all else that is wrong there, if there are any for the folder of the agent.
    pub(super) scope: Option<String>,
    /// What is wrong where, and what to do: lines with a line end each.
    pub(super) text: String,
}

/// A longer path, in bytes, is not part of a command.
pub(super) const LONGEST_PATH: usize = 200;

/// The text of one finding has so many characters at most.
const LONGEST: usize = 1_500;

/// So many other places of a finding are shown.
const MOST_RELATED: usize = 3;

/// Adds to `found` what is wrong with `files`, each in its own repository, for an agent that works in `folder` (canonical).
///
/// # Errors
/// The first one when a repository or its configuration cannot be read; the others are checked all the same.
pub(super) fn files(
    folder: &Path,
    files: &[PathBuf],
    author: Option<&Author>,
    found: &mut Vec<Finding>,
) -> Result<(), CliError> {
    let mut failed = None;
    let mut rest = files.to_vec();
    while let Some(first) = rest.first().cloned() {
        let root = root_without_git(&first);
        let at = root.as_deref().map_or(At::Path(&first), At::Root);
        let project = match Project::open_with(&Open { at, ..Open::default() }) {
            Ok(project) => project,
            Err(error) => {
                failed = failed.or(Some(CliError::from(error)));
                rest.retain(|path| *path != first);
                continue;
            }
        };
        let root = project.repository.root.clone();
        let (own, others) = rest.into_iter().partition(|path| *path == first || path.starts_with(&root));
        rest = others;
        match in_project(folder, &project, own, author) {
            Ok(more) => found.extend(more),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    failed.map_or(Ok(()), Err)
}

fn in_project(
    folder: &Path,
    project: &Project,
    mut files: Vec<PathBuf>,
    author: Option<&Author>,
) -> Result<Vec<Finding>, CliError> {
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
    let mut record = git.zip(author).and_then(|(git, author)| Record::open(&git.common_dir(), author).ok());
    // Before the first commit there was nothing.
    let head = git.map(|git| git.commit("HEAD").unwrap_or_else(|| git.empty_tree()));
    let since = record.as_ref().and_then(|record| record.base(root)).map(str::to_owned).or(head);
    if let Some(record) = &mut record {
        let base = since.clone().filter(|_| record.base(root).is_none());
        let base = base.map(|commit| Line::Base { root: root.clone(), commit });
        for line in base.into_iter().chain(files.iter().cloned().map(Line::File)) {
            // Without a record the agent is not kept from stopping; what it wrote is checked all the same.
            let _ = record.add(line);
        }
        note(root, author);
    }
    let paths: Vec<_> = files.iter().filter_map(|path| inner(path)).collect();
    let outcome = check(project, Target::Written { paths: files, since })?;
    let scope = match is_here(folder, root) {
        true => Some(String::new()),
        false => short(word(absolute(root, b"".into()).as_bstr())),
    };
    let seen = Seen { show: &|path| seen_from(folder, root, path), on_disk: true, scope };
    Ok(findings(project, &outcome, &seen, |found| paths.contains(&found.path)))
}

/// Notes for the stop that the session wrote to the repository at `root`. If that fails, the stop finds it from there only.
fn note(root: &Path, author: Option<&Author>) {
    if let Some(mut person) = author.and_then(Record::of_person) {
        let _ = person.add(Line::Root(root.to_path_buf()));
    }
}

/// Whether an agent that works in `folder` checks the repository at `root` if it names no path.
fn is_here(folder: &Path, root: &Path) -> bool {
    folder.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok()) == Some(root)
}

/// Adds to `found` what is wrong with `keys` on the state branch of the repository that holds `place`, for an agent that works in
/// `folder` (canonical).
///
/// # Errors
/// When the repository or its configuration cannot be read.
pub(super) fn keys(
    folder: &Path,
    place: &Path,
    keys: &[String],
    author: Option<&Author>,
    found: &mut Vec<Finding>,
) -> Result<(), CliError> {
    if keys.is_empty() {
        return Ok(());
    }
    let project = Project::open_with(&Open { at: At::Path(place), ..Open::default() })?;
    let Some(git) = &project.repository.git else { return Ok(()) };
    let branch = project.options.guard.state_branch.as_str().to_owned();
    if git.commit(&branch).is_none() {
        return Ok(());
    }
    let mut record = author.and_then(|author| Record::open(&git.common_dir(), author).ok());
    let since = record.as_ref().and_then(Record::state_base).map(str::to_owned);
    // Each write is a commit of its own.
    let since = since.or_else(|| git.commit(&format!("{branch}~1")));
    if let Some(record) = &mut record {
        let base = since.clone().filter(|_| record.state_base().is_none()).map(Line::StateBase);
        for line in base.into_iter().chain(keys.iter().cloned().map(Line::Key)) {
            let _ = record.add(line);
        }
        note(&project.repository.root, author);
    }
    let target = match since.filter(|since| is_comparable(git, since)) {
        Some(from) => {
            let paths = keys.iter().map(|key| project.repository.root.join(key)).collect();
            Target::Range { from, to: Some(branch.clone()), scope: Scope { paths, ..Scope::default() } }
        }
        None => Target::Revision(branch.clone()),
    };
    let outcome = check(&project, target)?;
    let scope = format!("--rev {}", word(branch.as_bytes().as_bstr()));
    let seen = Seen {
        show: &|path| [branch.as_bytes(), b":", path.as_bytes()].concat().into(),
        on_disk: false,
        scope: short(scope).filter(|_| is_here(folder, &project.repository.root)),
    };
    found.extend(findings(&project, &outcome, &seen, |found| keys.iter().any(|key| found.path == key.as_bytes())));
    Ok(())
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

/// The path of a file for an agent that works in `folder`: relative to that, or else absolute. `path` is below `root`.
fn seen_from(folder: &Path, root: &Path, path: &BStr) -> BString {
    if let Ok(between) = root.strip_prefix(folder) {
        let between = to_bytes(between);
        return if between.is_empty() {
            path.into()
        } else {
            [between.as_bytes(), b"/", path.as_bytes()].concat().into()
        };
    }
    let below = folder.strip_prefix(root).map(to_bytes);
    if let Some(rest) =
        below.ok().filter(|below| is_in(path, below.as_bstr())).and_then(|below| path.get(below.len() + 1..))
    {
        return rest.into();
    }
    absolute(root, path)
}

fn absolute(root: &Path, path: &BStr) -> BString {
    let root = root.as_os_str().as_encoded_bytes();
    // What Windows puts before a canonical path helps no agent.
    let root = root.strip_prefix(br"\\?\").unwrap_or(root);
    let separator: &[u8] = if path.is_empty() { b"" } else { b"/" };
    [root, separator, path.as_bytes()].concat().into()
}

/// A word of a command, if it is short and fits a line.
fn short(word: String) -> Option<String> {
    Some(word).filter(|word| find_active(word).is_none() && word.len() <= LONGEST_PATH)
}

/// How the agent sees files.
struct Seen<'a> {
    /// Where a file is.
    show: &'a dyn Fn(&BStr) -> BString,
    /// Whether it is there, or in a commit.
    on_disk: bool,
    /// The arguments of `check` that show all files.
    scope: Option<String>,
}

/// The findings that are shown, of those for which `is_own` holds.
fn findings(
    project: &Project,
    outcome: &Outcome,
    seen: &Seen<'_>,
    is_own: impl Fn(&Diagnostic) -> bool,
) -> Vec<Finding> {
    let Seen { show, on_disk, scope } = seen;
    let (fail_on, shown) = project.options.severities(None, None);
    let own = outcome.diagnostics.iter().filter(|found| is_own(found) && found.severity >= shown);
    let root = &project.repository.root;
    // A fix does not write through a link.
    let is_link = |path: &BStr| path.to_path().is_ok_and(|path| root.join(path).is_symlink());
    let finding = |found: &Diagnostic| Finding {
        severity: found.severity,
        is_error: found.severity >= fail_on,
        rule: found.rule.name,
        is_fixable: *on_disk
            && !is_link(found.path.as_bstr())
            && found.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe),
        path: on_disk.then(|| word(show(found.path.as_bstr()).as_bstr())).and_then(short),
        scope: scope.clone(),
        text: text(outcome, found, seen, root),
    };
    own.map(finding).collect()
}

/// The line of a finding, its label, what to do, and its other places. The repository is at `root`.
fn text(outcome: &Outcome, found: &Diagnostic, seen: &Seen<'_>, root: &Path) -> String {
    let of = |source: &Source, span: Span| source.position(span.start(), ColumnUnit::Char);
    let place = |path: &BString, span: Option<Span>| {
        let position = span.and_then(|span| match outcome.source(path) {
            Some(source) => Some(of(source, span)),
            // Rules on a session read more files than they check.
            None => Some(of(&other(root, path.as_bstr()).filter(|_| seen.on_disk)?, span)),
        });
        let position = position.map(|at| format!(":{}:{}", at.line, at.column)).unwrap_or_default();
        format!("{}{position}", display_path((seen.show)(path.as_bstr()).as_bstr()))
    };
    let at = place(&found.path, found.span);
    let (severity, rule, message) = (found.severity, found.rule.name, escape(&found.message));
    let label = if found.label.is_empty() { String::new() } else { format!(" ({})", escape(&found.label)) };
    let mut text = format!("{at}: {severity}[{rule}]: {message}{label}\n");
    for note in &found.notes {
        text.extend(["  ", &escape(&note.to_string()), "\n"]);
    }
    for other in found.related.iter().take(MOST_RELATED) {
        let at = place(other.path.as_ref().unwrap_or(&found.path), Some(other.span));
        text.extend(["  see ", &at, ": ", &escape(&other.message), "\n"]);
    }
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…\n", text.split_at(at).0),
        None => text,
    }
}

/// The file at `path` below `root`, which was not checked.
fn other(root: &Path, path: &BStr) -> Option<Source> {
    const LARGEST: u64 = 1 << 20;
    let at = root.join(path.to_path().ok()?);
    let is_small = at.symlink_metadata().is_ok_and(|found| found.is_file() && found.len() <= LARGEST);
    Some(Source::new(path, fs::read(at).ok().filter(|_| is_small)?))
}
