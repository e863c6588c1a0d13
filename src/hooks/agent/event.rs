//! An event of a harness, as it comes on standard input.

use std::path::PathBuf;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::arguments::Arguments;
use super::places::{Place, places};
use super::record::Author;
use crate::cli::agents::Harness;

/// An event that gets an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// Who sent it.
    pub(super) harness: Harness,
    /// What happened.
    pub(super) what: What,
    /// The session of the agent, if the event names it.
    pub(super) session: Option<String>,
    /// The agent in the session, if the event names it.
    pub(super) agent: Option<String>,
    /// The folder in which the agent works, if the event names it.
    pub(super) folder: Option<PathBuf>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A tool wrote to these places.
    Wrote(Vec<Place>),
    /// An agent, or with `is_subagent` a part of its work, is about to stop.
    Stops {
        /// Whether it works for another agent.
        is_subagent: bool,
    },
}

/// What a session or an agent is called: a text, or a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(serde_json::Number),
    Other(IgnoredAny),
}

impl Id {
    fn into_text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(number) => Some(number.to_string()),
            Self::Other(_) => None,
        }
    }
}

/// The fields that are read; `None` where they are not there.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Fields {
    hook_event_name: Option<String>,
    #[serde(rename = "hookEventName")]
    camel_event_name: Option<String>,
    #[serde(alias = "sessionId")]
    session_id: Option<Id>,
    #[serde(alias = "agentId")]
    agent_id: Option<Id>,
    cwd: Option<PathBuf>,
    tool_name: Option<String>,
    tool_input: Option<Arguments>,
    tool_result: Option<IgnoredAny>,
    stop_reason: Option<IgnoredAny>,
    permission_mode: Option<IgnoredAny>,
    timestamp: Option<IgnoredAny>,
    #[serde(rename = "toolName")]
    camel_tool_name: Option<String>,
    #[serde(rename = "toolArgs")]
    camel_tool_input: Option<Arguments>,
    #[serde(rename = "toolResult")]
    camel_tool_result: Option<IgnoredAny>,
    #[serde(rename = "stopReason")]
    camel_stop_reason: Option<IgnoredAny>,
    #[serde(rename = "agentName")]
    camel_agent_name: Option<IgnoredAny>,
}

/// How well the shape of an event tells its harness.
enum Shape {
    /// No other harness sends such fields.
    Certain(Harness),
    Likely(Harness),
}

impl Fields {
    fn shape(&self) -> Shape {
        if self.camel_tool_name.is_some() || self.camel_stop_reason.is_some() {
            return Shape::Certain(Harness::Copilot);
        }
        if self.permission_mode.is_some() {
            return Shape::Certain(Harness::Claude);
        }
        if self.tool_result.is_some() || self.stop_reason.is_some() {
            return Shape::Certain(Harness::Copilot);
        }
        if self.camel_event_name.is_some() || self.timestamp.is_some() {
            return Shape::Certain(Harness::VsCode);
        }
        // `Write` and `mcp__server__tool` of Claude Code, `create_file` of VS Code.
        let is_small = |name: &String| name.starts_with(|c: char| c.is_ascii_lowercase()) && !name.starts_with("mcp__");
        Shape::Likely(if self.tool_name.as_ref().is_some_and(is_small) { Harness::VsCode } else { Harness::Claude })
    }

    /// The name of the event, as Claude Code and VS Code have it. Copilot does not name its events in camel case.
    fn name(&self) -> &str {
        match (&self.hook_event_name, &self.camel_event_name) {
            (Some(name), _) | (None, Some(name)) => name,
            (None, None) if self.camel_tool_result.is_some() => "PostToolUse",
            (None, None) if self.camel_stop_reason.is_some() && self.camel_agent_name.is_some() => "SubagentStop",
            (None, None) if self.camel_stop_reason.is_some() => "Stop",
            (None, None) => "",
        }
    }
}

impl Event {
    /// The event in `json`, if it gets an answer: a harness is known, state may have been written, or an agent stops.
    pub(super) fn parse(json: &[u8], given: Option<Harness>) -> Option<Self> {
        // PowerShell may put a byte order mark before it.
        let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
        // A list would be taken for the fields in their order.
        if json.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
            return None;
        }
        let fields: Fields = serde_json::from_slice(json).ok()?;
        let harness = match (given, fields.shape()) {
            (Some(given), Shape::Certain(harness)) if given != harness => return None,
            (Some(harness), _) | (None, Shape::Certain(harness) | Shape::Likely(harness)) => harness,
        };
        let what = match fields.name() {
            "PostToolUse" => {
                let tool = fields.tool_name.or(fields.camel_tool_name)?;
                What::Wrote(places(&tool, fields.tool_input.or(fields.camel_tool_input)?))
            }
            "Stop" => What::Stops { is_subagent: false },
            "SubagentStop" => What::Stops { is_subagent: true },
            _ => return None,
        };
        let (session, agent) = (fields.session_id.and_then(Id::into_text), fields.agent_id.and_then(Id::into_text));
        Some(Self { harness, what, session, agent, folder: fields.cwd })
    }

    /// Who wrote, or stops, if the event names the session.
    pub(super) fn author(&self) -> Option<Author> {
        let session = self.session.clone()?;
        Some(Author { session, agent: self.agent.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn harness(json: &str, given: Option<Harness>) -> Option<Harness> {
        Event::parse(json.as_bytes(), given).map(|event| event.harness)
    }

    #[test]
    fn a_harness_is_known_by_the_shape_of_its_events() {
        let camel = r#"{"sessionId":"s","timestamp":1,"cwd":"/w","toolName":"edit","toolArgs":"{}","toolResult":{}}"#;
        let snake =
            r#"{"hook_event_name":"PostToolUse","timestamp":"t","tool_name":"Edit","tool_input":{},"tool_result":{}}"#;
        let vs_code = r#"{"hookEventName":"PostToolUse","tool_name":"create_file","tool_input":{}}"#;
        let vs_code_too = r#"{"hook_event_name":"PostToolUse","tool_name":"create_file","tool_input":{}}"#;
        let claude = r#"{"hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{}}"#;
        let stop = r#"{"hook_event_name":"Stop","session_id":"s"}"#;
        let with_mode = r#"{"hook_event_name":"Stop","permission_mode":"plan","timestamp":"t","stop_reason":"x"}"#;
        for (json, expected) in [
            (camel, Harness::Copilot),
            (snake, Harness::Copilot),
            (vs_code, Harness::VsCode),
            (vs_code_too, Harness::VsCode),
            (claude, Harness::Claude),
            (stop, Harness::Claude),
            (with_mode, Harness::Claude),
        ] {
            assert_eq!(harness(json, None), Some(expected), "{json}");
        }
        // Copilot and VS Code read the settings of Claude Code as well.
        for other in [camel, snake, vs_code] {
            assert_eq!(harness(other, Some(Harness::Claude)), None, "{other}");
        }
        assert_eq!(harness(claude, Some(Harness::VsCode)), Some(Harness::VsCode));
    }

    #[test]
    fn a_session_can_be_a_number_and_a_byte_order_mark_is_skipped() {
        let json = "\u{feff}{\"hook_event_name\": \"Stop\", \"session_id\": 7, \"agent_id\": \"a\"}";
        let event = Event::parse(json.as_bytes(), None).unwrap();
        assert_eq!(event.author(), Some(Author { session: "7".into(), agent: Some("a".into()) }));
        let event = Event::parse(br#"{"hook_event_name": "Stop", "session_id": [7]}"#, None).unwrap();
        assert_eq!(event.author(), None);
    }

    #[test]
    fn other_events_get_no_answer() {
        for json in [
            "",
            "null",
            "[\"PostToolUse\"]",
            "{",
            "{}",
            r#"{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{}}"#,
            r#"{"hook_event_name":3}"#,
            r#"{"sessionId":"s","toolName":"edit","toolArgs":{}}"#,
            r#"{"hook_event_name":"PostToolUse","tool_name":"Write"}"#,
        ] {
            assert_eq!(Event::parse(json.as_bytes(), None), None, "{json}");
        }
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(Event::parse(deep.as_bytes(), None), None);
    }
}
