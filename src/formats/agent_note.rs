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
    let parts = parts(text);
    let parsed = parts.into_iter().map(|part| Node::parse(part, &Places::from(0)));
    let nodes = match parsed.collect::<Result<Vec<Node>, _>>() {
        Ok(nodes) => nodes,
        Err(error) => return Some(format!("invalid JSON: {}", error.message)),
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

/// The objects and lists of `text`, and what is between them. All of a text without any.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut in_string, mut is_escaped) = (Vec::new(), 0, 0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = in_string,
            b'"' if depth > 0 => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => {
                if depth == 0 {
                    parts.extend(text.get(start..at));
                    start = at;
                }
                depth += 1;
            }
            b'}' | b']' if depth == 1 => {
                parts.extend(text.get(start..=at));
                (start, depth) = (at + 1, 0);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    parts.extend(text.get(start..));
    parts.retain(|part| !part.trim().is_empty());
    if parts.is_empty() { vec![text] } else { parts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_agents() {
        let note = r#"{"agent":"Mira","timestamp":"2026-11-02T09:00:00Z","type":"review","content":"ok"}"#;
        let pretty = note.replace("\",", "\",\n\n  ").replace("ok", "} a \\\" { b");
        let decision = note.replace("review", "decision").replace("\"content\"", "\"reasoning\":\"x\",\"decision\"");
        for text in [
            note.to_owned(),
            decision,
            format!("{note}\n\n{note}\n"),
            format!("{note}\n{note}"),
            pretty.clone(),
            format!("{pretty}\n{pretty}\n\n{note}"),
        ] {
            assert_eq!(problem(&text), None, "{text}");
        }
        for (text, expected) in [
            ("", "invalid JSON: the text ends where a value is expected"),
            ("looks good", "invalid JSON: expected a value"),
            (&format!("{note}\n\nlooks good\n"), "invalid JSON: expected a value"),
            (&format!("{note}\n\n{{\"agent\": \"Mira\"\n\n{note}"), "invalid JSON: expected `,` or `}`"),
            (&format!("{note}\n\n{{\"agent\": \"Mira\"}}\n\n{note}"), "missing field `timestamp`"),
            (&format!("{note}\n\n{note}}}"), "invalid JSON: expected a value"),
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
