//! Entries in the lists of a JSON file: `hooks` → event → list. The text is edited at its places, so that all else in it stays as
//! it is, byte for byte, and what was added can be taken back.
//!
//! A list or object that was empty before gets its first value right after the bracket. One that is made has a blank or a line end
//! there. So it is known later whether it goes with its last value.

use super::json::{Json, Style};
use crate::formats::json::{Node, Places, SyntaxError, Value};
use crate::text::Span;

/// What a file says in the place of what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// The file is not JSON.
    Syntax { line: usize, message: String },
    /// A value is of another kind.
    Kind { place: String, noun: &'static str, expected: &'static str },
}

/// The value in `text`.
pub(super) fn parse(text: &str) -> Result<Node, Problem> {
    Node::parse(text, &Places::from(0)).map_err(|SyntaxError { span, message }| {
        let line = text.get(..span.start()).unwrap_or_default().matches('\n').count() + 1;
        Problem::Syntax { line, message }
    })
}

/// `text` with `entry` at the end of the list for `event`.
pub(super) fn added(text: &str, event: &'static str, entry: &Json) -> Result<String, Problem> {
    let root = parse(text)?;
    let list = || Json::List(vec![entry.clone()]);
    let kind =
        |place: &str, node: &Node, expected| Problem::Kind { place: place.to_owned(), noun: node.noun(), expected };
    let Value::Object(_) = root.value else { return Err(kind("the file", &root, "an object")) };
    let unit = unit(text, &root);
    let Some(hooks) = root.get("hooks") else {
        return Ok(insert(text, &root, unit, Some("hooks"), &Json::Object(vec![(event, list())])));
    };
    let Value::Object(_) = hooks.value else { return Err(kind("`hooks`", hooks, "an object")) };
    let Some(entries) = hooks.get(event) else { return Ok(insert(text, hooks, unit, Some(event), &list())) };
    match &entries.value {
        Value::List(_) => Ok(insert(text, entries, unit, None, entry)),
        _ => Err(kind(&format!("`hooks.{event}`"), entries, "a list")),
    }
}

/// `text` with the two members of its object in the other order; `None` if there are not two.
pub(super) fn swapped(text: &str) -> Option<String> {
    let root = parse(text).ok()?;
    let [first, second] = children(&root).try_into().ok()?;
    let (first, second): (Span, Span) = (first.span, second.span);
    let (before, after) = (text.get(..first.start())?, text.get(second.end()..)?);
    let between = Span::new(first.end(), second.start()).of(text);
    Some([before, second.of(text), between, first.of(text), after].concat())
}

/// `text` without what is ours; `None` if nothing is left that was there before.
///
/// `ours` takes the name of an event, an entry of its list, and the text. It says which parts of the entry are ours, each by the
/// numbers of the values that lead to it: none for the entry as a whole.
pub(super) fn removed(
    text: &str,
    ours: impl Fn(&str, &Node, &str) -> Vec<Vec<usize>>,
) -> Result<Option<String>, Problem> {
    let mut text = text.to_owned();
    loop {
        let root = parse(&text)?;
        let Some(way) = way_to_ours(&text, &root, &ours) else { return Ok(Some(text)) };
        match remove(&text, &root, &way) {
            Some(span) => text.replace_range(span.start()..span.end(), ""),
            None => return Ok(None),
        }
    }
}

/// The numbers of the values that lead from the root to the first part that squad-lint wrote.
fn way_to_ours(text: &str, root: &Node, ours: impl Fn(&str, &Node, &str) -> Vec<Vec<usize>>) -> Option<Vec<usize>> {
    let hooks = member(root, "hooks")?;
    let Value::Object(events) = &root.get("hooks")?.value else { return None };
    events.iter().enumerate().find_map(|(event, (_, name, list))| {
        list.items().iter().enumerate().find_map(|(item, entry)| {
            let part = ours(name, entry, text).into_iter().next()?;
            Some([&[hooks, event, item], part.as_slice()].concat())
        })
    })
}

/// The number of the member `key` of an object; the last one counts.
pub(super) fn member(node: &Node, key: &str) -> Option<usize> {
    children(node).iter().rposition(|child| child.key == Some(key))
}

/// A value in a list or an object.
struct Child<'a> {
    key: Option<&'a str>,
    /// With its key.
    span: Span,
    node: &'a Node,
}

fn children(node: &Node) -> Vec<Child<'_>> {
    match &node.value {
        Value::List(items) => items.iter().map(|node| Child { key: None, span: node.span, node }).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, name, node)| Child { key: Some(name), span: key.to(node.span), node }).collect()
        }
        _ => Vec::new(),
    }
}

/// What to delete so that the value at the end of `way` is gone, with the lists and objects that were made for it; `None` if all
/// of the file was.
fn remove(text: &str, root: &Node, way: &[usize]) -> Option<Span> {
    let (&at, rest) = way.split_first()?;
    let children = children(root);
    if !rest.is_empty()
        && let Some(span) = remove(text, children.get(at)?.node, rest)
    {
        return Some(span);
    }
    let Child { span: own, node, .. } = *children.get(at)?;
    match (at.checked_sub(1).and_then(|before| children.get(before)), children.get(at + 1)) {
        (Some(before), _) => Some(Span::new(before.span.end(), own.end())),
        (None, Some(after)) => Some(Span::new(own.start(), after.span.start())),
        // The bracket is the byte before: it was empty.
        (None, None) if own.start() == root.span.start() + 1 && !is_compact(text, node) => Some(own),
        (None, None) => None,
    }
}

/// Whether no blank is after the bracket of `node`: we write one. So another program formatted the file since, and where brackets
/// are says nothing any more.
fn is_compact(text: &str, node: &Node) -> bool {
    let inner = node.span.of(text).strip_prefix(['[', '{']);
    inner.is_some_and(|inner| !inner.starts_with(|c: char| c.is_ascii_whitespace()))
}

/// `text` with `value` as the last one in `container`.
fn insert(text: &str, container: &Node, unit: &str, key: Option<&str>, value: &Json) -> String {
    let children = children(container);
    let (at, separator, indent) = match children.as_slice() {
        [] => (container.span.start() + 1, String::new(), line_indent(text, container.span.start())),
        [.., last] => {
            let start = match children.len().checked_sub(2).and_then(|at| children.get(at)) {
                Some(before) => before.span.end(),
                None => container.span.start() + 1,
            };
            let lead = Span::new(start, last.span.start()).of(text).trim_start_matches(',');
            let lead = lead.rsplit_once(',').map_or(lead, |(_, lead)| lead);
            let indent = lead.contains('\n').then(|| lead.rsplit('\n').next().unwrap_or_default());
            (last.span.end(), if indent.is_some() { format!(",{lead}") } else { ", ".to_owned() }, indent)
        }
    };
    let style = style(text, indent, unit);
    let key = key.map(|key| format!("\"{key}\": ")).unwrap_or_default();
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    format!("{before}{separator}{key}{}{after}", value.render(style))
}

/// The style of values in `text`, on lines with this indentation or on one line.
fn style<'a>(text: &str, indent: Option<&'a str>, unit: &'a str) -> Style<'a> {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    indent.map_or(Style::Line, |indent| Style::Lines { end, indent, unit })
}

/// The blanks at the start of the line that holds the byte `at`; `None` if the text is one line.
fn line_indent(text: &str, at: usize) -> Option<&str> {
    let line = text.get(..at)?.rsplit('\n').next()?;
    let indent = line.get(..line.len() - line.trim_start().len())?;
    text.trim_end().contains('\n').then_some(indent)
}

/// What a level adds to the indentation of a line.
fn unit<'a>(text: &'a str, root: &Node) -> &'a str {
    let first = children(root).first().map_or(0, |child| child.span.start());
    let indent = text.get(..first).and_then(|before| before.rsplit_once('\n')).map_or("", |(_, indent)| indent);
    if !indent.is_empty() && indent.trim().is_empty() { indent } else { "  " }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Json {
        Json::Object(vec![
            ("type", Json::Text("command")),
            ("command", Json::Text("ours")),
            ("timeout", Json::Number(20)),
        ])
    }

    fn ours(_: &str, node: &Node, _: &str) -> Vec<Vec<usize>> {
        let is_ours = node.get("command").and_then(Node::as_str) == Some("ours");
        is_ours.then(Vec::new).into_iter().collect()
    }

    fn with(text: &str) -> String {
        let text = added(text, "A", &entry()).unwrap();
        added(&text, "B", &entry()).unwrap()
    }

    fn without(text: &str) -> Option<String> {
        removed(text, ours).unwrap()
    }

    #[test]
    fn what_was_added_is_removed_byte_for_byte() {
        for text in [
            "{}",
            "{ }\n",
            "{\n}\n",
            "{\"a\":1}",
            "{\n  \"a\": 1\n}\n",
            "{\r\n\t\"a\": [1,2],\r\n\t\"hooks\": {}\r\n}\r\n",
            "{\"hooks\":{\"A\":[]}}",
            "{ \"hooks\" : { \"A\" : [ ] , \"B\":[\n] }, \"z\": null }",
            "{\n    \"hooks\": {\n        \"A\": [{\"command\": \"theirs\"}]\n    }\n}",
            "{\n  \"hooks\": {\n    \"B\": [\n      {\n        \"command\": \"theirs\"\n      },\n      {\n        \"command\": \"x,\\n\"\n      }\n    ]\n  }\n}\n",
            "{\"hooks\": {\"C\": [1, 2]}}\n",
        ] {
            let longer = with(text);
            assert!(serde_json::from_str::<serde_json::Value>(&longer).is_ok(), "{text}\n{longer}");
            assert_eq!(longer.matches("ours").count(), 2, "{longer}");
            assert_eq!(without(&longer).as_deref(), Some(text), "{longer}");
        }
    }

    #[test]
    fn what_was_added_is_removed_after_another_program_formatted_it() {
        for (before, left) in [("{}", None), ("{\"a\":1}", Some("{\"a\":1}"))] {
            let compact: String = with(before).split_whitespace().collect();
            assert_eq!(without(&compact).as_deref(), left, "{compact}");
        }
    }

    #[test]
    fn what_others_add_later_stays() {
        let text = with("{\n  \"a\": 1\n}\n");
        let text = text.replacen("[\n", "[\n      {\"command\": \"first\"},\n", 1).replacen(
            "\n    ],",
            ",\n      3\n    ],",
            1,
        );
        let left = without(&text).unwrap();
        let left: serde_json::Value = serde_json::from_str(&left).unwrap();
        assert_eq!(left, serde_json::json!({"a": 1, "hooks": {"A": [{"command": "first"}, 3]}}));
    }

    #[test]
    fn added_lines_have_the_indentation_of_their_neighbours() {
        let expected = "{\n\t\"hooks\": {\n\t\t\"A\": [\n\t\t\t1,\n\t\t\t{\n\t\t\t\t\"type\": \"command\",\n\t\t\t\t\"command\": \"ours\",\n\
                        \t\t\t\t\"timeout\": 20\n\t\t\t}\n\t\t]\n\t}\n}\n";
        let text = "{\n\t\"hooks\": {\n\t\t\"A\": [\n\t\t\t1\n\t\t]\n\t}\n}\n";
        assert_eq!(added(text, "A", &entry()).unwrap(), expected);
    }

    #[test]
    fn what_is_not_understood_is_said() {
        for (text, expected) in
            [("[]", "the file"), ("{\"hooks\": []}", "`hooks`"), ("{\"hooks\": {\"A\": {}}}", "`hooks.A`")]
        {
            let Err(Problem::Kind { place, .. }) = added(text, "A", &entry()) else { panic!("{text}") };
            assert_eq!(place, expected);
        }
        let error = added("{\n  // comment\n}", "A", &entry()).unwrap_err();
        assert!(matches!(error, Problem::Syntax { line: 2, .. }), "{error:?}");
    }
}
