//! What is in each kind of file. A field that is missing, or has no valid value, is `None`; its problem is in
//! [`SessionFile::problems`](super::SessionFile::problems).

use super::field::{
    Agent, CountField, ErrorSeverity, Field, GateState, MessageType, Operation, Phase, Priority, SessionState,
    TaskState, TextField, TimeField,
};
use super::kind::Kind;
use crate::ownership::overlap::PathGlob;

/// What is in a file.
#[derive(Clone, Debug)]
pub enum Content {
    /// `session-status.md`
    Status(Status),
    /// `role-plan-….md`
    Plan(Plan),
    /// `role-comm-….md` of one agent.
    Progress(Progress),
    /// `role-comm-…-to-….md`
    Message(Message),
    /// `broadcast-….md`
    Broadcast(Broadcast),
    /// `error-….md`
    Error(ErrorReport),
    /// `metrics-….md`
    Metrics(Metrics),
    /// `locks/….lock`
    Lock(Lock),
}

impl Content {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Status(_) => Kind::Status,
            Self::Plan(_) => Kind::Plan,
            Self::Progress(_) => Kind::Progress,
            Self::Message(_) => Kind::Message,
            Self::Broadcast(_) => Kind::Broadcast,
            Self::Error(_) => Kind::Error,
            Self::Metrics(_) => Kind::Metrics,
            Self::Lock(_) => Kind::Lock,
        }
    }
}

/// How a session is as a whole.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// `session_id`
    pub session_id: TextField,
    /// `started_at`
    pub started_at: TimeField,
    /// `completed_at`, `failed_at`, `ended_at` or `updated_at`, which the protocol does not have and teams write.
    pub ended_at: TimeField,
    /// `status`
    pub status: Option<Field<SessionState>>,
    /// `phase`
    pub phase: Option<Field<Phase>>,
    /// `agents_active`
    pub agents_active: Vec<Field<Agent>>,
    /// `tasks_total`
    pub tasks_total: CountField,
    /// `tasks_completed`
    pub tasks_completed: CountField,
    /// `validation_gates`
    pub gates: Vec<Gate>,
}

/// A gate of `validation_gates`.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The phase that it ends, as the key says it.
    pub name: Field<String>,
    /// What became of it.
    pub state: Option<Field<GateState>>,
}

/// The task of an agent.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// `meta.task_id`
    pub task_id: TextField,
    /// `meta.agent`, with `meta.instance`.
    pub agent: Option<Field<Agent>>,
    /// `meta.created_at`
    pub created_at: TimeField,
    /// `meta.priority`
    pub priority: Option<Field<Priority>>,
    /// `meta.timeout`, in seconds.
    pub timeout: CountField,
    /// `dependencies.requires`: tasks that must be complete before this one starts.
    pub requires: Vec<Field<String>>,
    /// `dependencies.blocks`: tasks that cannot start before this one is complete.
    pub blocks: Vec<Field<String>>,
    /// `boundaries.allowed`: globs of the files that the agent may change.
    pub allowed: Vec<Boundary>,
    /// `boundaries.forbidden`: globs of the files that it must not change.
    pub forbidden: Vec<Boundary>,
    /// The values of `outputs`.
    pub outputs: Vec<Field<String>>,
}

/// A glob of `boundaries`.
#[derive(Clone, Debug)]
pub struct Boundary {
    /// The glob as it is written.
    pub glob: Field<String>,
    /// What it matches; `None` if it is not a glob, or leads out of the repository.
    pub paths: Option<PathGlob>,
}

/// How far a task is.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// `meta.task_id`
    pub task_id: TextField,
    /// `meta.agent`, with `meta.instance`.
    pub agent: Option<Field<Agent>>,
    /// `meta.updated_at`
    pub updated_at: TimeField,
    /// `status`
    pub status: Option<Field<TaskState>>,
    /// `progress_percentage`, from 0 to 100.
    pub percentage: CountField,
    /// `blockers`, each with its description.
    pub blockers: Vec<Blocker>,
    /// The paths of `artifacts_created`.
    pub artifacts: Vec<Field<String>>,
}

/// Why a task does not go on.
#[derive(Clone, Debug, Default)]
pub struct Blocker {
    /// `description`
    pub description: TextField,
    /// `blocking_since`
    pub since: TimeField,
    /// `requires_agent`: who is waited for.
    pub requires_agent: Option<Field<Agent>>,
}

/// What one agent wrote to another.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// `meta.message_id`
    pub message_id: TextField,
    /// `meta.from_agent`
    pub from: Option<Field<Agent>>,
    /// `meta.to_agent`
    pub to: Option<Field<Agent>>,
    /// `meta.created_at`
    pub created_at: TimeField,
    /// `meta.priority`
    pub priority: Option<Field<Priority>>,
    /// `type`
    pub kind: Option<Field<MessageType>>,
    /// `subject`
    pub subject: TextField,
    /// `context.task_id`
    pub task_id: TextField,
    /// `response_needed`
    pub response_needed: Option<Field<bool>>,
    /// `response_by`
    pub response_by: TimeField,
}

impl Message {
    /// Whether its sender waits for an answer.
    pub fn needs_response(&self) -> bool {
        self.response_needed.as_ref().is_some_and(|needed| needed.value)
    }
}

/// What the supervisor told everyone.
#[derive(Clone, Debug, Default)]
pub struct Broadcast {
    /// `phase`
    pub phase: Option<Field<Phase>>,
    /// `timestamp`
    pub at: TimeField,
    /// `agents_activate`
    pub activate: Vec<Field<Agent>>,
    /// `agents_deactivate`
    pub deactivate: Vec<Field<Agent>>,
}

/// What went wrong.
#[derive(Clone, Debug, Default)]
pub struct ErrorReport {
    /// `error_id`
    pub error_id: TextField,
    /// `agent`
    pub agent: Option<Field<Agent>>,
    /// `task_id`
    pub task_id: TextField,
    /// `severity`
    pub severity: Option<Field<ErrorSeverity>>,
    /// `occurred_at`
    pub occurred_at: TimeField,
    /// `requires_intervention`
    pub requires_intervention: Option<Field<bool>>,
}

/// What was counted.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    /// `session_metrics.tasks_completed`
    pub tasks_completed: CountField,
    /// `session_metrics.tasks_failed`
    pub tasks_failed: CountField,
    /// `session_metrics.validation_gates_passed`
    pub gates_passed: CountField,
    /// `per_agent_metrics`
    pub agents: Vec<AgentMetrics>,
}

/// What was counted of one agent.
#[derive(Clone, Debug)]
pub struct AgentMetrics {
    /// The agent, by the key.
    pub agent: Field<Agent>,
    /// `tasks_assigned`
    pub assigned: CountField,
    /// `tasks_completed`
    pub completed: CountField,
}

/// Who may write a file, and until when.
#[derive(Clone, Debug, Default)]
pub struct Lock {
    /// `file`: its path.
    pub file: TextField,
    /// `locked_by`
    pub locked_by: Option<Field<Agent>>,
    /// `locked_at`
    pub locked_at: TimeField,
    /// `expires_at`
    pub expires_at: TimeField,
    /// `task_id`
    pub task_id: TextField,
    /// `operation`
    pub operation: Option<Field<Operation>>,
}
