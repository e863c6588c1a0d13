//! An event of a harness, as it comes on standard input.

use std::fmt;
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::arguments::Arguments;
use super::halves;
use super::places::{Place, places};
use super::record::Author;
use super::shorten::shortened;
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

/// The fields that are read; `None` where they are not there, or hold a value of another kind.
#[derive(Default)]
struct Fields {
    event_name: Option<String>,
    camel_event_name: Option<String>,
    session: Option<String>,
    agent: Option<String>,
    folder: Option<String>,
    tool_name: Option<String>,
    tool_input: Option<Arguments>,
    has_tool_result: bool,
    has_stop_reason: bool,
    has_permission_mode: bool,
    has_timestamp: bool,
    camel_tool_name: Option<String>,
    camel_tool_input: Option<Arguments>,
    has_camel_tool_result: bool,
    has_camel_stop_reason: bool,
    has_camel_agent_name: bool,
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an event")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Fields, A::Error> {
        let mut fields = Fields::default();
        while let Some(key) = entries.next_key::<String>()? {
            match key.as_str() {
                "hook_event_name" => text(&mut entries, &mut fields.event_name)?,
                "hookEventName" => text(&mut entries, &mut fields.camel_event_name)?,
                "session_id" | "sessionId" => text(&mut entries, &mut fields.session)?,
                "agent_id" | "agentId" => text(&mut entries, &mut fields.agent)?,
                "cwd" => text(&mut entries, &mut fields.folder)?,
                "tool_name" => text(&mut entries, &mut fields.tool_name)?,
                "tool_input" => arguments(&mut entries, &mut fields.tool_input)?,
                "tool_result" => presence(&mut entries, &mut fields.has_tool_result)?,
                "stop_reason" => presence(&mut entries, &mut fields.has_stop_reason)?,
                "permission_mode" => presence(&mut entries, &mut fields.has_permission_mode)?,
                "timestamp" => presence(&mut entries, &mut fields.has_timestamp)?,
                "toolName" => text(&mut entries, &mut fields.camel_tool_name)?,
                "toolArgs" => arguments(&mut entries, &mut fields.camel_tool_input)?,
                "toolResult" => presence(&mut entries, &mut fields.has_camel_tool_result)?,
                "stopReason" => presence(&mut entries, &mut fields.has_camel_stop_reason)?,
                "agentName" => presence(&mut entries, &mut fields.has_camel_agent_name)?,
                _ => drop(entries.next_value::<IgnoredAny>()?),
            }
        }
        Ok(fields)
    }
}

/// Whether the value of `key` can be a long text that is read.
fn is_read(key: &[u8]) -> bool {
    matches!(key, b"tool_input" | b"toolArgs" | b"cwd") || std::str::from_utf8(key).is_ok_and(Arguments::reads)
}

/// Reads a text or a number into `field`. A field can occur twice, also in both spellings: the first value counts.
fn text<'de, A: MapAccess<'de>>(entries: &mut A, field: &mut Option<String>) -> Result<(), A::Error> {
    let Word(word) = entries.next_value()?;
    *field = field.take().or(word);
    Ok(())
}

fn arguments<'de, A: MapAccess<'de>>(entries: &mut A, field: &mut Option<Arguments>) -> Result<(), A::Error> {
    let arguments = entries.next_value()?;
    *field = field.take().or(arguments);
    Ok(())
}

/// Skips a value, and notes that it is there.
fn presence<'de, A: MapAccess<'de>>(entries: &mut A, field: &mut bool) -> Result<(), A::Error> {
    *field |= entries.next_value::<Option<IgnoredAny>>()?.is_some();
    Ok(())
}

/// A text, or a number as a text; `None` for any other value.
struct Word(Option<String>);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WordVisitor).map(Self)
    }
}

struct WordVisitor;

impl<'de> Visitor<'de> for WordVisitor {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(text.to_owned()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Some(number.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Some(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Some(number.to_string()))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

/// How well the shape of an event tells its harness.
enum Shape {
    /// No other harness sends such fields.
    Certain(Harness),
    Likely(Harness),
}

impl Fields {
    fn shape(&self) -> Shape {
        if self.camel_tool_name.is_some() || self.has_camel_stop_reason {
            return Shape::Certain(Harness::Copilot);
        }
        if self.has_permission_mode {
            return Shape::Certain(Harness::Claude);
        }
        if self.has_tool_result || self.has_stop_reason {
            return Shape::Certain(Harness::Copilot);
        }
        if self.camel_event_name.is_some() || self.has_timestamp {
            return Shape::Certain(Harness::VsCode);
        }
        // `Write` and `mcp__server__tool` of Claude Code, `create_file` of VS Code.
        let is_small = |name: &String| name.starts_with(|c: char| c.is_ascii_lowercase()) && !name.starts_with("mcp__");
        Shape::Likely(if self.tool_name.as_ref().is_some_and(is_small) { Harness::VsCode } else { Harness::Claude })
    }

    /// The name of the event, as Claude Code and VS Code have it. Copilot does not name its events in camel case.
    fn name(&self) -> &str {
        match (&self.event_name, &self.camel_event_name) {
            (Some(name), _) | (None, Some(name)) => name,
            (None, None) if self.has_camel_tool_result => "PostToolUse",
            (None, None) if self.has_camel_stop_reason && self.has_camel_agent_name => "SubagentStop",
            (None, None) if self.has_camel_stop_reason => "Stop",
            (None, None) => "",
        }
    }
}

impl Event {
    /// The event in `json`, if it gets an answer: a harness is known, state may have been written, or an agent stops.
    pub(super) fn parse(json: &[u8], given: Option<Harness>) -> Option<Self> {
        // PowerShell may put a byte order mark before it.
        let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
        let json = shortened(json, is_read);
        let read = |json: &[u8]| serde_json::from_slice::<Fields>(json).ok();
        let fields = read(&json).or_else(|| read(&halves::replaced(&json)?))?;
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
        let Fields { session, agent, folder, .. } = fields;
        Some(Self { harness, what, session, agent, folder: folder.map(PathBuf::from) })
    }

    /// Who wrote, or stops, if the event names the session.
    pub(super) fn author(&self) -> Option<Author> {
        let session = self.session.clone()?;
        Some(Author { session, agent: self.agent.clone() })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

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
    fn both_spellings_of_a_field_and_values_of_other_kinds_are_read() {
        for more in [
            r#""sessionId":"s""#,
            r#""session_id":"s","cwd":"/w","cwd":"/x""#,
            r#""hookEventName":"PostToolUse""#,
            r#""agentId":"a","agent_id":"a""#,
            r#""toolName":"create_file","toolArgs":{}"#,
            r#""permission_mode":{},"agent_type":[],"stop_reason":null"#,
        ] {
            let json = format!(
                r#"{{"hook_event_name":"PostToolUse","session_id":"s","cwd":"/w","tool_name":"create_file","tool_input":{{"path":"a"}},{more}}}"#
            );
            let event = Event::parse(json.as_bytes(), None).unwrap_or_else(|| panic!("{json}"));
            assert_eq!(
                (event.session.as_deref(), event.folder.as_deref()),
                (Some("s"), Some(Path::new("/w"))),
                "{json}"
            );
            assert_eq!(event.what, What::Wrote(vec![Place::File("a".into())]), "{json}");
        }
        for value in ["{\"uri\":\"file:///x\"}", "[\"/x\"]", "true", "null"] {
            let json = format!(r#"{{"hook_event_name":"Stop","session_id":"s","agent_id":{value},"cwd":{value}}}"#);
            let event = Event::parse(json.as_bytes(), None).unwrap_or_else(|| panic!("{json}"));
            assert_eq!((event.agent, event.folder), (None, None), "{json}");
        }
        assert!(Event::parse(br#"{"hook_event_name":"Stop","cwd":5}"#, None).is_some());
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
