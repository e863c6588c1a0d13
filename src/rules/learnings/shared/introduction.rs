//! Which entries introduce the project.

/// What the project is called by a line that introduces it.
const PROJECTS: [&str; 5] = ["project", "repo", "repository", "codebase", "app"];

/// Whether `said`, an entry from its first word on, says what its project is or consists of, as in `The project is a parser`, `Uses a
/// parser` and `Commands: check, fix`, or where something lies: `Stories live in src/stories`, `Events in src/events.ts`.
pub(super) fn introduces(said: &str) -> bool {
    let words: Vec<&str> = said.split_ascii_whitespace().take(FIRST).map(|word| word.trim_end_matches('*')).collect();
    let is_place =
        |pair: &[&str]| matches!(pair, [verb, at] if PLACES.contains(verb) && ["at", "by", "in", "under"].contains(at));
    let is_project = |(at, word): (usize, &&str)| {
        let verb = words.get(at + 1).is_some_and(|verb| ["built", "is", "managed", "uses", "written"].contains(verb));
        let (name, named) = word.strip_suffix(':').map_or((*word, verb), |name| (name, true));
        named && PROJECTS.iter().any(|project| name.eq_ignore_ascii_case(project))
    };
    let begins = words.first().copied().unwrap_or_default();
    let is_named_place = |pair: &[&str]| matches!(pair, ["in", path] if path.starts_with('`') && path.contains('/'));
    let is_count =
        || begins.bytes().all(|byte| byte.is_ascii_digit()) && words.get(1).is_some_and(|word| word.ends_with(':'));
    begins == "Uses"
        || is_count()
        || words.iter().take(2).any(|word| PARTS.contains(word))
        || words.windows(2).any(is_place)
        || !begins.ends_with("ed") && words.windows(2).take(NAME).any(is_named_place)
        || words.iter().take(2).enumerate().any(is_project)
}

/// What a project consists of, before a list of them.
const PARTS: [&str; 7] = ["Commands:", "Crates:", "Layers:", "Modules:", "Packages:", "Subcommands:", "pipeline:"];

/// So many words name what lies somewhere.
const NAME: usize = 4;

/// What says where something is to be found.
const PLACES: [&str; 5] = ["belong", "belongs", "live", "lives", "organized"];

/// So many words say what it is about.
const FIRST: usize = 12;

#[cfg(test)]
mod tests {
    use super::introduces;

    #[test]
    fn what_the_project_is_and_where_things_lie() {
        for text in [
            "Project is `tools/parser/`, a command for lists",
            "Project:** tools/parser, 7 phases",
            "Uses a parser generator (chosen for its errors)",
            "Parent project is a set of documents; this is its only program",
            "This codebase is a library without a binary",
            "Python project managed with uv (`pyproject.toml`)",
            "Stories live in `src/stories/`, one file each",
            "Views are organized by feature under `src/views`",
            "Domain events in `src/events.ts`, of 7 kinds",
            "Subcommands: check, fix, each with its own page",
            "Data pipeline: clone, extract, train",
            "36 skills: 23 for work, 13 for thought",
        ] {
            assert!(introduces(text), "{text}");
        }
        for text in [
            "Project files are read in parallel",
            "It uses a cache",
            "36 skills were renamed: all pass",
            "Fixed the loop in `src/events.ts`",
            "The loop ends at the first error in `src/events.ts`",
            "The app restarts when its settings change",
            "The cache of the app is cleared when tests live longer than a minute",
        ] {
            assert!(!introduces(text), "{text}");
        }
    }
}
