//! Which entries introduce the project.

use crate::text::words::begins_with;

/// What the project is called by a line that introduces it.
const PROJECTS: [&str; 5] = ["project", "repo", "repository", "codebase", "app"];

/// Whether `said`, an entry from its first word on, says what its project is, as in `The project is a parser` and `Project:
/// tools/parser`, or where something lies: `Stories live in src/stories`.
pub(super) fn introduces(said: &str) -> bool {
    let words: Vec<&str> = said.split_ascii_whitespace().take(FIRST).map(|word| word.trim_end_matches('*')).collect();
    let is_place =
        |pair: &[&str]| matches!(pair, [verb, at] if PLACES.contains(verb) && ["at", "by", "in", "under"].contains(at));
    let is_project = |(at, word): (usize, &&str)| {
        let verb = words.get(at + 1).is_some_and(|verb| ["built", "is", "managed", "uses", "written"].contains(verb));
        let (name, named) = word.strip_suffix(':').map_or((*word, verb), |name| (name, true));
        named && PROJECTS.iter().any(|project| name.eq_ignore_ascii_case(project))
    };
    words.windows(2).any(is_place) || words.iter().take(2).enumerate().any(is_project)
}

/// Whether `clause` says where something belongs: ``put the connection in `state/` ``.
pub(super) fn places(clause: &str) -> bool {
    let words: Vec<&str> = clause.split_ascii_whitespace().take(FIRST).collect();
    let is_path = |pair: &[&str]| matches!(pair, [at, path] if ["in", "into", "under"].contains(at) && path.trim_start_matches('`').contains('/'));
    begins_with(clause, &["keep", "place", "put", "store"]) && words.windows(2).any(is_path)
}

/// What says where something is to be found.
const PLACES: [&str; 5] = ["belong", "belongs", "live", "lives", "organized"];

/// So many words say what it is about.
const FIRST: usize = 12;

#[cfg(test)]
mod tests {
    use super::{introduces, places};

    #[test]
    fn where_something_belongs() {
        for text in ["put the connection in `state/` with a variable", "Keep types under src/types/, one a file"] {
            assert!(places(text), "{text}");
        }
        for text in ["put the connection in a variable", "the pool lies in `state/`"] {
            assert!(!places(text), "{text}");
        }
    }

    #[test]
    fn what_the_project_is_and_where_things_lie() {
        for text in [
            "Project is `tools/parser/`, a command for lists",
            "Project:** tools/parser, 7 phases",
            "Parent project is a set of documents; this is its only program",
            "This codebase is a library without a binary",
            "Python project managed with uv (`pyproject.toml`)",
            "Stories live in `src/stories/`, one file each",
            "Views are organized by feature under `src/views`",
        ] {
            assert!(introduces(text), "{text}");
        }
        for text in [
            "Project files are read in parallel",
            "The app restarts when its settings change",
            "The cache of the app is cleared when tests live longer than a minute",
        ] {
            assert!(!introduces(text), "{text}");
        }
    }
}
