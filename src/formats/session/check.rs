//! The fields of a file against those of its kind.

use std::collections::HashSet;

use super::field::{Agent, Phase};
use super::kind::Kind;
use super::meant;
use super::problem::{Fault, Problem};
use super::reader::Reader;
use super::shape::{FieldShape, Of, fields};
use super::template;
use super::value;
use crate::formats::yaml::{Node, Value};
use crate::text::Span;
use crate::text::prose::enumerated;
use crate::text::suggest::{Tolerance, nearest};

/// Adds what is wrong with the fields of `root`, the content of a file of `kind`.
pub(super) fn check(root: &Node, kind: Kind, reader: &Reader<'_>, problems: &mut Vec<Problem>) {
    let mut check = Check { reader, problems, seen: HashSet::new() };
    check.mapping(root, fields(kind), kind.noun(), Span::at(root.span.start()));
    match kind {
        Kind::Message => check.response_by(root),
        Kind::Plan | Kind::Progress => check.instance(root),
        _ => {}
    }
}

struct Check<'r, 'a> {
    reader: &'r Reader<'a>,
    problems: &'r mut Vec<Problem>,
    /// Values with a problem: aliases lead to the same one again.
    seen: HashSet<Span>,
}

impl<'a> Check<'_, 'a> {
    /// `node`, the mapping `whose`, which is known by what is at `head`.
    fn mapping(&mut self, node: &'a Node, fields: &[FieldShape], whose: &str, head: Span) {
        let reader = self.reader;
        let first = reader.pairs(node).first().map(|(key, _)| key.span);
        let mut missing: Vec<&'static str> = Vec::new();
        for field in fields {
            match reader.pair(node, field.name) {
                Some((key, value)) if !is_nothing(value) && !lacks_words(value, field) => {
                    self.value(value, key.span, field);
                }
                Some((key, _)) if field.required => {
                    let message = format!("empty field `{}` in {whose}", field.name);
                    self.report(Fault::Missing, key.span, message, || {
                        ("expected a value".to_owned(), format!("write a value for `{}`", field.name))
                    });
                }
                None if field.required => missing.push(field.name),
                _ => {}
            }
        }
        missing.retain(|name| !self.near_miss(node, fields, name));
        if missing.is_empty() {
            return;
        }
        let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
        let names = enumerated(&names);
        let noun = if missing.len() == 1 { "field" } else { "fields" };
        let problem = Problem::new(
            Fault::Missing,
            first.unwrap_or(head),
            format!("missing {noun} {names} in {whose}"),
            format!("missing {names}"),
            format!("add {}", missing.iter().map(|name| meant::example(name)).collect::<Vec<_>>().join(", ")),
        );
        self.problems.push(problem);
    }

    /// Whether a key of the mapping `node` that no field has is probably meant for `name`.
    fn near_miss(&mut self, node: &'a Node, fields: &[FieldShape], name: &'static str) -> bool {
        let is_known = |key: &str| fields.iter().any(|field| field.name == key);
        let keys = self.reader.pairs(node).iter().map(|(key, _)| key);
        let mut keys = keys.filter_map(|key| key.as_str().map(|text| (key.span, text)));
        let near = |(_, text): &(Span, &str)| !is_known(text) && nearest(text, [name], Tolerance::Help).is_some();
        let Some((span, text)) = keys.find(near) else { return false };
        self.report(Fault::Missing, span, format!("unknown field `{}`, expected `{name}`", value::short(text)), || {
            (format!("did you mean `{name}`?"), format!("write `{name}`"))
        });
        true
    }

    fn value(&mut self, node: &'a Node, key: Span, field: &FieldShape) {
        let name = field.name;
        match field.of {
            Of::Text => self.text(node, name),
            Of::Name => self.name(node, name),
            Of::Agent => self.agent(node, name),
            Of::Time => self.time(node, name),
            Of::Word(words) => self.word(node, name, words),
            Of::Count(least, most) => self.count(node, name, least, most),
            Of::Amount => self.amount(node, name, f64::INFINITY),
            Of::Share => self.amount(node, name, 1.0),
            Of::Flag if matches!(node.value, Value::Bool(_)) => {}
            Of::Flag => match node.as_str().map(str::trim).filter(|text| matches!(*text, "true" | "false")) {
                Some(text) => self.quoted(node, name, text, "`true` or `false`"),
                None => self.wrong(node, name, "`true` or `false`"),
            },
            Of::Path => self.path(node, name, "a path"),
            Of::Globs | Of::Paths if self.is_file_name(node, name) => {}
            Of::Globs => self.list(node, field, |check, item| match is_nothing(item) {
                true => check.empty_glob(item, name),
                false => check.path(item, name, "a glob"),
            }),
            Of::Paths if matches!(node.value, Value::Mapping(_) | Value::Sequence(_)) => self.paths(node, name),
            Of::Prose => self.list(node, field, |_, _| {}),
            Of::Names => self.list(node, field, |check, item| check.name(item, name)),
            Of::Agents => self.list(node, field, |check, item| check.agent(item, name)),
            Of::Mapping(fields) if node.pairs().is_some() => self.mapping(node, fields, &format!("`{name}`"), key),
            Of::Mappings(fields) => self.list(node, field, |check, item| match item.pairs() {
                Some(_) => check.mapping(item, fields, &format!("an item of `{name}`"), item.span),
                None => check.no_mapping(item, name, fields),
            }),
            Of::Table(fields) if node.pairs().is_some() => {
                let reader = self.reader;
                for (key, value) in reader.pairs(node) {
                    match reader.follow(value) {
                        Some(inner) if inner.pairs().is_some() => {
                            let whose = format!("`{}`", value::short(reader.written(key).unwrap_or_default()));
                            self.mapping(inner, fields, &whose, key.span);
                        }
                        Some(inner) => self.wrong(inner, reader.written(key).unwrap_or(name), A_MAPPING),
                        None => {}
                    }
                }
            }
            Of::Words(words) if node.pairs().is_some() => {
                let reader = self.reader;
                let has = |phase: &str| {
                    let mut keys = reader.pairs(node).iter().filter_map(|(key, _)| key.as_str());
                    keys.any(|key| key.eq_ignore_ascii_case(phase))
                };
                let open: Vec<&'static str> = Phase::WORDS.iter().copied().filter(|phase| !has(phase)).collect();
                for (key, value) in reader.pairs(node) {
                    self.gate(key, &open);
                    if let Some(inner) = reader.follow(value) {
                        let gate = reader.written(key).unwrap_or(name);
                        self.word_of(inner, gate, words, |state| {
                            format!("unknown state `{state}` of the gate `{}`", value::short(gate))
                        });
                    }
                }
            }
            Of::Free if matches!(node.value, Value::Mapping(_) | Value::Sequence(_)) => {}
            // An empty one would not do, either.
            Of::Mapping(fields) if fields.iter().any(|field| field.required) => self.no_mapping_at(node, name),
            Of::Words(_) => self.no_mapping_at(node, name),
            Of::Mapping(_) | Of::Table(_) | Of::Paths | Of::Free => self.wrong(node, name, A_MAPPING),
        }
    }

    /// An item of the list `name` that should have `fields`.
    fn no_mapping(&mut self, item: &'a Node, name: &str, fields: &[FieldShape]) {
        let required: Vec<&str> = fields.iter().filter(|field| field.required).map(|field| field.name).collect();
        let names = enumerated(&required.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>());
        let message = format!("an item of `{name}` is {}, expected a mapping with {names}", item.kind());
        self.report(Fault::Value, item.span, message, || {
            if let (Some(text), [first]) = (item.as_str(), required.as_slice()) {
                return (format!("expected {names}"), format!("write `{first}: {}`", value::short(text)));
            }
            let lines: Vec<String> = required.iter().map(|name| meant::example(name)).collect();
            (format!("expected {names}"), format!("write {}", lines.join(", ")))
        });
    }

    fn list(&mut self, node: &'a Node, field: &FieldShape, mut check: impl FnMut(&mut Self, &'a Node)) {
        if node.items().is_none() {
            return self.no_list(node, field);
        }
        let reader = self.reader;
        for item in reader.items(node) {
            check(self, item);
        }
    }

    /// A value where a list should be.
    fn no_list(&mut self, node: &'a Node, field: &FieldShape) {
        let message = format!("`{}` is {}, expected a list", field.name, node.kind());
        let is_text = matches!(field.of, Of::Agents | Of::Globs);
        let help = meant::list(self.reader.written(node).unwrap_or_default().trim(), is_text);
        self.report(Fault::Value, node.span, message, || ("expected a list".to_owned(), help));
    }

    /// Text, or a value that people mean as text.
    fn text(&mut self, node: &'a Node, name: &str) {
        let blanks = [format!("[{name}]"), format!("<{name}>"), format!("{{{name}}}")];
        // Without quotes, the first is a list in YAML, and the last a mapping.
        let text = node.as_str().unwrap_or_else(|| self.reader.source(node)).trim();
        if let Some(blank) = blanks.iter().find(|blank| *blank == text) {
            return self.template(node, name, blank);
        }
        if !matches!(node.value, Value::String(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_)) {
            self.wrong(node, name, "text");
        }
    }

    /// `expected`, which is text: anything that looks like another type must be in quotes.
    fn path(&mut self, node: &'a Node, name: &str, expected: &str) {
        let found = match node.as_str() {
            Some(text) => template::is_path(text).then(|| text.trim().to_owned()),
            None => in_list(node).map(|word| format!("[{word}]")).filter(|text| template::is_path(text)),
        };
        if let Some(found) = found {
            self.template(node, name, &found);
        } else if node.as_str().is_none() {
            let message = format!("`{name}` is {}, expected {expected}", node.kind());
            let help = format!("write {expected}, and put it in quotes if it is a number or begins with `[` or `{{`");
            self.report(Fault::Value, node.span, message, || (format!("expected {expected}"), help));
        }
    }

    /// Reports placeholders of the template among the paths in `node`. The team may have chosen all other names.
    fn paths(&mut self, node: &'a Node, name: &str) {
        let reader = self.reader;
        let values = reader.pairs(node).iter().filter_map(|(_, value)| reader.follow(value));
        for value in values.chain(reader.items(node)) {
            for path in std::iter::once(value).chain(reader.items(value)) {
                if !self.is_file_name(path, name) && path.as_str().is_some_and(template::is_path) {
                    self.path(path, name, "a path");
                }
            }
        }
    }

    /// Whether `node` is `[filename]`, which is a list in YAML. It is reported.
    fn is_file_name(&mut self, node: &'a Node, name: &str) -> bool {
        let is_left = in_list(node) == Some("filename") && self.reader.is_in_brackets(node);
        if is_left {
            self.template(node, name, "[filename]");
        }
        is_left
    }

    fn empty_glob(&mut self, node: &'a Node, name: &str) {
        if let Some((tag, span)) = self.reader.tag(node) {
            let message = format!("YAML reads `{}` as a tag, expected a glob", value::short(tag));
            return self
                .report(Fault::Value, span, message, || ("matches nothing".to_owned(), meant::tagged(tag, name)));
        }
        let message = format!("`{name}` has an empty item, expected a glob");
        self.report(Fault::Value, node.span, message, || {
            ("matches nothing".to_owned(), "write a glob such as `src/**`, or remove the item".to_owned())
        });
    }

    /// A name, or a number as in `task_id: 7`.
    fn name(&mut self, node: &'a Node, name: &str) {
        let is_name = self.reader.written(node).is_some() && !is_nothing(node);
        if !self.is_template(node, name) && !is_name {
            self.wrong(node, name, "a name");
        }
    }

    fn agent(&mut self, node: &'a Node, name: &str) {
        let is_name = matches!(node.value, Value::String(_)) && !is_nothing(node);
        // No agent has such a name.
        if node.as_str().is_some_and(|text| text.contains('|')) {
            let message = format!("`{name}` still lists the choices of the template, expected one of them");
            self.report(Fault::Placeholder, node.span, message, || {
                (String::new(), "write the name of one agent".to_owned())
            });
        } else if !self.is_template(node, name) && !is_name {
            let message = format!("`{name}` is {}, expected the name of an agent", node.kind());
            self.report(Fault::Value, node.span, message, || {
                let help = "write the name of an agent, in quotes if YAML reads it as another value";
                ("expected the name of an agent".to_owned(), help.to_owned())
            });
        }
        if node.as_str().is_some_and(|text| Agent::parse(text).instance == Some(0)) {
            let message = format!("`{name}` names instance 0, expected 1 or higher");
            self.report(Fault::Value, node.span, message, || {
                (
                    "instance numbers start at 1".to_owned(),
                    "write the number of the instance, as in `backend[1]`".to_owned(),
                )
            });
        }
    }

    /// Reports an instance in `meta` that differs from that in the name of the agent.
    fn instance(&mut self, root: &'a Node) {
        let Some(meta) = self.reader.get(root, "meta") else { return };
        let agent = self.reader.get(meta, "agent").and_then(Node::as_str).map(Agent::parse);
        let (Some(node), Some(named)) = (self.reader.get(meta, "instance"), agent.and_then(|agent| agent.instance))
        else {
            return;
        };
        if let Some(count) = value::count(node).filter(|count| *count > 0 && *count != named) {
            let message = format!("`instance` is {count}, expected {named} as in `agent`");
            self.report(Fault::Value, node.span, message, || {
                (String::new(), "write the same number in both, or only in one of them".to_owned())
            });
        }
    }

    fn time(&mut self, node: &'a Node, name: &str) {
        if self.is_template(node, name) || value::time(node).is_some() {
            return;
        }
        let reason = match node.as_str() {
            Some(text) => value::time_fault(text),
            None => format!("is {}", node.kind()),
        };
        let message = format!("`{name}` {reason}, expected a timestamp such as `2024-01-15T10:30:00Z`");
        self.report(Fault::Value, node.span, message, || {
            ("not a timestamp".to_owned(), "write date, time and offset, as in `2024-01-15T10:30:00Z`".to_owned())
        });
    }

    fn word(&mut self, node: &'a Node, name: &str, words: &[&'static str]) {
        self.word_of(node, name, words, |word| format!("unknown `{name}` `{word}`"));
    }

    /// One of `words`; `unknown` says what another word is.
    fn word_of(&mut self, node: &'a Node, name: &str, words: &[&'static str], unknown: impl Fn(&str) -> String) {
        let Some(text) = node.as_str() else { return self.wrong(node, name, &one_of(words)) };
        if words.contains(&text) {
            return;
        }
        if template::is_choice(text, words) {
            let message = format!("`{name}` still lists the choices of the template, expected one of them");
            return self.report(Fault::Placeholder, node.span, message, || {
                (String::new(), format!("write {}", one_of(words)))
            });
        }
        if template::blank(text).is_some() {
            self.is_template(node, name);
            return;
        }
        let message = format!("{}, expected {}", unknown(&value::short(text)), one_of(words));
        self.report(Fault::Value, node.span, message, || match meant::word(text, words) {
            Some(meant) => (format!("did you mean `{meant}`?"), format!("write `{meant}`")),
            None => ("unknown value".to_owned(), format!("write {}", one_of(words))),
        });
    }

    /// Reports `key` of a gate, if it is probably meant for one of the phases `open`, which have no gate. A team may have gates of
    /// its own.
    fn gate(&mut self, key: &'a Node, open: &[&'static str]) {
        let Some(name) = key.as_str().filter(|name| !Phase::WORDS.iter().any(|phase| name.eq_ignore_ascii_case(phase)))
        else {
            return;
        };
        if let Some(meant) = nearest(name, open.iter().copied(), Tolerance::Help) {
            let message = format!("unknown gate `{}`, expected `{meant}`", value::short(name));
            self.report(Fault::Value, key.span, message, || {
                (format!("did you mean `{meant}`?"), format!("write `{meant}`"))
            });
        }
    }

    fn count(&mut self, node: &'a Node, name: &str, least: u64, most: u64) {
        let range = least..=most;
        if value::count(node).is_some_and(|count| range.contains(&count)) || self.is_template(node, name) {
            return;
        }
        let expected = match (least, most) {
            (least, u64::MAX) => format!("a whole number, {least} or more"),
            (least, most) => format!("a whole number from {least} to {most}"),
        };
        self.number(node, name, &expected, |text| text.parse().is_ok_and(|count: u64| range.contains(&count)));
    }

    fn amount(&mut self, node: &'a Node, name: &str, most: f64) {
        let range = 0.0..=most;
        if node.as_number().is_some_and(|number| range.contains(&number)) {
            return;
        }
        let expected =
            if most.is_finite() { format!("a number from 0 to {most}") } else { "a number from 0".to_owned() };
        self.number(node, name, &expected, |text| text.parse().is_ok_and(|number: f64| range.contains(&number)));
    }

    /// A value that is not the number that is `expected`; `takes` says which numbers are.
    fn number(&mut self, node: &'a Node, name: &str, expected: &str, takes: impl Fn(&str) -> bool) {
        match node.value {
            Value::Int(number) => self.wrong_as(node, name, &number.to_string(), expected),
            // As it is written: `3600.0` is not `3600`.
            Value::Float(number) => {
                let written = self.reader.written(node).map_or_else(|| number.to_string(), value::short);
                self.wrong_as(node, name, &written, expected);
            }
            _ => {
                let meant =
                    || node.as_str().and_then(|text| meant::number(text, name)).map(|number| number.to_string());
                match node.as_str().map(str::trim).filter(|text| takes(text)) {
                    Some(text) => self.quoted(node, name, text, expected),
                    None => match meant().filter(|meant| takes(meant)) {
                        Some(meant) => {
                            self.wrong_with_help(node, name, node.kind(), expected, format!("write `{meant}`"));
                        }
                        None => self.wrong(node, name, expected),
                    },
                }
            }
        }
    }

    /// Text where the value should be that it looks like.
    fn quoted(&mut self, node: &Node, name: &str, text: &str, expected: &str) {
        let message = format!("`{}` is {}, expected {expected}", value::short(name), node.kind());
        let help = format!("write `{}` without quotes", value::short(text));
        self.report(Fault::Value, node.span, message, || (format!("expected {expected}"), help));
    }

    /// Whether `node` has a part of the template, which is reported.
    fn is_template(&mut self, node: &'a Node, name: &str) -> bool {
        let found = match node.as_str() {
            Some(text) => template::blank(text).map(str::to_owned),
            None => in_list(node).filter(|word| template::is_blank(word)).map(|word| format!("[{word}]")),
        };
        let Some(found) = found else { return false };
        self.template(node, name, &found);
        true
    }

    /// Reports `found`, a part of the template.
    fn template(&mut self, node: &'a Node, name: &str, found: &str) {
        let message = format!("`{name}` still has `{found}` from the template, expected a value");
        self.report(Fault::Placeholder, node.span, message, || (String::new(), meant::replacement(name, found)));
    }

    fn response_by(&mut self, root: &'a Node) {
        let needed = self.reader.pair(root, "response_needed").filter(|(_, value)| value.value == Value::Bool(true));
        let Some((key, _)) = needed else { return };
        let (span, state, label) = match self.reader.pair(root, "response_by") {
            Some((key, value)) if is_nothing(value) => (key.span, "empty", "expected a timestamp"),
            Some(_) => return,
            None => (key.span, "missing", "missing `response_by`"),
        };
        let message = format!("{state} field `response_by`, expected a timestamp because `response_needed` is true");
        let help = "set `response_by` to the time when you need the answer, such as `2024-01-15T10:30:00Z`";
        self.report(Fault::Missing, span, message, || (label.to_owned(), help.to_owned()));
    }

    fn wrong(&mut self, node: &Node, name: &str, expected: &str) {
        self.wrong_as(node, name, node.kind(), expected);
    }

    fn wrong_as(&mut self, node: &Node, name: &str, found: &str, expected: &str) {
        let help = match node.as_str().is_some_and(meant::is_none) && expected == A_MAPPING {
            true => "write `{}`".to_owned(),
            false => format!("write {expected}"),
        };
        self.wrong_with_help(node, name, found, expected, help);
    }

    fn no_mapping_at(&mut self, node: &Node, name: &str) {
        self.wrong_with_help(node, name, node.kind(), A_MAPPING, format!("write {A_MAPPING}"));
    }

    fn wrong_with_help(&mut self, node: &Node, name: &str, found: &str, expected: &str, help: String) {
        let message = format!("`{}` is {found}, expected {expected}", value::short(name));
        self.report(Fault::Value, node.span, message, || (format!("expected {expected}"), help));
    }

    /// Adds a problem at `span`, each place once; `words` are its label and its help.
    fn report(&mut self, fault: Fault, span: Span, message: String, words: impl FnOnce() -> (String, String)) {
        if self.seen.insert(span) {
            let (label, help) = words();
            self.problems.push(Problem::new(fault, span, message, label, help));
        }
    }
}

/// What several fields take.
const A_MAPPING: &str = "a mapping";

/// The only word of a list: `task_id: [timestamp]` is a list in YAML.
fn in_list(node: &Node) -> Option<&str> {
    node.items().filter(|items| items.len() == 1).and_then(<[_]>::first).and_then(Node::as_str)
}

fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    format!("one of {}", quoted.join(", "))
}

/// Whether `node` should name words, and has none.
fn lacks_words(node: &Node, field: &FieldShape) -> bool {
    matches!(field.of, Of::Words(_)) && node.pairs().is_some_and(<[_]>::is_empty)
}

/// Whether nothing is written.
fn is_nothing(node: &Node) -> bool {
    match &node.value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        _ => false,
    }
}
