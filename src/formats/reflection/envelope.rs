//! What `claude -p` prints around a reflection.
//!
//! With `--output-format json` that is one object, `{"type": "result", …}`; with `--verbose`, too, a list of messages that ends
//! with this one; with `stream-json` a line for each of them. What `--json-schema` asked for is its `structured_output`.
//! Versions without that, and runs in which a model answered in its own words, have it as text in `result`, often in a
//! Markdown fence.

use super::problem::{Problem, ProblemKind, shortened};
use crate::formats::json::{Node, Places, SyntaxError, Value, unquote};

/// The value that `text` holds, or the result among the lines of a stream.
pub(super) fn parse(text: &str, places: &Places) -> Result<Node, SyntaxError> {
    Node::parse(text, places).or_else(|error| stream_result(text, places).ok_or(error))
}

fn stream_result(text: &str, places: &Places) -> Option<Node> {
    let start = text.trim_end().rfind('\n')? + 1;
    let (before, last) = text.split_at(start);
    if !before.trim_start().starts_with('{') {
        return None;
    }
    Node::parse(last, &places.behind(start)).ok().filter(is_result)
}

/// The reflection in `node`, which is one or what claude printed; `file` is the whole file.
pub(super) fn open(node: Node, file: &str) -> Result<Node, Problem> {
    let result = match &node.value {
        Value::Object(_) if is_result(&node) => &node,
        Value::List(items) => match items.iter().rev().find(|item| is_result(item)) {
            Some(result) => result,
            None => return Ok(node),
        },
        _ => return Ok(node),
    };
    if let Some(output) = result.get("structured_output").filter(|output| output.value != Value::Null) {
        return Ok(output.clone());
    }
    if let Some(problem) = failure(result) {
        return Err(problem);
    }
    let Some(answer) = result.get("result") else {
        return Err(Problem { span: start_of(result), kind: ProblemKind::NoAnswer });
    };
    if matches!(answer.value, Value::Object(_)) {
        return Ok(answer.clone());
    }
    let (text, places) = unquote(answer.span.of(file), answer.span.start());
    let Some((start, end)) = find_object(&text).filter(|_| answer.as_str().is_some()) else {
        return Err(Problem { span: answer.span, kind: ProblemKind::NoAnswer });
    };
    let object = text.get(start..end).unwrap_or_default();
    Node::parse(object, &places.behind(start))
        .map_err(|error| Problem { span: error.span, kind: ProblemKind::Syntax(error.message) })
}

fn is_result(node: &Node) -> bool {
    node.get("type").and_then(Node::as_str) == Some("result") && node.get("task_result").is_none()
}

/// The brace or bracket that opens `node`.
pub(super) fn start_of(node: &Node) -> crate::text::Span {
    crate::text::Span::new(node.span.start(), node.span.end().min(node.span.start() + 1))
}

/// What claude says about a run that did not end well.
fn failure(result: &Node) -> Option<Problem> {
    let subtype = result.get("subtype").filter(|subtype| subtype.as_str().is_some_and(|word| word != "success"));
    let is_error = result.get("is_error").filter(|is_error| is_error.value == Value::Bool(true));
    let place = subtype.or(is_error)?;
    let first_error = result.get("errors").and_then(|errors| errors.items().first()?.as_str());
    let words = subtype.and_then(Node::as_str).or(first_error);
    let words = words.or_else(|| result.get("result")?.as_str()?.lines().next());
    let reason = words.map_or_else(|| "no reason given".to_owned(), |words| format!("`{}`", shortened(words)));
    Some(Problem { span: place.span, kind: ProblemKind::Failed(reason) })
}

/// Where an object is in an answer: all of it, or what is in the last fence that holds one.
fn find_object(text: &str) -> Option<(usize, usize)> {
    let start = text.len() - text.trim_start().len();
    if text.get(start..)?.starts_with('{') {
        return Some((start, text.trim_end().len()));
    }
    let mut found = None;
    let mut fence = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with("```");
        match fence {
            Some(start) if line.trim() == "```" => {
                let inside = text.get(start..at)?;
                if inside.trim_start().starts_with('{') {
                    found = Some((start, at));
                }
                fence = None;
            }
            None if is_fence => fence = Some(at + line.len()),
            _ => {}
        }
        at += line.len();
    }
    found
}
