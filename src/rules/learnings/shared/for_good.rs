//! Which entries hold for good.

use super::clauses::{clauses, start};
use super::contrast::orders_one_of_two;
use super::introduction::{introduces, places};
use crate::text::words::{begins_with, is_in_word};

/// How a clause begins that orders or forbids something for good.
const ORDERS: [&str; 6] = ["never", "always", "do not", "don't", "don\u{2019}t", "avoid"];

/// The same within a clause.
const LOUD: [&str; 3] = ["DO NOT ", "MUST NOT ", "NEVER "];

/// What says that something is needed for good, or that it is what all go by.
const NEEDS: [&str; 6] =
    ["required for ", "is essential", "are essential", "is the canonical ", "source of truth", " home for "];

/// Verbs that say that something is needed.
const VERBS: [&str; 6] = ["must", "should", "require", "requires", "need", "needs"];

/// The words before such a verb that take it back, or after which it is a noun.
const BEFORE: [&str; 9] = ["a", "different", "no", "not", "that", "the", "their", "which", "would"];

/// Whether the entry `text` holds for good, so that its age says nothing about it: it orders or forbids something (`use the pool: never
/// open a connection by hand`, `use the pool, not a connection of your own`), says that something is needed (`callers must close the cursor`), or introduces the project (`Project is
/// a parser of …`), or says where something belongs (``put the connection in `state/` ``). `The parser never panics` does none of these.
pub fn holds_for_good(text: &str) -> bool {
    LOUD.iter().any(|words| text.contains(words))
        || is_needed(text)
        || clauses(text).any(|clause| is_order(clause) || leads_all(clause) || places(clause))
        || orders_one_of_two(text)
        || introduces(start(text.trim_start().trim_start_matches(['-', '*', '+'])))
}

/// Whether `text` says that something is needed, as in `the tests should be offline` or `run the tests offline (required for the build
/// machine)`. A `must-have` is not needed.
fn is_needed(text: &str) -> bool {
    let mut last = "";
    let mut is_verb = |word| {
        let is = VERBS.iter().any(|verb| word_is(word, verb)) && !BEFORE.iter().any(|before| word_is(last, before));
        last = word;
        is
    };
    NEEDS.iter().any(|words| text.contains(words)) || text.split(|c| !is_in_word(c) && c != '-').any(&mut is_verb)
}

fn word_is(word: &str, other: &str) -> bool {
    word.eq_ignore_ascii_case(other)
}

/// Whether a clause without a verb leads all of something one way: `all logging via the logger`, `one module per feature`.
fn leads_all(clause: &str) -> bool {
    // Only what is between the two words is read: a text has many clauses.
    let words = clause.split_ascii_whitespace().skip(1).take(NAMED);
    let mut words = words.take_while(|word| !word.ends_with([',', ';', ':', '.'])).skip(1);
    let ways: &[&str] = if begins_with(clause, &["all", "every"]) {
        &["via", "through"]
    } else if begins_with(clause, &["one"]) {
        &["per"]
    } else {
        return false;
    };
    words.any(|word| ways.contains(&word))
}

/// So many words name what goes one way.
const NAMED: usize = 6;

fn is_order(clause: &str) -> bool {
    // `never-ending` is not an order.
    begins_with(clause, &ORDERS) && !clause.trim_start_matches(is_in_word).starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_and_prohibitions_hold_for_good() {
        for text in [
            "- **Never** skip the cleanup of fixtures (added: 2026-01-02)",
            "- Parameterized queries only via `params!` \u{2014} never interpolate SQL",
            "- Skip flags in CI, prompt locally, and never block the install on a missing toolchain",
            "- Lit render methods: always add an explicit return type",
            "- The lock is not reentrant. Don't take it twice.",
            "- Avoid `before` as a property name",
            "- Files of the build tool. DO NOT MODIFY by hand",
        ] {
            assert!(holds_for_good(text), "{text}");
        }
        for text in [
            "- The parser never panics on invalid input",
            "- `resolve()` always returns an absolute path",
            "- Never-ending loops were found in two tests",
            "- Tests that do not close the pool leak it",
            "- Caching avoids a second request",
        ] {
            assert!(!holds_for_good(text), "{text}");
        }
    }

    #[test]
    fn what_is_needed_holds_for_good() {
        for text in [
            "- Work trees have no `node_modules` \u{2014} must install before the tests",
            "- Callers must track the phase, not the time",
            "- The tests require `--offline` on the build machine",
            "- `strict` is on in the settings (required for the decorators)",
            "- `pulse.sh` is the shared entry point \u{2014} skills should call it instead of the log",
            "- The transport reserves standard output: all logging via `console.error()`",
            "- Every call to the store through one client",
            "- One module per feature, with its tests beside it",
            "- `diff.foreach` requires care: the callback needs file paths from another",
            "- `labels.json` is the canonical list of labels",
            "- `src/types.ts` is the home for types of both sides",
        ] {
            assert!(holds_for_good(text), "{text}");
        }
        for text in [
            "- The must-have fields have defaults in `mustache.rs`",
            "- Adding a required field breaks the fixtures",
            "- Not all of the logging goes via the logger",
            "- All tests pass; the build runs via make",
            "- One of the tests is slow, as it asks per file",
            "- Ranks are for different needs",
            "- There is no need to export it",
            "- One pass would require another API",
            "- `get` fetches all, also on tools that need all",
        ] {
            assert!(!holds_for_good(text), "{text}");
        }
    }
}
