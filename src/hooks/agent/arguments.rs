//! The arguments of a tool: the paths in them, and what names a key of the state. All else, such as the text that was written,
//! is skipped.

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::halves;

/// What the arguments of a tool name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Arguments {
    /// The paths of files, as they are written.
    pub(super) paths: Vec<String>,
    /// The key of a state tool: a path below `.squad/`.
    pub(super) key: Option<String>,
    /// The author of a decision.
    pub(super) author: Option<String>,
    /// The summary of a decision.
    pub(super) summary: Option<String>,
    /// The agent whose memory is written.
    pub(super) agent: Option<String>,
    /// What an editor with several commands does.
    pub(super) command: Option<String>,
}

/// So many paths are taken of one event.
const MOST_PATHS: usize = 1_000;

/// What a value is for, by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// The arguments as a whole.
    Top,
    /// A path, or a list of paths.
    Path,
    /// A patch, or any other text.
    Patch,
    Key,
    Author,
    Summary,
    Agent,
    Command,
    /// Arguments of several steps.
    Steps,
    /// Nothing that is asked for, such as the text that was written.
    Other,
}

impl Role {
    fn of(key: &str) -> Self {
        match key {
            "path" | "file_path" | "filePath" | "files" | "paths" | "file_paths" | "filePaths" | "notebook_path" => {
                Self::Path
            }
            "input" | "patch" => Self::Patch,
            "key" => Self::Key,
            "author" => Self::Author,
            "summary" => Self::Summary,
            "agent" => Self::Agent,
            "command" => Self::Command,
            "edits" | "replacements" | "changes" | "operations" => Self::Steps,
            _ => Self::Other,
        }
    }
}

impl Arguments {
    /// Whether the value of `key` is read.
    pub(super) fn reads(key: &str) -> bool {
        Role::of(key) != Role::Other
    }

    /// What `text` names: JSON, or else a patch.
    fn add_text(&mut self, text: &str) {
        if !text.trim_start().starts_with('{') {
            self.add_patch(text);
            return;
        }
        let read = |json: &[u8]| serde_json::from_slice::<Self>(json).ok();
        if let Some(inner) = read(text.as_bytes()).or_else(|| read(&halves::replaced(text.as_bytes())?)) {
            *self = inner;
        }
    }

    /// The targets of a patch: of `apply_patch`, or of a unified diff.
    fn add_patch(&mut self, patch: &str) {
        const TARGETS: [&str; 4] = ["*** Add File: ", "*** Update File: ", "*** Move to: ", "+++ b/"];
        for line in patch.lines() {
            if let Some(path) = TARGETS.iter().find_map(|target| line.strip_prefix(target)) {
                self.add_path(path.trim_end());
            }
        }
    }

    fn add_path(&mut self, path: &str) {
        let path = path.strip_prefix("file://").unwrap_or(path);
        if !path.is_empty() && !path.contains('\0') && self.paths.len() < MOST_PATHS {
            self.paths.push(path.to_owned());
        }
    }

    fn add(&mut self, role: Role, text: &str) {
        match role {
            Role::Top => self.add_text(text),
            Role::Path => self.add_path(text),
            Role::Patch => self.add_patch(text),
            Role::Key => self.key = Some(text.to_owned()),
            Role::Author => self.author = Some(text.to_owned()),
            Role::Summary => self.summary = Some(text.to_owned()),
            Role::Agent => self.agent = Some(text.to_owned()),
            Role::Command => self.command = Some(text.to_owned()),
            Role::Steps | Role::Other => {}
        }
    }
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut arguments = Self::default();
        deserializer.deserialize_any(Collector { into: &mut arguments, role: Role::Top })?;
        Ok(arguments)
    }
}

/// Collects what a value of this role names.
struct Collector<'a> {
    into: &'a mut Arguments,
    role: Role,
}

impl<'de> serde::de::DeserializeSeed<'de> for Collector<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Collector<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.into.add(self.role, text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Self { into, role } = self;
        let role = if role == Role::Path { role } else { Role::Steps };
        while items.next_element_seed(Collector { into, role })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let into = self.into;
        while let Some(key) = entries.next_key::<String>()? {
            match Role::of(&key) {
                Role::Other => drop(entries.next_value::<IgnoredAny>()?),
                role => entries.next_value_seed(Collector { into, role })?,
            }
        }
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(json: &str) -> Vec<String> {
        serde_json::from_str::<Arguments>(json).unwrap().paths
    }

    #[test]
    fn paths_are_found_in_text_objects_lists_and_patches() {
        for (json, expected) in [
            (r#"{"file_path": "/w/a.md", "content": "path: b"}"#, vec!["/w/a.md"]),
            (r#"{"filePath": "a.md"}"#, vec!["a.md"]),
            (r#""{\"path\": \"/w/a.md\", \"file_text\": \"x\"}""#, vec!["/w/a.md"]),
            (r#"{"files": ["a.md", {"path": "b.md"}, 3, null, true, 1.5, -2]}"#, vec!["a.md", "b.md"]),
            (r#"{"replacements": [{"filePath": "a.md"}, {"filePath": "b.md"}]}"#, vec!["a.md", "b.md"]),
            (
                r#""*** Begin Patch\n*** Update File: a.md\n@@\n-x\n+y\n*** Delete File: c.md\n*** Add File: b.md\n""#,
                vec!["a.md", "b.md"],
            ),
            (r#"{"input": "*** Update File: a.md\n*** Move to: b.md\n"}"#, vec!["a.md", "b.md"]),
            (r#"{"patch": "--- a/x.md\n+++ b/x.md\n"}"#, vec!["x.md"]),
            (r#"{"path": "file:///w/a.md"}"#, vec!["/w/a.md"]),
            (r#"{"path": ""}"#, vec![]),
            (r#"{"path": "a\u0000b"}"#, vec![]),
            (r#""{\"path\": \"a.md\", \"input\": \"\\ud83d\"}""#, vec!["a.md"]),
            (r#""{ not JSON""#, vec![]),
            ("3", vec![]),
        ] {
            assert_eq!(paths(json), expected, "{json}");
        }
    }

    #[test]
    fn state_tools_have_keys() {
        let arguments: Arguments = serde_json::from_str(r#""{\"key\":\"decisions.md\",\"author\":\"K\"}""#).unwrap();
        assert_eq!((arguments.key.as_deref(), arguments.author.as_deref()), (Some("decisions.md"), Some("K")));
    }
}
