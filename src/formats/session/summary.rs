//! A session as a whole, from all of its files in one pass.

use std::collections::{BTreeSet, HashMap};

use super::field::{Agent, EVERYONE, SessionState, TaskState, TimeField};
use super::file::SessionFile;
use super::graph::{COMPARED_MAX, TaskGraph};
use super::model::{Content, Message, Plan};
use crate::formats::timestamp::Timestamp;

/// What the files of a session say together. Files are named by their places in the list that it was made from.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The session status: the first file of that kind.
    pub status: Option<usize>,
    /// How the session is; `None` if it does not say.
    pub state: Option<SessionState>,
    /// The plans.
    pub plans: Vec<usize>,
    /// The locks.
    pub locks: Vec<usize>,
    /// The tasks, by their places in [`Summary::plans`].
    pub graph: TaskGraph,
    /// The agents.
    pub agents: Agents,
    /// The last moment at which something happened, as a file says.
    pub last_activity: Option<Timestamp>,
    /// The newest progress update of each task.
    progress: HashMap<String, usize>,
    /// How many plans each agent has, by its name in lower case.
    plans_of: HashMap<String, u64>,
    /// When one agent wrote to another the last time.
    written: Written,
    /// The tasks whose newest progress update says that they are complete.
    completed: BTreeSet<String>,
}

/// Which agents take part in a session.
#[derive(Clone, Debug, Default)]
pub struct Agents {
    /// By their names in lower case: the numbers of their instances, and whether one is named without a number.
    names: HashMap<String, (BTreeSet<u64>, bool)>,
}

/// Names of others than agents, which every session has in addition to those of [`EVERYONE`].
const EVERYWHERE: [&str; 5] = ["coordinator", "human", "orchestrator", "supervisor", "user"];

/// Whether an agent takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It does.
    Known,
    /// Others of its name do, with other numbers.
    OtherInstances,
    /// It does not.
    Unknown,
}

impl Agents {
    fn insert(&mut self, agent: &Agent) {
        let (numbers, is_plain) = self.names.entry(agent.name.to_lowercase()).or_default();
        match agent.instance {
            Some(number) => drop(numbers.insert(number)),
            None => *is_plain = true,
        }
    }

    /// Whether `agent` takes part.
    pub fn presence(&self, agent: &Agent) -> Presence {
        let name = agent.name.to_lowercase();
        match (self.names.get(&name), agent.instance) {
            _ if EVERYWHERE.iter().chain(&EVERYONE).any(|own| *own == name) => Presence::Known,
            (None, _) => Presence::Unknown,
            (Some((numbers, false)), Some(number)) if !numbers.contains(&number) => Presence::OtherInstances,
            _ => Presence::Known,
        }
    }

    /// The numbers of the instances of the agent `name`, in order: the first few.
    pub fn instances(&self, name: &str) -> impl Iterator<Item = u64> {
        const SHOWN: usize = 5;
        self.names.get(&name.to_lowercase()).into_iter().flat_map(|(numbers, _)| numbers).copied().take(SHOWN)
    }

    /// The names in lower case, in no order, to find the one that another name is meant for; none if there are too many to compare.
    pub fn names_to_compare(&self) -> impl Iterator<Item = &str> {
        let few = self.names.len() <= COMPARED_MAX;
        self.names.keys().map(String::as_str).filter(move |_| few)
    }
}

impl Summary {
    /// The summary of `files`, in the order of their paths.
    pub fn of(files: &[&SessionFile]) -> Self {
        let mut new = Self::default();
        let mut plans: Vec<&Plan> = Vec::new();
        let mut newest: HashMap<&str, (i64, usize, Option<TaskState>)> = HashMap::new();
        for (at, file) in files.iter().enumerate() {
            match &file.content {
                Some(Content::Status(status)) => {
                    if new.status.is_none() {
                        new.status = Some(at);
                        new.state = status.status.as_ref().map(|state| state.value);
                    }
                    status.agents_active.iter().for_each(|agent| new.agents.insert(&agent.value));
                    new.happened(&status.started_at);
                    new.happened(&status.ended_at);
                }
                Some(Content::Plan(plan)) => {
                    new.plans.push(at);
                    plans.push(plan);
                    if let Some(agent) = &plan.agent {
                        new.agents.insert(&agent.value);
                        *new.plans_of.entry(agent.value.name.to_lowercase()).or_default() += 1;
                    }
                    new.happened(&plan.created_at);
                }
                Some(Content::Progress(progress)) => {
                    progress.agent.iter().for_each(|agent| new.agents.insert(&agent.value));
                    new.happened(&progress.updated_at);
                    let Some(task) = &progress.task_id else { continue };
                    let when = progress.updated_at.as_ref().map_or(i64::MIN, |at| at.value.unix());
                    let state = progress.status.as_ref().map(|state| state.value);
                    let known = newest.entry(&task.value).or_insert((when, at, state));
                    if known.0 <= when {
                        *known = (when, at, state);
                    }
                }
                Some(Content::Message(message)) => {
                    message.from.iter().for_each(|agent| new.agents.insert(&agent.value));
                    new.happened(&message.created_at);
                    if let (Some(from), Some(to)) = (&message.from, &message.to) {
                        // Without a time it may be the answer to any other one.
                        let when = message.created_at.as_ref().map_or(i64::MAX, |at| at.value.unix());
                        new.written.insert(&from.value, &to.value, when);
                    }
                }
                Some(Content::Broadcast(broadcast)) => {
                    let agents = broadcast.activate.iter().chain(&broadcast.deactivate);
                    agents.for_each(|agent| new.agents.insert(&agent.value));
                    new.happened(&broadcast.at);
                }
                Some(Content::Error(error)) => {
                    error.agent.iter().for_each(|agent| new.agents.insert(&agent.value));
                    new.happened(&error.occurred_at);
                }
                Some(Content::Metrics(_)) | None => {}
                Some(Content::Lock(lock)) => {
                    new.locks.push(at);
                    new.happened(&lock.locked_at);
                }
            }
        }
        new.graph = TaskGraph::new(&plans);
        let is_completed = |state: Option<TaskState>| state == Some(TaskState::Completed);
        for (task, (_, at, state)) in newest {
            new.progress.insert(task.to_owned(), at);
            if is_completed(state) {
                new.completed.insert(task.to_owned());
            }
        }
        new
    }

    fn happened(&mut self, at: &TimeField) {
        let at = at.as_ref().map(|at| at.value);
        self.last_activity = [self.last_activity, at].into_iter().flatten().max_by_key(|at| at.unix());
    }

    /// Whether its agents work, as far as it says.
    pub fn is_active(&self) -> bool {
        self.state.is_none_or(|state| state == SessionState::Active)
    }

    /// Whether it says who takes part: it has a status or a plan.
    pub fn names_agents(&self) -> bool {
        self.status.is_some() || !self.plans.is_empty()
    }

    /// The newest progress update of a task.
    pub fn progress_of(&self, task: &str) -> Option<usize> {
        self.progress.get(task).copied()
    }

    /// Whether the newest progress update of a task says that it is complete.
    pub fn is_completed(&self, task: &str) -> bool {
        self.completed.contains(task)
    }

    /// How many plans the agent of that name has.
    pub fn plans_of(&self, agent: &str) -> u64 {
        self.plans_of.get(&agent.to_lowercase()).copied().unwrap_or_default()
    }

    /// Whether the agent that `message` is for has written back since; for a message to everyone, whether any other agent has.
    /// `None` if the message does not say who and when.
    pub fn is_answered(&self, message: &Message) -> Option<bool> {
        let (from, to) = (&message.from.as_ref()?.value, &message.to.as_ref()?.value);
        let asked = message.created_at.as_ref()?.value.unix();
        let written = if to.is_everyone() { self.written.to(from) } else { self.written.between(to, from) };
        Some(written.is_some_and(|written| written > asked))
    }
}

/// When agents wrote to each other the last time.
#[derive(Clone, Debug, Default)]
struct Written {
    last: HashMap<(Writer, Party), i64>,
}

/// Who wrote: one agent, or any but the one that was written to.
type Writer = Option<Party>;

/// The name of an agent in lower case, and which of its instances.
type Party = (String, Which);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Which {
    /// Any, with a number or without.
    Any,
    /// One that is named without a number, which may be any.
    Plain,
    /// The one of this number.
    Numbered(u64),
}

impl Written {
    fn insert(&mut self, from: &Agent, to: &Agent, when: i64) {
        let forms = |agent: &Agent| {
            let name = agent.name.to_lowercase();
            [(name.clone(), Which::Any), (name, agent.instance.map_or(Which::Plain, Which::Numbered))]
        };
        let (from, to) = (forms(from), forms(to));
        let others = (from != to).then_some(None);
        for from in from.into_iter().map(Some).chain(others) {
            for to in &to {
                let last = self.last.entry((from.clone(), to.clone())).or_insert(when);
                *last = when.max(*last);
            }
        }
    }

    /// When `from` wrote to `to`, or one that may be it to one that may be it.
    fn between(&self, from: &Agent, to: &Agent) -> Option<i64> {
        may_be(from).filter_map(|from| self.find(&Some(from), to)).max()
    }

    /// When another agent wrote to `to`, or to one that may be it.
    fn to(&self, to: &Agent) -> Option<i64> {
        self.find(&None, to)
    }

    fn find(&self, from: &Writer, to: &Agent) -> Option<i64> {
        may_be(to).filter_map(|to| self.last.get(&(from.clone(), to)).copied()).max()
    }
}

/// What is known of the agents that may be `agent`, as [`Agent::may_be`] has it.
fn may_be(agent: &Agent) -> impl Iterator<Item = Party> {
    let name = agent.name.to_lowercase();
    let which = match agent.instance {
        Some(number) => [Some(Which::Numbered(number)), Some(Which::Plain)],
        None => [Some(Which::Any), None],
    };
    which.into_iter().flatten().map(move |which| (name.clone(), which))
}

#[cfg(test)]
mod tests {
    use super::super::kind::Named;
    use super::*;

    #[test]
    fn files_make_a_session() {
        let texts = [
            (
                Named::Status,
                "session_id: s\nstarted_at: 2024-01-15T10:00:00Z\nstatus: active\nphase: design\nagents_active: [Web]\ntasks_total: 2\ntasks_completed: 1\nvalidation_gates: {}\n",
            ),
            (
                Named::Plan,
                "meta: {task_id: a, agent: web, instance: 2, created_at: 2024-01-15T10:01:00Z, priority: low}\ninstruction: x\nboundaries: {allowed: [src/a]}\n",
            ),
            (
                Named::Plan,
                "meta: {task_id: b, agent: db, created_at: 2024-01-15T10:01:00Z, priority: low}\ninstruction: x\ndependencies: {requires: [a]}\n",
            ),
            (
                Named::Comm,
                "meta: {task_id: a, agent: web, updated_at: 2024-01-15T10:05:00Z}\nstatus: completed\nprogress_percentage: 100\n",
            ),
            (
                Named::Comm,
                "meta: {task_id: a, agent: web, updated_at: 2024-01-15T10:04:00Z}\nstatus: in_progress\nprogress_percentage: 10\n",
            ),
            (
                Named::Comm,
                "meta: {message_id: m, from_agent: db, to_agent: web, created_at: 2024-01-15T10:06:00Z, priority: low}\ntype: question\n",
            ),
            (Named::Lock, "file: a\nlocked_by: db\nlocked_at: 2024-01-15T10:02:00Z\n"),
        ];
        let files: Vec<SessionFile> = texts.iter().map(|(named, text)| SessionFile::parse(text, *named)).collect();
        let files: Vec<&SessionFile> = files.iter().collect();
        let summary = Summary::of(&files);
        assert_eq!(
            (summary.status, summary.plans.as_slice(), summary.locks.as_slice()),
            (Some(0), [1, 2].as_slice(), [6].as_slice())
        );
        assert_eq!(
            (summary.progress_of("a"), summary.is_completed("a"), summary.is_completed("b")),
            (Some(3), true, false)
        );
        assert_eq!(summary.graph.before(1), [0]);
        assert_eq!(summary.last_activity, Timestamp::read("2024-01-15T10:06:00Z"));
        let presence = |agent: &str| summary.agents.presence(&Agent::parse(agent));
        assert_eq!(
            [presence("WEB[7]"), presence("db"), presence("qa"), presence("Supervisor")],
            [Presence::Known, Presence::Known, Presence::Unknown, Presence::Known]
        );
        let message = files[5].message().unwrap();
        assert_eq!(
            (summary.is_answered(message), summary.plans_of("Web"), summary.is_active()),
            (Some(false), 1, true)
        );
    }

    #[test]
    fn an_answer_comes_later_and_from_one_that_was_asked() {
        let message = |from: &str, to: &str, second: u32| {
            let text = format!(
                "meta: {{message_id: m, from_agent: '{from}', to_agent: '{to}', created_at: '2024-01-15T10:06:{second:02}Z', priority: low}}\ntype: question\nsubject: s\nmessage: x\nresponse_needed: true\n"
            );
            SessionFile::parse(&text, Named::Comm)
        };
        for (asked, answer, expected) in [
            (("a", "b"), ("b", "a", 2), true),
            (("a", "B"), ("b", "A", 2), true),
            // In the same second it is another question.
            (("a", "b"), ("b", "a", 1), false),
            (("a", "b"), ("b", "a", 0), false),
            (("a", "b"), ("c", "a", 2), false),
            (("a", "b"), ("b", "c", 2), false),
            (("a", "b[1]"), ("b[2]", "a", 2), false),
            (("a", "b[1]"), ("b[1]", "a", 2), true),
            (("a", "b[1]"), ("b", "a", 2), true),
            (("a", "b"), ("b[2]", "a", 2), true),
            (("a[1]", "b"), ("b", "a[2]", 2), false),
            (("a[1]", "b"), ("b", "a", 2), true),
            (("a", "b"), ("b", "a[2]", 2), true),
            (("a[1]", "b[1]"), ("b", "a", 2), true),
            (("a[1]", "b[1]"), ("b[1]", "a[2]", 2), false),
            (("a", "all"), ("c", "a", 2), true),
            (("a", "Team"), ("c", "a[1]", 2), true),
            (("a[2]", "everyone"), ("c", "a[1]", 2), false),
            (("a[1]", "everyone"), ("a[2]", "a[1]", 2), true),
            (("a", "all"), ("c", "a", 1), false),
            (("a", "all"), ("a", "a", 2), false),
            (("a", "all"), ("c", "b", 2), false),
            (("a", "supervisor"), ("c", "a", 2), false),
        ] {
            let files = [message(asked.0, asked.1, 1), message(answer.0, answer.1, answer.2)];
            let summary = Summary::of(&files.iter().collect::<Vec<_>>());
            assert_eq!(summary.is_answered(files[0].message().unwrap()), Some(expected), "{asked:?} {answer:?}");
        }
    }
}
