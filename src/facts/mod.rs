//! What rules may know beside the file they look at, gathered when a rule first asks for it.
//!
//! A fact is one module here and one word in `facts!` below. The module has `pub type Fact`, the value that is kept, and says
//! how it is gathered. What is computed from facts and not kept is a function in the module that it belongs to.

mod store;

pub mod asked;
pub mod conversion;
pub mod files;
pub mod gone;
pub mod loaded;
pub mod lost;
pub mod packages;
pub mod presence;
pub mod staleness;
pub mod unused;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use bstr::{BStr, BString};

use crate::document::Document;
use crate::document::store::Documents;
use crate::git::error::GitError;
use crate::git::repository::Git;
use crate::options::Options;
use crate::select::changes::Changes;
use crate::select::input::{Input, Mode};
use crate::select::read_error::ReadError;
use crate::select::selected::Selected;
use crate::select::state_branch::Layout;
use crate::text::{MAX_BYTES, Source};

store::facts! {
    once { age attributes authors beside branch branch_contents context conversions entries file_names ignores index listed skills squads state_branch
        state_roots tracked_files unmerged }
    by_path { blame learning_team records roster survey team_session unowned }
}

/// A fact that is gathered once per run.
pub trait Gather: Sized {
    /// Gathers it.
    ///
    /// It must not use rayon: a worker that blocks on a cell could steal a job that waits for the same cell. What is worth
    /// several threads is gathered before the rules run, see [`Run::prepare`].
    fn gather(run: &Run<'_>) -> Self;

    /// The same on all threads, for a fact that is worth them: see [`Run::prepare`].
    fn gather_in_parallel(run: &Run<'_>) -> Self {
        Self::gather(run)
    }
}

/// A fact that is gathered once per path.
pub trait GatherAt: Sized {
    /// Gathers it for `path`, relative to the root; what kind of path it is, the fact says. It must not use rayon, see
    /// [`Gather::gather`].
    fn gather(run: &Run<'_>, path: &BStr) -> Self;
}

/// A run: what facts are gathered from, and the facts themselves.
#[derive(Debug)]
pub struct Run<'a> {
    /// What the run checks.
    pub input: Input<'a>,
    /// The files to check, in the order of their paths.
    pub documents: &'a [Arc<Document>],
    /// What the rules are tuned with.
    pub options: &'a Options,
    /// The names of the rules that run.
    rules: BTreeSet<&'static str>,
    /// Files beside the documents that a rule asked for; `None` if there is none.
    sources: Mutex<BTreeMap<BString, Option<Arc<Source>>>>,
    /// The first failure of git.
    failure: Mutex<Option<GitError>>,
    /// The documents of earlier checks, where there can be any.
    kept: Option<&'a Documents>,
    store: Store,
}

impl<'a> Run<'a> {
    /// A run over `documents`, the files of `input` to check in the order of their paths, by the rules of these names.
    pub fn new(
        input: Input<'a>,
        documents: &'a [Arc<Document>],
        options: &'a Options,
        rules: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        Self {
            input,
            documents,
            options,
            rules: rules.into_iter().collect(),
            sources: Mutex::default(),
            failure: Mutex::default(),
            kept: None,
            store: Store::default(),
        }
    }

    /// With the documents of earlier checks, among which those of this check are kept as well.
    #[must_use]
    pub fn keeping(self, documents: &'a Documents) -> Self {
        Self { kept: Some(documents), ..self }
    }

    /// Whether the rule of that name runs, too: of two that would report the same, one gives way.
    pub fn runs(&self, rule: &str) -> bool {
        self.rules.contains(rule)
    }

    /// Gathers on all threads what rules compare entries with. To be called before the rules run, see [`Gather::gather`].
    pub fn prepare(&self) {
        self.store.context.get_or_init(|| Gather::gather_in_parallel(self));
        self.store.entries.get_or_init(|| Gather::gather_in_parallel(self));
    }

    /// Whether the work tree or the index is checked, and not some other tree.
    pub fn sees_work_tree(&self) -> bool {
        match self.input.mode {
            Mode::WorkTree => true,
            Mode::Change(changes) => changes.is_staged(),
            Mode::Revision(_) | Mode::Tree(_) | Mode::Push(_) => false,
        }
    }

    /// Whether `document` lies in no state root: it was named on the command line.
    pub fn is_outside(&self, document: &Document) -> bool {
        document.root().is_empty() && !self.input.roots.has_top()
    }

    /// Whether the state of a state branch is checked: its half of the files, without `team.md`, charters and skills.
    pub fn is_state_branch(&self) -> bool {
        // One that has its state in `.squad/` by mistake is known by its name.
        let is_named = || {
            if let Mode::Revision(revision) = self.input.mode {
                return revision.is_named && revision.layout == Layout::Folders;
            }
            let branch = self.options.guard.state_branch.as_str();
            self.sees_work_tree() && self.branch().as_ref().is_some_and(|name| name == branch)
        };
        self.input.roots.has_top() || is_named()
    }

    /// Whether the contents of files can be checked, and not only their names in git.
    pub fn has_files(&self) -> bool {
        matches!(self.input.mode, Mode::WorkTree | Mode::Change(_) | Mode::Revision(_))
    }

    /// What is changed, if a change is checked: every path of it, also those that no rule reads.
    pub fn changes(&self) -> Option<&'a Changes> {
        if let Mode::Change(changes) = self.input.mode { Some(changes) } else { None }
    }

    /// The document at `path`.
    pub fn document_at(&self, path: &BStr) -> Option<&'a Document> {
        let at = self.documents.binary_search_by(|document| document.path().cmp(path)).ok()?;
        self.documents.get(at).map(Arc::as_ref)
    }

    /// The documents, and those beside them: what a rule looks at that [`looks beside`](crate::rule::Rule::looks_beside).
    pub fn documents_and_beside(&self) -> impl Iterator<Item = &Document> {
        self.documents.iter().chain(self.beside()).map(Arc::as_ref)
    }

    /// What `document` was before the change that is checked, also where all of it counts (`--all-lines`). `None` without a change, and
    /// for a text that cannot be read.
    pub fn source_before(&self, document: &Document) -> Option<Arc<Source>> {
        if let Some(before) = &document.before {
            return before.source.clone();
        }
        let changes = self.changes()?;
        let change = changes.change_of(document.path())?;
        let bytes = changes.before(change, self.max_bytes()).ok()??;
        Some(Arc::new(Source::new(change.old_path(), bytes)))
    }

    /// The most bytes that a file may have to be read.
    pub fn max_bytes(&self) -> u64 {
        self.options.max_file_bytes.get().min(MAX_BYTES)
    }

    /// The document of `file`, which need not be one of those to check.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn load(&self, file: &Selected) -> Result<Arc<Document>, ReadError> {
        match self.kept {
            Some(kept) => kept.read(self.input, file, self.max_bytes()),
            None => Document::read(self.input, file, self.max_bytes()).map(Arc::new),
        }
    }

    /// The file at `path` (relative to the root), which need not be one of the documents: a finding can point into it.
    /// `None` if there is no such file, or it cannot be read.
    pub fn read(&self, path: &BStr) -> Option<Arc<Source>> {
        if let Some(known) = self.sources.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
            return known.clone();
        }
        if let Some(document) = self.document_at(path).filter(|document| !document.source.is_excerpt()) {
            return Some(document.source.clone());
        }
        // Two threads may both read it; the first one to come back counts.
        let source = match self.kept {
            Some(kept) => kept.source(self.input, path, self.max_bytes()).ok(),
            None => self.input.read(path, self.max_bytes()).ok().map(|bytes| Arc::new(Source::new(path, bytes))),
        };
        self.sources.lock().unwrap_or_else(PoisonError::into_inner).entry(path.into()).or_insert(source).clone()
    }

    /// The file at `path` as by [`Run::read`], or an empty one to make: a fix can write into it.
    pub fn read_or_new(&self, path: &BStr) -> Arc<Source> {
        self.read(path).unwrap_or_else(|| {
            let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
            let source = sources.entry(path.into()).or_default();
            source.get_or_insert_with(|| Arc::new(Source::new_file(path))).clone()
        })
    }

    /// What `read` reads from git; `None` without git and when it fails, which is remembered.
    pub fn git<T>(&self, read: impl FnOnce(&Git) -> Result<T, GitError>) -> Option<T> {
        read(self.input.repository.git.as_ref()?).map_err(|error| self.fail(error)).ok()
    }

    /// Remembers the first failure of git: what is found then is not all.
    pub fn fail(&self, error: GitError) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// The files that were read beside the documents, and the first failure of git.
    pub fn into_parts(self) -> (Vec<Arc<Source>>, Option<GitError>) {
        let sources = self.sources.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().flatten();
        let context = match self.store.context.into_inner() {
            Some(context) => context.into_sources(),
            None => Vec::new(),
        };
        // Read both ways, a file is the same.
        let sources = context.into_iter().chain(sources).collect();
        (sources, self.failure.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}
