//! Which entries guide later work, so that they leave after others.

use super::clauses::{clauses, start};
use super::contrast::sets_apart;

/// What says that something is so on purpose, and has to stay so.
const DESIGN: [&str; 4] = ["by design", "on purpose", " only when ", "invariant"];

/// What a project consists of, before a list of them.
const PARTS: [&str; 7] = ["Commands:", "Crates:", "Layers:", "Modules:", "Packages:", "Subcommands:", "pipeline:"];

/// How the names of source files end.
const SOURCES: [&str; 15] = [
    ".cs", ".css", ".go", ".html", ".js", ".json", ".md", ".mjs", ".py", ".rs", ".sh", ".toml", ".ts", ".tsx", ".yaml",
];

/// What says what such a file is for.
const ROLES: [&str; 6] = ["contains", "exports", "holds", "is", "re-exports", "wraps"];

/// So many words name what lies somewhere.
const NAME: usize = 4;

/// Whether the entry `text` guides work that is yet to come more than a fact of its day: it sets one thing against another (`imported
/// one by one, not as a bundle`), or says that something is so on purpose, or what a project consists of (`Commands: check, fix`).
pub fn guides(text: &str) -> bool {
    DESIGN.iter().any(|words| text.contains(words))
        || sets_apart(text)
        || is_inventory(start(text.trim_start().trim_start_matches(['-', '*', '+'])))
        || clauses(text).any(names_role)
}

/// Whether `clause` says what a file is for: `labels.json is the list of all labels`. What it is today is no role: `is tested`.
fn names_role(clause: &str) -> bool {
    let mut words = clause.split_ascii_whitespace();
    let file = words.next().unwrap_or_default().trim_matches('`');
    SOURCES.iter().any(|end| file.ends_with(end))
        && words.next().is_some_and(|word| ROLES.contains(&word))
        && words.next().is_some_and(|word| !word.to_ascii_lowercase().ends_with("ed"))
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
    use super::guides;

    #[test]
    fn what_is_on_purpose_or_what_the_project_consists_of_guides() {
        for text in [
            "- The folder is left out of the package, correct by design",
            "- Selectors are equal only when the store returns new objects",
            "- Views are imported one by one, not as a bundle",
            "- Uses a parser generator (chosen for its errors)",
            "- Domain events in `src/events.ts`, of 7 kinds",
            "- Subcommands: check, fix, each with its own page",
            "- Data pipeline: clone, extract, train",
            "- **36 skills:** 23 for work, 13 for thought",
            "- lib.rs + main.rs: the library has all modules, main.rs is thin",
            "- `src/labels.json` is the list of all labels",
        ] {
            assert!(guides(text), "{text}");
        }
        for text in [
            "- It uses a cache",
            "- settings.json is UNTESTED",
            "- The loop in main.rs was long",
            "- 36 skills were renamed: all pass",
            "- Fixed the loop in `src/events.ts`",
            "- The loop ends at the first error in `src/events.ts`",
        ] {
            assert!(!guides(text), "{text}");
        }
    }
}
