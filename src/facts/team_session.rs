//! A session of a squad: all of its files together. See `docs/formats/sessions.md`.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use bstr::{BStr, BString, ByteSlice};

use super::context::parse;
use super::{GatherAt, Run, files};
use crate::dialects::sessions;
use crate::document::Document;
use crate::formats::session::boundaries::Compared;
use crate::formats::session::field::Field;
use crate::formats::session::graph;
use crate::formats::session::locks::{self, LockConflict};
use crate::formats::session::model::{Lock, Plan};
use crate::formats::session::overlaps::{self, Overlap};
use crate::formats::session::{SessionFile, Summary, name};

/// The files of one session.
#[derive(Debug)]
pub struct TeamSession {
    /// Its folder, relative to the root of the repository.
    pub folder: BString,
    /// What its files say together; they are named by their places in [`TeamSession::documents`].
    pub summary: Summary,
    documents: Vec<Arc<Document>>,
    /// Whether the status and all plans can be read: otherwise they may name agents and tasks that no other file names.
    pub is_complete: bool,
    /// The paths of plans whose task is not known: they cannot be read, or do not name it.
    plans_without_task: Vec<BString>,
    /// By the places of the later plans among the plans, and the first plan that was not compared with all others.
    overlaps: OnceLock<(HashMap<usize, Overlap>, Option<usize>)>,
    /// By the places of the later locks among the locks.
    conflicts: OnceLock<HashMap<usize, LockConflict>>,
    /// By the first task.
    cycles: OnceLock<HashMap<usize, Vec<usize>>>,
}

/// See [`TeamSession`].
pub type Fact = TeamSession;

impl GatherAt for Fact {
    /// `folder` is that of the session.
    fn gather(run: &Run<'_>, folder: &BStr) -> Self {
        let of_session = |document: &Arc<Document>| document.body::<SessionFile>().is_some();
        let read = |path: &BStr| run.documents.binary_search_by(|document| document.path().cmp(path));
        let files = files::in_folder(run, folder);
        let documents = files.iter().filter_map(|file| match read(file.path.as_bstr()) {
            Ok(at) => run.documents.get(at).cloned(),
            // Other files in the folder cost nothing.
            Err(_) if !sessions::is_kind(file.kind) => None,
            Err(_) => parse(run, file),
        });
        let documents: Vec<Arc<Document>> = documents.filter(of_session).collect();
        let body = |path: &BStr| {
            let at = documents.binary_search_by(|document| document.path().cmp(path)).ok();
            at.and_then(|at| documents.get(at)?.body::<SessionFile>())
        };
        let is_complete = files.iter().all(|file| {
            let body = || body(file.path.as_bstr());
            let plan =
                |file: &SessionFile| file.plan().is_some_and(|plan| plan.agent.is_some() && plan.task_id.is_some());
            match file.kind {
                kind if sessions::is_plan(kind) => body().is_some_and(plan),
                kind if sessions::is_status(kind) => body().is_some_and(|file| file.status().is_some()),
                _ => true,
            }
        });
        let plans = files.iter().filter(|file| sessions::is_plan(file.kind)).map(|file| file.path.as_bstr());
        let has_task = |path: &BStr| body(path).and_then(SessionFile::plan).is_some_and(|plan| plan.task_id.is_some());
        let plans_without_task = plans.filter(|path| !has_task(path)).map(ToOwned::to_owned).collect();
        let files: Vec<&SessionFile> = documents.iter().filter_map(|document| document.body()).collect();
        let summary = Summary::of(&files);
        Self {
            folder: folder.to_owned(),
            summary,
            documents,
            is_complete,
            plans_without_task,
            overlaps: OnceLock::new(),
            conflicts: OnceLock::new(),
            cycles: OnceLock::new(),
        }
    }
}

/// The session that `document` belongs to; `None` for a document of another kind.
pub fn of(run: &Run<'_>, document: &Document) -> Option<Arc<TeamSession>> {
    document.body::<SessionFile>()?;
    let (folder, _) = sessions::split(document.path())?;
    Some(run.team_session(folder))
}

impl TeamSession {
    /// Its files, in the order of their paths.
    pub fn documents(&self) -> &[Arc<Document>] {
        &self.documents
    }

    /// The document at that place, and what is in it.
    pub fn file(&self, at: usize) -> Option<(&Document, &SessionFile)> {
        let document = self.documents.get(at)?;
        Some((document, document.body()?))
    }

    /// The place of the file at `path`.
    pub fn place(&self, path: &BStr) -> Option<usize> {
        self.documents.binary_search_by(|document| document.path().cmp(path)).ok()
    }

    /// The place of the plan at `path` among the plans.
    pub fn plan_at(&self, path: &BStr) -> Option<usize> {
        self.summary.plans.binary_search(&self.place(path)?).ok()
    }

    /// The document of a plan by its place among the plans, and the plan.
    pub fn plan(&self, plan: usize) -> Option<(&Document, &Plan)> {
        let (document, file) = self.file(*self.summary.plans.get(plan)?)?;
        Some((document, file.plan()?))
    }

    /// The document and the plan of the task with that ID.
    pub fn plan_of(&self, task: &str) -> Option<(&Document, &Plan)> {
        self.plan(self.summary.graph.task(task)?)
    }

    /// Whether a plan of the session has the task with that ID, or may have it, as its name says, and cannot be read.
    pub fn has_task(&self, task: &str) -> bool {
        let may_be = |path: &BString| name::may_be_plan_of(path.as_bstr(), task);
        self.summary.graph.task(task).is_some() || self.plans_without_task.iter().any(may_be)
    }

    /// The document of a lock by its place among the locks, and the lock.
    pub fn lock(&self, lock: usize) -> Option<(&Document, &Lock)> {
        let (document, file) = self.file(*self.summary.locks.get(lock)?)?;
        Some((document, file.lock()?))
    }

    /// An earlier plan that lets its agent change a file which the one at `path` allows as well, while both run.
    pub fn overlap(&self, path: &BStr) -> Option<&Overlap> {
        let plan = self.plan_at(path)?;
        self.overlaps.get_or_init(|| self.find_overlaps()).0.get(&plan)
    }

    /// Whether the plan at `path` is the first one that was not compared with all others, since this takes too long.
    pub fn is_incomplete_at(&self, path: &BStr) -> bool {
        let incomplete = self.overlaps.get_or_init(|| self.find_overlaps()).1;
        incomplete.is_some() && incomplete == self.plan_at(path)
    }

    /// The lock that was held when the one at `path` was taken.
    pub fn lock_conflict(&self, path: &BStr) -> Option<LockConflict> {
        let lock = self.summary.locks.binary_search(&self.place(path)?).ok()?;
        let find = || {
            let locks: Vec<&Lock> = self.each(&self.summary.locks, SessionFile::lock);
            locks::conflicts(&locks).into_iter().map(|conflict| (conflict.later, conflict)).collect()
        };
        self.conflicts.get_or_init(find).get(&lock).copied()
    }

    /// The tasks that wait for each other in a circle, if that of the plan at `path` is the first of them.
    pub fn cycle(&self, path: &BStr) -> Option<&[usize]> {
        let plan = self.plan_at(path)?;
        let find = || {
            let cycles = self.summary.graph.cycles().into_iter();
            cycles.filter_map(|cycle| Some((*cycle.first()?, cycle))).collect()
        };
        self.cycles.get_or_init(find).get(&plan).map(Vec::as_slice)
    }

    fn each<'s, T>(&'s self, places: &[usize], content: impl Fn(&'s SessionFile) -> Option<&'s T>) -> Vec<&'s T> {
        places.iter().filter_map(|at| content(self.file(*at)?.1)).collect()
    }

    fn find_overlaps(&self) -> (HashMap<usize, Overlap>, Option<usize>) {
        let plans: Vec<&Plan> = self.each(&self.summary.plans, SessionFile::plan);
        let runs = |plan: &Plan| {
            let task = plan.task_id.as_ref();
            task.is_none_or(|task| !self.summary.is_completed(&task.value))
        };
        let runs: Vec<bool> = plans.iter().map(|plan| runs(plan)).collect();
        let mut orders = graph::Orders::new(&self.summary.graph);
        let together = |later: usize, earlier: usize| {
            let (Some(one), Some(other)) = (plans.get(later), plans.get(earlier)) else { return false };
            let run = runs.get(later) == Some(&true) && runs.get(earlier) == Some(&true);
            let same_task = one.task_id.is_some() && value(one.task_id.as_ref()) == value(other.task_id.as_ref());
            // One agent works on one task after the other.
            let same_agent = one.agent.is_some() && value(one.agent.as_ref()) == value(other.agent.as_ref());
            run && !same_task && !same_agent && !orders.are_ordered(later, earlier)
        };
        let Compared { found, incomplete } = overlaps::overlaps(&plans, together);
        (found.into_iter().map(|overlap| (overlap.plan, overlap)).collect(), incomplete)
    }
}

fn value<T>(field: Option<&Field<T>>) -> Option<&T> {
    field.map(|field| &field.value)
}
