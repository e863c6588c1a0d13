//! Which entries say what to do, and what not to do.

use crate::text::words::begins_with;

/// How a clause begins that says what to do.
const STEPS: [&str; 20] = [
    "add", "call", "cast", "check", "extract", "import", "keep", "pass", "place", "prefer", "prevents", "put", "read",
    "rename", "return", "run", "set", "store", "treat", "use",
];

/// What sets one thing against another: `components are imported one by one, not as a bundle`.
const CONTRASTS: [&str; 5] = [", not ", " NOT ", "(not ", " instead of ", " rather than "];

/// What does so beside a clause that says what to do, or names what goes wrong without it.
const FAINT: [&str; 8] =
    [" not ", " instead", " issues ", " fails ", " breaks ", " is wrong", " conflicts ", " incompatible "];

/// The same for all, and not one for each.
const ALIKE: [&str; 5] = ["all use", "keep the same", "use same", "use the same", "use one"];

/// Whether the entry `text` with these `clauses` sets what to do against what not to do: `put it in the store, not in the view`. `Use a
/// filter` does not.
pub(super) fn sets_apart<'a>(text: &str, mut clauses: impl Iterator<Item = &'a str>) -> bool {
    let has = |phrases: &[&str]| phrases.iter().any(|words| text.contains(words));
    let is_faint = has(&FAINT);
    has(&CONTRASTS) || clauses.any(|clause| is_faint && begins_with(clause, &STEPS) || begins_with(clause, &ALIKE))
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
            "- The folder and its index are both in git, not ignored",
            "- `kind_of` matches whole words and not beginnings \u{2014} prevents false positives",
            "- Old branches have incompatible types; extract what is new by hand",
            "- One map for both passes hits borrow issues — use two passes",
        ] {
            assert!(holds_for_good(text), "{text}");
        }
        for text in [
            "- The event is a `Select` and has not changed",
            "- Use `retain` to filter the list",
            "- The use of the store has not been measured",
        ] {
            assert!(!holds_for_good(text), "{text}");
        }
    }
}
