//! How far a session is: its phase, its tasks, who waits for whom, and who holds which file.

pub mod json;
pub mod text;
pub mod watch;

use std::io;
use std::path::PathBuf;

use super::folder::{Folder, Place, PlaceError};
use super::graph::NodeState;
use super::locks::{self, Lock, Locks, Unreadable};
use super::read::Files;
use super::tasks::Tasks;
use crate::formats::session::field::{GateState, MessageType, Phase, SessionState};
use crate::formats::session::model::Message;
use crate::formats::session::{SessionFile, Summary};
use crate::formats::timestamp::Timestamp;
use crate::fs::read::instead_of_folder;

/// A session and its files.
#[derive(Debug)]
pub struct Watched {
    /// Its folder.
    pub folder: Folder,
    root: PathBuf,
    files: Files,
    locks: Locks,
}

/// How a session is.
#[derive(Clone, Debug)]
pub struct Status {
    /// The name of its folder.
    pub name: String,
    /// The path of its folder, below the root where it is.
    pub path: PathBuf,
    /// `session_id`
    pub id: Option<String>,
    /// `status`
    pub state: Option<SessionState>,
    /// Whether there is a status, also if it does not say how the session is.
    pub has_status: bool,
    /// `phase`
    pub phase: Option<Phase>,
    /// `started_at`
    pub started_at: Option<Timestamp>,
    /// When it ended, or was changed last, as its status says.
    pub ended_at: Option<Timestamp>,
    /// `validation_gates`
    pub gates: Vec<(String, Option<GateState>)>,
    /// `tasks_completed` and `tasks_total`.
    pub counted: (Option<u64>, Option<u64>),
    /// Its tasks.
    pub tasks: Tasks,
    /// Who waits for whom.
    pub waits: Vec<Wait>,
    /// Its locks, each with the agents that wait for the file.
    pub locks: Vec<(Lock, Vec<String>)>,
    /// Locks that cannot be read.
    pub unreadable_locks: Vec<Unreadable>,
    /// Other files that cannot be read, each with the reason.
    pub unreadable: Vec<(String, String)>,
    /// The moment of all this.
    pub now: Timestamp,
}

/// An agent waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Who; a task, if it has no agent.
    pub who: String,
    /// For whom; a task, if it has no agent.
    pub whom: String,
    /// For what.
    pub why: Why,
}

/// What an agent waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// A task must be complete before another one.
    Task {
        /// The task that waits.
        task: String,
        /// The task that it waits for.
        before: String,
        /// How that one is.
        state: NodeState,
    },
    /// An agent says that it cannot go on.
    Blocker {
        /// Its task.
        task: String,
        /// Why not.
        description: Option<String>,
        /// Since when.
        since: Option<Timestamp>,
    },
    /// An agent asked, and there is no answer.
    Answer {
        /// What it asked for.
        kind: Option<MessageType>,
        /// About what.
        subject: Option<String>,
        /// Until when it needs the answer.
        by: Option<Timestamp>,
    },
    /// An agent waits in line for a file.
    Lock {
        /// The file.
        file: String,
    },
}

impl Wait {
    /// Whether the answer should have come before `now`.
    pub fn is_overdue(&self, now: Timestamp) -> bool {
        matches!(&self.why, Why::Answer { by: Some(by), .. } if by.unix() < now.unix())
    }
}

impl Watched {
    /// The session in `folder`.
    ///
    /// # Errors
    /// See [`PlaceError`].
    pub fn new(place: &Place, folder: Folder) -> Result<Self, PlaceError> {
        let locks = match Locks::of(place, &folder) {
            // The status says so each time, for it may change.
            Err(PlaceError::NoLocks { path, .. }) => {
                Locks { root: place.root.clone(), session: folder.path.clone(), folder: path }
            }
            locks => locks?,
        };
        Ok(Self { folder, root: place.root.clone(), files: Files::default(), locks })
    }

    /// Reads what changed; says whether anything did.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn refresh(&mut self) -> io::Result<bool> {
        self.files.refresh(&self.root, &self.folder.path)
    }

    /// How the session is at `now`, as its files were read last. Its locks are read now.
    pub fn status(&self, now: Timestamp) -> Status {
        let files: Vec<&SessionFile> = self.files.files.values().map(AsRef::as_ref).collect();
        let summary = Summary::of(&files);
        let said = summary.status.and_then(|at| files.get(at)?.status()).cloned().unwrap_or_default();
        let tasks = Tasks::of(&self.files, &summary);
        let (locks, no_locks) = match locks::all(&self.root, &self.locks.folder) {
            Ok(locks) => (locks, None),
            Err(error) => {
                let what = instead_of_folder(&self.locks.folder);
                let why = what.map_or_else(|| error.to_string(), |what| format!("it is {what}, expected a folder"));
                (Default::default(), Some(why))
            }
        };
        let (locks, unreadable_locks) = locks;
        let locks: Vec<_> =
            locks.into_iter().map(|lock| (self.locks.waiting_for(&lock), lock)).map(|(a, b)| (b, a)).collect();
        let mut waits = waits_of_tasks(&tasks);
        let messages = files.iter().filter_map(|file| file.message());
        waits.extend(messages.filter_map(|message| open_message(message, &summary)));
        for (lock, waiting) in locks.iter().filter(|(lock, _)| !lock.is_expired(now)) {
            let why = || Why::Lock { file: lock.file.clone() };
            waits.extend(waiting.iter().map(|who| Wait {
                who: who.clone(),
                whom: lock.locked_by.to_string(),
                why: why(),
            }));
        }
        match summary.state {
            Some(SessionState::Completed) => waits.clear(),
            // What stopped its agents is why it failed; answers come no more.
            Some(SessionState::Failed) => waits.retain(|wait| !matches!(wait.why, Why::Answer { .. })),
            Some(SessionState::Active) | None => {}
        }
        let path = self.folder.path.strip_prefix(&self.root).unwrap_or(&self.folder.path);
        let unreadable = self.files.unreadable.iter().map(|(path, why)| (path.to_string(), why.clone()));
        Status {
            name: self.folder.name(),
            path: path.to_path_buf(),
            id: said.session_id.map(|id| id.value),
            state: summary.state,
            has_status: summary.status.is_some(),
            phase: said.phase.map(|phase| phase.value),
            started_at: said.started_at.map(|at| at.value),
            ended_at: said.ended_at.map(|at| at.value),
            gates: said.gates.into_iter().map(|gate| (gate.name.value, gate.state.map(|state| state.value))).collect(),
            counted: (said.tasks_completed.map(|count| count.value), said.tasks_total.map(|count| count.value)),
            tasks,
            waits,
            locks,
            unreadable_locks,
            unreadable: unreadable.chain(no_locks.map(|why| ("locks".to_owned(), why))).collect(),
            now,
        }
    }
}

/// Who waits for whom because of tasks.
fn waits_of_tasks(tasks: &Tasks) -> Vec<Wait> {
    let mut waits = Vec::new();
    for (before, after) in &tasks.edges {
        let (Some(before), Some(task)) = (tasks.tasks.get(*before), tasks.tasks.get(*after)) else { continue };
        let (state, is_waiting) = (before.node.state, task.node.state == NodeState::Waiting);
        if !is_waiting || state == NodeState::Completed {
            continue;
        }
        waits.push(Wait {
            who: task.node.agent.clone().unwrap_or_else(|| task.node.id.clone()),
            whom: before.node.agent.clone().unwrap_or_else(|| before.node.id.clone()),
            why: Why::Task { task: task.node.id.clone(), before: before.node.id.clone(), state },
        });
    }
    // An agent that has two of the tasks does not wait for itself.
    waits.retain(|wait: &Wait| wait.who != wait.whom);
    for task in tasks.tasks.iter().filter(|task| task.node.state != NodeState::Completed) {
        waits.extend(task.blockers.iter().map(|blocker| Wait {
            who: task.node.agent.clone().unwrap_or_else(|| task.node.id.clone()),
            whom:
                blocker.requires_agent.as_ref().map_or_else(|| "somebody".to_owned(), |agent| agent.value.to_string()),
            why: Why::Blocker {
                task: task.node.id.clone(),
                description: blocker.description.as_ref().map(|text| text.value.clone()),
                since: blocker.since.as_ref().map(|at| at.value),
            },
        }));
    }
    waits
}

/// The wait for the answer to `message`, if it needs one and has none.
fn open_message(message: &Message, summary: &Summary) -> Option<Wait> {
    if !message.needs_response() || summary.is_answered(message)? {
        return None;
    }
    let to = &message.to.as_ref()?.value;
    Some(Wait {
        who: message.from.as_ref()?.value.to_string(),
        // One answer is enough.
        whom: if to.is_everyone() { "any agent".to_owned() } else { to.to_string() },
        why: Why::Answer {
            kind: message.kind.as_ref().map(|kind| kind.value),
            subject: message.subject.as_ref().map(|subject| subject.value.clone()),
            by: message.response_by.as_ref().map(|by| by.value),
        },
    })
}
