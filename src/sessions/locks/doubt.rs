//! What `check` would say about a lock: its agent is not in the session, or its task is of another one.

use bstr::{BString, ByteSlice};

use crate::formats::session::field::Agent;
use crate::formats::session::{Presence, SessionFile, Summary, name};
use crate::sessions::read::Files;
use crate::terminal::escape;
use crate::text::suggest::{Tolerance, nearest};

/// Why a lock may be a mistake. Agents take part before a file says so, and so it is taken all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The agent is not in the session.
    Agent {
        /// The agent.
        agent: String,
        /// The one that is probably meant.
        meant: Option<String>,
    },
    /// The task has no plan, and others have.
    Task {
        /// Its ID.
        task: String,
        /// The one that is probably meant.
        meant: Option<String>,
    },
    /// The task is one of another agent.
    OtherAgent {
        /// Its ID.
        task: String,
        /// The agent of its plan.
        owner: String,
    },
}

impl Doubt {
    /// Those about a lock of `agent` for `task`, in the session with these `files`; `summary` is the one of the same files.
    pub fn about(agent: &Agent, task: Option<&str>, files: &Files, summary: &Summary) -> Vec<Self> {
        let mut doubts = Vec::new();
        if let Some(task) = task.filter(|task| !summary.plans.is_empty() && !has_task(task, files, summary)) {
            let meant = summary.graph.meant(task, None);
            doubts.push(Self::Task { task: task.to_owned(), meant: meant.map(str::to_owned) });
        }
        let owner = task.and_then(|task| {
            let at = *summary.plans.get(summary.graph.task(task)?)?;
            Some((task, &files.files.values().nth(at)?.plan()?.agent.as_ref()?.value))
        });
        match owner {
            Some((task, owner)) if !owner.may_be(agent) => {
                doubts.push(Self::OtherAgent { task: task.to_owned(), owner: owner.to_string() });
            }
            None if summary.names_agents()
                && is_complete(files)
                && summary.agents.presence(agent) == Presence::Unknown =>
            {
                let meant = nearest(&agent.name, summary.agents.names_to_compare(), Tolerance::Help);
                doubts.push(Self::Agent { agent: agent.to_string(), meant: meant.map(str::to_owned) });
            }
            _ => {}
        }
        doubts
    }

    /// What is wrong.
    pub fn message(&self) -> String {
        let mean = |meant: &Option<String>| -> String {
            meant.iter().map(|meant| format!("; did you mean `{}`?", escape(meant))).collect()
        };
        match self {
            Self::Agent { agent, meant } => {
                format!("agent `{}` is not in the session{}", escape(agent), mean(meant))
            }
            Self::Task { task, meant } => {
                format!("task `{}` has no plan in the session{}", escape(task), mean(meant))
            }
            Self::OtherAgent { task, owner } => {
                format!("task `{}` has another agent, `{}`", escape(task), escape(owner))
            }
        }
    }

    /// What to do.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Agent { .. } => "correct `--agent`, or add the agent to `agents_active` in the status of the session",
            Self::Task { .. } => "correct `--task`, leave it out, or write the plan of this task",
            Self::OtherAgent { .. } => "correct `--agent` or `--task`",
        }
    }
}

/// Whether the status and the plans can be read: otherwise one of them may name the agent.
fn is_complete(files: &Files) -> bool {
    let is_one = |path: &BString| ["role-plan-", "session-status."].iter().any(|start| path.starts_with_str(start));
    !files.unreadable.keys().any(is_one)
}

/// Whether a plan has the task, or may have it and cannot be read.
fn has_task(task: &str, files: &Files, summary: &Summary) -> bool {
    let is_unknown = |file: &SessionFile| file.plan().is_some_and(|plan| plan.task_id.is_none());
    let without = files.files.iter().filter(|(_, file)| is_unknown(file)).map(|(path, _)| path);
    let mut unknown = without.chain(files.unreadable.keys()).filter(|path| path.starts_with_str("role-plan-"));
    summary.graph.task(task).is_some() || unknown.any(|path| name::may_be_plan_of(path.as_bstr(), task))
}
