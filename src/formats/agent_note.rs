//! What agents of a squad write into notes of git. See `docs/formats/squad-folders.md`.

use super::governed::odd_key;
use super::json::{Node, Places};
use super::json_shape::{self, Field, Of, Problem, optional, required};

const TYPES: [&str; 5] = ["decision", "research", "review", "progress", "security"];

const NOTE: [Field; 5] = [
    required("agent", Of::Text),
    required("timestamp", Of::Time),
    required("type", Of::Word(&TYPES)),
    optional("decision", Of::Text),
    optional("content", Of::Text),
];

/// The first problem of the note `text`: one JSON object, or several that `git notes append` put below each other.
pub fn problem(text: &str) -> Option<String> {
    let whole = Node::parse(text, &Places::from(0));
    let nodes: Vec<Node> = match whole {
        Ok(node) => vec![node],
        Err(error) => {
            let rows = text.lines().filter(|line| !line.trim().is_empty());
            let by_line: Result<Vec<Node>, _> = rows.map(|line| Node::parse(line, &Places::from(0))).collect();
            let parts = text.split("\n\n").filter(|part| !part.trim().is_empty());
            let by_part = || parts.map(|part| Node::parse(part, &Places::from(0))).collect::<Result<Vec<Node>, _>>();
            match by_line.or_else(|_| by_part()) {
                Ok(nodes) if !nodes.is_empty() => nodes,
                _ => return Some(format!("invalid JSON: {}", error.message)),
            }
        }
    };
    let mut problems = Vec::new();
    for node in &nodes {
        problems.extend(node.odd_keys().into_iter().map(odd_key));
        let is_object = json_shape::check(node, &NOTE, &mut problems);
        if is_object && node.get("content").is_none() && node.get("decision").is_none() {
            problems.push(Problem::new(node.span, "missing field `content`", "no `content`", "add `content`"));
        }
    }
    problems.into_iter().next().map(|problem| problem.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_agents() {
        let note = r#"{"agent":"Mira","timestamp":"2026-11-02T09:00:00Z","type":"review","content":"ok"}"#;
        let decision = note.replace("review", "decision").replace("\"content\"", "\"reasoning\":\"x\",\"decision\"");
        for text in [note.to_owned(), decision, format!("{note}\n\n{note}\n"), format!("{note}\n{note}")] {
            assert_eq!(problem(&text), None, "{text}");
        }
        for (text, expected) in [
            ("", "invalid JSON: the text ends where a value is expected"),
            ("looks good", "invalid JSON: expected a value"),
            ("[]", "found a list, expected an object"),
            (r#"{"agent":"Mira","timestamp":"2026-11-02","type":"review"}"#, "missing field `content`"),
            (
                r#"{"agent":7,"timestamp":"2026-11-02","type":"review","content":""}"#,
                "`agent` is a number, expected a string",
            ),
            (
                r#"{"agent":"Mira","timestamp":"2026-11-02","type":"review","content":"ok","agent":"Wren"}"#,
                "duplicate key `agent`",
            ),
            (r#"{"agent":"Mira","timestamp":"now","type":"review","content":"ok"}"#, "`timestamp` is not a timestamp"),
        ] {
            assert_eq!(problem(text).as_deref(), Some(expected), "{text}");
        }
    }
}
