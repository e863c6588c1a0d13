//! The fields of each kind of file. See `docs/formats/sessions.md`.

use super::field::{ErrorSeverity, GateState, MessageType, Operation, Phase, Priority, SessionState, TaskState};
use super::kind::Kind;

/// A field.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldShape {
    /// Its key.
    pub(super) name: &'static str,
    /// Whether it must be there.
    pub(super) required: bool,
    /// What it holds.
    pub(super) of: Of,
}

/// What a field holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    /// Any text.
    Text,
    /// A name, such as that of a task: no text of the template can be in it.
    Name,
    /// A moment, such as `2024-01-15T10:30:00Z`.
    Time,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number of at least the first and at most the second.
    Count(u64, u64),
    /// A number of at least 0.
    Amount,
    /// A number from 0 to 1.
    Share,
    /// `true` or `false`.
    Flag,
    /// A path.
    Path,
    /// A list of globs.
    Globs,
    /// A mapping of names to paths, or to lists of them, or to whatever the team writes.
    Paths,
    /// A list for people. Text that has a `: ` is a mapping in YAML, as in `- Result: new error`, and as good.
    Prose,
    /// A list of names.
    Names,
    /// The name of an agent, which is not a number.
    Agent,
    /// A list of agents.
    Agents,
    /// A mapping with these fields.
    Mapping(&'static [FieldShape]),
    /// A list of mappings with these fields.
    Mappings(&'static [FieldShape]),
    /// A mapping of names that the team chooses, each to a mapping with these fields.
    Table(&'static [FieldShape]),
    /// A mapping of names to one of these words.
    Words(&'static [&'static str]),
    /// A mapping of names to whatever the team writes.
    Free,
}

const fn required(name: &'static str, of: Of) -> FieldShape {
    FieldShape { name, required: true, of }
}

const fn optional(name: &'static str, of: Of) -> FieldShape {
    FieldShape { name, required: false, of }
}

/// Any count.
const COUNT: Of = Of::Count(0, u64::MAX);

/// A count of at least one.
const ONE_OR_MORE: Of = Of::Count(1, u64::MAX);

const TASK_ID: FieldShape = required("task_id", Of::Name);
const AGENT: FieldShape = required("agent", Of::Agent);
const INSTANCE: FieldShape = optional("instance", ONE_OR_MORE);
const PRIORITY: FieldShape = required("priority", Of::Word(Priority::WORDS));
const CREATED_AT: FieldShape = required("created_at", Of::Time);

const STATUS: &[FieldShape] = &[
    required("session_id", Of::Name),
    required("started_at", Of::Time),
    optional("completed_at", Of::Time),
    optional("failed_at", Of::Time),
    optional("ended_at", Of::Time),
    optional("updated_at", Of::Time),
    required("status", Of::Word(SessionState::WORDS)),
    required("phase", Of::Word(Phase::WORDS)),
    required("agents_active", Of::Agents),
    required("tasks_total", COUNT),
    required("tasks_completed", COUNT),
    required("validation_gates", Of::Words(GateState::WORDS)),
];

const PLAN: &[FieldShape] = &[
    required("meta", Of::Mapping(&[TASK_ID, AGENT, INSTANCE, CREATED_AT, PRIORITY, optional("timeout", ONE_OR_MORE)])),
    optional("dependencies", Of::Mapping(&[optional("requires", Of::Names), optional("blocks", Of::Names)])),
    required("instruction", Of::Text),
    required("boundaries", Of::Mapping(&[required("allowed", Of::Globs), optional("forbidden", Of::Globs)])),
    optional("inputs", Of::Paths),
    optional("outputs", Of::Paths),
    required("success_criteria", Of::Prose),
];

const PROGRESS: &[FieldShape] = &[
    required("meta", Of::Mapping(&[TASK_ID, AGENT, INSTANCE, required("updated_at", Of::Time)])),
    required("status", Of::Word(TaskState::WORDS)),
    required("progress_percentage", Of::Count(0, 100)),
    optional("current_action", Of::Text),
    optional("completed_steps", Of::Prose),
    optional("remaining_steps", Of::Prose),
    optional(
        "artifacts_created",
        Of::Mappings(&[required("path", Of::Path), optional("lines", COUNT), optional("status", Of::Text)]),
    ),
    optional("validation_results", Of::Free),
    optional(
        "blockers",
        Of::Mappings(&[
            required("description", Of::Text),
            optional("blocking_since", Of::Time),
            optional("requires_agent", Of::Agent),
        ]),
    ),
    optional("time_spent", Of::Amount),
    optional("tokens_used", COUNT),
];

const MESSAGE: &[FieldShape] = &[
    required(
        "meta",
        Of::Mapping(&[
            required("message_id", Of::Name),
            required("from_agent", Of::Agent),
            required("to_agent", Of::Agent),
            CREATED_AT,
            PRIORITY,
        ]),
    ),
    required("type", Of::Word(MessageType::WORDS)),
    required("subject", Of::Text),
    required("message", Of::Text),
    optional("context", Of::Free),
    optional("response_needed", Of::Flag),
    // Required if `response_needed` is true.
    optional("response_by", Of::Time),
];

const BROADCAST: &[FieldShape] = &[
    required("phase", Of::Word(Phase::WORDS)),
    required("timestamp", Of::Time),
    optional("agents_activate", Of::Agents),
    optional("agents_deactivate", Of::Agents),
];

const ERROR: &[FieldShape] = &[
    required("error_id", Of::Name),
    AGENT,
    TASK_ID,
    required("severity", Of::Word(ErrorSeverity::WORDS)),
    required("occurred_at", Of::Time),
    required(
        "error",
        Of::Mapping(&[
            required("type", Of::Text),
            required("message", Of::Text),
            optional("file", Of::Text),
            optional("line", COUNT),
            optional("column", COUNT),
        ]),
    ),
    optional("attempted_fixes", Of::Prose),
    optional("requires_intervention", Of::Flag),
    optional("suggested_agent", Of::Agent),
];

const METRICS: &[FieldShape] = &[
    required(
        "session_metrics",
        Of::Mapping(&[
            optional("messages_sent", COUNT),
            optional("messages_received", COUNT),
            optional("avg_response_time_ms", Of::Amount),
            optional("tasks_completed", COUNT),
            optional("tasks_failed", COUNT),
            optional("validation_gates_passed", COUNT),
            optional("validation_gates_failed", COUNT),
        ]),
    ),
    optional(
        "per_agent_metrics",
        Of::Table(&[
            optional("tasks_assigned", COUNT),
            optional("tasks_completed", COUNT),
            optional("avg_completion_time_s", Of::Amount),
            optional("tokens_used", COUNT),
            optional("success_rate", Of::Share),
        ]),
    ),
];

const LOCK: &[FieldShape] = &[
    required("file", Of::Path),
    required("locked_by", Of::Agent),
    required("locked_at", Of::Time),
    required("expires_at", Of::Time),
    optional("task_id", Of::Name),
    optional("operation", Of::Word(Operation::WORDS)),
];

/// The fields of files of `kind`.
pub(super) fn fields(kind: Kind) -> &'static [FieldShape] {
    match kind {
        Kind::Status => STATUS,
        Kind::Plan => PLAN,
        Kind::Progress => PROGRESS,
        Kind::Message => MESSAGE,
        Kind::Broadcast => BROADCAST,
        Kind::Error => ERROR,
        Kind::Metrics => METRICS,
        Kind::Lock => LOCK,
    }
}
