//! The shape of a reflection, declared once for the check and for the JSON schema.

use serde_json::{Map, Value, json};

/// The type that a value must have.
#[derive(Debug)]
pub(super) enum Shape {
    /// A string.
    Text,
    /// `true` or `false`.
    Bool,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// A list of such values.
    List(&'static Shape),
    /// An object with these keys, and no other.
    Object(&'static [Key]),
}

/// A key of an object.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) required: bool,
    pub(super) shape: Shape,
    about: &'static str,
}

impl Shape {
    /// What it is called in a message.
    pub(super) fn noun(&self) -> &'static str {
        match self {
            Self::Text | Self::OneOf(_) => "a string",
            Self::Bool => "`true` or `false`",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }

    fn schema(&self) -> Value {
        match self {
            Self::Text => json!({ "type": "string" }),
            Self::Bool => json!({ "type": "boolean" }),
            Self::OneOf(words) => json!({ "type": "string", "enum": words }),
            Self::List(items) => json!({ "type": "array", "items": items.schema() }),
            Self::Object(keys) => {
                let required: Vec<&str> = keys.iter().filter(|key| key.required).map(|key| key.name).collect();
                let properties: Map<String, Value> = keys.iter().map(|key| (key.name.into(), key.schema())).collect();
                json!({ "type": "object", "required": required, "properties": properties })
            }
        }
    }
}

impl Key {
    fn schema(&self) -> Value {
        let mut schema = self.shape.schema();
        if let (Value::Object(schema), false) = (&mut schema, self.about.is_empty()) {
            schema.insert("description".into(), self.about.into());
        }
        schema
    }
}

const fn required(name: &'static str, shape: Shape, about: &'static str) -> Key {
    Key { name, required: true, shape, about }
}

const fn optional(name: &'static str, about: &'static str) -> Key {
    Key { name, required: false, shape: Shape::Text, about }
}

/// How a task ended.
pub(super) const STATUSES: [&str; 4] = ["completed", "partial", "blocked", "failed"];
/// What kinds of learnings there are.
pub(super) const CATEGORIES: [&str; 4] = ["codebase-pattern", "gotcha", "preference", "cross-agent"];

/// A whole reflection.
pub(super) static REFLECTION: Shape = Shape::Object(&[
    required("task_result", Shape::Object(&TASK_RESULT), ""),
    required("reflection", Shape::Object(&SELF_ASSESSMENT), ""),
    required("suggested_learnings", Shape::List(&Shape::Object(&LEARNING)), ""),
    required("follow_up", Shape::Object(&FOLLOW_UP), ""),
]);

static TASK_RESULT: [Key; 3] = [
    required("status", Shape::OneOf(&STATUSES), ""),
    required("summary", Shape::Text, "1-3 sentence summary of what was done"),
    required("files_changed", Shape::List(&Shape::Text), "Paths of files created or modified"),
];

static SELF_ASSESSMENT: [Key; 3] = [
    required("what_worked", Shape::Text, "Techniques or approaches that went well"),
    required("what_didnt", Shape::Text, "Issues encountered or suboptimal choices made"),
    required("confidence", Shape::OneOf(&["high", "medium", "low"]), "Confidence in the quality of work produced"),
];

static LEARNING: [Key; 3] = [
    required("category", Shape::OneOf(&CATEGORIES), ""),
    required("content", Shape::Text, "The learning to persist"),
    optional("for_agent", "Target agent name if cross-agent, otherwise omit"),
];

static FOLLOW_UP: [Key; 3] = [
    optional("blocked_by", "What is blocking further progress, if anything"),
    optional("suggested_next", "Recommended next task or action"),
    required("needs_human", Shape::Bool, "Whether human input is needed to proceed"),
];

/// The schema of a reflection, as `claude --json-schema` takes it.
pub fn schema() -> Value {
    REFLECTION.schema()
}
