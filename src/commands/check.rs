//! `check`: find the repository, choose the files, run the rules, print.

use std::borrow::Cow;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use bstr::BString;

use super::end::{self, End};
use super::notes::Notes;
use super::reports::Reports;
use super::{Exit, Stop, baseline, change, hook_manager, progress, push, ruleset, settings, stdin, unread};
use crate::cli::CheckArgs;
use crate::config::Loaded;
use crate::engine::{self, Progress};
use crate::git::push::Push;
use crate::git::repository::Unopened;
use crate::layout::exclude::Excludes;
use crate::layout::role::Roots;
use crate::outcome::Outcome;
use crate::select;
use crate::select::changes::Changes;
use crate::select::input::{Input, Mode, Overlay};
use crate::select::repository::{OpenError, Repository};
use crate::select::worktree::{self, SelectError, Selection};
use crate::terminal::Terminal;
use crate::text::prose::plural;

/// Why nothing was checked.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub(super) enum CheckError {
    #[error(transparent)]
    #[diagnostic(help("{}", open_help(.0)))]
    Open(#[from] OpenError),
    #[error(transparent)]
    #[diagnostic(help("{}", select_help(.0)))]
    Select(#[from] SelectError),
    #[error("there is no git repository here")]
    #[diagnostic(help("`squad-lint` alone checks a plain folder"))]
    NoGit,
    #[error("cannot use `--fix` with `--from`: commits cannot be changed")]
    #[diagnostic(help(
        "`--fix` alone fixes the files as they are, `--staged --fix` what is staged; the next commit has it then"
    ))]
    Committed,
}

fn open_help(error: &OpenError) -> &'static str {
    match error {
        OpenError::Folder { .. } => "check the spelling, and that you have permission to enter the folder",
        OpenError::Git { source: Unopened::Nowhere { .. }, .. } => {
            "repair or delete it; `--root DIR` checks the folder without git"
        }
        OpenError::Git { source: Unopened::Variable { .. }, .. } => {
            "set the variable as git does for its hooks, or unset it; `--root DIR` checks the folder without git"
        }
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
    let args = &*hook_manager::resolve(args);
    if args.from.is_some() && (args.fix || args.diff) {
        return Err(CheckError::Committed.into());
    }
    let terminal = Terminal::new(args.output.color);
    let repository = discover(args)?;
    let Loaded { config, path: config_path, .. } = settings::load(args.config.as_deref(), args.no_config, &repository)?;
    let baseline = baseline::file(args, &config, &repository)?;
    let reports = Reports::plan(args, [config_path.as_deref(), baseline.as_deref()])?;
    let rules = ruleset::resolve(&args.select, &args.ignore, &config)?;
    let mut options = settings::options(config, args.now.as_deref(), target(args))?;
    options.history = args.unsafe_fixes || reports.show_fixes();
    let config = &options.settings;
    let (roots, excludes) = settings::globs(config, &args.exclude)?;

    reports.spare(&repository, &roots, config_path.as_deref())?;

    let mut notes = Notes { terminal, verbose: args.output.verbose };
    notes.say(&match repository.has_git {
        true => format!("repository {}", repository.root.display()),
        false => format!("no git repository: checking the plain folder {}", repository.root.display()),
    });
    let told = config_path.as_ref().map(|path| format!("configuration {}", path.display()));
    notes.say(told.as_deref().unwrap_or("no configuration"));
    let pushes = if args.pre_push { push::read(&repository)? } else { Vec::new() };
    let changes = change::find(args, &repository, &roots)?;
    if let Some(note) = changes.as_ref().and_then(|changes| changes.note.as_ref()).filter(|_| !args.output.quiet) {
        notes.always(&format!("note: {note}"));
    }
    let mode = changes.as_ref().map_or_else(|| mode(args, &pushes), Mode::Change);
    let known = baseline.as_deref().map(|path| baseline::load(&repository.root, path)).transpose()?;
    let progress = Progress::default();
    let check = |mode: Mode<'_>, run: &Run, fixed: &Overlay| {
        let overlay = match &run.stdin {
            Some((path, bytes)) if !fixed.contains_key(path) => &Overlay::from([(path.clone(), bytes.clone())]),
            _ => fixed,
        };
        let selection = &run.selected(mode, fixed, &roots, &excludes);
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
                        let select = if args.pre_commit { select::listed::select } else { worktree::select };
                        select(&repository, &roots, &excludes, &args.paths).map_err(CheckError::from)?
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
        let count = plural(selection.excluded, "file");
        notes.always(&format!("warning: nothing was checked: all of {count} are excluded"));
    }

    let (fail_on, min_severity) = settings::severities(config, args.fail_on, args.min_severity);
    if let (Some(known), Mode::WorkTree) = (&known, mode) {
        baseline::gone(known, &outcome, selection, |rule| rules.reports(rule)).for_each(|line| notes.say(&line));
    }
    if let Some(path) = &args.write_baseline {
        baseline::write(path, &outcome, terminal, args.output.quiet)?;
        // Adopted, whatever there is; only what could not be read stops it.
        unread::say(&outcome, terminal);
        return Ok(end::exit(&outcome, fail_on, true));
    }
    // What is staged by then.
    let again = || {
        let Some(changes) = change::find(args, &repository, &roots)? else { return Ok(Outcome::default()) };
        let run = Run { selection: changes.select(&repository, &roots, &excludes), stdin: None };
        Ok(check(Mode::Change(&changes), &run, &Overlay::new()))
    };
    let check = |fixed: &Overlay| check(mode, &run, fixed);
    let stdin = run.stdin.as_ref().map(|(_, bytes)| bytes.as_slice());
    let (reports, repository) = (&reports, &repository);
    let is_staged = changes.as_ref().is_some_and(Changes::is_staged);
    End { args, reports, terminal, repository, selection, is_staged, stdin, fail_on, min_severity }
        .with(outcome, check, again)
}

/// The repository that `args` are about.
fn discover(args: &CheckArgs) -> Result<Repository, CheckError> {
    let path = args.stdin_filename.as_ref().or(args.paths.first()).filter(|path| path.as_os_str() != "-");
    let repository = match change::is_asked_for(args) && args.root.is_none() {
        // The paths need not be on disk.
        true if args.from.is_none() => Repository::discover(Path::new(".")),
        true => Repository::discover_bare(Path::new(".")),
        false => open(args.root.as_deref(), path.map(PathBuf::as_path)),
    };
    Ok(repository?)
}

/// What is checked.
struct Run {
    selection: Selection,
    /// The file from standard input.
    stdin: Option<(BString, Vec<u8>)>,
}

impl Run {
    /// The files to look at, those that fixes are about to make among them.
    fn selected(&self, mode: Mode<'_>, fixed: &Overlay, roots: &Roots, excludes: &Excludes) -> Cow<'_, Selection> {
        match mode {
            Mode::WorkTree if self.stdin.is_none() => self.selection.with_new(fixed.keys(), roots, excludes),
            _ => Cow::Borrowed(&self.selection),
        }
    }
}

/// Whose state the guard looks at.
fn mode<'a>(args: &'a CheckArgs, pushes: &'a [Push]) -> Mode<'a> {
    match &args.tree {
        Some(revision) => Mode::Tree(revision),
        None if args.pre_push => Mode::Push(pushes),
        None => Mode::WorkTree,
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

/// The branch that gets what is checked: `--branch`, or in a workflow the one that a pull request is for.
fn target(args: &CheckArgs) -> Option<String> {
    let base = || std::env::var("GITHUB_BASE_REF").ok().filter(|name| args.from.is_some() && !name.is_empty());
    let name = args.branch.clone().or_else(base)?;
    Some(name.strip_prefix("refs/heads/").unwrap_or(&name).to_owned())
}
