//! `check`: find the repository, choose the files, run the rules, print.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bstr::BString;
use globset::{GlobBuilder, GlobSetBuilder};

use super::change::{self, GitFailure};
use super::fix::{self, Repaired};
use super::notes::Notes;
use super::{Exit, Stop, add_ignore, baseline, hook_manager, progress, push, restage, ruleset, show_error, stdin};
use crate::cli::CheckArgs;
use crate::config::{self, Config, Loaded};
use crate::diagnostic::{Applicability, Severity};
use crate::engine::{self, Failure, Outcome, Progress};
use crate::formats::timestamp::Timestamp;
use crate::options::{Guard, MemoryCaps, Options};
use crate::report::{self, FixCount, Format, Report};
use crate::rules;
use crate::select::exclude::{DEFAULT_EXCLUDES, Excludes};
use crate::select::push::Push;
use crate::select::read::Unread;
use crate::select::repository::{OpenError, Repository};
use crate::select::role::{DEFAULT_ROOTS, Roots};
use crate::select::worktree::{self, SelectError, Selection};
use crate::select::{self, Input, Mode, Overlay};
use crate::terminal::{Terminal, display_path, escape};

/// Why nothing was checked.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub(super) enum CheckError {
    #[error(transparent)]
    #[diagnostic(help("{}", open_help(.0)))]
    Open(#[from] OpenError),
    #[error(transparent)]
    #[diagnostic(help("{}", select_help(.0)))]
    Select(#[from] SelectError),
    #[error("`{glob}` is not a valid glob")]
    Glob { glob: String, source: globset::Error },
    #[error("there is no git repository here")]
    #[diagnostic(help("`squad-lint` alone checks a plain folder"))]
    NoGit,
    #[error("`--from` looks at commits, and no fix changes those")]
    #[diagnostic(help(
        "`--fix` alone fixes the files as they are, `--staged --fix` what is staged; the next commit has it then"
    ))]
    Committed,
    #[error("`{text}` is not a timestamp")]
    #[diagnostic(help("write it as 2026-02-15T14:32:15-0800, or as the day alone"))]
    Now { text: String },
}

fn open_help(error: &OpenError) -> &'static str {
    match error {
        OpenError::Folder { .. } => "check the spelling, and that you have permission to enter the folder",
        OpenError::Git { .. } => {
            "`git status` there says more; for a repository that belongs to somebody else add it to `safe.directory`; \
             `--root DIR` checks the folder without git"
        }
        OpenError::Bare { .. } => "run in a clone of it, or check what lies between two commits with `--from A --to B`",
    }
}

fn select_help(error: &SelectError) -> &'static str {
    match error {
        SelectError::Path { .. } => "check the spelling, and that you have permission to read it",
        SelectError::Outside { .. } => "run once for each repository, or give `--root`",
        SelectError::Glob(_) => "the globs are in the configuration under `[roots]`",
    }
}

/// Checks the work tree.
pub fn run(args: &CheckArgs) -> Result<Exit, Stop> {
    let args = &hook_manager::resolve(args)?;
    if args.from.is_some() && (args.fix || args.diff) {
        return Err(CheckError::Committed.into());
    }
    let terminal = Terminal::new(args.output.color);
    let path = args.stdin_filename.as_ref().or(args.paths.first()).filter(|path| path.as_os_str() != "-");
    let repository = match change::is_asked_for(args) && args.root.is_none() {
        // The paths need not be on disk.
        true if args.staged => Repository::discover(Path::new(".")),
        true => Repository::discover_bare(Path::new(".")),
        false => open(args.root.as_deref(), path.map(PathBuf::as_path)),
    }
    .map_err(CheckError::from)?;
    let Loaded { config, path: config_path } = load_config(args.config.as_deref(), args.no_config, &repository)?;
    let rules = ruleset::resolve(&args.select, &args.ignore, &config)?;
    let options = options(args, &config)?;
    let (roots, excludes) = globs(&config, &args.exclude)?;

    let mut notes = Notes { terminal, verbose: args.output.verbose };
    notes.say(&match repository.has_git {
        true => format!("repository {}", repository.root.display()),
        false => format!("no git repository: checking the plain folder {}", repository.root.display()),
    });
    notes.say(&match &config_path {
        Some(path) => format!("configuration {}", path.display()),
        None => "no configuration".to_owned(),
    });
    let pushes = if args.pre_push { push::read(&repository)? } else { Vec::new() };
    let changes = change::find(args, &repository, &roots)?;
    if let Some(note) = changes.as_ref().and_then(|changes| changes.note.as_ref()).filter(|_| !args.output.quiet) {
        notes.always(&format!("note: {note}"));
    }
    let mode = changes.as_ref().map_or_else(|| mode(args, &pushes), Mode::Change);
    let known = args.baseline.as_deref().map(baseline::load).transpose()?;
    let progress = Progress::default();
    let check = |mode: Mode<'_>, run: &Run, fixed: &Overlay| {
        let overlay = match &run.stdin {
            Some((path, bytes)) if !fixed.contains_key(path) => &Overlay::from([(path.clone(), bytes.clone())]),
            _ => fixed,
        };
        let selection = &match mode {
            Mode::WorkTree if run.stdin.is_none() => run.selection.with_new(fixed.keys(), &roots, &excludes),
            _ => Cow::Borrowed(&run.selection),
        };
        let input = Input { repository: &repository, roots: &roots, excludes: &excludes, selection, overlay, mode };
        let mut outcome = engine::run(input, &rules, &options, &progress);
        if let Some((path, _)) = &run.stdin {
            outcome.diagnostics.retain(|diagnostic| diagnostic.path == *path);
            outcome.suppressed.retain(|suppressed| suppressed.diagnostic.path == *path);
        }
        if let Some(known) = &known {
            baseline::apply(known, &mut outcome);
        }
        outcome
    };
    let by_stdin = stdin::is_asked_for(args);
    let first = if by_stdin { "reading standard input" } else { "looking for state files" };
    // Whoever types the file must not see it overwritten.
    let hidden = args.output.quiet || by_stdin && std::io::stdin().is_terminal();
    let (run, outcome) = progress::during(&progress, first, hidden, || {
        let run = match stdin::read(args, &options)? {
            None => {
                let selection = match mode {
                    Mode::WorkTree => {
                        worktree::select(&repository, &roots, &excludes, &args.paths).map_err(CheckError::from)?
                    }
                    Mode::Change(changes) => changes.select(&repository, &roots, &excludes),
                    Mode::Tree(_) | Mode::Push(_) if repository.git.is_none() => return Err(CheckError::NoGit.into()),
                    Mode::Tree(_) | Mode::Push(_) => Selection::everything(),
                };
                Run { selection, stdin: None }
            }
            Some((name, bytes)) => {
                let (selection, path) =
                    select::stdin::select(&repository, &roots, &excludes, &name).map_err(CheckError::from)?;
                Run { selection, stdin: Some((path, bytes)) }
            }
        };
        let outcome = check(mode, &run, &Overlay::new());
        Ok::<_, Stop>((run, outcome))
    })?;
    let Run { selection, .. } = &run;
    notes.selection(selection, rules.len());
    if outcome.files == 0 && selection.excluded > 0 && !args.output.quiet {
        let count = report::plural(selection.excluded, "file");
        notes.always(&format!("warning: nothing was checked: all of {count} are excluded"));
    }

    let fail_on = args.fail_on.or(config.fail_on).unwrap_or(Severity::Error);
    let min_severity = args.min_severity.or(config.min_severity).unwrap_or_else(|| Severity::Warning.min(fail_on));
    if let (Some(known), Mode::WorkTree) = (&known, mode) {
        baseline::gone(known, &outcome, selection, |rule| rules.reports(rule)).for_each(|line| notes.say(&line));
    }
    if let Some(path) = &args.write_baseline {
        baseline::write(path, &outcome, terminal, args.output.quiet)?;
        // Adopted, whatever there is; only what could not be read stops it.
        return Ok(exit(&outcome, fail_on, true, terminal));
    }
    // What is staged by then.
    let again = || {
        let Some(changes) = change::find(args, &repository, &roots)? else { return Ok(Outcome::default()) };
        let run = Run { selection: changes.select(&repository, &roots, &excludes), stdin: None };
        Ok(check(Mode::Change(&changes), &run, &Overlay::new()))
    };
    let check = |fixed: &Overlay| check(mode, &run, fixed);
    let stdin = run.stdin.as_ref().map(|(_, bytes)| bytes.as_slice());
    let end = End { args, terminal, repository: &repository, selection, stdin, fail_on, min_severity };
    end.with(outcome, check, again)
}

/// What becomes of the findings.
struct End<'a> {
    args: &'a CheckArgs,
    terminal: Terminal,
    repository: &'a Repository,
    selection: &'a Selection,
    /// The bytes from standard input.
    stdin: Option<&'a [u8]>,
    fail_on: Severity,
    min_severity: Severity,
}

impl End<'_> {
    /// Repairs what is to be repaired, prints what is left, and says how it ended. `check` looks at the same files again, at
    /// those it is handed instead; `again` at what is staged by then.
    fn with(
        &self,
        outcome: Outcome,
        check: impl Fn(&Overlay) -> Outcome,
        again: impl Fn() -> Result<Outcome, Stop>,
    ) -> Result<Exit, Stop> {
        let Self { args, terminal, .. } = *self;
        let limit = if args.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe };
        let exit = |outcome: &Outcome| exit(outcome, self.fail_on, args.exit_zero, terminal);
        if args.diff {
            // Nobody lints the file on standard input twice: no link leads to it.
            let root = self.stdin.is_none().then_some(self.repository.root.as_path());
            let preview = fix::preview(outcome, root, limit, terminal, check).map_err(Stop::Output)?;
            return Ok(match exit(&preview.outcome) {
                _ if preview.incomplete => Exit::Incomplete,
                Exit::Clean if preview.changes && !args.exit_zero => Exit::Findings,
                exit => exit,
            });
        }
        let mut ignored = None;
        let (outcome, repaired) = match (self.stdin, args.fix) {
            (None, false) if args.add_ignore.is_some() => {
                let reason = args.add_ignore.as_deref().unwrap_or_default();
                let added = add_ignore::run(
                    outcome,
                    &self.repository.root,
                    self.selection,
                    (reason, self.min_severity),
                    terminal,
                    check,
                );
                ignored = Some(added.count);
                (added.outcome, added.incomplete.then_some((FixCount::default(), true)))
            }
            (_, false) => (outcome, None),
            (None, true) if args.staged => {
                let Repaired { outcome, count, incomplete } =
                    restage::repair(outcome, self.repository, limit, terminal, check, again)?;
                (outcome, Some((count, incomplete)))
            }
            (None, true) => {
                let Repaired { outcome, count, incomplete } =
                    fix::repair(outcome, self.repository, limit, terminal, check);
                (outcome, Some((count, incomplete)))
            }
            (Some(bytes), true) => {
                let (Repaired { outcome, count, incomplete }, new) = fix::rewrite(outcome, limit, terminal, check);
                std::io::stdout().lock().write_all(new.as_deref().unwrap_or(bytes)).map_err(Stop::Output)?;
                (outcome, Some((count, incomplete)))
            }
        };
        // Git sets the variable for the hooks of a commit.
        let is_hook = args.staged || args.pre_commit || args.pre_push || std::env::var_os("GIT_INDEX_FILE").is_some();
        let report = Report {
            outcome: &outcome,
            fixed: repaired.filter(|_| args.fix).map(|(count, _)| count),
            ignored,
            show_suppressed: args.show_suppressed,
            says_how_to_silence: is_hook || change::is_asked_for(args),
            is_hook,
            min_severity: self.min_severity,
            all: args.all,
            // What could not be read may hide a problem: then there is no total.
            quiet: args.output.quiet || outcome.git_failure.is_some() || outcome.failures.iter().any(is_of_git),
            statistics: args.statistics,
            width: terminal.width,
        };
        let to_stderr = args.fix && self.stdin.is_some();
        print(report, args.format, terminal, to_stderr).map_err(Stop::Output)?;
        let exit = exit(&outcome);
        Ok(match repaired {
            Some((_, true)) => Exit::Incomplete,
            Some((count, _))
                if count.fixes + count.untracked > 0
                    && args.exit_non_zero_on_fix
                    && !args.exit_zero
                    && exit == Exit::Clean =>
            {
                Exit::Findings
            }
            _ => exit,
        })
    }
}

/// What is checked.
struct Run {
    selection: Selection,
    /// The file from standard input.
    stdin: Option<(BString, Vec<u8>)>,
}

/// Whose state the guard looks at.
fn mode<'a>(args: &'a CheckArgs, pushes: &'a [Push]) -> Mode<'a> {
    match &args.tree {
        Some(revision) => Mode::Tree(revision),
        None if args.pre_push => Mode::Push(pushes),
        None => Mode::WorkTree,
    }
}

/// Writes the report; a reader that went away has seen what it wanted.
fn print(report: Report<'_>, format: Format, terminal: Terminal, to_stderr: bool) -> std::io::Result<()> {
    let out: Box<dyn Write> = if to_stderr { Box::new(terminal.stderr()) } else { Box::new(terminal.stdout()) };
    let mut out = std::io::BufWriter::new(out);
    let written = report::write(report, format, &mut out).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            // What is left in the buffer must not be tried again.
            let _ = out.into_parts();
            Ok(())
        }
        other => other,
    }
}

fn exit(outcome: &Outcome, fail_on: Severity, exit_zero: bool, terminal: Terminal) -> Exit {
    for failure in &outcome.failures {
        match &failure.reason {
            Unread::Git(error) => show_error(terminal, &GitFailure::from(error)),
            _ => show_error(terminal, &ReadError::from(failure)),
        }
    }
    if let Some(error) = &outcome.git_failure {
        show_error(terminal, &GitFailure::from(error));
    }
    if !outcome.failures.is_empty() || outcome.git_failure.is_some() {
        Exit::Incomplete
    } else if !exit_zero && outcome.diagnostics.iter().any(|diagnostic| diagnostic.severity >= fail_on) {
        Exit::Findings
    } else {
        Exit::Clean
    }
}

fn is_of_git(failure: &Failure) -> bool {
    matches!(failure.reason, Unread::Git(_) | Unread::Unmerged)
}

/// A file that was named on the command line and not read.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot read {path}: {reason}")]
#[diagnostic(help("{help}"))]
pub(super) struct ReadError {
    path: String,
    reason: String,
    help: &'static str,
}

impl From<&Failure> for ReadError {
    fn from(failure: &Failure) -> Self {
        let reason = match &failure.reason {
            Unread::TooBig { size, cap } => format!("it has {size} bytes, and `max-file-size` is {cap}"),
            Unread::NotAFile(what) => format!("it is {what}, not a file"),
            Unread::Changing => "another program keeps writing it".to_owned(),
            Unread::Io(error) => error.to_string(),
            Unread::Git(error) => error.to_string(),
            Unread::Unmerged => "it is unmerged".to_owned(),
        };
        let help = match &failure.reason {
            Unread::Unmerged => "end the conflict and `git add` the file; the other files were checked",
            _ => "the other files were checked",
        };
        Self { path: display_path(&failure.path), reason, help }
    }
}

/// The repository of the first path. Without git the current folder stands for one where the path lies in it, else
/// the folder that the state root lies in.
pub(super) fn open(root: Option<&Path>, path: Option<&Path>) -> Result<Repository, OpenError> {
    let here = Path::new(".");
    if let Some(root) = root {
        return Repository::at(root);
    }
    let Some(path) = path else { return Repository::discover(here) };
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(here);
    let folder = if path.is_dir() { path } else { parent };
    if !folder.is_dir() {
        return Repository::discover(here);
    }
    let found = Repository::discover(folder)?;
    if found.has_git {
        return Ok(found);
    }
    let current = Repository::discover(here)?;
    if found.root.starts_with(&current.root) {
        return Ok(current);
    }
    let is_root = |folder: &&Path| folder.file_name().is_some_and(|name| name == ".squad" || name == ".ai-team");
    let above = found.root.ancestors().find(is_root).and_then(Path::parent);
    Ok(Repository { root: above.unwrap_or(&found.root).to_path_buf(), ..found })
}

/// The configuration that is asked for.
pub(super) fn load_config(file: Option<&Path>, no_config: bool, repository: &Repository) -> Result<Loaded, Stop> {
    let names: Vec<&str> = rules::all().map(|registered| registered.rule.name).chain(rules::families()).collect();
    Ok(match file {
        _ if no_config => Loaded::default(),
        Some(path) => config::load(path, &names)?,
        None => config::discover(&repository.root, &names)?,
    })
}

fn options(args: &CheckArgs, config: &Config) -> Result<Options, CheckError> {
    let defaults = Options::at(now(args.now.as_deref())?);
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
        guard: guard(args, config)?,
        ..defaults
    })
}

fn guard(args: &CheckArgs, config: &Config) -> Result<Guard, CheckError> {
    let defaults = Guard::default();
    let branches = match &config.guard.branches {
        Some(globs) => compile(globs, |globs| {
            let mut set = GlobSetBuilder::new();
            for glob in globs {
                set.add(GlobBuilder::new(glob).literal_separator(true).build()?);
            }
            set.build()
        })?,
        None => defaults.branches,
    };
    Ok(Guard {
        policy: config.guard.policy,
        branches,
        state_branch: config.guard.state_branch.clone().unwrap_or(defaults.state_branch),
        target: target(args),
    })
}

/// The branch that gets what is checked: `--branch`, or in a workflow the one that a pull request is for.
fn target(args: &CheckArgs) -> Option<String> {
    let base = || std::env::var("GITHUB_BASE_REF").ok().filter(|name| args.from.is_some() && !name.is_empty());
    let name = args.branch.clone().or_else(base)?;
    Some(name.strip_prefix("refs/heads/").unwrap_or(&name).to_owned())
}

/// `--now`, else `SOURCE_DATE_EPOCH` (seconds), else the clock.
fn now(given: Option<&str>) -> Result<Timestamp, CheckError> {
    if let Some(text) = given {
        let read = Timestamp::read(text).or_else(|| Timestamp::read(&format!("{text}T00:00:00+0000")));
        return read.ok_or_else(|| CheckError::Now { text: escape(text) });
    }
    let epoch = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|value| value.trim().parse::<i64>().ok());
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    Ok(Timestamp::from_unix(epoch.unwrap_or_else(|| i64::try_from(clock()).unwrap_or(i64::MAX))))
}

/// The state roots and the excludes of the configuration and the command line.
pub(super) fn globs(config: &Config, exclude: &[String]) -> Result<(Roots, Excludes), CheckError> {
    let roots = config.roots.state.clone().unwrap_or_else(|| DEFAULT_ROOTS.map(String::from).to_vec());
    let defaults = DEFAULT_EXCLUDES.iter().map(ToString::to_string);
    let excludes: Vec<String> = defaults.chain(config.exclude.clone()).chain(exclude.to_vec()).collect();
    Ok((compile(&roots, |globs| Roots::new(globs))?, compile(&excludes, |globs| Excludes::new(globs))?))
}

fn compile<T>(globs: &[String], build: impl FnOnce(&[String]) -> Result<T, globset::Error>) -> Result<T, CheckError> {
    build(globs).map_err(|source| {
        let glob = source.glob().unwrap_or_default();
        CheckError::Glob { glob: escape(glob), source }
    })
}
