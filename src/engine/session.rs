//! A check that can be asked again: after fixes in memory, after files were written, or after an editor sent a new text.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::elsewhere;
use super::git_failure::GitFailure;
use super::memory::Memory;
use super::target::{Scope, Target};
use super::{Progress, read_all, read_wanted, run, run_again};
use crate::baseline::{self, Baseline};
use crate::facts::Run;
use crate::formats::entries::Wanted;
use crate::git::error::GitError;
use crate::git::push::Push;
use crate::git::range::{self, Range};
use crate::git::repository::Git;
use crate::layout::roots::Roots;
use crate::options::Options;
use crate::outcome::{Failure, Outcome};
use crate::project::Project;
use crate::project::rules::RuleSetError;
use crate::rule_set::RuleSet;
use crate::select::changes::{Changes, wanted};
use crate::select::input::{Input, Mode, Overlay, is_gone};
use crate::select::revision::Revision;
use crate::select::selected::Selected;
use crate::select::state_branch::{self, Layout};
use crate::select::worktree::{SelectError, Selection};
use crate::select::{listed, stdin, tracked, worktree, written};

/// Why a target cannot be checked.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum TargetError {
    /// A path cannot be reached.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Path(#[from] SelectError),
    /// The state of a revision is asked for.
    #[error("there is no git repository here")]
    #[diagnostic(help("`squad-lint` alone checks a plain folder"))]
    NoGit,
    /// A change is asked for.
    #[error("this folder is not in a git repository, so nothing is staged or committed")]
    #[diagnostic(help("`squad-lint` or `squad-lint PATH` checks a plain folder"))]
    NoChange,
    /// A change from one layout to the other one.
    #[error(
        "cannot compare `{folders}` with `{top}`: one has the state of the team in `.squad/`, the other at its top"
    )]
    #[diagnostic(help("`squad-lint --rev {folders}` and `squad-lint --rev {top}` check each by itself"))]
    Layouts {
        /// The revision with the state at its top.
        top: String,
        /// The revision with the state in folders.
        folders: String,
    },
    /// Git cannot tell what the change is.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Git(#[from] GitFailure),
}

/// One target of a project, with the rules that check it.
///
/// A second [`Session::check`] reads and parses only the files whose bytes changed, and runs again only the rules that asked for
/// something that is no longer the same. Its outcome is that of a new session.
#[derive(Debug)]
pub struct Session<'p> {
    project: &'p Project,
    target: Target,
    rules: RuleSet,
    baseline: Option<Baseline>,
    progress: &'p Progress,
    subject: Subject,
    selection: Selection,
    /// Where state is: those of the project, if the target has it where the work tree has it.
    roots: Cow<'p, Roots>,
    memory: Memory,
}

/// The target as it was found.
#[derive(Debug)]
enum Subject {
    WorkTree,
    Text { path: BString, bytes: Vec<u8> },
    Change(Box<Changes>),
    Revision(Box<Revision>),
    Tree(String),
    Push(Vec<Push>),
}

impl<'p> Session<'p> {
    /// A session that checks `target` by `rules`. The files are selected, and not read yet.
    ///
    /// # Errors
    /// See [`TargetError`].
    pub fn new(
        project: &'p Project,
        target: Target,
        rules: RuleSet,
        progress: &'p Progress,
    ) -> Result<Self, TargetError> {
        let Found { subject, selection, roots } = find(project, &target)?;
        let (baseline, memory) = (None, Memory::default());
        Ok(Self { project, target, rules, baseline, progress, subject, selection, roots, memory })
    }

    /// The same without the findings that `baseline` knows.
    #[must_use]
    pub fn without(self, baseline: Option<Baseline>) -> Self {
        Self { baseline, ..self }
    }

    /// The same target by other rules, which share the documents that were read.
    #[must_use]
    pub fn by_rules(self, rules: RuleSet) -> Self {
        let memory = Memory::of(self.memory.documents);
        Self { rules, memory, ..self }
    }

    /// Checks only the selected files for which `wanted` holds; the others are read for what they tell about the repository.
    pub fn narrow(&mut self, wanted: impl Fn(&BString) -> bool) {
        for file in Arc::make_mut(&mut self.selection.files) {
            file.checked = wanted(&file.path);
        }
    }

    /// From now on, checks see the index without the files at `paths`: fixes that are shown take them out of it.
    pub fn untrack(&mut self, paths: BTreeSet<BString>) {
        self.selection.untracked = paths;
    }

    /// What the rules find. The bytes in `overlay` replace those of the files, also of files that do not exist yet: a
    /// configuration that a fix creates counts, but for the levels of its rules.
    pub fn check(&mut self, overlay: &Overlay) -> Outcome {
        let mut memory = std::mem::take(&mut self.memory);
        let options = self.project.options_in(overlay);
        if options.is_some() {
            memory = Memory::of(memory.documents);
        }
        let outcome = self.check_with(options.as_ref().unwrap_or(&self.project.options), overlay, Some(&mut memory));
        // What was found by other options tells nothing about the next check.
        self.memory = if options.is_some() { Memory::of(memory.documents) } else { memory };
        outcome
    }

    /// Like [`Session::check`] without an overlay, for a session that is asked once: it keeps nothing.
    pub fn check_once(&self) -> Outcome {
        self.check_with(&self.project.options, &Overlay::new(), None)
    }

    fn check_with(&self, options: &Options, overlay: &Overlay, memory: Option<&mut Memory>) -> Outcome {
        let Project { repository, excludes, .. } = self.project;
        let roots = &*self.roots;
        let mut overlay = Cow::Borrowed(overlay);
        let selection = match &self.subject {
            Subject::WorkTree => {
                let paths = overlay.iter().map(|(path, bytes)| (path, is_gone(path, bytes)));
                self.selection.with_fixes(paths, roots, excludes)
            }
            _ => Cow::Borrowed(&self.selection),
        };
        if let Subject::Text { path, bytes } = &self.subject
            && !overlay.contains_key(path)
        {
            overlay.to_mut().insert(path.clone(), bytes.clone());
        }
        let (overlay, mode) = (&*overlay, self.mode());
        let input = Input { repository, roots, excludes, selection: &selection, overlay, mode };
        let mut outcome = match memory {
            Some(memory) => run_again(input, &self.rules, options, self.progress, Some(memory)),
            None => run(input, &self.rules, options, self.progress),
        };
        if let Subject::Text { path, .. } = &self.subject {
            outcome.diagnostics.retain(|diagnostic| diagnostic.path == *path);
            outcome.suppressed.retain(|suppressed| suppressed.diagnostic.path == *path);
        }
        if let Subject::Revision(_) = &self.subject {
            // Committed files cannot be changed.
            outcome.diagnostics.iter_mut().for_each(|diagnostic| diagnostic.fix = None);
        }
        outcome.is_change = self.changes().is_some();
        if outcome.files == 0 && outcome.failures.is_empty() {
            outcome.elsewhere = elsewhere::of(self.project, &self.target, input, !outcome.diagnostics.is_empty());
        }
        if let Some(known) = &self.baseline {
            baseline::apply(known, &mut outcome);
        }
        outcome
    }

    /// Reads the files of the target that are `of_kind`, without a check, and hands them to `look` with the facts about them. Which
    /// files could not be read, the outcome says. With `wanted`, only what is wanted of the files is sure to be parsed.
    pub fn look<T>(
        &self,
        of_kind: impl Fn(&Selected) -> bool,
        wanted: Option<&dyn Wanted>,
        look: impl FnOnce(&Run<'_>) -> T,
    ) -> (T, Outcome) {
        let Project { repository, excludes, options, .. } = self.project;
        let (overlay, roots, selection, mode) = (Overlay::new(), &*self.roots, &self.selection, self.mode());
        let input = Input { repository, roots, excludes, selection, overlay: &overlay, mode };
        let files: Vec<&Selected> = selection.files.iter().filter(|file| file.checked && of_kind(file)).collect();
        let results = match wanted {
            Some(wanted) => read_wanted(input, &files, options, self.progress, wanted),
            None => read_all(input, &files, options, self.progress, None),
        };
        let mut outcome = Outcome::default();
        let mut documents = Vec::with_capacity(files.len());
        for (file, result) in files.into_iter().zip(results) {
            match result {
                Ok(document) => documents.push(document),
                Err(reason) => outcome.failures.push(Failure { path: file.path.clone(), reason }),
            }
        }
        outcome.files = documents.len();
        if outcome.files == 0 && outcome.failures.is_empty() {
            outcome.elsewhere = elsewhere::of(self.project, &self.target, input, false);
        }
        let run = Run::new(input, &documents, options, std::iter::empty());
        let found = look(&run);
        outcome.git_failure = run.into_parts().1;
        (found, outcome)
    }

    /// Shows `look` what is known without the selected files.
    pub fn look_around<T>(&self, look: impl FnOnce(&Run<'_>) -> T) -> T {
        let Project { repository, excludes, options, .. } = self.project;
        let (overlay, roots, selection, mode) = (Overlay::new(), &*self.roots, &self.selection, self.mode());
        let input = Input { repository, roots, excludes, selection, overlay: &overlay, mode };
        look(&Run::new(input, &[], options, std::iter::empty()))
    }

    /// The state roots of the selected files that are checked and `of_kind`.
    pub fn roots_of(&self, of_kind: impl Fn(&Selected) -> bool) -> BTreeSet<&BStr> {
        let files = self.selection.files.iter().filter(|file| file.checked && of_kind(file));
        files.map(|file| file.root.as_bstr()).collect()
    }

    /// Looks for the files again: after files were written to the index, the change is another one.
    ///
    /// # Errors
    /// See [`TargetError`].
    pub fn refresh(&mut self) -> Result<(), TargetError> {
        let Found { subject, selection, roots } = find(self.project, &self.target)?;
        (self.subject, self.selection, self.roots) = (subject, selection, roots);
        Ok(())
    }

    /// The project.
    pub fn project(&self) -> &'p Project {
        self.project
    }

    /// The rules.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// The files, and what was seen on the way to them.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// The known findings that no longer occur in `outcome`, the outcome of this session: a line for each rule and file.
    /// Only a check of the work tree can tell.
    pub fn gone(&self, outcome: &Outcome) -> Vec<String> {
        match (&self.baseline, &self.subject) {
            (Some(known), Subject::WorkTree) => {
                baseline::gone(known, outcome, &self.selection, |rule| self.rules.reports(rule)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The change that is checked, if one is.
    pub fn changes(&self) -> Option<&Changes> {
        if let Subject::Change(changes) = &self.subject { Some(changes) } else { None }
    }

    /// Whether the staged change is checked.
    pub fn is_staged(&self) -> bool {
        self.changes().is_some_and(Changes::is_staged)
    }

    /// What the user ought to know of the change or the revision.
    pub fn note(&self) -> Option<Cow<'_, str>> {
        match &self.subject {
            Subject::Change(changes) if !changes.is_staged() => changes.note.as_deref().map(Cow::Borrowed),
            Subject::Revision(revision) => revision.note.as_deref().map(Cow::Borrowed),
            Subject::WorkTree | Subject::Change(_) => {
                elsewhere::checkout_note(self.project, &self.roots, &self.selection, self.is_staged()).map(Cow::Owned)
            }
            _ => None,
        }
    }

    /// Where the rest of the state is, if all of the work tree is checked, and lacks the branch with it.
    pub fn absent(&self) -> Option<String> {
        let is_whole = matches!(&self.target, Target::Paths(paths) if paths.is_empty());
        is_whole.then(|| self.look_around(|run| elsewhere::absent(self.project, &self.target, run.input))).flatten()
    }

    /// The revision whose files are checked, if one is.
    pub fn revision(&self) -> Option<&Revision> {
        if let Subject::Revision(revision) = &self.subject { Some(revision) } else { None }
    }

    /// The bytes of the text that is not on disk, if one is checked.
    pub fn text(&self) -> Option<&[u8]> {
        if let Subject::Text { bytes, .. } = &self.subject { Some(bytes) } else { None }
    }

    fn mode(&self) -> Mode<'_> {
        match &self.subject {
            Subject::WorkTree | Subject::Text { .. } => Mode::WorkTree,
            Subject::Change(changes) => Mode::Change(changes),
            Subject::Revision(revision) => Mode::Revision(revision),
            Subject::Tree(revision) => Mode::Tree(revision),
            Subject::Push(pushes) => Mode::Push(pushes),
        }
    }
}

impl Project {
    /// Checks all files of the project by the rules that its configuration turns on.
    ///
    /// # Errors
    /// See [`CheckError`].
    pub fn check(&self) -> Result<Outcome, CheckError> {
        let (rules, progress) = (self.rules(&[], &[])?, Progress::default());
        Ok(Session::new(self, Target::Paths(Vec::new()), rules, &progress)?.check_once())
    }
}

/// Why a project cannot be checked.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum CheckError {
    /// The configuration has an invalid glob.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Rules(#[from] RuleSetError),
    /// The files cannot be found.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Target(#[from] TargetError),
}

/// A target as it was found.
struct Found<'p> {
    subject: Subject,
    selection: Selection,
    roots: Cow<'p, Roots>,
}

/// Finds what `target` names.
fn find<'p>(project: &'p Project, target: &Target) -> Result<Found<'p>, TargetError> {
    let Project { repository, roots, excludes, .. } = project;
    let of = |subject, selection| Found { subject, selection, roots: Cow::Borrowed(roots) };
    let of_changes = |changes: Changes| {
        let selection = changes.select(repository, roots, excludes);
        of(Subject::Change(Box::new(changes)), selection)
    };
    let state = |subject| match &repository.git {
        Some(_) => Ok(of(subject, Selection::everything())),
        None => Err(TargetError::NoGit),
    };
    match target {
        Target::Paths(paths) => Ok(of(Subject::WorkTree, worktree::select(repository, roots, excludes, paths)?)),
        Target::Text { name, bytes } => {
            let (selection, path) = stdin::select(repository, roots, excludes, name)?;
            Ok(of(Subject::Text { path, bytes: bytes.clone() }, selection))
        }
        Target::Written { paths, since } => {
            let selection = written::select(repository, roots, excludes, paths, since.as_deref())?;
            Ok(of(Subject::WorkTree, selection))
        }
        Target::Staged(scope) => Ok(of_changes(changes(project, roots, scope, Changes::staged)?)),
        Target::Range { from, to, scope } => {
            let git = repository.git.as_ref().ok_or(TargetError::NoChange)?;
            let range = range::resolve(git, from, to.as_deref());
            let names = (from.as_str(), to.as_deref().unwrap_or("HEAD"));
            let roots = match &range {
                Ok(range) => roots_of_range(project, git, range, names)?,
                // The comparison says what is wrong with it.
                Err(_) => Cow::Borrowed(roots),
            };
            let between = |git: &Git, paths| Changes::between(git, range?, paths);
            let mut changes = changes(project, &roots, scope, between)?;
            if let (true, None, Some(tree)) = (roots.has_top(), &changes.note, changes.tree()) {
                let has_folder = state_branch::has_folder(git, tree).unwrap_or(false);
                changes.note = has_folder.then(|| state_branch::stray_note(&format!("`{}`", names.1)));
            }
            let selection = changes.select(repository, &roots, excludes);
            Ok(Found { subject: Subject::Change(Box::new(changes)), selection, roots })
        }
        Target::HookManager { scope, in_commit } => match staged_by_hook_manager(project, scope, *in_commit)? {
            Some(changes) => Ok(of_changes(changes)),
            None => Ok(of(Subject::WorkTree, listed::select(repository, roots, excludes, &scope.paths)?)),
        },
        Target::Revision(name) => {
            let git = repository.git.as_ref().ok_or(TargetError::NoGit)?;
            let state_branch = project.options.guard.state_branch.as_str();
            let revision = Revision::open(git, name, state_branch).map_err(|error| GitFailure::from(&error))?;
            let roots = roots_with(project, revision.layout == Layout::Top);
            let selection = revision.select(&roots, excludes).map_err(|error| GitFailure::from(&error))?;
            Ok(Found { subject: Subject::Revision(Box::new(revision)), selection, roots })
        }
        Target::Tree(revision) => state(Subject::Tree(revision.clone())),
        Target::Push(pushes) => {
            let mut pushes = pushes.clone();
            // An object that only the other side has cannot be compared: then all of the push counts.
            for push in &mut pushes {
                let has = |old: &String| repository.git.as_ref().is_some_and(|git| tracked::has_object(git, old));
                push.old = push.old.take().filter(has);
            }
            state(Subject::Push(pushes))
        }
    }
}

/// The roots of the project, with the top of the repository as one or not.
fn roots_with(project: &Project, top: bool) -> Cow<'_, Roots> {
    match project.roots.has_top() == top {
        true => Cow::Borrowed(&project.roots),
        false => Cow::Owned(project.roots.clone().with_top(top)),
    }
}

/// The roots of a change from one revision to another one, which have these `names`: like is compared with like.
fn roots_of_range<'p>(
    project: &'p Project,
    git: &Git,
    range: &Range,
    names: (&str, &str),
) -> Result<Cow<'p, Roots>, TargetError> {
    let (from, to) = names;
    let state_branch = project.options.guard.state_branch.as_str();
    let is_named =
        [from, to].iter().any(|name| state_branch::names(git, name, state_branch)) || project.roots.has_top();
    let layout = |tree| state_branch::layout_of(git, tree, is_named);
    match (layout(range.named), layout(range.after)) {
        (Ok(Layout::Top), Ok(Layout::Folders)) => Err(TargetError::Layouts { top: from.into(), folders: to.into() }),
        (Ok(Layout::Folders), Ok(Layout::Top)) => Err(TargetError::Layouts { top: to.into(), folders: from.into() }),
        (Ok(before), Ok(after)) => Ok(roots_with(project, before == Layout::Top || after == Layout::Top)),
        // The comparison says which tree cannot be read.
        _ => Ok(Cow::Borrowed(&project.roots)),
    }
}

/// The change that `compare` finds in `scope`.
fn changes(
    project: &Project,
    roots: &Roots,
    scope: &Scope,
    compare: impl FnOnce(&Git, Vec<BString>) -> Result<Changes, GitError>,
) -> Result<Changes, TargetError> {
    let git = project.repository.git.as_ref().ok_or(TargetError::NoChange)?;
    let paths = wanted(&project.repository, &scope.paths)?;
    // A hook manager names a file by its new name alone; the old one is in the change as well.
    let within = if scope.by_hook_manager { vec![BString::default()] } else { paths.clone() };
    let changes = compare(git, within).map_err(|error| GitFailure::from(&error))?;
    Ok(narrowed(changes, roots, scope, paths))
}

/// The staged change, if a hook manager asks about a commit, and not about all files (`--all-files`) or some (`--files`). It
/// does not say which: the names that it lists tell.
fn staged_by_hook_manager(project: &Project, scope: &Scope, in_commit: bool) -> Result<Option<Changes>, TargetError> {
    let git = project.repository.git.as_ref().ok_or(TargetError::NoChange)?;
    let paths = wanted(&project.repository, &scope.paths)?;
    let staged = Changes::staged(git, vec![BString::default()]).map_err(|error| GitFailure::from(&error))?;
    let is_staged = |name: &BString| staged.change_of(name.as_bstr()).is_some();
    let mut names = paths.iter().filter(|path| !path.is_empty()).peekable();
    let is_of_commit = match names.peek() {
        // A hook that takes no names; or no staged file is left of them.
        None => in_commit,
        // For a merge it lists also the files that stay as they were.
        Some(_) => names.all(is_staged) || in_commit && git.is_merging(),
    };
    Ok(is_of_commit.then(|| narrowed(staged, &project.roots, scope, paths)))
}

/// `changes` as `scope` asks for them, whose paths are `paths`.
fn narrowed(mut changes: Changes, roots: &Roots, scope: &Scope, mut paths: Vec<BString>) -> Changes {
    changes.all_lines = scope.all_lines;
    changes.join_renames(roots);
    paths.retain(|path| !path.is_empty());
    if scope.by_hook_manager && !paths.is_empty() {
        changes.narrow(&paths);
    }
    changes
}
