//! The configuration of a squad: `.squad/config.json`. See `docs/formats/squad-folders.md`.

use std::borrow::Cow;

use super::json::{Node, Places, Value};
use crate::text::bom_len;

/// What a `config.json` says about where the state of the team is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamConfig {
    /// Where the state is kept.
    pub backend: Backend,
    /// The folder of the team, if it is another one.
    pub team_root: Option<String>,
    /// Whether the state is outside of the repository.
    pub is_external: bool,
    /// Whether the machine consults the team of another repository.
    pub is_consulting: bool,
}

/// Where a team keeps its state: `stateBackend`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// In the work tree: `local`, or `worktree` as it was called before. The default, and what Squad falls back to.
    #[default]
    WorkTree,
    /// On a branch of its own: `orphan`.
    Branch,
    /// On a branch of its own, and in notes: `two-layer`, or `git-notes` as it was called before.
    BranchAndNotes,
}

impl Backend {
    /// Whether the state is on a branch of its own.
    pub fn has_branch(self) -> bool {
        self != Self::WorkTree
    }
}

impl TeamConfig {
    /// Reads `text`, also with comments. A text that is not an object says nothing, and neither does a value of another type.
    pub fn parse(text: &str) -> Self {
        let text = text.get(bom_len(text)..).unwrap_or_default();
        let node = Node::parse(text, &Places::from(0));
        let Ok(node) = node.or_else(|_| Node::parse(&without_comments(text), &Places::from(0))) else {
            return Self::default();
        };
        let string = |key: &str| node.get(key).and_then(Node::as_str);
        Self {
            backend: match string("stateBackend") {
                Some("orphan") => Backend::Branch,
                Some("two-layer" | "git-notes") => Backend::BranchAndNotes,
                _ => Backend::WorkTree,
            },
            team_root: string("teamRoot").filter(|root| !matches!(*root, "" | "." | "./")).map(str::to_owned),
            is_external: string("stateLocation") == Some("external"),
            is_consulting: node.get("consult").is_some_and(|consult| consult.value == Value::Bool(true)),
        }
    }

    /// Whether it belongs to one machine: no other one has what it leads to.
    pub fn is_of_machine(&self) -> bool {
        self.is_external || self.is_consulting
    }
}

/// `text` with blanks in the place of comments.
fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("//") && !text.contains("/*") {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = match c {
            '"' => string_len(rest),
            '/' if rest.starts_with("//") => {
                rest = rest.find('\n').and_then(|end| rest.get(end..)).unwrap_or_default();
                continue;
            }
            '/' if rest.starts_with("/*") => {
                rest = rest.find("*/").and_then(|end| rest.get(end + 2..)).unwrap_or_default();
                continue;
            }
            c => c.len_utf8(),
        };
        let (part, behind) = rest.split_at_checked(len).unwrap_or((rest, ""));
        out.push_str(part);
        rest = behind;
    }
    out.into()
}

/// The length of the JSON string at the start of `text`, in bytes.
fn string_len(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backends_by_their_names() {
        for (text, backend) in [
            (r#"{"stateBackend":"orphan"}"#, Backend::Branch),
            (r#"{"stateBackend":"two-layer"}"#, Backend::BranchAndNotes),
            (r#"{"stateBackend":"git-notes"}"#, Backend::BranchAndNotes),
            (r#"{"stateBackend":"local"}"#, Backend::WorkTree),
            (r#"{"stateBackend":"worktree"}"#, Backend::WorkTree),
            (r#"{"stateBackend":7}"#, Backend::WorkTree),
            ("\u{feff}{\"stateBackend\":\"orphan\"}", Backend::Branch),
            (
                "// see \"docs\"\n{ /* { */ \"u\": \"http://x/*\", \"stateBackend\": \"orphan\" } // end",
                Backend::Branch,
            ),
            (r#"{"__proto__":{"stateBackend":"orphan"}}"#, Backend::WorkTree),
            ("{\"stateBackend\":\"orphan\"", Backend::WorkTree),
            ("\"\\", Backend::WorkTree),
            ("", Backend::WorkTree),
        ] {
            assert_eq!(TeamConfig::parse(text).backend, backend, "{text}");
        }
    }

    #[test]
    fn what_belongs_to_one_machine() {
        assert!(TeamConfig::parse(r#"{"stateLocation":"external","projectKey":null}"#).is_of_machine());
        assert!(TeamConfig::parse(r#"{"consult":true}"#).is_of_machine());
        assert!(!TeamConfig::parse(r#"{"version":1,"teamRoot":"..","consult":false}"#).is_of_machine());
    }
}
