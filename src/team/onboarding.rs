//! The first learnings of a new member, taken from those of related members that are not stale.

use super::{learned, merge};
use crate::formats::learnings::{Date, Entry, Learnings, SectionKind, Tier};
use crate::settings;
use crate::text::similarity;

/// A member to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its `learnings.md`.
    pub text: &'a str,
    /// Its text.
    pub learnings: &'a Learnings,
    /// The stale entries, by their places.
    pub stale: &'a [usize],
}

/// A new `learnings.md`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seed {
    /// The file.
    pub text: String,
    /// How many entries come from whom.
    pub taken: Vec<(String, usize)>,
    /// How many were left because they are stale.
    pub stale: usize,
    /// How many were left because another one says the same.
    pub alike: usize,
    /// How many were left because the file would be longer than its cap.
    pub over: usize,
    /// How many were left because they are more than a line of text can hold.
    pub unfit: usize,
}

struct Candidate<'a> {
    /// The place of its source.
    source: usize,
    entry: &'a Entry,
    text: &'a str,
    kind: SectionKind,
    is_core: bool,
}

/// The file of `member` with what the members in `sources` have learned, each entry with the day and with whom it comes from.
/// Notes to them stay with them. What is `Core` goes first, then what is newest, until `caps` is reached.
pub fn seed_learnings(member: &str, sources: &[Source<'_>], today: Date, caps: &settings::Learnings) -> Seed {
    let mut seed = Seed::default();
    let mut candidates = Vec::new();
    for (source, of) in sources.iter().enumerate() {
        for (place, entry) in of.learnings.entries.iter().enumerate().filter(|(_, entry)| !entry.placeholder) {
            let section = of.learnings.section_of(entry);
            let kind = match section.and_then(|section| section.within) {
                Some(SectionKind::CrossAgentNotes) => continue,
                Some(kind @ (SectionKind::Gotchas | SectionKind::Preferences)) => kind,
                _ => SectionKind::CodebasePatterns,
            };
            if of.stale.contains(&place) {
                seed.stale += 1;
                continue;
            }
            let is_core = section.and_then(|section| section.tier) == Some(Tier::Core);
            candidates.push(Candidate { source, entry, text: entry.text.of(of.text), kind, is_core });
        }
    }
    let texts: Vec<&str> = candidates.iter().map(|candidate| candidate.text).collect();
    let pairs = similarity::pairs(&texts, caps.similarity_threshold.fraction());
    let mut known = std::collections::HashSet::new();
    let mut place = 0..;
    candidates.retain(|candidate| {
        let place = place.next().unwrap_or_default();
        let is_new = known.insert(similarity::normal(candidate.text)) && !pairs.iter().any(|pair| pair.second == place);
        seed.alike += usize::from(!is_new);
        is_new
    });
    candidates.sort_by_key(|candidate| (!candidate.is_core, std::cmp::Reverse(candidate.entry.newest())));
    let template = merge::template(member);
    let room = usize::try_from(caps.max_lines.get()).unwrap_or(usize::MAX).saturating_sub(template.lines().count());
    let mut lines = Vec::new();
    for candidate in candidates {
        let Some(line) = line(candidate.text, sources.get(candidate.source).map_or("", |of| of.name), today) else {
            seed.unfit += 1;
            continue;
        };
        if lines.len() >= room {
            seed.over += 1;
            continue;
        }
        lines.push((candidate.source, candidate.entry.span, candidate.kind, line));
    }
    // In their order, member by member.
    lines.sort_by_key(|(source, span, ..)| (*source, *span));
    for (source, of) in sources.iter().enumerate() {
        seed.taken.push((of.name.to_owned(), lines.iter().filter(|(from, ..)| *from == source).count()));
    }
    let entries: Vec<(SectionKind, String)> = lines.into_iter().map(|(_, _, kind, line)| (kind, line)).collect();
    // Nothing is open in the template that could take them in.
    seed.text = merge::merge(&template, &entries).map(|merged| merged.text).unwrap_or(template);
    seed
}

/// The entry for `text`; `None` if it does not fit into a line.
fn line(text: &str, from: &str, today: Date) -> Option<String> {
    if text.contains("```") || text.contains("~~~") {
        return None;
    }
    let line = learned::entry(text, today, None).ok()?;
    let mark = format!("(added: {today})");
    Some(format!("{}(added: {today}, from: {from})", line.strip_suffix(&mark)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DB: &str = "# Learnings: db\n\n## Core\n- Tables are named in the plural\n\n## Task-Relevant\n\n### Gotchas\n\
        - Migrations run before the tests, always\n  - in CI, too (added: 2026-01-01, dispatch: a6r.1)\n\
        - Old (added: 2025-01-01)\n\n### Snippets\n- Run it:\n  ```sh\n  make\n  ```\n\n## Cross-Agent Notes\n- (from ui) Note\n";
    const UI: &str =
        "# Learnings: ui\n\n## Preferences\n- tables are named in the plural.\n- Small files (added: 2026-01-02)\n";

    fn planted(lines: u64) -> Seed {
        let (db, ui) = (Learnings::parse(DB), Learnings::parse(UI));
        let sources = [
            Source { name: "db", text: DB, learnings: &db, stale: &[2] },
            Source { name: "ui", text: UI, learnings: &ui, stale: &[] },
        ];
        let max_lines = lines.try_into().expect("a cap");
        let caps = settings::Learnings { max_lines, ..settings::Learnings::default() };
        seed_learnings("api", &sources, Date::constant(2026, 3, 22), &caps)
    }

    #[test]
    fn what_holds_is_taken_over() {
        let seed = planted(60);
        assert_eq!(
            seed.text,
            "# Learnings: api\n\n## Codebase Patterns\n\
             - Tables are named in the plural (added: 2026-03-22, from: db)\n\n## Gotchas\n\
             - Migrations run before the tests, always - in CI, too (added: 2026-03-22, from: db)\n\n## Preferences\n\
             - Small files (added: 2026-03-22, from: ui)\n\n## Cross-Agent Notes\n- (none yet)\n"
        );
        assert_eq!(seed.taken, [("db".to_owned(), 2), ("ui".to_owned(), 1)]);
        assert_eq!((seed.stale, seed.alike, seed.over, seed.unfit), (1, 1, 0, 1));
    }

    #[test]
    fn the_cap_holds_and_the_core_goes_first() {
        let template = merge::template("api").lines().count() as u64;
        let seed = planted(template + 2);
        assert!(seed.text.lines().count() as u64 <= template + 2);
        assert_eq!((seed.over, seed.taken), (1, vec![("db".to_owned(), 1), ("ui".to_owned(), 1)]));
        assert!(seed.text.contains("plural") && seed.text.contains("Small"), "{}", seed.text);
    }
}
