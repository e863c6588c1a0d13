//! Paths of one machine in JSON.

use crate::formats::json::Node;
use crate::formats::team_config::is_absolute;
use crate::text::Span;

/// The value of `teamRoot`, without its quotes, if it is an absolute path on any system.
pub fn absolute_team_root(text: &str) -> Option<Span> {
    let node = Node::parse_file(text).ok()?;
    let root = node.get("teamRoot")?;
    let value = root.as_str()?;
    is_absolute(value).then(|| Span::new(root.span.start() + 1, root.span.end() - 1))
}

/// The strings of a JSON text, without their quotes.
pub fn strings(text: &str) -> impl Iterator<Item = Span> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + memchr::memchr(b'"', bytes.get(at..)?)? + 1;
        let mut end = start;
        loop {
            end += memchr::memchr2(b'"', b'\\', bytes.get(end..)?)?;
            if bytes.get(end) == Some(&b'"') {
                break;
            }
            end += 2;
        }
        at = end + 1;
        Some(Span::new(start, end))
    })
}

/// Whether a JSON string, as it is written, begins like a path of one machine.
pub fn is_of_machine(value: &str) -> bool {
    let homes = ["/Users/", "/home/", "/root/", "/mnt/", "/Volumes/", "/workspaces/", "/workspace/", "file:///"];
    let bytes = value.as_bytes();
    let is_drive = matches!(bytes, [letter, b':', b'\\' | b'/', next, ..]
        if letter.is_ascii_alphabetic() && (bytes.get(2) == Some(&b'\\') || *next != b'/'));
    is_drive || homes.iter().any(|home| value.len() > home.len() && value.starts_with(home))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_machines() {
        for value in ["/Users/verbal/x", "/home/k/x", r"C:\\Repos\\x", "c:/Repos", "/root/x", "/workspaces/x"] {
            assert!(is_of_machine(value), "{value}");
        }
        for value in ["/", "./", "/api/users", "C:", "a:b", "https://x/Users/", "/homework", "/home/", "x://y"] {
            assert!(!is_of_machine(value), "{value}");
        }
    }

    #[test]
    fn absolute_roots_of_teams() {
        for root in ["/srv/team", "/opt/x", r"\\\\srv\\x", r"D:\\team"] {
            let text = format!("{{\"teamRoot\": \"{root}\"}}");
            assert_eq!(absolute_team_root(&text).map(|span| span.of(&text)), Some(root));
        }
        for text in [r#"{"teamRoot": "../team"}"#, r#"{"x": "/srv"}"#, r#"{"teamRoot": 1}"#, "{"] {
            assert_eq!(absolute_team_root(text), None, "{text}");
        }
    }

    #[test]
    fn strings_end_where_they_end() {
        let text = r#"{"a": "x\"y", "b": ["\\"]"#;
        let found: Vec<_> = strings(text).map(|span| span.of(text)).collect();
        assert_eq!(found, ["a", r#"x\"y"#, "b", r"\\"]);
    }
}
