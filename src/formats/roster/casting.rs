//! The JSON files in `casting/`: the registry of names, their history, and the policy they are chosen by.

use std::collections::HashMap;

use crate::formats::json::{Node, Places, Value, byte_order_mark, correction};
use crate::formats::json_shape::{Further, MOST};
use crate::formats::manifest::Text;
use crate::text::prose::plural;
use crate::text::{Span, bom_len};

/// What a file in `casting/` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Casting {
    /// The agents of a registry, in the order of the file; none in the other files.
    pub agents: Vec<Entry>,
    /// The value of `agents`, if that is an object or a list.
    pub agents_span: Option<Span>,
    /// The key that an import leaves until the team has met its new project.
    pub imported_from: Option<Span>,
    /// Where it is not what tools expect, in the order of the file.
    pub problems: Vec<Problem>,
    /// What is wrong behind these.
    pub further: Option<Further>,
}

/// One agent of a registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its key, which is the name of its folder, or its role; `None` in a list of agents.
    pub key: Option<Text>,
    /// The value of `persistent_name`.
    pub name: Option<Text>,
    /// Whether it is at work.
    pub status: Status,
    /// Whether its key or its name is there twice, which is reported as such.
    pub is_ambiguous: bool,
}

/// The status of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// `active`, or none.
    Active,
    /// Another one, such as `inactive` or `retired`: its name is kept, and its folder may be gone.
    Away,
}

/// Where a file is not what tools expect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The bytes in question.
    pub span: Span,
    /// What was found and what was expected.
    pub message: String,
    /// The same in a few words.
    pub label: &'static str,
    /// What to do.
    pub help: String,
    /// Other places that it is about, each with a label.
    pub related: Vec<(Span, String)>,
    /// Whether tools read the file all the same.
    pub is_mild: bool,
}

/// So many other keys are shown beside the first.
const SHOWN: usize = 9;

/// The label of a known field of another type.
const WRONG_TYPE: &str = "unexpected type";

/// What a value must be.
#[derive(Clone, Copy)]
enum Shape {
    Text,
    List,
    Object,
    Numbers,
}

/// The keys of the history and of the policy, and what they hold. All else is free.
const KEYS: [(&str, Shape); 5] = [
    ("universe_usage_history", Shape::List),
    ("assignment_cast_snapshots", Shape::Object),
    ("casting_policy_version", Shape::Text),
    ("allowlist_universes", Shape::List),
    ("universe_capacity", Shape::Numbers),
];

/// What to do with a list of agents.
const AS_OBJECT: &str = "make it an object whose keys are the names of the folders, such as `\"keaton\": { … }`";

/// What to do where `root` has no `agents`: another field may have them.
fn help_of_missing(root: &Node) -> String {
    let Value::Object(fields) = &root.value else { return String::new() };
    let is_object = |node: &Node| matches!(node.value, Value::Object(_));
    let has_agents = |node: &Node| match &node.value {
        Value::Object(entries) => !entries.is_empty() && entries.iter().all(|(.., entry)| is_object(entry)),
        Value::List(items) => !items.is_empty() && items.iter().all(is_object),
        _ => false,
    };
    let mut others = fields.iter().filter(|(.., node)| has_agents(node));
    match (others.next(), others.next()) {
        (Some((_, name, node)), None) if is_object(node) => format!("rename `{name}` to `agents`"),
        (Some((_, name, _)), None) => format!("rename `{name}` to `agents`, and {AS_OBJECT}"),
        _ => "add `\"agents\": {}` with an entry for each agent".into(),
    }
}

/// What to do about a file that is no object, where nothing says which one.
pub const WRITE_OBJECT: &str = "write an object";

impl Casting {
    /// Reads a registry.
    pub fn registry(text: &str) -> Self {
        let (mut casting, root) = Self::open(text, true);
        if let Some(root) = &root {
            casting.read_agents(root);
        }
        casting.sorted()
    }

    /// Reads the registry in a bundle. It does not search for duplicate keys.
    pub(crate) fn in_bundle(registry: &Node) -> Self {
        let mut casting = Self::default();
        if matches!(registry.value, Value::Object(_)) {
            casting.read_agents(registry);
        }
        casting.sorted()
    }

    /// Reads a history or a policy.
    pub fn other(text: &str) -> Self {
        let (mut casting, root) = Self::open(text, false);
        for (key, shape) in KEYS {
            let value = root.as_ref().and_then(|root| root.get(key));
            if let Some((value, expected)) = value.and_then(|value| misfit(value, shape)) {
                casting.problem(
                    value.span,
                    format!("`{key}` is {}, expected {expected}", value.noun()),
                    WRONG_TYPE,
                    format!("make it {expected}"),
                );
                casting
                    .problems
                    .iter_mut()
                    .filter(|problem| problem.label == WRONG_TYPE)
                    .for_each(|problem| problem.is_mild = true);
            }
        }
        casting.sorted()
    }

    /// The object in `text`, and what is wrong with any such file.
    fn open(text: &str, is_registry: bool) -> (Self, Option<Node>) {
        let mut casting = Self::default();
        let start = bom_len(text);
        let json = text.get(start..).unwrap_or_default();
        if json.trim().is_empty() {
            let help = "restore it from git, or let Squad create it again";
            casting.problem(Span::at(start), "empty file, expected a JSON object".into(), "no JSON", help.into());
            return (casting, None);
        }
        if let Some(mark) = byte_order_mark(text) {
            let help = "save the file as UTF-8 without the mark";
            casting.problem(mark.span, format!("invalid JSON: {}", mark.message), "tools stop here", help.into());
        }
        let root = match Node::parse(json, &Places::from(start)) {
            Ok(root) => root,
            Err(error) => {
                let message = format!("invalid JSON: {}", error.message);
                casting.problem(
                    error.span,
                    message,
                    "tools stop here",
                    correction(&error.message).unwrap_or("correct the syntax").into(),
                );
                return (casting, None);
            }
        };
        casting.find_twins(&root);
        if let Value::Object(_) = root.value {
            return (casting, Some(root));
        }
        let message = format!("file is {}, expected an object", root.noun());
        let span = Span::new(root.span.start(), root.span.start() + 1);
        let help = match is_registry && matches!(root.value, Value::List(_)) {
            true => {
                "make it `{ \"agents\": { … } }`, whose keys are the names of the folders, such as `\"keaton\": { … }`"
            }
            false => WRITE_OBJECT,
        };
        casting.problem(span, message, "expected `{`", help.into());
        if let (false, Some(problem)) = (is_registry, casting.problems.last_mut()) {
            problem.is_mild = true;
        }
        (casting, None)
    }

    fn read_agents(&mut self, root: &Node) {
        if let Value::Object(entries) = &root.value {
            self.imported_from = entries.iter().find(|(_, key, _)| key == "imported_from").map(|(span, ..)| *span);
        }
        let Some(agents) = root.get("agents") else {
            let span = Span::new(root.span.start(), root.span.start() + 1);
            self.problem(span, "missing field `agents`".into(), "no `agents`", help_of_missing(root));
            return;
        };
        match &agents.value {
            Value::Object(entries) => {
                self.agents_span = Some(agents.span);
                self.check_keys(entries);
                let mut seen: HashMap<&str, usize> = HashMap::new();
                for (span, key, value) in entries {
                    let at = self.agents.len();
                    match seen.get(key.as_str()).and_then(|first| self.agents.get_mut(*first)) {
                        None => self.read_entry(Some(Text { span: *span, value: key.clone() }), value),
                        Some(first) => {
                            first.is_ambiguous = true;
                            let again = entry(Some(Text { span: *span, value: key.clone() }), value);
                            self.agents.push(Entry { is_ambiguous: true, ..again });
                        }
                    }
                    seen.entry(key).or_insert(at);
                }
            }
            Value::List(items) => {
                self.agents_span = Some(agents.span);
                let span = Span::new(agents.span.start(), agents.span.start() + 1);
                self.problem(span, "`agents` is a list, expected an object".into(), "expected `{`", AS_OBJECT.into());
                // The names are known all the same; what else is wrong is hidden by this.
                self.agents.extend(items.iter().map(|item| entry(None, item)));
            }
            _ => {
                let message = format!("`agents` is {}, expected an object", agents.noun());
                self.problem(agents.span, message, "expected an object", "make it an object".into());
            }
        }
    }

    /// Reports all keys that cannot be the name of a folder at once: they usually come from one habit.
    fn check_keys(&mut self, entries: &[(Span, String, Node)]) {
        let mut wrong = entries.iter().filter(|(_, key, agent)| !is_folder_of(key, agent) && key != "__proto__");
        let Some((span, key, _)) = wrong.next() else { return };
        let others: Vec<_> = wrong.map(|(span, key, _)| (*span, format!("`{key}`"))).collect();
        let more = if others.is_empty() { String::new() } else { format!(" (and {})", plural(others.len(), "other")) };
        let message = format!("invalid agent key `{key}`{more}, expected lower-case letters, digits and hyphens");
        let help = "rename the key and the folder of the agent";
        self.problem(*span, message, "not a folder name", help.into());
        if let Some(problem) = self.problems.last_mut().filter(|problem| problem.span == *span) {
            problem.related = others.into_iter().take(SHOWN).collect();
        }
    }

    fn read_entry(&mut self, key: Option<Text>, value: &Node) {
        // A key that programs take for something else is not an agent's.
        let Some(key) = key.filter(|key| key.value != "__proto__") else { return };
        let name = format!("`{}`", key.value);
        if !matches!(value.value, Value::Object(_)) {
            let message = format!("agent {name} is {}, expected an object", value.noun());
            let help = "write an object with `persistent_name` and `status`".into();
            self.problem(value.span, message, "expected an object", help);
            // It is there all the same: nothing else is missing.
            return self.agents.push(entry(Some(key), value));
        }
        self.check_text(value, key.span, &name, "persistent_name");
        if let Some(status) = self.check_text(value, key.span, &name, "status")
            && !matches!(status.value.as_str(), "active" | "inactive" | "retired")
        {
            let message =
                format!("unknown status `{}` of {name}, expected `active`, `inactive` or `retired`", status.value);
            self.problem(status.span, message, "unknown status", "write one of the three".into());
        }
        self.agents.push(entry(Some(key), value));
    }

    /// The text of `field` in an entry, or a problem.
    fn check_text(&mut self, entry: &Node, key: Span, name: &str, field: &str) -> Option<Text> {
        let Some(value) = entry.get(field) else {
            // The name is there, under a key that Squad does not read.
            let other = ["cast_name", "name", "display_name", "persistentName"]
                .into_iter()
                .find(|other| entry.get(other).is_some());
            let help = match other.filter(|_| field == "persistent_name") {
                Some(other) => format!("rename `{other}` to `{field}`"),
                None => format!("add `{field}`"),
            };
            self.problem(key, format!("missing field `{field}` in {name}"), "incomplete", help);
            return None;
        };
        let text = value.as_str().filter(|text| !text.trim().is_empty());
        let Some(text) = text else {
            let found = value.as_str().map_or(value.noun(), |_| "an empty string");
            let message = format!("`{field}` of {name} is {found}, expected text");
            self.problem(value.span, message, "expected text", format!("write a value for `{field}`"));
            return None;
        };
        Some(Text { span: value.span, value: text.to_owned() })
    }

    /// Finds keys that an object has twice, at any depth: readers keep the last value and lose the others.
    fn find_twins(&mut self, node: &Node) {
        for (span, key, first) in node.odd_keys() {
            let Some(first) = first else {
                let message = "key `__proto__` changes the object itself when JavaScript reads it".into();
                self.problem(span, message, "reserved", "remove the key".into());
                continue;
            };
            let help = "remove one of the two".into();
            self.problem(span, format!("duplicate key `{key}`"), "the last one counts", help);
            if let Some(problem) = self.problems.last_mut().filter(|problem| problem.span == span) {
                problem.related.push((first, "first one".into()));
            }
        }
    }

    fn problem(&mut self, span: Span, message: String, label: &'static str, help: String) {
        if self.problems.len() >= MOST {
            return Further::add(&mut self.further, span, true);
        }
        self.problems.push(Problem { span, message, label, help, related: Vec::new(), is_mild: false });
    }

    fn sorted(mut self) -> Self {
        self.problems.sort_by_key(|problem| (problem.span.start(), problem.span.end()));
        self
    }
}

fn entry(key: Option<Text>, value: &Node) -> Entry {
    let name =
        value.get("persistent_name").and_then(|name| Some(Text { span: name.span, value: name.as_str()?.to_owned() }));
    let status = match (&value.value, value.get("status")) {
        (Value::Object(_), None) => Status::Active,
        (_, Some(status)) if status.as_str().is_some_and(|word| word.eq_ignore_ascii_case("active")) => Status::Active,
        // Nothing else says that the agent is at work.
        _ => Status::Away,
    };
    let names = match &value.value {
        Value::Object(fields) => fields.iter().filter(|(_, field, _)| field == "persistent_name").count(),
        _ => 0,
    };
    Entry { key, name, status, is_ambiguous: names > 1 }
}

/// `value`, or a part of it, if it is not what `shape` wants, and what that is.
fn misfit(value: &Node, shape: Shape) -> Option<(&Node, &'static str)> {
    match (shape, &value.value) {
        (Shape::Text, Value::String(_)) | (Shape::List, Value::List(_)) | (Shape::Object, Value::Object(_)) => None,
        (Shape::Numbers, Value::Object(entries)) => {
            let wrong = entries.iter().map(|(.., value)| value).find(|value| value.value != Value::Number);
            wrong.map(|value| (value, "an object of numbers"))
        }
        (Shape::Text, _) => Some((value, "text")),
        (Shape::List, _) => Some((value, "a list")),
        (Shape::Object, _) => Some((value, "an object")),
        (Shape::Numbers, _) => Some((value, "an object of numbers")),
    }
}

/// Whether `key` can be the name of the folder of `agent`. `squad cast` writes the name in lower case and keeps its blanks.
fn is_folder_of(key: &str, agent: &Node) -> bool {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_slug = key.bytes().next().is_some_and(is_word) && key.bytes().all(|byte| is_word(byte) || byte == b'-');
    let is_name = || {
        let name = agent.get("persistent_name").and_then(Node::as_str);
        let is_other = |c: char| !c.is_alphanumeric() && !matches!(c, ' ' | '.' | '_' | '-' | '\'');
        name.is_some_and(|name| name.to_lowercase() == key)
            && !key.contains(is_other)
            && key.starts_with(char::is_alphanumeric)
    };
    is_slug || is_name()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(casting: &Casting, text: &str) -> Vec<String> {
        casting.problems.iter().map(|problem| format!("{}: {}", problem.span.of(text), problem.message)).collect()
    }

    #[test]
    fn a_registry_and_its_agents() {
        let text =
            "{\"agents\": {\"lead\": {\"persistent_name\": \"Ada\", \"status\": \"retired\"}}, \"imported_from\": 1}";
        let casting = Casting::registry(text);
        assert_eq!(messages(&casting, text), [""; 0]);
        let [agent] = &casting.agents[..] else { panic!("{casting:?}") };
        assert_eq!((agent.key.as_ref().unwrap().value.as_str(), agent.status), ("lead", Status::Away));
        assert_eq!(agent.name.as_ref().unwrap().span.of(text), "\"Ada\"");
        assert_eq!(casting.imported_from.unwrap().of(text), "\"imported_from\"");
    }

    #[test]
    fn keys_that_are_names_of_folders() {
        for (key, name, expected) in [
            ("mary ann", "Mary Ann", true),
            ("zoë", "Zoë", true),
            ("mary ann", "Ann", false),
            ("Mary Ann", "Mary Ann", false),
            ("../x", "../X", false),
            ("a/b", "A/B", false),
            ("-rf", "-rf", false),
            ("$(id)", "$(id)", false),
            ("~", "~", false),
        ] {
            let entry = format!("{{\"persistent_name\": \"{name}\", \"status\": \"active\"}}");
            let casting = Casting::registry(&format!("{{\"agents\": {{\"{key}\": {entry}}}}}"));
            assert_eq!(casting.problems.is_empty(), expected, "{key}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_registry() {
        for (text, expected) in [
            ("", ": empty file, expected a JSON object"),
            ("\u{feff}{\"agents\": {}}", "\u{feff}: invalid JSON: the file begins with a byte order mark"),
            ("[1]", "[: file is a list, expected an object"),
            ("{}", "{: missing field `agents`"),
            ("{\"agents\": []}", "[: `agents` is a list, expected an object"),
            ("{\"agents\": 1}", "1: `agents` is a number, expected an object"),
            ("{\"agents\": {\"a\": 1}}", "1: agent `a` is a number, expected an object"),
            (
                "{\"agents\": {\"__proto__\": {\"persistent_name\": \"A\", \"status\": \"active\"}}}",
                "\"__proto__\": key `__proto__` changes the object itself when JavaScript reads it",
            ),
            (
                "{\"agents\": {\"Ada L\": {\"persistent_name\": \"A\", \"status\": \"active\"}}}",
                "\"Ada L\": invalid agent key `Ada L`, expected lower-case letters, digits and hyphens",
            ),
            (
                "{\"agents\": {\"a\": {\"persistent_name\": \"\", \"status\": \"active\"}}}",
                "\"\": `persistent_name` of `a` is an empty string, expected text",
            ),
            ("{\"agents\": {\"a\": {\"persistent_name\": \"A\"}}}", "\"a\": missing field `status` in `a`"),
            (
                "{\"agents\": {\"a\": {\"persistent_name\": \"A\", \"status\": \"gone\"}}}",
                "\"gone\": unknown status `gone` of `a`, expected `active`, `inactive` or `retired`",
            ),
            ("{\"agents\": {}, \"agents\": {}}", "\"agents\": duplicate key `agents`"),
        ] {
            assert_eq!(messages(&Casting::registry(text), text), [expected], "{text}");
        }
    }

    #[test]
    fn an_agent_of_another_type_is_there_all_the_same() {
        let text = r#"{"agents": {"a": "A", "b": {"persistent_name": "B", "status": ["active"]}}}"#;
        let casting = Casting::registry(text);
        assert_eq!(
            messages(&casting, text),
            [
                "\"A\": agent `a` is a string, expected an object",
                "[\"active\"]: `status` of `b` is a list, expected text"
            ]
        );
        let agents = casting.agents.iter();
        let agents = agents.map(|agent| (agent.key.as_ref().unwrap().value.as_str(), agent.status));
        assert_eq!(agents.collect::<Vec<_>>(), [("a", Status::Away), ("b", Status::Away)]);
    }

    #[test]
    fn what_is_wrong_with_the_other_files() {
        let text = "{\"universe_capacity\": {\"Alien\": \"8\"}, \"allowlist_universes\": {}, \"x\": []}";
        assert_eq!(
            messages(&Casting::other(text), text),
            [
                "\"8\": `universe_capacity` is a string, expected an object of numbers",
                "{}: `allowlist_universes` is an object, expected a list"
            ]
        );
    }
}
