//! The JSON form of an entry, as a schema. See `docs/formats/squad-entry-markdown.md`, "JSON".

use serde_json::{Value, json};

use super::EntryType;
use super::field::RELATED_TYPES;

/// The longest summary, in Unicode scalar values.
const SUMMARY_MAX: usize = 120;

/// A whole entry as files have it.
pub const EXAMPLE: &str = "\
### 2026-02-15T14:32:15-0800: decision: Agents choose their own models

**type:** decision  
**timestamp:** 2026-02-15T14:32:15-0800  
**author:** Verbal  
**scope:** team  
**tags:** model-selection, cost  

**summary:** Each agent picks a model by its task.

**details:**

- A small model merges files and keeps logs.
- A medium model writes code.

**rationale:** Most tasks do not need the large model, which costs ten times as much.

---
";

/// The schema (draft 2020-12) of an entry. In JSON, times are those of RFC 3339: `-08:00` for what files have as `-0800`.
pub fn schema() -> Value {
    let moment = |about: &str| json!({ "type": "string", "format": "date-time", "description": about });
    let text = |about: &str| json!({ "type": "string", "description": about });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Squad Entry Markdown (SEM)",
        "description": format!(
            "One entry of a team's memory, as JSON. Additional fields are allowed. In Markdown files an entry looks like this:\n\n{EXAMPLE}"
        ),
        "type": "object",
        "required": ["type", "timestamp", "author", "summary"],
        "properties": {
            "type": {
                "type": "string",
                "enum": EntryType::ALL.map(EntryType::as_str),
                "description": "The type of the entry",
            },
            "timestamp": moment("When it was written: RFC 3339, with seconds and offset"),
            "author": { "type": "string", "minLength": 1, "description": "An agent, a person, or Coordinator" },
            "summary": { "type": "string", "maxLength": SUMMARY_MAX, "description": "What the entry says, in one sentence" },
            "scope": {
                "type": "string",
                "pattern": "^(team|project|(agent|skill):[A-Za-z0-9][A-Za-z0-9._-]*)$",
                "description": "Who the entry is for",
            },
            "tags": text("Keywords, separated by commas"),
            "details": text("The body, in Markdown"),
            "rationale": text("Why this was decided"),
            "related": {
                "type": "array",
                "description": "Related items",
                "items": {
                    "type": "object",
                    "required": ["type", "identifier"],
                    "properties": {
                        "type": { "type": "string", "enum": RELATED_TYPES, "description": "The kind of the item" },
                        "identifier": text("Which one: a number, a name, or the timestamp of an entry"),
                    },
                },
            },
            "supersedes": moment("The timestamp of the entry that this one replaces"),
            "expires": moment("When the entry stops being valid"),
            "contributors": text("Other contributors, separated by commas"),
        },
    })
}
