//! The configuration of a squad: `.squad/config.json`. See `docs/formats/squad-folders.md`.

use super::governed::odd_key;
use super::json::{Node, SyntaxError, Value};
use super::json_shape::Problem;
use super::manifest::values::short;
use crate::text::Span;

/// What a `config.json` says about where the state of the team is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamConfig {
    /// Where the state is kept.
    pub backend: Backend,
    /// The `stateBackend`, as it is written; `None` without a text there.
    pub(crate) backend_name: Option<String>,
    /// The folder of the team, if it is another one.
    pub team_root: Option<String>,
    /// The repository that the squad comes from: `squadSource`.
    pub squad_source: Option<String>,
    /// Whether the state is outside of the repository.
    pub is_external: bool,
    /// Whether the machine consults the team of another repository.
    pub is_consulting: bool,
    /// A `stateBackend` that Squad does not know: the value, as it is written, and its place.
    pub(crate) unknown_backend: Option<(String, Span)>,
    /// Whether a setting has an absolute path, which no other machine has.
    pub(crate) has_absolute_path: bool,
    /// The keys that an object has twice, those that JavaScript takes for something else, and values of another type than Squad reads.
    pub(crate) problems: Vec<Problem>,
    /// Why Squad cannot read it: all settings have their defaults then.
    pub(crate) error: Option<SyntaxError>,
    /// Whether it names the setting `stateBackend`, which only Squad has, even if it cannot be read.
    pub(crate) names_backend: bool,
}

/// The values of `stateBackend` that Squad documents.
pub(crate) const BACKENDS: [&str; 3] = ["local", "orphan", "two-layer"];

/// Values of `stateBackend` that some versions of Squad read: the old names of `local` and `two-layer`, and what is outside of the
/// repository.
const OTHER_BACKENDS: [&str; 4] = ["worktree", "git-notes", "external", "external-stub"];

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
    /// Reads `text` as Squad does: one that is not JSON, or not an object, says nothing, and neither does a value of another type.
    pub fn parse(text: &str) -> Self {
        let names_backend = text.contains("stateBackend");
        let is_object = |node: Node| match node.value {
            Value::Object(_) => Ok(node),
            _ => Err(SyntaxError { span: node.span, message: format!("found {}, expected an object", node.noun()) }),
        };
        let node = match Node::parse_file(text).and_then(is_object) {
            Ok(node) => node,
            Err(error) => return Self { error: Some(error), names_backend, ..Self::default() },
        };
        let string = |key: &str| node.get(key).and_then(Node::as_str);
        Self {
            backend: match string("stateBackend") {
                Some("orphan") => Backend::Branch,
                Some("two-layer" | "git-notes") => Backend::BranchAndNotes,
                _ => Backend::WorkTree,
            },
            backend_name: string("stateBackend").map(str::to_owned),
            team_root: string("teamRoot").filter(|root| !matches!(*root, "" | "." | "./")).map(str::to_owned),
            squad_source: string("squadSource").filter(|source| !source.is_empty()).map(str::to_owned),
            is_external: string("stateLocation") == Some("external"),
            is_consulting: node.get("consult").is_some_and(|consult| consult.value == Value::Bool(true)),
            unknown_backend: node.get("stateBackend").and_then(|backend| unknown_backend(backend, text)),
            has_absolute_path: has_absolute_path(&node),
            problems: node.odd_keys().into_iter().map(odd_key).chain(wrong_types(&node)).collect(),
            error: None,
            names_backend,
        }
    }

    /// Whether the state is on a branch of its own; `None` if that cannot be told, and Squad uses the default.
    pub fn has_branch(&self) -> Option<bool> {
        (self.error.is_none() && self.unknown_backend.is_none()).then(|| self.backend.has_branch())
    }

    /// Whether it belongs to one machine: no other one has what it leads to.
    pub fn is_of_machine(&self) -> bool {
        self.is_external || self.is_consulting
    }
}

/// What a setting is.
#[derive(Clone, Copy)]
enum Type {
    Text,
    Number,
    Truth,
    Object,
}

/// The settings that Squad reads, and what they are. All others are free; `stateBackend` has problems of its own.
const SETTINGS: [(&str, Type); 19] = [
    ("version", Type::Number),
    ("platform", Type::Text),
    ("ado", Type::Object),
    ("mcpConfigMode", Type::Text),
    ("defaultModel", Type::Text),
    ("agentModelOverrides", Type::Object),
    ("economyMode", Type::Truth),
    ("defaultReasoningEffort", Type::Text),
    ("agentReasoningEffortOverrides", Type::Object),
    ("communications", Type::Object),
    ("watch", Type::Object),
    ("squadSource", Type::Text),
    ("worktrees", Type::Truth),
    ("teamRoot", Type::Text),
    ("stateLocation", Type::Text),
    ("projectKey", Type::Text),
    ("consult", Type::Truth),
    ("sourceSquad", Type::Text),
    ("extractionDisabled", Type::Truth),
];

/// The settings with a value of another type. `null` is the same as nothing.
fn wrong_types(config: &Node) -> impl Iterator<Item = Problem> {
    SETTINGS.iter().filter_map(|(key, of)| {
        let value = config.get(key)?;
        let expected = match (of, &value.value) {
            (_, Value::Null)
            | (Type::Text, Value::String(_))
            | (Type::Number, Value::Number)
            | (Type::Truth, Value::Bool(_))
            | (Type::Object, Value::Object(_)) => return None,
            (Type::Text, _) => "a string",
            (Type::Number, _) => "a number",
            (Type::Truth, _) => "`true` or `false`",
            (Type::Object, _) => "an object",
        };
        let message = format!("`{key}` is {}, expected {expected}", value.noun());
        Some(
            Problem::new(value.span, message, "unexpected type", format!("write {expected}, or remove the setting"))
                .mild(),
        )
    })
}

/// The value of `stateBackend`, if Squad does not know it. `null` is the same as nothing.
fn unknown_backend(backend: &Node, text: &str) -> Option<(String, Span)> {
    let is_known = match backend.as_str() {
        Some(value) => BACKENDS.iter().chain(&OTHER_BACKENDS).any(|known| *known == value),
        None => backend.value == Value::Null,
    };
    let shown = || backend.as_str().map_or_else(|| short(backend.span.of(text)), short);
    (!is_known).then(|| (shown(), backend.span))
}

/// Whether a setting that leads to a place has an absolute path.
fn has_absolute_path(config: &Node) -> bool {
    let watch = config.get("watch");
    let of_watch = ["logFile", "sentinelFile"].iter().filter_map(|key| watch?.get(key));
    let mut paths = ["teamRoot", "sourceSquad"].iter().filter_map(|key| config.get(key)).chain(of_watch);
    paths.any(|path| path.as_str().is_some_and(is_absolute))
}

/// Whether `path` is absolute on any system.
pub(crate) fn is_absolute(path: &str) -> bool {
    let is_drive = matches!(path.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    is_drive || path.starts_with(['/', '\\'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backend_that_squad_does_not_know() {
        for (value, expected) in [
            ("\"orphans\"", Some("orphans")),
            ("\"Orphan\"", Some("Orphan")),
            ("\"\"", Some("")),
            ("7", Some("7")),
            ("[\"orphan\"]", Some("[\"orphan\"]")),
            ("\"orphan\"", None),
            ("\"two-layer\"", None),
            ("\"worktree\"", None),
            ("\"git-notes\"", None),
            ("\"external\"", None),
            ("\"local\"", None),
            ("null", None),
        ] {
            let config = TeamConfig::parse(&format!("{{\"version\": 1, \"stateBackend\": {value}}}"));
            assert_eq!(config.unknown_backend.map(|(value, _)| value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn settings_of_another_type() {
        for (text, expected) in [
            (r#"{"version": "1"}"#, "`version` is a string, expected a number"),
            (r#"{"economyMode": "true"}"#, "`economyMode` is a string, expected `true` or `false`"),
            (r#"{"defaultModel": 3}"#, "`defaultModel` is a number, expected a string"),
            (r#"{"watch": []}"#, "`watch` is a list, expected an object"),
        ] {
            let messages: Vec<_> = TeamConfig::parse(text).problems.into_iter().map(|one| one.message).collect();
            assert_eq!(messages, [expected], "{text}");
        }
        for text in
            [r#"{"version": 1, "consult": false, "ado": {}, "platform": "github"}"#, r#"{"projectKey": null, "x": 3}"#]
        {
            assert_eq!(TeamConfig::parse(text).problems, [], "{text}");
        }
    }

    #[test]
    fn paths_that_no_other_machine_has() {
        for text in [
            r#"{"teamRoot": "/home/ada/team"}"#,
            r#"{"sourceSquad": "C:\\squads\\x"}"#,
            r#"{"watch": {"logFile": "/tmp/x.log"}}"#,
        ] {
            assert!(TeamConfig::parse(text).has_absolute_path, "{text}");
        }
        for text in [r#"{"teamRoot": "../team"}"#, r#"{"communications": {"channel": "/general"}}"#, "{}"] {
            assert!(!TeamConfig::parse(text).has_absolute_path, "{text}");
        }
    }

    #[test]
    fn backends_by_their_names() {
        for (text, backend) in [
            (r#"{"stateBackend":"orphan"}"#, Backend::Branch),
            (r#"{"stateBackend":"two-layer"}"#, Backend::BranchAndNotes),
            (r#"{"stateBackend":"git-notes"}"#, Backend::BranchAndNotes),
            (r#"{"stateBackend":"local"}"#, Backend::WorkTree),
            (r#"{"stateBackend":"worktree"}"#, Backend::WorkTree),
            (r#"{"stateBackend":7}"#, Backend::WorkTree),
            (r#"{"__proto__":{"stateBackend":"orphan"}}"#, Backend::WorkTree),
            ("{\"stateBackend\":\"orphan\"", Backend::WorkTree),
            ("\"\\", Backend::WorkTree),
            ("", Backend::WorkTree),
        ] {
            assert_eq!(TeamConfig::parse(text).backend, backend, "{text}");
        }
    }

    #[test]
    fn what_squad_cannot_read_has_no_settings() {
        for (text, expected) in [
            ("\u{feff}{\"stateBackend\":\"orphan\"}", "byte order mark"),
            ("// see docs\n{\"stateBackend\": \"orphan\"}", "expected a value"),
            ("{\"stateBackend\": \"orphan\", /* x */ \"version\": 1}", "expected a key in double quotes"),
            ("{\"stateBackend\": \"orphan\",}", "trailing comma"),
            ("{", "the object is never closed"),
            ("[]", "found a list, expected an object"),
            (" ", "the text ends where a value is expected"),
            ("", "the text ends where a value is expected"),
        ] {
            let config = TeamConfig::parse(text);
            assert_eq!(config.backend, Backend::WorkTree, "{text}");
            assert!(config.error.is_some_and(|error| error.message.contains(expected)), "{text}");
        }
    }

    #[test]
    fn what_belongs_to_one_machine() {
        assert!(TeamConfig::parse(r#"{"stateLocation":"external","projectKey":null}"#).is_of_machine());
        assert!(TeamConfig::parse(r#"{"consult":true}"#).is_of_machine());
        assert!(!TeamConfig::parse(r#"{"version":1,"teamRoot":"..","consult":false}"#).is_of_machine());
    }
}
