//! The reflection that a member of a learning team returns (`docs/formats/learning-teams.md`, "Reflection"): alone, or inside the
//! output of `claude -p`.

mod envelope;
mod problem;
mod shape;

pub use problem::{Problem, ProblemKind};
pub use shape::schema;

use self::problem::shortened;
use self::shape::{Key, REFLECTION, Shape};
use super::json::{Node, Places, Value};
use super::manifest::Text;
use crate::text::suggest::{Tolerance, nearest};
use crate::text::{Span, bom_len};

/// A reflection, as far as it can be understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reflection {
    /// Where it is not what the schema asks for, in file order.
    pub problems: Vec<Problem>,
    /// How the task ended.
    pub status: Option<Text>,
    /// Files that were made or changed.
    pub files_changed: Vec<Text>,
    /// What is to be remembered.
    pub learnings: Vec<Learning>,
    /// What is in the way; it can be empty.
    pub blocked_by: Option<Text>,
}

/// A learning that is suggested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learning {
    /// The whole object.
    pub span: Span,
    /// What kind of learning it is, where that is one there is.
    pub category: Option<Category>,
    /// Where that is; the whole object where it says nothing.
    pub category_span: Span,
    /// What was learned.
    pub content: Option<Text>,
    /// For whom; an empty name is none.
    pub for_agent: Option<Text>,
}

/// What kinds of learnings there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// A convention of the code.
    CodebasePattern,
    /// What costs time to find out.
    Gotcha,
    /// How people want it.
    Preference,
    /// For another member.
    CrossAgent,
}

impl Category {
    /// All of them, in the order of their words in the schema.
    const ALL: [Self; 4] = [Self::CodebasePattern, Self::Gotcha, Self::Preference, Self::CrossAgent];

    fn of(word: &str) -> Option<Self> {
        shape::CATEGORIES.iter().position(|known| *known == word).and_then(|at| Self::ALL.get(at).copied())
    }
}

impl Reflection {
    /// The reflection in `text`.
    pub fn parse(text: &str) -> Self {
        let start = bom_len(text);
        let json = text.get(start..).unwrap_or_default();
        if json.trim().is_empty() {
            let problem = Problem { span: Span::at(start), kind: ProblemKind::Empty };
            return Self { problems: vec![problem], ..Self::default() };
        }
        let opened = envelope::parse(json, &Places::from(start))
            .map_err(|error| Problem { span: error.span, kind: ProblemKind::Syntax(error.message) })
            .and_then(|node| envelope::open(node, text));
        match opened {
            Ok(node) => Self::read(&node),
            Err(problem) => Self { problems: vec![problem], ..Self::default() },
        }
    }

    fn read(node: &Node) -> Self {
        let mut problems = Vec::new();
        check(&REFLECTION, node, "", envelope::start_of(node), &mut problems);
        problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
        let task = node.get("task_result");
        let files = task.and_then(|task| task.get("files_changed")).map(Node::items).unwrap_or_default();
        let learnings = node.get("suggested_learnings").map(Node::items).unwrap_or_default();
        Self {
            problems,
            status: text(task, "status"),
            files_changed: files.iter().filter_map(of).collect(),
            learnings: learnings.iter().filter_map(learning).collect(),
            blocked_by: text(node.get("follow_up"), "blocked_by"),
        }
    }

    /// Whether it is what the schema asks for, except for keys that nothing reads.
    pub fn is_valid(&self) -> bool {
        self.problems.iter().all(Problem::is_mild)
    }
}

fn of(node: &Node) -> Option<Text> {
    Some(Text { span: node.span, value: node.as_str()?.to_owned() })
}

fn text(object: Option<&Node>, key: &str) -> Option<Text> {
    of(object?.get(key)?)
}

fn learning(node: &Node) -> Option<Learning> {
    let Value::Object(_) = node.value else { return None };
    Some(Learning {
        span: node.span,
        category: text(Some(node), "category").and_then(|category| Category::of(&category.value)),
        category_span: node.get("category").map_or(node.span, |category| category.span),
        content: text(Some(node), "content"),
        for_agent: text(Some(node), "for_agent").filter(|name| !name.value.trim().is_empty()),
    })
}

/// Says where `node`, under the key `path`, is not of this shape. `owner` is what shows where a key is missing in it.
fn check(shape: &Shape, node: &Node, path: &str, owner: Span, problems: &mut Vec<Problem>) {
    match (shape, &node.value) {
        (Shape::Text, Value::String(_)) | (Shape::Bool, Value::Bool(_)) => {}
        (Shape::OneOf(allowed), Value::String(word)) if allowed.contains(&word.as_str()) => {}
        (Shape::OneOf(allowed), Value::String(word)) => {
            let nearest = nearest(word, allowed.iter().copied(), Tolerance::Help);
            let kind = ProblemKind::NotOneOf { key: path.to_owned(), value: shortened(word), allowed, nearest };
            problems.push(Problem { span: node.span, kind });
        }
        (Shape::List(shape), Value::List(items)) => {
            for (number, item) in items.iter().enumerate() {
                check(shape, item, &format!("{path}[{number}]"), envelope::start_of(item), problems);
            }
        }
        (Shape::Object(keys), Value::Object(entries)) => check_object(keys, entries, path, owner, problems),
        _ => {
            let kind = ProblemKind::WrongType { key: path.to_owned(), found: node.noun(), expected: shape.noun() };
            problems.push(Problem { span: node.span, kind });
        }
    }
}

fn check_object(
    keys: &'static [Key],
    entries: &[(Span, String, Node)],
    path: &str,
    owner: Span,
    problems: &mut Vec<Problem>,
) {
    let inside = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    let is_there = |name: &str| entries.iter().any(|(_, key, _)| key == name);
    let mut missing: Vec<&'static str> =
        keys.iter().filter(|key| key.required && !is_there(key.name)).map(|key| key.name).collect();
    // Objects can have many unknown keys: names are looked up, not searched.
    let mut first: std::collections::HashMap<&str, Span> = std::collections::HashMap::new();
    for (place, name, value) in entries {
        if let Some(first) = first.get(name.as_str()) {
            let kind = ProblemKind::Duplicate { key: inside(&shortened(name)), first: *first };
            problems.push(Problem { span: *place, kind });
        } else {
            first.insert(name, *place);
        }
        if let Some(key) = keys.iter().find(|key| key.name == name) {
            check(&key.shape, value, &inside(name), *place, problems);
        } else if let Some(expected) = nearest(name, missing.iter().copied(), Tolerance::Help) {
            missing.retain(|name| *name != expected);
            let kind = ProblemKind::Misspelt { key: inside(name), expected };
            problems.push(Problem { span: *place, kind });
        } else {
            let known = keys.iter().map(|key| key.name).collect();
            let kind = ProblemKind::UnknownKey { key: inside(&shortened(name)), known };
            problems.push(Problem { span: *place, kind });
        }
    }
    problems.extend(missing.into_iter().map(|key| {
        let kind = ProblemKind::Missing { object: path.to_owned(), key };
        Problem { span: owner, kind }
    }));
}

#[cfg(test)]
mod tests;
