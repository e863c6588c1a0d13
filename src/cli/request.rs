//! The request of a `check`: its target and its action, read once from the command line and the environment.

use std::ffi::OsStr;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use super::{CheckArgs, ProjectArgs};
use crate::engine::target::{Scope, Target};
use crate::git::push::{self, Push, PushError};
use crate::rules::shell::word;

/// The target and the action of a check.
#[derive(Clone, Debug)]
pub struct Request {
    /// What to check.
    pub target: Target,
    /// What to do with the findings.
    pub action: Action,
    /// The branch that the target is meant for; `None` for the one that is checked out.
    pub branch: Option<String>,
    /// Whether a git hook or a hook manager runs the check.
    pub by_hook: bool,
    /// What git stops if the exit code is not 0.
    pub stops: Option<Stops>,
}

/// What a git hook stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stops {
    /// `git commit`.
    Commit,
    /// `git push`.
    Push,
}

impl Stops {
    /// The message that git stopped, why, and what to do; `count` findings are the reason.
    pub fn line(self, count: usize, is_fix: bool) -> String {
        let (what, again) = match self {
            Self::Commit => ("commit", "`git add` the files, and commit again"),
            Self::Push => ("push", "commit, and push again"),
        };
        let (why, repair) = match count {
            0 if is_fix => (", because it fixed files", "review the fixes".to_owned()),
            0 => (", because it could not check everything", "repair the cause".to_owned()),
            1 => ("", "fix the finding above".to_owned()),
            count => ("", format!("fix the {count} findings above")),
        };
        format!(
            "squad-lint stopped the {what}{why}: {repair}, {again}; or skip this check with `git {what} --no-verify`"
        )
    }
}

/// What to do with the findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Report them.
    Report,
    /// Show what the fixes change, as a diff.
    Diff,
    /// Fix them, and report the remaining ones.
    Fix,
    /// Suppress each with a comment that gives this reason.
    AddIgnore(String),
    /// Write them to this file, as a baseline.
    WriteBaseline(PathBuf),
}

/// Options that cannot be used together, or not now.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum UsageError {
    /// `--from` with `--fix` or `--diff`.
    #[error("cannot use `--fix` or `--diff` with `--from`: committed files cannot be changed")]
    #[diagnostic(help(
        "`--fix` alone fixes the files on disk, and `--staged --fix` the staged files; commit the result"
    ))]
    FixCommitted,
    /// `--add-ignore` with standard input.
    #[error("cannot use `--add-ignore` with standard input")]
    #[diagnostic(help("name the file"))]
    IgnoreStdin,
    /// `--add-ignore` with a change.
    #[error("cannot use `--add-ignore` with a change, a tree or a push")]
    #[diagnostic(help("`--add-ignore` alone writes comments into the files on disk"))]
    IgnoreChange,
    /// `-` with other paths.
    #[error("cannot check standard input and other paths in one run")]
    #[diagnostic(help("run once for `-`, and once for the other paths"))]
    StdinAndPaths,
    /// `--pre-push` without a push.
    #[error("cannot read the push: standard input is a terminal")]
    #[diagnostic(help(
        "`--pre-push` is for a pre-push hook, to which git writes it; `--tree REV --target-branch NAME` checks a revision"
    ))]
    NoPush,
    /// Standard input cannot be read.
    #[error("cannot read the push from standard input")]
    ReadPush(#[from] std::io::Error),
    /// Standard input is not what git writes.
    #[error("cannot read the push from standard input: {0}")]
    #[diagnostic(help("git writes `<local ref> <local object> <remote ref> <remote object>`, one push per line"))]
    MalformedPush(#[from] PushError),
}

/// The name of the text on standard input if none is given: Markdown outside of every state root.
const UNNAMED: &str = "stdin.md";

/// The name of the text on standard input, if that is to be read: `given`, or a name of its own where `-` is among `paths`.
///
/// # Errors
/// With other paths.
pub fn stdin_name<'a>(given: Option<&'a Path>, paths: &[PathBuf]) -> Result<Option<&'a Path>, UsageError> {
    let is_stdin = given.is_some() || paths.iter().any(|path| is_dash(path));
    if is_stdin && !paths.iter().all(|path| is_dash(path)) {
        return Err(UsageError::StdinAndPaths);
    }
    Ok(is_stdin.then(|| given.unwrap_or(Path::new(UNNAMED))))
}

impl Request {
    /// What `args` and the environment ask for. Of a text on standard input the bytes are not read yet.
    ///
    /// # Errors
    /// See [`UsageError`].
    pub fn new(args: &CheckArgs) -> Result<Self, UsageError> {
        let env = Environment::read();
        let stdin_name = stdin_name(args.stdin_filename.as_deref(), &args.paths)?;
        let by_hook_manager = args.hook_manager;
        let scope = || Scope { paths: args.paths.clone(), all_lines: args.all_lines, by_hook_manager };
        let range = match &args.from {
            Some(from) => Some((from.clone(), args.to.clone())),
            None => env.range.clone().filter(|_| by_hook_manager).map(|(from, to)| (from, Some(to))),
        };
        let target = if let Some(name) = stdin_name {
            Target::Text { name: name.to_owned(), bytes: Vec::new() }
        } else if let Some(revision) = &args.rev {
            Target::Revision(revision.clone())
        } else if let Some(revision) = &args.tree {
            Target::Tree(revision.clone())
        } else if args.pre_push {
            Target::Push(env.pushes()?)
        } else if let Some((from, to)) = range {
            Target::Range { from, to, scope: scope() }
        } else if by_hook_manager {
            Target::HookManager { scope: scope(), in_commit: env.in_commit }
        } else if args.staged {
            Target::Staged(scope())
        } else {
            Target::Paths(args.paths.clone())
        };
        let action = Action::new(args);
        match (&action, &target) {
            (Action::Fix | Action::Diff, Target::Range { .. }) => return Err(UsageError::FixCommitted),
            (Action::AddIgnore(_), Target::Text { .. }) => return Err(UsageError::IgnoreStdin),
            (Action::AddIgnore(_), Target::Paths(_)) => {}
            (Action::AddIgnore(_), _) => return Err(UsageError::IgnoreChange),
            _ => {}
        }
        let by_hook = args.staged || by_hook_manager || args.pre_push || env.in_commit;
        let is_push = args.pre_push || by_hook_manager && env.remote_branch.is_some();
        let stops = if is_push { Some(Stops::Push) } else { env.in_commit.then_some(Stops::Commit) };
        let branch = args.target_branch.clone();
        let branch = branch.or_else(|| env.remote_branch.clone().filter(|_| by_hook_manager));
        let branch = branch.or_else(|| env.base_branch.filter(|_| matches!(target, Target::Range { .. })));
        let branch = branch.map(|name| name.strip_prefix("refs/heads/").unwrap_or(&name).to_owned());
        Ok(Self { target, action, branch, by_hook, stops })
    }
}

impl CheckArgs {
    /// The options and paths that choose the files and rules, as words of a shell: with them, `--fix` fixes the same findings.
    pub fn again(&self) -> String {
        let Self { paths, select, ignore, all_lines, baseline, no_baseline, stdin_filename, project, .. } = self;
        // `--now` chooses no files and no rules.
        let ProjectArgs { root, exclude, config, no_config, now: _ } = project;
        let mut words: Vec<String> = Vec::new();
        let mut option =
            |name: &str, value: &OsStr| words.extend([name.to_owned(), word(value.as_encoded_bytes().into())]);
        for (name, rules) in [("--select", select), ("--ignore", ignore)] {
            if !rules.is_empty() {
                option(name, rules.join(",").as_ref());
            }
        }
        for glob in exclude {
            option("--exclude", glob.as_ref());
        }
        let files =
            [("--root", root), ("--config", config), ("--baseline", baseline), ("--stdin-filename", stdin_filename)];
        for (name, path) in files {
            if let Some(path) = path {
                option(name, path.as_os_str());
            }
        }
        let flags = [("--no-config", *no_config), ("--no-baseline", *no_baseline), ("--all-lines", *all_lines)];
        words.extend(flags.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name.to_owned()));
        // A hook manager names all files of the commit.
        let paths: &[PathBuf] = if self.hook_manager { &[] } else { paths };
        words.extend(paths.iter().map(|path| match path.as_os_str().as_encoded_bytes() {
            b"-" => "-".to_owned(),
            path => word(path.into()),
        }));
        words.join(" ")
    }
}

impl Action {
    fn new(args: &CheckArgs) -> Self {
        match (&args.add_ignore, &args.write_baseline) {
            _ if args.diff => Self::Diff,
            _ if args.fix => Self::Fix,
            (Some(reason), _) => Self::AddIgnore(reason.clone()),
            (None, Some(path)) => Self::WriteBaseline(path.clone()),
            (None, None) => Self::Report,
        }
    }
}

fn is_dash(path: &Path) -> bool {
    path.as_os_str() == OsStr::new("-")
}

/// What git, a hook manager or a workflow says in variables.
struct Environment {
    /// `GIT_INDEX_FILE`, which git sets for the hooks of a commit.
    in_commit: bool,
    /// `PRE_COMMIT_FROM_REF` and `PRE_COMMIT_TO_REF`.
    range: Option<(String, String)>,
    /// `PRE_COMMIT_FROM_REF`, which a push of a new branch lacks.
    from: Option<String>,
    /// `PRE_COMMIT_TO_REF`.
    to: Option<String>,
    /// `PRE_COMMIT_REMOTE_BRANCH`.
    remote_branch: Option<String>,
    /// `GITHUB_BASE_REF`, the branch that a pull request is for.
    base_branch: Option<String>,
}

impl Environment {
    fn read() -> Self {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let (from, to) = (variable("PRE_COMMIT_FROM_REF"), variable("PRE_COMMIT_TO_REF"));
        Self {
            in_commit: std::env::var_os("GIT_INDEX_FILE").is_some(),
            range: from.clone().zip(to.clone()),
            from,
            to,
            remote_branch: variable("PRE_COMMIT_REMOTE_BRANCH"),
            base_branch: variable("GITHUB_BASE_REF"),
        }
    }

    /// What is pushed: as a hook manager says it, which has read standard input, otherwise as git writes it to standard input.
    fn pushes(&self) -> Result<Vec<Push>, UsageError> {
        if let Some((branch, new)) = self.remote_branch.as_ref().zip(self.to.as_ref()) {
            return Ok(push::from_variables(branch, self.from.as_deref(), new));
        }
        let mut stdin = std::io::stdin().lock();
        if stdin.is_terminal() {
            return Err(UsageError::NoPush);
        }
        let mut text = Vec::new();
        stdin.read_to_end(&mut text)?;
        Ok(push::parse(&text)?)
    }
}
