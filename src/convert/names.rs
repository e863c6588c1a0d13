//! The names of a team's members in titles, lines and the names of files.

use std::collections::BTreeSet;

use super::reason::Reason;
use super::subject::EntryFile;
use crate::formats::legacy::find_date;
use crate::text::Span;

/// `text` with the names of several words that the team knows in one word of the same length each: `Mary Ann — …` is `Mary-Ann — …`
/// where there is an agent `mary-ann`.
pub(super) fn joined(text: &str, agents: &BTreeSet<String>) -> String {
    let mut joined = text.to_owned();
    let mut lower = text.to_ascii_lowercase();
    let of_words = agents.iter().filter(|agent| agent.contains(['-', ' '])).map(|agent| agent.replace('-', " "));
    let mut names: Vec<String> = of_words.filter(|name| lower.contains(name.as_str())).collect();
    // The longest first: one name may begin another.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in names {
        let is_word = |at: usize| {
            let (before, behind) = (lower.get(..at), lower.get(at + name.len()..));
            !before.is_some_and(|text| text.ends_with(char::is_alphanumeric))
                && !behind.is_some_and(|text| text.starts_with(char::is_alphanumeric))
        };
        let places: Vec<usize> = lower.match_indices(&name).map(|(at, _)| at).filter(|at| is_word(*at)).collect();
        for range in places.into_iter().map(|at| at..at + name.len()) {
            lower.replace_range(range.clone(), &name.replace(' ', "-"));
            if let Some(words) = joined.get(range.clone()).map(|words| words.replace(' ', "-")) {
                joined.replace_range(range, &words);
            }
        }
    }
    joined
}

/// Whether the team knows an agent of this name in lower case, its words apart or not.
pub(super) fn has_agent(agents: &BTreeSet<String>, name: &str) -> bool {
    agents.contains(name) || name.contains('-') && agents.contains(&name.replace('-', " "))
}

/// Members of a team whose names mean the team or its work in a heading.
pub(super) const EVERYONE: [&str; 6] = ["squad", "team", "copilot", "coordinator", "scribe", "user"];

/// Words at the start of an inbox file's name that name no author.
pub(super) const NO_NAMES: [&str; 40] = [
    "decision",
    "decisions",
    "team",
    "user",
    "directive",
    "update",
    "draft",
    "note",
    "notes",
    "inbox",
    "the",
    "new",
    "sprint",
    "phase",
    "session",
    "release",
    "fix",
    "feature",
    "issue",
    "pr",
    "test",
    "tests",
    "review",
    "proposal",
    "adr",
    "design",
    "architecture",
    "build",
    "ci",
    "docs",
    "api",
    "data",
    "copilot",
    "squad",
    "coordinator",
    "merge",
    "import",
    "wave",
    "scribe",
    "readme",
];

/// The author in the name of an inbox file, `keaton-shell-design.md` or `2026-02-14-keaton-shell-design.md`, and whether the team knows
/// the name: the longest one that does, `data-engineer-schema.md`.
pub(super) fn of_inbox(file: &str, place: &EntryFile<'_>) -> Option<(String, bool)> {
    let name = file.strip_suffix(".md").unwrap_or(file);
    let day = find_date(name, Span::new(0, name.len())).filter(|day| day.start() == 0);
    let behind_day = day.and_then(|day| name.get(day.end()..)).unwrap_or(name).trim_start_matches(['-', '_']);
    let ends = behind_day.match_indices('-').map(|(at, _)| at).take(MOST_WORDS).chain([behind_day.len()]);
    let known = ends.filter_map(|end| behind_day.get(..end)).filter(|first| {
        let lower = first.to_lowercase();
        !EVERYONE.contains(&lower.as_str()) && (place.agents.contains(&lower) || place.is_member(first))
    });
    if let Some(known) = known.last() {
        return Some((known.to_owned(), true));
    }
    let (first, rest) = name.split_once('-')?;
    let plausible = first.len() >= 2
        && first.chars().all(char::is_alphabetic)
        && !rest.is_empty()
        && !NO_NAMES.contains(&first.to_lowercase().as_str());
    plausible.then(|| (first.to_owned(), false))
}

/// Why the member at the start of the name of an inbox file may not be the author: the name is a word for what is in such files,
/// `api-versioning.md`, or another member is right behind it, `keaton-and-verbal-shell.md`.
pub(super) fn doubt_of_name(file: &str, name: &str, place: &EntryFile<'_>) -> Option<Reason> {
    if NO_NAMES.contains(&name.to_lowercase().as_str()) {
        return Some(Reason::NameIsWord(name.to_owned()));
    }
    let stem = file.strip_suffix(".md").unwrap_or(file);
    let (_, behind) = stem.split_once(name)?;
    let mut words =
        behind.split(['-', '_']).filter(|word| !word.is_empty() && !JOINS.contains(&word.to_lowercase().as_str()));
    let next = words.next().filter(|word| place.agents.contains(&word.to_lowercase()) || place.is_member(word))?;
    (!NO_NAMES.contains(&next.to_lowercase().as_str())).then(|| Reason::OtherInFileName(next.to_owned()))
}

/// Words between two names.
const JOINS: [&str; 6] = ["and", "with", "to", "for", "vs", "plus"];

/// So many words has the name of a member at most, at the start of a file's name.
const MOST_WORDS: usize = 4;

/// Whether a name in a title is that of an agent who does one thing among others, which the team and its scribe do not.
pub(super) fn is_agent(name: &str, agents: &BTreeSet<String>) -> bool {
    let lower = name.to_lowercase();
    has_agent(agents, &lower) && !EVERYONE.contains(&lower.as_str())
}
