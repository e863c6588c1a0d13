//! Puts new entries into a learnings file: each into its section, without duplicates, and without losing a line.

use std::collections::{BTreeMap, HashSet};

use super::learned;
use crate::formats::learnings::{Entry, Learnings, Section, SectionKind, Tier};
use crate::text::line_ending;
use crate::text::similarity;

/// The sections of a file without tiers, in their order.
const SECTIONS: [SectionKind; 4] =
    [SectionKind::CodebasePatterns, SectionKind::Gotchas, SectionKind::Preferences, SectionKind::CrossAgentNotes];

/// A learnings file with what is new in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The file.
    pub text: String,
    /// How many entries came to which section.
    pub added: BTreeMap<SectionKind, usize>,
    /// How many were there already.
    pub known: usize,
}

/// Something in the file that is left open, such as a fence, would take the new entries in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an unclosed construct, such as a code fence, would swallow the new entries")]
pub struct Swallowed;

/// A learnings file in which nothing is yet.
pub fn template(member: &str) -> String {
    let sections = SECTIONS.map(|kind| format!("\n## {}\n- (none yet)\n", kind.name()));
    format!("# Learnings: {member}\n{}", sections.concat())
}

/// `text` with `entries`, each a line without its end, at the end of their sections. Placeholders give way. Where the file has
/// tiers, they go to `Task-Relevant`. An entry that the file already has, except for formatting and marks, is not added again.
///
/// # Errors
/// When the file is such that they would not be entries in it.
pub fn merge(text: &str, entries: &[(SectionKind, String)]) -> Result<Merged, Swallowed> {
    let before = Learnings::parse(text);
    let mut known: HashSet<String> =
        before.real_entries().map(|entry| similarity::normal(entry.text.of(text))).collect();
    let mut new: BTreeMap<SectionKind, Vec<&str>> = BTreeMap::new();
    for (kind, line) in entries {
        if known.insert(learned::key(line)) {
            new.entry(*kind).or_default().push(line);
        }
    }
    let mut merged = text.to_owned();
    for (kind, lines) in &new {
        merged = insert(&merged, *kind, lines);
    }
    let added: BTreeMap<SectionKind, usize> = new.iter().map(|(kind, lines)| (*kind, lines.len())).collect();
    let count: usize = added.values().sum();
    let after = Learnings::parse(&merged);
    let keys = |parsed: &Learnings, text: &str| -> Vec<String> {
        let mut keys: Vec<_> = parsed.real_entries().map(|entry| similarity::normal(entry.text.of(text))).collect();
        keys.sort_unstable();
        keys
    };
    let mut expected = keys(&before, text);
    expected.extend(new.values().flatten().map(|line| learned::key(line)));
    expected.sort_unstable();
    if keys(&after, &merged) != expected {
        return Err(Swallowed);
    }
    Ok(Merged { text: merged, added, known: entries.len() - count })
}

/// Where entries go.
enum Insertion<'a> {
    /// Into this section.
    Into(&'a Section, Vec<&'a Entry>),
    /// Into a new one of this level, before this byte.
    New(usize, u8),
}

fn insert(text: &str, kind: SectionKind, lines: &[&str]) -> String {
    let eol = line_ending(text);
    let parsed = Learnings::parse(text);
    let block: String = lines.iter().flat_map(|line| [*line, eol]).collect();
    let (section, entries) = match place(&parsed, text, kind) {
        Insertion::Into(section, entries) => (section, entries),
        Insertion::New(at, level) => {
            let heading = format!("{} {}{eol}", "#".repeat(usize::from(level)), kind.name());
            return put(text, at, at, &[&heading, &block], true);
        }
    };
    if let Some(placeholder) = entries.iter().find(|entry| entry.placeholder) {
        return put(text, placeholder.span.start(), placeholder.span.end(), &[&block], false);
    }
    if let Some(last) = entries.last() {
        return put(text, last.span.end(), last.span.end(), &[&block], false);
    }
    let prose = section.body.trim(text);
    if prose.is_empty() {
        return put(text, section.body.start(), section.body.start(), &[&block], false);
    }
    put(text, prose.end(), prose.end(), &[eol, eol, &block], false)
}

/// `text` with `parts` in the place of its bytes from `start` to `end`; what is on a line by itself gets one, and with a
/// blank line around it where `apart` is set.
fn put(text: &str, start: usize, end: usize, parts: &[&str], apart: bool) -> String {
    let eol = line_ending(text);
    let (before, after) = (text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default());
    let block = parts.concat();
    let mut out = before.to_owned();
    let starts_line = |out: &str| out.is_empty() || out.ends_with('\n') || out == "\u{feff}";
    if !starts_line(&out) && !block.starts_with(['\n', '\r']) {
        out.push_str(eol);
    }
    if apart && !out.trim().is_empty() && !out.ends_with("\n\n") && !out.ends_with("\n\r\n") {
        out.push_str(eol);
    }
    out.push_str(&block);
    if apart && !after.is_empty() && !after.starts_with(['\n', '\r']) {
        out.push_str(eol);
    }
    // After prose, the line end already exists.
    let after = match block.starts_with(['\n', '\r']) {
        true => after.strip_prefix(eol).unwrap_or(after),
        false => after,
    };
    out.push_str(after);
    out
}

fn place<'a>(parsed: &'a Learnings, text: &str, kind: SectionKind) -> Insertion<'a> {
    let into = |at: usize, section: &'a Section| {
        Insertion::Into(section, parsed.entries.iter().filter(|entry| entry.section == Some(at)).collect())
    };
    let own = || parsed.sections.iter().enumerate().filter(|(_, section)| section.kind == Some(kind));
    let relevant = own().find(|(_, section)| section.tier == Some(Tier::TaskRelevant));
    if let Some((at, section)) = relevant.or_else(|| own().find(|(_, section)| section.tier.is_none())) {
        return into(at, section);
    }
    let tier = parsed.sections.iter().enumerate().find(|(_, section)| section.kind == Some(SectionKind::TaskRelevant));
    if let Some((at, tier)) = tier {
        let has_inner = parsed
            .sections
            .iter()
            .any(|section| tier.body.end <= section.heading.start && tier.span.contains(section.span));
        let has_entries = parsed.entries.iter().any(|entry| entry.section == Some(at) && !entry.placeholder);
        if has_entries && !has_inner {
            return into(at, tier);
        }
        return Insertion::New(tier.span.end(), (tier.level + 1).min(6));
    }
    let order = |kind: SectionKind| SECTIONS.iter().position(|known| *known == kind);
    let siblings = || {
        let outside = parsed.sections.iter().filter(|section| section.tier.is_none());
        outside.filter_map(|section| Some((order(section.kind?)?, section)))
    };
    let own = order(kind).unwrap_or(0);
    let before = siblings().filter(|(place, _)| *place < own).max_by_key(|(_, section)| section.span.end);
    let after = siblings().filter(|(place, _)| *place > own).min_by_key(|(_, section)| section.span.start);
    match (before, after) {
        (Some((_, section)), _) => Insertion::New(section.span.end(), section.level),
        (None, Some((_, section))) => Insertion::New(section.heading.start(), section.level),
        (None, None) => Insertion::New(text.len(), 2),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const GOTCHA: SectionKind = SectionKind::Gotchas;

    fn merged(text: &str, entries: &[(SectionKind, &str)]) -> Merged {
        let entries: Vec<_> = entries.iter().map(|(kind, line)| (*kind, (*line).to_owned())).collect();
        merge(text, &entries).unwrap()
    }

    #[test]
    fn a_section_grows_at_its_end() {
        for (text, expected) in [
            ("## Gotchas\n- a\n\n## Preferences\n- b\n", "## Gotchas\n- a\n- x\n\n## Preferences\n- b\n"),
            ("## Gotchas\n- a\n  - inner\n", "## Gotchas\n- a\n  - inner\n- x\n"),
            ("## Gotchas\r\n- a", "## Gotchas\r\n- a\r\n- x\r\n"),
            (
                "## Gotchas\n- (none yet)\n\n## Preferences\n- (none yet)\n",
                "## Gotchas\n- x\n\n## Preferences\n- (none yet)\n",
            ),
            ("## Gotchas\n\n- (none yet)", "## Gotchas\n\n- x\n"),
            ("## Gotchas\n\n## Preferences\n", "## Gotchas\n- x\n\n## Preferences\n"),
            ("## Gotchas", "## Gotchas\n- x\n"),
            ("## Gotchas\n\nWhat hurts.\n\n## Preferences\n", "## Gotchas\n\nWhat hurts.\n\n- x\n\n## Preferences\n"),
            ("## Gotchas\nWhat hurts.", "## Gotchas\nWhat hurts.\n\n- x\n"),
        ] {
            assert_eq!(merged(text, &[(GOTCHA, "- x")]).text, expected, "{text}");
        }
    }

    #[test]
    fn a_section_that_is_missing_comes_in_its_place() {
        for (text, expected) in [
            ("", "## Gotchas\n- x\n"),
            ("# Learnings: a\n", "# Learnings: a\n\n## Gotchas\n- x\n"),
            (
                "# Learnings: a\n\n## Codebase Patterns\n- a\n\n## Preferences\n- b\n",
                "# Learnings: a\n\n## Codebase Patterns\n- a\n\n## Gotchas\n- x\n\n## Preferences\n- b\n",
            ),
            ("# Learnings: a\n\n## Preferences\n- b\n", "# Learnings: a\n\n## Gotchas\n- x\n\n## Preferences\n- b\n"),
            ("# Learnings: a\n\n## Own\n- b", "# Learnings: a\n\n## Own\n- b\n\n## Gotchas\n- x\n"),
        ] {
            assert_eq!(merged(text, &[(GOTCHA, "- x")]).text, expected, "{text}");
        }
    }

    #[test]
    fn tiers_take_it_where_it_is_relevant() {
        let core = "# Learnings: a\n\n## Core\n\n### Gotchas\n- c\n\n";
        for (text, expected) in [
            ("## Task-Relevant\n\n### Zod\n- z\n", "## Task-Relevant\n\n### Zod\n- z\n\n### Gotchas\n- x\n"),
            (
                "## Task-Relevant — Now\n\n### Gotchas\n- z\n\n### Zod\n- z2\n",
                "## Task-Relevant — Now\n\n### Gotchas\n- z\n- x\n\n### Zod\n- z2\n",
            ),
            ("## Task-Relevant\n- z\n", "## Task-Relevant\n- z\n- x\n"),
            ("## Task-Relevant\n- z\n\n## Gotchas\n- y\n", "## Task-Relevant\n- z\n\n## Gotchas\n- y\n- x\n"),
        ] {
            let text = [core, text].concat();
            assert_eq!(merged(&text, &[(GOTCHA, "- x")]).text, [core, expected].concat(), "{text}");
        }
    }

    #[test]
    fn what_is_there_does_not_come_again() {
        let text = "## Codebase Patterns\n- Use joi, not zod. (added: 2026-01-01)\n";
        let again = [(GOTCHA, "- use  Joi, not zod (added: 2026-03-01)"), (GOTCHA, "- y"), (GOTCHA, "- Y.")];
        let merged = merged(text, &again);
        assert_eq!((merged.known, merged.added.get(&GOTCHA)), (2, Some(&1)));
    }

    #[test]
    fn what_would_be_swallowed_is_refused() {
        let text = "## Codebase Patterns\n- a\n\n```\nopen\n";
        assert_eq!(merge(text, &[(SectionKind::Preferences, "- x".into())]), Err(Swallowed));
        assert!(merge(text, &[]).is_ok());
    }

    #[test]
    fn the_template_is_a_whole_file() {
        let merged = merged(&template("api"), &[(GOTCHA, "- x"), (SectionKind::CrossAgentNotes, "- (from b) y")]);
        assert_eq!(
            merged.text,
            "# Learnings: api\n\n## Codebase Patterns\n- (none yet)\n\n## Gotchas\n- x\n\n## Preferences\n- (none yet)\n\n\
             ## Cross-Agent Notes\n- (from b) y\n"
        );
    }

    fn line() -> impl Strategy<Value = String> {
        let lines = [
            "# Learnings: a",
            "## Codebase Patterns",
            "## Gotchas",
            "### Gotchas",
            "## Preferences",
            "## Cross-Agent Notes",
            "## Core",
            "## Task-Relevant",
            "## Own",
            "- one",
            "- two (added: 2026-01-01)",
            "- (none yet)",
            "  - inner",
            "prose",
            "",
            "",
            "```",
            "<!-- c -->",
            "| a | b |",
            "1. first",
            "---",
            "  text",
            "* star",
            "<!--",
        ];
        prop::sample::select(lines.to_vec()).prop_map(str::to_owned)
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_twice_is_once(
            lines in prop::collection::vec(line(), 0..25),
            crlf in any::<bool>(),
            ended in any::<bool>(),
            new in prop::collection::vec((0_usize..4, 0_usize..6), 0..6),
        ) {
            let eol = if crlf { "\r\n" } else { "\n" };
            let mut text = lines.join(eol);
            if ended {
                text.push_str(eol);
            }
            let entries: Vec<_> = new.iter().map(|(kind, n)| (SECTIONS[*kind], format!("- new {n} (added: 2026-03-01)"))).collect();
            let Ok(merged) = merge(&text, &entries) else { return Ok(()) };
            prop_assert_eq!(merged.added.values().sum::<usize>() + merged.known, entries.len());
            // Every line that is not a placeholder is still there, in its order.
            let mut left = merged.text.lines();
            for line in text.lines().filter(|line| !line.contains("(none yet)") && !line.trim().is_empty()) {
                prop_assert!(left.any(|other| other == line), "{:?} is lost in {:?}", line, &merged.text);
            }
            let again = merge(&merged.text, &entries).unwrap();
            prop_assert_eq!(&again.text, &merged.text);
            prop_assert_eq!(again.known, entries.len());
        }
    }
}
