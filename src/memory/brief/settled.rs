//! Which directives were carried out, or are for later: those that apply from now on come before them.

use crate::formats::legacy::Meaning;
use crate::memory::record::{Format, Record};
use crate::text::words::begins_with;

/// What a state says of them, at its start.
const STATES: [&str; 21] = [
    "implemented",
    "fully implemented",
    "completed",
    "complete",
    "done",
    "shipped",
    "delivered",
    "resolved",
    "closed",
    "merged",
    "fixed",
    "superseded",
    "obsolete",
    "withdrawn",
    "backlog",
    "future",
    "roadmap",
    "deferred",
    "postponed",
    "parked",
    "on hold",
];

/// What else a state says of those that apply as before.
const APPLIES: [&str; 5] = ["enforced", "mandatory", "in force", "in effect", "ongoing"];

/// Titles of sections with them, at their start.
const SECTIONS: [&str; 5] = ["backlog", "implemented", "deferred", "parked", "icebox"];

/// Whether the state of an entry, or the title of a section that it is in, says so.
pub(super) fn is_settled(record: &Record<'_>) -> bool {
    record.sections.titles().iter().any(|title| begins_with(words(title), &SECTIONS))
        || state(record).is_some_and(says_so)
}

fn says_so(state: &str) -> bool {
    let lower = state.to_lowercase();
    begins_with(words(state), &STATES) && !APPLIES.iter().any(|words| lower.contains(words))
}

/// A text from its first word on.
fn words(text: &str) -> &str {
    text.trim_start_matches(|c: char| !c.is_alphanumeric())
}

/// The state of an entry from before SEM; others have none.
fn state<'d>(record: &Record<'d>) -> Option<&'d str> {
    let document = record.document;
    let entry = document.entries.legacy_at(record.span.start()).filter(|_| record.format == Format::Legacy)?;
    let mut fields = document.entries.legacy_fields(entry).iter();
    let field = fields.find(|field| field.meaning == Meaning::Status)?;
    Some(field.value.of(document.text()))
}

#[cfg(test)]
mod tests {
    use super::says_so;

    #[test]
    fn a_state_says_that_a_directive_was_carried_out_or_is_for_later() {
        for state in
            ["Implemented", "✅ Implemented in Phase 2", "Complete", "Future Enhancement", "Backlog", "On hold"]
        {
            assert!(says_so(state), "{state}");
        }
        for state in [
            "Active",
            "Policy",
            "Accepted — ready for implementation",
            "Implemented and enforced",
            "Not implemented",
            "",
        ] {
            assert!(!says_so(state), "{state}");
        }
    }
}
