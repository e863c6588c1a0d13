//! `check`: find the repository, choose the files, run the rules, print.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bstr::BString;

use super::fix::{self, Repaired};
use super::{Exit, Stop, progress, ruleset, show_error, stdin};
use crate::cli::{CheckArgs, Format};
use crate::config::{self, Config, Loaded};
use crate::diagnostic::{Applicability, Severity};
use crate::engine::{self, Failure, Outcome, Progress};
use crate::formats::timestamp::Timestamp;
use crate::options::{MemoryCaps, Options};
use crate::report::{self, Report};
use crate::rules;
use crate::select::exclude::{DEFAULT_EXCLUDES, Excludes};
use crate::select::read::Unread;
use crate::select::repository::{OpenError, Repository};
use crate::select::role::{DEFAULT_ROOTS, Roots};
use crate::select::worktree::{self, SelectError, Selection};
use crate::select::{self, Input, Overlay};
use crate::terminal::{Terminal, display_path, escape};

/// Why nothing was checked.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum CheckError {
    #[error(transparent)]
    #[diagnostic(help("{}", open_help(.0)))]
    Open(#[from] OpenError),
    #[error(transparent)]
    #[diagnostic(help("{}", select_help(.0)))]
    Select(#[from] SelectError),
    #[error("`{glob}` is not a valid glob")]
    Glob { glob: String, source: globset::Error },
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
        OpenError::Bare { .. } => "run in a clone of it",
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
    let terminal = Terminal::new(args.output.color);
    let repository = open(args).map_err(CheckError::from)?;
    let Loaded { config, path: config_path } = load_config(args, &repository)?;
    let rules = ruleset::resolve(&args.select, &args.ignore, &config.rules)?;
    let options = options(args, &config)?;
    let roots = config.roots.state.clone().unwrap_or_else(|| DEFAULT_ROOTS.map(String::from).to_vec());
    let roots = compile(&roots, |globs| Roots::new(globs))?;
    let excludes: Vec<String> = DEFAULT_EXCLUDES
        .iter()
        .map(ToString::to_string)
        .chain(config.exclude.clone())
        .chain(args.exclude.clone())
        .collect();
    let excludes = compile(&excludes, |globs| Excludes::new(globs))?;

    let mut notes = Notes { terminal, verbose: args.output.verbose };
    notes.say(&match repository.has_git {
        true => format!("repository {}", repository.root.display()),
        false => format!("no git repository: checking the plain folder {}", repository.root.display()),
    });
    notes.say(&match &config_path {
        Some(path) => format!("configuration {}", path.display()),
        None => "no configuration".to_owned(),
    });
    let progress = Progress::default();
    let check = |run: &Run, fixed: &Overlay| {
        let overlay = match &run.stdin {
            Some((path, bytes)) if !fixed.contains_key(path) => &Overlay::from([(path.clone(), bytes.clone())]),
            _ => fixed,
        };
        let selection = &run.selection;
        let input = Input { repository: &repository, roots: &roots, excludes: &excludes, selection, overlay };
        let mut outcome = engine::run(input, &rules, &options, &progress);
        if let Some((path, _)) = &run.stdin {
            outcome.diagnostics.retain(|diagnostic| diagnostic.path == *path);
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
                let selection =
                    worktree::select(&repository, &roots, &excludes, &args.paths).map_err(CheckError::from)?;
                Run { selection, stdin: None }
            }
            Some((name, bytes)) => {
                let (selection, path) = select::stdin::select(&repository, &roots, &excludes, &name).map_err(CheckError::from)?;
                Run { selection, stdin: Some((path, bytes)) }
            }
        };
        let outcome = check(&run, &Overlay::new());
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
    let limit = if args.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe };
    let check = |fixed: &Overlay| check(&run, fixed);
    if args.diff {
        let (outcome, changes) = fix::preview(outcome, limit, terminal, check).map_err(Stop::Output)?;
        let exit = exit(&outcome, fail_on, args.exit_zero, terminal);
        return Ok(if changes && exit == Exit::Clean && !args.exit_zero { Exit::Findings } else { exit });
    }
    let (outcome, repaired) = match (&run.stdin, args.fix) {
        (_, false) => (outcome, None),
        (None, true) => {
            let Repaired { outcome, count, incomplete } =
                fix::repair(outcome, &repository.root, limit, terminal, check);
            (outcome, Some((count, incomplete)))
        }
        (Some((_, bytes)), true) => {
            let (Repaired { outcome, count, incomplete }, new) = fix::rewrite(outcome, limit, terminal, check);
            std::io::stdout().lock().write_all(new.as_ref().unwrap_or(bytes)).map_err(Stop::Output)?;
            (outcome, Some((count, incomplete)))
        }
    };
    let report = Report {
        outcome: &outcome,
        fixed: repaired.map(|(count, _)| count),
        min_severity,
        all: args.all,
        quiet: args.output.quiet,
        statistics: args.statistics,
        width: terminal.width,
    };
    let to_stderr = args.fix && run.stdin.is_some();
    print(report, args.format, terminal, to_stderr).map_err(Stop::Output)?;
    let exit = exit(&outcome, fail_on, args.exit_zero, terminal);
    Ok(match repaired {
        Some((_, true)) => Exit::Incomplete,
        Some((count, _)) if count.fixes > 0 && args.exit_non_zero_on_fix && exit == Exit::Clean => Exit::Findings,
        _ => exit,
    })
}

/// What is checked.
struct Run {
    selection: Selection,
    /// The file from standard input.
    stdin: Option<(BString, Vec<u8>)>,
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
        show_error(terminal, &ReadError::from(failure));
    }
    if !outcome.failures.is_empty() {
        Exit::Incomplete
    } else if !exit_zero && outcome.diagnostics.iter().any(|diagnostic| diagnostic.severity >= fail_on) {
        Exit::Findings
    } else {
        Exit::Clean
    }
}

/// A file that was named on the command line and not read.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot read {path}: {reason}")]
#[diagnostic(help("the other files were checked"))]
struct ReadError {
    path: String,
    reason: String,
}

impl From<&Failure> for ReadError {
    fn from(failure: &Failure) -> Self {
        let reason = match &failure.reason {
            Unread::TooBig { size, cap } => format!("it has {size} bytes, and `max-file-size` is {cap}"),
            Unread::NotAFile(what) => format!("it is {what}, not a file"),
            Unread::Changing => "another program keeps writing it".to_owned(),
            Unread::Io(error) => error.to_string(),
        };
        Self { path: display_path(&failure.path), reason }
    }
}

/// The repository of the first path. Without git the current folder stands for one where the path lies in it, else
/// the folder that the state root lies in.
fn open(args: &CheckArgs) -> Result<Repository, OpenError> {
    let here = Path::new(".");
    if let Some(root) = &args.root {
        return Repository::at(root);
    }
    let path = args.stdin_filename.as_ref().or(args.paths.first()).filter(|path| path.as_os_str() != "-");
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

fn load_config(args: &CheckArgs, repository: &Repository) -> Result<Loaded, Stop> {
    let names: Vec<&str> = rules::all().map(|registered| registered.rule.name).chain(rules::families()).collect();
    Ok(match &args.config {
        _ if args.no_config => Loaded::default(),
        Some(path) => config::load(path, &names)?,
        None => config::discover(&repository.root, &names)?,
    })
}

fn options(args: &CheckArgs, config: &Config) -> Result<Options, CheckError> {
    let defaults = Options::at(now(args.now.as_deref())?);
    let caps = MemoryCaps::default();
    Ok(Options {
        phase: config.phase.unwrap_or(defaults.phase),
        max_file_size: config.max_file_size.unwrap_or(defaults.max_file_size),
        memory: MemoryCaps {
            decisions: config.memory.decisions_max.unwrap_or(caps.decisions),
            decisions_hard: config.memory.decisions_hard_max.unwrap_or(caps.decisions_hard),
            history: config.memory.history_max.unwrap_or(caps.history),
        },
        ..defaults
    })
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

fn compile<T>(globs: &[String], build: impl FnOnce(&[String]) -> Result<T, globset::Error>) -> Result<T, CheckError> {
    build(globs).map_err(|source| {
        let glob = source.glob().unwrap_or_default();
        CheckError::Glob { glob: escape(glob), source }
    })
}

/// What is said on standard error beside the report.
struct Notes {
    terminal: Terminal,
    verbose: bool,
}

impl Notes {
    fn say(&mut self, line: &str) {
        if self.verbose {
            self.always(line);
        }
    }

    fn always(&mut self, line: &str) {
        // Notes are a courtesy: nobody reads them where standard error is closed.
        let _ = writeln!(self.terminal.stderr(), "{}", escape(line));
    }

    fn selection(&mut self, selection: &Selection, rules: usize) {
        for note in &selection.notes {
            self.say(note);
        }
        let checked = selection.files.iter().filter(|file| file.checked).count();
        let context = selection.files.len() - checked;
        let excluded = selection.excluded;
        self.say(&format!(
            "{checked} files to check with {rules} rules, {context} read for context, {excluded} excluded"
        ));
    }
}
