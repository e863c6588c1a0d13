//! Which entries set one thing against another.

use super::clauses::clauses;
use crate::text::words::begins_with;

/// What sets one thing against another: `components are imported one by one, not as a bundle`.
const CONTRASTS: [&str; 5] = [", not ", " NOT ", "(not ", " instead of ", " rather than "];

/// What does so beside a clause that says what to do, or names what goes wrong without it.
const FAINT: [&str; 8] =
    [" not ", " instead", " issues ", " fails ", " breaks ", " is wrong", " conflicts ", " incompatible "];

/// What prefers one thing, before ` over ` and another.
const PREFERS: [&str; 7] = ["chose", "chosen", "favor", "favour", "prefer", "preferred", "prefers"];

/// How a clause begins that says what to do.
const STEPS: [&str; 20] = [
    "add", "call", "cast", "check", "extract", "import", "keep", "pass", "place", "prefer", "prevents", "put", "read",
    "rename", "return", "run", "set", "store", "treat", "use",
];

/// The same for all, and not one for each.
const ALIKE: [&str; 5] = ["all use", "keep the same", "use same", "use the same", "use one"];

/// Whether one sentence of the entry `text` says what to do, and then what not to do: `put it in the store, not in the view`.
pub(super) fn orders_one_of_two(text: &str) -> bool {
    clauses(text).filter(|clause| begins_with(clause, &STEPS)).any(|clause| is_contrast(sentence(clause)))
}

/// Whether the entry `text` names one thing, and another that is not meant: `imported one by one, not as a bundle`, `chosen for its
/// errors over a faster one`.
pub(super) fn is_contrast(text: &str) -> bool {
    let prefers = |clause: &str| begins_with(clause, &PREFERS) && sentence(clause).contains(" over ");
    CONTRASTS.iter().any(|words| text.contains(words)) || text.contains(" over ") && clauses(text).any(prefers)
}

/// `text` up to the end of its first sentence.
fn sentence(text: &str) -> &str {
    let end = text.find(". ").into_iter().chain(text.find(';')).min();
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// Whether the entry `text` sets one thing against another in any way.
pub(super) fn sets_apart(text: &str) -> bool {
    let is_faint = FAINT.iter().any(|words| text.contains(words));
    is_contrast(text)
        || clauses(text).any(|clause| is_faint && begins_with(clause, &STEPS) || begins_with(clause, &ALIKE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_do_and_not_to_do_in_one_sentence_is_an_order() {
        for text in [
            "- When a view opens a connection, put it in the store, not in the view",
            "- The client is new \u{2014} use it rather than the service",
            "- Use `retain` to filter instead of a second list",
            "- Loops: rename the variable (`kind`, not `t`)",
        ] {
            assert!(orders_one_of_two(text) && sets_apart(text), "{text}");
        }
        for text in [
            "- The event is a `Select`, not an `Input`; cast it",
            "- Use `retain`. The list is kept in order, not sorted",
            "- Views are imported one by one, not as a bundle",
        ] {
            assert!(!orders_one_of_two(text) && sets_apart(text), "{text}");
        }
    }

    #[test]
    fn one_thing_against_another() {
        for text in [
            "- Use the same key for the event and the row",
            "- The folder and its index are both in git, not ignored",
            "- Old branches have incompatible types; extract what is new by hand",
            "- One map for both passes hits borrow issues \u{2014} use two passes",
            "- 20 pages, all use the same header",
            "- Uses a parser generator (chosen for its errors over a faster one)",
            "- Read the index, preferred over a walk of the folder",
        ] {
            assert!(sets_apart(text), "{text}");
        }
        for text in [
            "- The event is a `Select` and has not changed",
            "- Use `retain` to filter the list",
            "- The use of the store has not been measured",
            "- Chosen for its errors. The call goes over the wire",
            "- The tests that were chosen ran over night",
        ] {
            assert!(!sets_apart(text), "{text}");
        }
    }
}
