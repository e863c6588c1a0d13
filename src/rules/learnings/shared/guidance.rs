//! Which entries guide later work, so that they leave after others of their kind.

use super::clauses::{clauses, start};
use crate::text::words::begins_with;

/// What says that something is so on purpose, and has to stay so.
const DESIGN: [&str; 4] = ["by design", "on purpose", " only when ", "invariant"];

/// What sets one thing against another: `components are imported one by one, not as a bundle`.
const CONTRASTS: [&str; 5] = [", not ", " NOT ", "(not ", " instead of ", " rather than "];

/// What does so beside a clause that says what to do, or names what goes wrong without it.
const FAINT: [&str; 8] =
    [" not ", " instead", " issues ", " fails ", " breaks ", " is wrong", " conflicts ", " incompatible "];

/// How a clause begins that says what to do.
const STEPS: [&str; 20] = [
    "add", "call", "cast", "check", "extract", "import", "keep", "pass", "place", "prefer", "prevents", "put", "read",
    "rename", "return", "run", "set", "store", "treat", "use",
];

/// The same for all, and not one for each.
const ALIKE: [&str; 5] = ["all use", "keep the same", "use same", "use the same", "use one"];

/// What a project consists of, before a list of them.
const PARTS: [&str; 7] = ["Commands:", "Crates:", "Layers:", "Modules:", "Packages:", "Subcommands:", "pipeline:"];

/// So many words name what lies somewhere.
const NAME: usize = 4;

/// How much an entry guides work that is yet to come. What guides more leaves later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guidance {
    /// A fact of its day: `The pool has 5 connections`.
    None,
    /// It says that something is so on purpose, sets one thing against another, or says what a project consists of: `Commands: check,
    /// fix`.
    Some,
    /// It says what to do and what not to do: `Put it in the store, not in the view`.
    Order,
}

impl Guidance {
    /// How much the entry `text` guides.
    pub fn of(text: &str) -> Self {
        if orders_one_of_two(text) {
            Self::Order
        } else if DESIGN.iter().any(|words| text.contains(words))
            || sets_apart(text)
            || is_inventory(start(text.trim_start().trim_start_matches(['-', '*', '+'])))
        {
            Self::Some
        } else {
            Self::None
        }
    }
}

/// Whether one sentence says what to do, and then what not to do.
fn orders_one_of_two(text: &str) -> bool {
    let end = |rest: &str| rest.find(". ").into_iter().chain(rest.find(';')).min().unwrap_or(rest.len());
    clauses(text).filter(|clause| begins_with(clause, &STEPS)).any(|clause| {
        let sentence = clause.get(..end(clause)).unwrap_or(clause);
        CONTRASTS.iter().any(|words| sentence.contains(words))
    })
}

fn sets_apart(text: &str) -> bool {
    let has = |phrases: &[&str]| phrases.iter().any(|words| text.contains(words));
    let is_faint = has(&FAINT);
    has(&CONTRASTS)
        || clauses(text).any(|clause| is_faint && begins_with(clause, &STEPS) || begins_with(clause, &ALIKE))
}

/// Whether `said`, an entry from its first word on, lists what a project uses or has, or says where something lies: `Uses a parser`, `12
/// commands: check, fix`, `Events in src/events.ts`.
fn is_inventory(said: &str) -> bool {
    let words: Vec<&str> =
        said.split_ascii_whitespace().take(NAME + 1).map(|word| word.trim_end_matches('*')).collect();
    let begins = words.first().copied().unwrap_or_default();
    let is_count =
        begins.bytes().all(|byte| byte.is_ascii_digit()) && words.get(1).is_some_and(|word| word.ends_with(':'));
    let is_place = |pair: &[&str]| matches!(pair, ["in", path] if path.starts_with('`') && path.contains('/'));
    begins == "Uses"
        || is_count
        || words.iter().take(2).any(|word| PARTS.contains(word))
        || !begins.ends_with("ed") && words.windows(2).take(NAME).any(is_place)
}

#[cfg(test)]
mod tests {
    use super::Guidance;

    fn guides(text: &str) -> bool {
        Guidance::of(text) > Guidance::None
    }

    #[test]
    fn what_to_do_and_not_to_do_guides() {
        for text in [
            "- When a view opens a connection, put it in the store, not in the view",
            "- Loops: rename the variable (`kind` not `t`)",
            "- Use `retain` to filter instead of a second list",
            "- The wire format is a text; use the client rather than the service",
            "- Use the same key for the event and the row",
            "- The folder and its index are both in git, not ignored",
            "- Old branches have incompatible types; extract what is new by hand",
            "- One map for both passes hits borrow issues \u{2014} use two passes",
            "- The folder is left out of the package, correct by design",
            "- Selectors are equal only when the store returns new objects",
            "- 20 pages, all use the same header",
        ] {
            assert!(guides(text), "{text}");
        }
        for text in [
            "- The event is a `Select` and has not changed",
            "- Use `retain` to filter the list",
            "- The use of the store has not been measured",
        ] {
            assert!(!guides(text), "{text}");
        }
    }

    #[test]
    fn what_to_do_and_not_to_do_in_one_sentence_is_an_order() {
        for text in [
            "- When a view opens a connection, put it in the store, not in the view",
            "- The client is new \u{2014} use it rather than the service",
            "- Use `retain` to filter instead of a second list",
        ] {
            assert!(Guidance::of(text) == Guidance::Order, "{text}");
        }
        for text in [
            "- The event is a `Select`, not an `Input`; cast it",
            "- Use `retain`. The list is kept in order, not sorted",
            "- Views are imported one by one, not as a bundle",
        ] {
            assert!(Guidance::of(text) == Guidance::Some, "{text}");
        }
    }

    #[test]
    fn what_the_project_consists_of_guides() {
        for text in [
            "- Uses a parser generator (chosen for its errors)",
            "- Domain events in `src/events.ts`, of 7 kinds",
            "- Subcommands: check, fix, each with its own page",
            "- Data pipeline: clone, extract, train",
            "- **36 skills:** 23 for work, 13 for thought",
        ] {
            assert!(guides(text), "{text}");
        }
        for text in [
            "- It uses a cache",
            "- 36 skills were renamed: all pass",
            "- Fixed the loop in `src/events.ts`",
            "- The loop ends at the first error in `src/events.ts`",
        ] {
            assert!(!guides(text), "{text}");
        }
    }
}
