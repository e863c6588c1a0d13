//! How sessions are, for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::{Status, Why};
use crate::formats::session::field::{GateState, Phase, SessionState};
use crate::formats::timestamp::Timestamp;
use crate::report::json_writer;
use crate::sessions::locks::report::ShownLock;

/// The version of the JSON format.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Output<'a> {
    version: u32,
    now: Option<String>,
    sessions: Vec<Session<'a>>,
}

#[derive(Serialize)]
struct Session<'a> {
    name: &'a str,
    path: String,
    session_id: Option<&'a str>,
    status: Option<&'static str>,
    phase: Option<&'static str>,
    started_at: Option<String>,
    gates: Vec<Gate<'a>>,
    /// As the status says.
    tasks_completed: Option<u64>,
    tasks_total: Option<u64>,
    tasks: Vec<Task<'a>>,
    waits: Vec<ShownWait<'a>>,
    locks: Vec<LockLine<'a>>,
    unreadable: Vec<Unreadable<'a>>,
}

#[derive(Serialize)]
struct Gate<'a> {
    name: &'a str,
    state: Option<&'static str>,
}

#[derive(Serialize)]
struct Task<'a> {
    task_id: &'a str,
    agent: Option<&'a str>,
    state: &'static str,
    progress_percentage: Option<u64>,
    /// The IDs of the tasks that come before it.
    requires: Vec<&'a str>,
}

#[derive(Serialize)]
struct ShownWait<'a> {
    who: &'a str,
    whom: &'a str,
    /// `task`, `blocker`, `answer` or `lock`.
    reason: &'static str,
    /// The task, the description, the subject or the file.
    what: Option<&'a str>,
    /// Since when, or until when for an answer.
    at: Option<String>,
    overdue: bool,
}

#[derive(Serialize)]
struct LockLine<'a> {
    #[serde(flatten)]
    lock: ShownLock<'a>,
    expired: bool,
    waiting: &'a [String],
}

#[derive(Serialize)]
struct Unreadable<'a> {
    path: String,
    reason: &'a str,
}

/// Writes one object for all sessions: on one line, if there are more to come.
///
/// # Errors
/// What the writer says.
pub fn write(all: &[Status], is_line: bool, out: &mut dyn Write) -> io::Result<()> {
    let now: Option<Timestamp> = all.first().map(|status| status.now);
    let output =
        Output { version: VERSION, now: now.map(Timestamp::in_utc), sessions: all.iter().map(session).collect() };
    if is_line { json_writer::line(&output, out) } else { json_writer::write(&output, out) }
}

fn session(status: &Status) -> Session<'_> {
    let tasks = &status.tasks;
    let before = tasks.graph(String::new()).before();
    let id = |at: &usize| Some(tasks.tasks.get(*at)?.node.id.as_str());
    let shown = tasks.tasks.iter().zip(&before).map(|(own, before)| Task {
        task_id: &own.node.id,
        agent: own.node.agent.as_deref(),
        state: own.node.state.as_str(),
        progress_percentage: own.node.percentage,
        requires: before.iter().filter_map(id).collect(),
    });
    let waits = status.waits.iter().map(|wait| {
        let (reason, what, at) = match &wait.why {
            Why::Task { before, .. } => ("task", Some(before.as_str()), None),
            Why::Blocker { description, since, .. } => ("blocker", description.as_deref(), *since),
            Why::Answer { subject, by, .. } => ("answer", subject.as_deref(), *by),
            Why::Lock { file } => ("lock", Some(file.as_str()), None),
        };
        let overdue = wait.is_overdue(status.now);
        ShownWait { who: &wait.who, whom: &wait.whom, reason, what, at: at.map(Timestamp::in_utc), overdue }
    });
    let locks = status.locks.iter().map(|(lock, waiting)| LockLine {
        lock: ShownLock::new(lock),
        expired: lock.is_expired(status.now),
        waiting,
    });
    let files = status.unreadable.iter().map(|(path, reason)| Unreadable { path: path.clone(), reason });
    let unreadable_locks = status.unreadable_locks.iter().map(|lock| {
        let path = format!("locks/{}", lock.name.to_string_lossy());
        Unreadable { path, reason: &lock.reason }
    });
    Session {
        name: &status.name,
        path: crate::fs::path::to_bytes(&status.path).to_string(),
        session_id: status.id.as_deref(),
        status: status.state.map(SessionState::as_str),
        phase: status.phase.map(Phase::as_str),
        started_at: status.started_at.map(Timestamp::in_utc),
        gates: status.gates.iter().map(|(name, state)| Gate { name, state: state.map(GateState::as_str) }).collect(),
        tasks_completed: status.counted.0,
        tasks_total: status.counted.1,
        tasks: shown.collect(),
        waits: waits.collect(),
        locks: locks.collect(),
        unreadable: files.chain(unreadable_locks).collect(),
    }
}
