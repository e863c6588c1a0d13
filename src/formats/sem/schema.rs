//! The JSON form of an entry, as a schema (seed 001, "JSON Schema").

use serde_json::{Value, json};

use super::EntryType;
use super::field::RELATED_TYPES;

/// The longest summary, in Unicode scalar values (seed 000, "summary").
const SUMMARY_MAX: usize = 120;

/// The schema (draft 2020-12) of an entry. In JSON, times are those of RFC 3339: `-08:00` for what files have as `-0800`.
pub fn schema() -> Value {
    let moment = |about: &str| json!({ "type": "string", "format": "date-time", "description": about });
    let text = |about: &str| json!({ "type": "string", "description": about });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Squad Entry Markdown (SEM)",
        "description": "One entry of a team's memory. Fields that no specification names may stand beside these.",
        "type": "object",
        "required": ["type", "timestamp", "author", "summary"],
        "properties": {
            "type": {
                "type": "string",
                "enum": EntryType::ALL.map(EntryType::as_str),
                "description": "What kind of entry it is",
            },
            "timestamp": moment("When it was written: RFC 3339, with seconds and offset"),
            "author": { "type": "string", "minLength": 1, "description": "An agent, a person, or Coordinator" },
            "summary": { "type": "string", "maxLength": SUMMARY_MAX, "description": "What it says, in a sentence" },
            "scope": {
                "type": "string",
                "pattern": "^(team|project|(agent|skill):[A-Za-z0-9][A-Za-z0-9._-]*)$",
                "description": "Whom it concerns",
            },
            "tags": text("Keywords, with commas between them"),
            "details": text("The body, in Markdown"),
            "rationale": text("Why this was decided"),
            "related": {
                "type": "array",
                "description": "What it refers to",
                "items": {
                    "type": "object",
                    "required": ["type", "identifier"],
                    "properties": {
                        "type": { "type": "string", "enum": RELATED_TYPES, "description": "What kind of thing it is" },
                        "identifier": text("Which one: a number, a name, or the timestamp of an entry"),
                    },
                },
            },
            "supersedes": moment("The timestamp of the entry that it takes the place of"),
            "expires": moment("From when on it no longer holds"),
            "contributors": text("Who else had a part in it, with commas between the names"),
        },
    })
}
