//! Which entries say what to do, and what not to do.

use crate::text::words::begins_with;

/// How a clause begins that says what to do.
const STEPS: [&str; 18] = [
    "add", "call", "cast", "check", "import", "keep", "pass", "place", "prefer", "put", "read", "rename", "return",
    "run", "set", "store", "treat", "use",
];

/// What sets it against what not to do.
const CONTRASTS: [&str; 5] = [" not ", "(not ", " instead", " rather than ", " NOT "];

/// The same for all, and not one for each.
const ALIKE: [&str; 4] = ["keep the same", "use same", "use the same", "use one"];

/// Whether the entry `text` with these `clauses` says what to do, and sets it against what not to do: `put it in the store, not in the
/// view`. `Use a filter` does not.
pub(super) fn sets_apart<'a>(text: &str, mut clauses: impl Iterator<Item = &'a str>) -> bool {
    let has_contrast = CONTRASTS.iter().any(|words| text.contains(words));
    clauses.any(|clause| has_contrast && begins_with(clause, &STEPS) || begins_with(clause, &ALIKE))
}

#[cfg(test)]
mod tests {
    use super::super::for_good::holds_for_good;

    #[test]
    fn what_to_do_and_not_to_do_holds_for_good() {
        for text in [
            "- When a view opens a connection, put it in `state/`, not in the view",
            "- Loops: rename the variable (`kind` not `t`)",
            "- Use `retain` to filter instead of a second list",
            "- The wire format is a text; use the client rather than the service",
            "- The layout has corners, not centers; use the helpers for the ends of an edge",
            "- Use the same key for the event and the row",
        ] {
            assert!(holds_for_good(text), "{text}");
        }
        for text in [
            "- The event is a `Select`, not an element",
            "- Use `retain` to filter the list",
            "- The use of the store, not of the view, was measured",
            "- Putting it in the store was faster, not slower",
        ] {
            assert!(!holds_for_good(text), "{text}");
        }
    }
}
