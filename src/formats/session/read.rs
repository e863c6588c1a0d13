//! The content of a file, from its tree.

use super::field::{
    Agent, CountField, ErrorSeverity, Field, GateState, MessageType, Operation, Phase, Priority, SessionState,
    TaskState, TextField, TimeField,
};
use super::kind::Kind;
use super::model::{
    AgentMetrics, Blocker, Boundary, Broadcast, Content, ErrorReport, Gate, Lock, Message, Metrics, Plan, Progress,
    Status,
};
use super::reader::Reader;
use super::template;
use super::value;
use crate::formats::yaml::{Node, Value};
use crate::ownership::overlap::PathGlob;

/// The content of the file of `kind` whose tree is at `root`.
pub(super) fn content(root: &Node, kind: Kind, reader: &Reader<'_>) -> Content {
    let top = At { reader, node: Some(root) };
    match kind {
        Kind::Status => Content::Status(status(top)),
        Kind::Plan => Content::Plan(plan(top)),
        Kind::Progress => Content::Progress(progress(top)),
        Kind::Message => Content::Message(message(top)),
        Kind::Broadcast => Content::Broadcast(Broadcast {
            phase: top.word("phase", Phase::parse),
            at: top.time("timestamp"),
            activate: top.agents("agents_activate"),
            deactivate: top.agents("agents_deactivate"),
        }),
        Kind::Error => Content::Error(ErrorReport {
            error_id: top.name("error_id"),
            agent: top.agent("agent"),
            task_id: top.name("task_id"),
            severity: top.word("severity", ErrorSeverity::parse),
            occurred_at: top.time("occurred_at"),
            requires_intervention: top.flag("requires_intervention"),
        }),
        Kind::Metrics => Content::Metrics(metrics(top)),
        Kind::Lock => Content::Lock(Lock {
            file: top.path("file"),
            locked_by: top.agent("locked_by"),
            locked_at: top.time("locked_at"),
            expires_at: top.time("expires_at"),
            task_id: top.name("task_id"),
            operation: top.word("operation", Operation::parse),
        }),
    }
}

/// A mapping, which may be missing.
#[derive(Clone, Copy)]
struct At<'r, 'a> {
    reader: &'r Reader<'a>,
    node: Option<&'a Node>,
}

impl<'a> At<'_, 'a> {
    fn node(self, key: &str) -> Option<&'a Node> {
        self.reader.get(self.node?, key)
    }

    fn below(self, key: &str) -> Self {
        Self { node: self.node(key), ..self }
    }

    fn text(self, key: &str) -> TextField {
        value::text(self.node(key)?, self.reader)
    }

    fn name(self, key: &str) -> TextField {
        value::name(self.node(key)?, self.reader)
    }

    fn path(self, key: &str) -> TextField {
        value::path(self.node(key)?, self.reader)
    }

    fn agent(self, key: &str) -> Option<Field<Agent>> {
        agent_at(self.node(key)?, self.reader)
    }

    /// The agent of `meta`, with its `instance`.
    fn agent_of_meta(self) -> Option<Field<Agent>> {
        let mut agent = self.agent("agent")?;
        agent.value.instance = agent.value.instance.or(self.count("instance").map(|count| count.value));
        Some(agent)
    }

    fn time(self, key: &str) -> TimeField {
        let node = self.node(key)?;
        value::time(node).map(|at| Field::new(node.span, at))
    }

    fn count(self, key: &str) -> CountField {
        let node = self.node(key)?;
        value::count(node).map(|count| Field::new(node.span, count))
    }

    fn flag(self, key: &str) -> Option<Field<bool>> {
        let node = self.node(key)?;
        if let Value::Bool(flag) = node.value { Some(Field::new(node.span, flag)) } else { None }
    }

    fn word<T>(self, key: &str, parse: impl Fn(&str) -> Option<T>) -> Option<Field<T>> {
        let node = self.node(key)?;
        Some(Field::new(node.span, parse(node.as_str()?)?))
    }

    fn items(self, key: &str) -> impl Iterator<Item = &'a Node> {
        self.node(key).into_iter().flat_map(move |node| self.reader.items(node))
    }

    fn texts(self, key: &str) -> Vec<Field<String>> {
        self.items(key).filter_map(|item| value::text(item, self.reader)).collect()
    }

    fn names(self, key: &str) -> Vec<Field<String>> {
        self.items(key).filter_map(|item| value::name(item, self.reader)).collect()
    }

    fn agents(self, key: &str) -> Vec<Field<Agent>> {
        self.items(key).filter_map(|item| agent_at(item, self.reader)).collect()
    }

    /// The mappings of the list `key`.
    fn each(self, key: &str) -> impl Iterator<Item = Self> {
        self.items(key).filter(|item| item.pairs().is_some()).map(move |item| Self { node: Some(item), ..self })
    }

    /// The keys of the mapping `key`, each with what its value means.
    fn table(self, key: &str) -> impl Iterator<Item = (Field<String>, &'a Node)> {
        let pairs = self.node(key).map(|node| self.reader.pairs(node)).unwrap_or_default();
        pairs.iter().filter_map(move |(key, value)| Some((value::text(key, self.reader)?, self.reader.follow(value)?)))
    }
}

/// The agent that `node` names.
fn agent_at<'a>(node: &'a Node, reader: &Reader<'a>) -> Option<Field<Agent>> {
    // `frontend|backend` is a choice of the template.
    value::name(node, reader).filter(|name| !name.value.contains('|')).as_ref().map(agent)
}

fn agent(text: &Field<String>) -> Field<Agent> {
    Field::new(text.span, Agent::parse(&text.value))
}

fn status(top: At<'_, '_>) -> Status {
    let gates = top.table("validation_gates").map(|(name, node)| Gate {
        name,
        state: node.as_str().and_then(GateState::parse).map(|state| Field::new(node.span, state)),
    });
    Status {
        session_id: top.name("session_id"),
        started_at: top.time("started_at"),
        ended_at: ["completed_at", "failed_at", "ended_at", "updated_at"].iter().find_map(|key| top.time(key)),
        status: top.word("status", SessionState::parse),
        phase: top.word("phase", Phase::parse),
        agents_active: top.agents("agents_active"),
        tasks_total: top.count("tasks_total"),
        tasks_completed: top.count("tasks_completed"),
        gates: gates.collect(),
    }
}

fn plan(top: At<'_, '_>) -> Plan {
    let (meta, dependencies, boundaries) = (top.below("meta"), top.below("dependencies"), top.below("boundaries"));
    let globs = |key: &str| {
        let globs = boundaries.texts(key).into_iter();
        globs.map(|glob| Boundary { paths: PathGlob::parse_with_names(&glob.value).ok(), glob }).collect()
    };
    // A placeholder of the template is not an output.
    let text =
        |node| value::text(node, top.reader).filter(|path| path.value != "filename" && !template::is_path(&path.value));
    // An output is one path, or a list of some.
    let outputs = top.table("outputs").flat_map(|(_, node)| match node.items() {
        Some(_) => top.reader.items(node).filter_map(text).collect::<Vec<_>>(),
        None => text(node).into_iter().collect(),
    });
    Plan {
        task_id: meta.name("task_id"),
        agent: meta.agent_of_meta(),
        created_at: meta.time("created_at"),
        priority: meta.word("priority", Priority::parse),
        timeout: meta.count("timeout").filter(|timeout| timeout.value > 0),
        requires: dependencies.names("requires"),
        blocks: dependencies.names("blocks"),
        allowed: globs("allowed"),
        forbidden: globs("forbidden"),
        outputs: outputs.chain(top.items("outputs").filter_map(text)).collect(),
    }
}

fn progress(top: At<'_, '_>) -> Progress {
    let meta = top.below("meta");
    let blockers = top.items("blockers").map(|item| {
        let blocker = At { node: Some(item), ..top };
        Blocker {
            // One that is text says what is in the way, too.
            description: blocker.text("description").or_else(|| value::text(item, top.reader)),
            since: blocker.time("blocking_since"),
            requires_agent: blocker.agent("requires_agent"),
        }
    });
    Progress {
        task_id: meta.name("task_id"),
        agent: meta.agent_of_meta(),
        updated_at: meta.time("updated_at"),
        status: top.word("status", TaskState::parse),
        percentage: top.count("progress_percentage").filter(|count| count.value <= 100),
        blockers: blockers.collect(),
        artifacts: top.each("artifacts_created").filter_map(|artifact| artifact.path("path")).collect(),
    }
}

fn message(top: At<'_, '_>) -> Message {
    let meta = top.below("meta");
    Message {
        message_id: meta.name("message_id"),
        from: meta.agent("from_agent"),
        to: meta.agent("to_agent"),
        created_at: meta.time("created_at"),
        priority: meta.word("priority", Priority::parse),
        kind: top.word("type", MessageType::parse),
        subject: top.text("subject"),
        task_id: top.below("context").name("task_id"),
        response_needed: top.flag("response_needed"),
        response_by: top.time("response_by"),
    }
}

fn metrics(top: At<'_, '_>) -> Metrics {
    let session = top.below("session_metrics");
    let agents = top.table("per_agent_metrics").map(|(name, node)| {
        let own = At { node: Some(node), ..top };
        AgentMetrics {
            agent: agent(&name),
            assigned: own.count("tasks_assigned"),
            completed: own.count("tasks_completed"),
        }
    });
    Metrics {
        tasks_completed: session.count("tasks_completed"),
        tasks_failed: session.count("tasks_failed"),
        gates_passed: session.count("validation_gates_passed"),
        agents: agents.collect(),
    }
}
