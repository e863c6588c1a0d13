//! What a person probably means by a value that a field does not take, and what a field takes.

use super::value;
use crate::formats::yaml::Yaml;
use crate::text::suggest::{Tolerance, nearest};

/// Words that people write, each with those of the protocol that it may mean.
const SAME: [(&str, &[&str]); 9] = [
    ("closed", &["completed"]),
    ("doing", &["in_progress"]),
    ("done", &["completed"]),
    ("finished", &["completed"]),
    ("in-progress", &["in_progress", "active"]),
    ("ongoing", &["in_progress", "active"]),
    ("running", &["in_progress", "active"]),
    ("todo", &["pending"]),
    ("wip", &["in_progress"]),
];

/// The one of `words` that `text` means.
pub(super) fn word(text: &str, words: &[&'static str]) -> Option<&'static str> {
    let near = nearest(text, words.iter().copied(), Tolerance::Help);
    near.or_else(|| {
        let lower = text.trim().to_lowercase().replace([' ', '_'], "-");
        let (_, meant) = SAME.iter().find(|(own, _)| *own == lower)?;
        words.iter().copied().find(|word| meant.contains(word))
    })
}

/// The seconds or the percentage that `text` means, such as `5m` or `40%`, for the field `name`.
pub(super) fn number(text: &str, name: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let number: u64 = digits.parse().ok()?;
    let unit = text.get(digits.len()..)?.trim().to_ascii_lowercase();
    match (name, unit.as_str()) {
        ("progress_percentage", "%" | "percent") | ("timeout" | "time_spent", "s" | "sec" | "second" | "seconds") => {
            Some(number)
        }
        ("timeout" | "time_spent", "m" | "min" | "minute" | "minutes") => number.checked_mul(60),
        ("timeout" | "time_spent", "h" | "hour" | "hours") => number.checked_mul(3600),
        _ => None,
    }
}

/// Whether `text` means an empty list.
pub(super) fn is_none(text: &str) -> bool {
    matches!(text.trim().to_ascii_lowercase().as_str(), "none" | "n/a" | "-")
}

/// What to write instead of `text` where a list should be, with `of_text` a list of what YAML must not take for a number.
pub(super) fn list(text: &str, of_text: bool) -> String {
    let is_plain = text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_'))
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '*'));
    let is_text = || !of_text || Yaml::parse(text).root.is_some_and(|root| root.as_str().is_some());
    match text {
        _ if is_none(text) => "write `[]`".to_owned(),
        _ if is_plain && is_text() => format!("write `[{}]`", value::short(text)),
        _ if is_plain => format!("write `[\"{}\"]`", value::short(text)),
        _ => "write a list".to_owned(),
    }
}

/// What to write instead of `tag`, such as `!src/a.ts`, in the list `name` of the boundaries.
pub(super) fn tagged(tag: &str, name: &str) -> String {
    let glob = value::short(tag.trim_start_matches('!'));
    match name {
        _ if tag.starts_with("!!") => "remove the tag, and write a glob such as `src/**`".to_owned(),
        "forbidden" => format!("write `{glob}` under `allowed`, or remove it"),
        _ => format!("write `{glob}` under `forbidden`"),
    }
}

/// What to write in the field `name` instead of `blank`, which is left of the template.
pub(super) fn replacement(name: &str, blank: &str) -> String {
    let value = match name {
        "allowed" | "forbidden" => "a glob such as `src/**`",
        _ if blank.contains("file") || blank.contains("path") => "the path of a file",
        _ if name.ends_with("_at") || name == "timestamp" => "a timestamp such as `2024-01-15T10:30:00Z`",
        _ if name.ends_with("_id") => "the ID",
        _ if name == "locked_by" || name.contains("agent") => "the name of an agent",
        _ => "a value",
    };
    format!("write {value} in place of `{blank}`")
}

/// A field to add, as an example.
pub(super) fn example(name: &str) -> String {
    let value = match name {
        "started_at" | "created_at" | "updated_at" | "locked_at" | "occurred_at" | "timestamp" => {
            "2024-01-15T10:30:00Z"
        }
        // Two minutes after `locked_at`: the two are often added together.
        "expires_at" => "2024-01-15T10:32:00Z",
        "priority" => "medium",
        "phase" => "implementation",
        "progress_percentage" | "tasks_total" | "tasks_completed" => "0",
        _ => "…",
    };
    format!("`{name}: {value}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_mean() {
        let states = ["pending", "in_progress", "completed", "blocked"];
        for (text, expected) in [
            ("done", Some("completed")),
            ("Done", Some("completed")),
            ("in progress", Some("in_progress")),
            ("running", Some("in_progress")),
            ("complete", Some("completed")),
            ("odd", None),
        ] {
            assert_eq!(word(text, &states), expected, "{text}");
        }
        assert_eq!(word("running", &["active", "completed", "failed"]), Some("active"));
        for (text, name, expected) in [
            ("40%", "progress_percentage", Some(40)),
            ("40 percent", "progress_percentage", Some(40)),
            ("5m", "timeout", Some(300)),
            ("5m", "progress_percentage", None),
            ("2 hours", "timeout", Some(7200)),
            ("soon", "timeout", None),
            ("1.5h", "timeout", None),
            ("99999999999999999999h", "timeout", None),
        ] {
            assert_eq!(number(text, name), expected, "{text}");
        }
    }
}
