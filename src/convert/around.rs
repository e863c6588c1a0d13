//! Who made an entry, where neither its fields nor its heading say it: its last lines, the file that it came from, its section.

use super::author;
use super::names::{is_agent, joined, of_inbox};
use super::subject::{Pattern, Subject};

/// So many lines at the end of an entry say who wrote it: the author, the day, and what is between.
const LAST_LINES: usize = 3;

/// The name in one of the last lines, as a letter has it: `Author: Keaton`.
pub(super) fn in_last_lines(subject: Subject<'_>) -> Option<String> {
    static AUTHOR: Pattern =
        Pattern::new(r"(?i)^[*_]{0,2}(?:author|by|written by|decided by)[*_]{0,2}\s*:[*_]{0,2}\s*(\S.*)$");
    let said = subject.of(subject.body()).lines().rev().filter(|line| line.contains(char::is_alphanumeric));
    said.take(LAST_LINES).find_map(|line| {
        let author = author::read(AUTHOR.groups(line.trim())?.get(1)?)?;
        author::is_plain_name(&author.name).then_some(author.name)
    })
}

/// The agent of the inbox file that an entry names as its source, and the path of that file:
/// ``**Source:** `decisions/inbox/keaton-parser.md` ``.
pub(super) fn in_source(subject: Subject<'_>) -> Option<(String, String)> {
    static SOURCE: Pattern = Pattern::new(
        r"(?im)^[*_>\t -]{0,4}(?:source|origin|merged from|(?:source )?inbox)\b[^\n]*?\b(inbox/[\w.-]+\.md)\b",
    );
    let path = SOURCE.groups(subject.of(subject.body()))?.get(1)?;
    let (name, is_known) = of_inbox(path.rsplit('/').next()?, &subject.place)?;
    is_known.then(|| (name, path.to_owned()))
}

/// The agent in the title of the section that an entry is in: `Decisions of the parser (Keaton)`, `Parser — Keaton`.
pub(super) fn in_section(subject: Subject<'_>) -> Option<String> {
    static NAMED: Pattern = Pattern::new(r"(?:\(@?(\p{Lu}[\p{L}\d_-]+)\)|\s[—–-]\s+@?(\p{Lu}[\p{L}\d_-]+))\s*$");
    let agents = subject.place.agents;
    let joined = joined(subject.section, agents);
    let found = NAMED.groups(&joined)?;
    let range = found.range(1).or_else(|| found.range(2))?;
    let is_known = is_agent(joined.get(range.clone())?, agents);
    subject.section.get(range).filter(|_| is_known).map(str::to_owned)
}
