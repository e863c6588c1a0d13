//! What a file of the inbox says, and how it is written into a ledger.

use crate::dialects::{FileKind, squad};
use crate::formats::entries::Block;
use crate::formats::legacy::{self, Field, LegacyEntry};
use crate::formats::markdown::{self, MarkKind};
use crate::merge::parts::{self, Base};
use crate::text::Span;
use crate::writing::cell;

use super::file_name::{FileName, first_field, with_fields};

/// A part of a file of the inbox.
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) moment: Option<i64>,
    pub(super) text: String,
    /// Whether it is what the name of the file is about.
    pub(super) is_named: bool,
}

impl Entry {
    fn new(kind: Kind, moment: Option<i64>, text: impl Into<String>) -> Self {
        Self { kind, moment, text: text.into(), is_named: kind == Kind::Older }
    }
}

/// What a part of a file of the inbox is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An SEM entry.
    Sem,
    /// An older entry.
    Older,
    /// A document whose headings are its parts.
    Document,
    /// A text with headings that may each be an entry.
    Prose,
    /// The titles of what is after them.
    Title,
}

/// The parts of a text, in its order; nothing if there are titles at most. Titles and prose go where the entry behind or before them
/// goes.
pub(super) fn entries(text: &str, title: &str, kind: &FileKind, name: FileName<'_>) -> Vec<Entry> {
    let parsed = kind.entries(text);
    let mut found: Vec<Entry> = Vec::new();
    for block in parsed.blocks() {
        let own = block.span().of(text).trim();
        let entry = match block {
            Block::Sem(_) => Entry::new(Kind::Sem, first(own), own),
            Block::Legacy(entry) => {
                let moment = parts::moment_of(entry, text);
                Entry::new(Kind::Older, moment, with_date(own, entry, text, parsed.legacy_fields(entry)))
            }
            Block::Prose(_) => {
                let has_front_matter = parsed.outline.front_matter.is_some() && found.is_empty();
                let own = if has_front_matter { own } else { without_rules(own) };
                // A part needs a title above it.
                let begins = own.starts_with('#') && !(found.is_empty() && begins_with_part(own));
                match (own.is_empty(), says_something(own), begins) {
                    (true, ..) => continue,
                    (_, false, _) => Entry::new(Kind::Title, first(own), own),
                    (.., true) => {
                        let kind = if own.starts_with("# ") { Kind::Document } else { Kind::Prose };
                        Entry::new(kind, first(own), own)
                    }
                    (.., false) => {
                        let text = format!("# {title}\n\n{own}");
                        Entry::new(Kind::Document, None, text)
                    }
                }
            }
        };
        found.push(entry);
    }
    // Beside entries, the name is not about a text that is none.
    if let [one] = found.as_mut_slice()
        && matches!(one.kind, Kind::Document | Kind::Prose)
        && parsed.outline.front_matter.is_none()
    {
        one.is_named = true;
    }
    for entry in found.iter_mut().filter(|entry| entry.is_named) {
        let completed = name.completed(&entry.text);
        entry.moment = entry.moment.or_else(|| first(&completed));
        let is_entry = kind.entries(&completed).legacy().next().is_some();
        entry.kind = if is_entry { Kind::Older } else { entry.kind };
    }
    if found.iter().all(|entry| entry.kind == Kind::Title) {
        return Vec::new();
    }
    let mut next = None;
    for entry in found.iter_mut().rev() {
        let is_title = entry.kind == Kind::Title;
        entry.moment = if is_title { next.or(entry.moment) } else { entry.moment };
        next = entry.moment.or(next);
    }
    let mut before = next;
    for entry in &mut found {
        entry.moment = entry.moment.or(before);
        before = entry.moment;
    }
    found
}

/// Whether a text begins with a heading that documents have for their parts: `## Context`.
pub(super) fn begins_with_part(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    line.starts_with("##") && legacy::is_part_of(line, Span::new(0, line.len()))
}

/// The moment of the first part of a text.
fn first(text: &str) -> Option<i64> {
    parts::read(text, &squad::DECISIONS, &Base::default()).first().and_then(|part| part.moment)
}

/// A text without the blank lines and the rules that it begins with.
fn without_rules(text: &str) -> &str {
    let mut rest = text.trim();
    loop {
        let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
        if !cell::is_rule(line) {
            return rest;
        }
        rest = behind.trim();
    }
}

/// The text of an older entry, which says its date itself if only its section did.
fn with_date(own: &str, entry: &LegacyEntry, text: &str, fields: &[Field]) -> String {
    match (entry.date, entry.section_date) {
        (None, Some(date)) => {
            let place = first_field(text, fields).and_then(|place| place.checked_sub(entry.span.start()));
            with_fields(own, &[("Date", date.of(text).to_owned())], place)
        }
        _ => own.to_owned(),
    }
}

/// Whether there is more in a text than headings, rules and blank lines.
fn says_something(text: &str) -> bool {
    text.lines().map(str::trim).any(|line| !line.is_empty() && !cell::is_rule(line) && !line.starts_with('#'))
}

/// A text without headings above `level`: in a ledger, a higher one would take in what is after it. The parts of an entry are lowered
/// with it; what is after the mere title of a section stays as it is.
pub(super) fn lowered(text: &str, kind: Kind, level: u8) -> String {
    if kind == Kind::Sem {
        return text.to_owned();
    }
    let level = match kind {
        // Entries are below it.
        Kind::Title => 2,
        Kind::Sem | Kind::Older => level,
        // At the second level, it would be a part of an entry that has this level.
        Kind::Document | Kind::Prose => 3,
    };
    let outline = markdown::scan(text);
    let headings: Vec<(usize, usize, u8)> = outline
        .marks
        .iter()
        .filter_map(|mark| match mark.kind {
            MarkKind::Heading(level) => Some((mark.line.start(), mark.line.end(), level)),
            _ => None,
        })
        .collect();
    let mut out = String::with_capacity(text.len() + 16);
    let (mut at, mut above) = (0, None);
    let ends = headings.iter().skip(1).map(|(start, ..)| *start).chain([text.len()]);
    for ((start, line_end, own), end) in headings.iter().zip(ends) {
        let deeper = if let Some((_, deeper)) = above.filter(|(above, _)| own > above) {
            deeper
        } else {
            let deeper = level.saturating_sub(*own);
            let below = text.get(*line_end..end).unwrap_or_default();
            let is_title = kind == Kind::Prose && !says_something(below);
            above = Some((*own, deeper)).filter(|_| !is_title);
            deeper
        };
        out.push_str(text.get(at..*start).unwrap_or_default());
        out.extend(std::iter::repeat_n('#', usize::from(deeper.min(6_u8.saturating_sub(*own)))));
        at = *start;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writing::inbox::file_name::Names;

    fn parts(text: &str) -> Vec<Entry> {
        let team = Names::default();
        entries(
            text,
            "keaton tabs",
            &squad::INBOX,
            FileName { inner: "decisions/inbox/keaton-tabs.md".into(), team: &team },
        )
    }

    fn texts(text: &str) -> Vec<String> {
        parts(text).into_iter().map(|entry| lowered(&entry.text, entry.kind, 3)).collect()
    }

    #[test]
    fn entries_get_the_headings_of_a_ledger() {
        let text = "# Decision: Tabs\n\n**By:** Keaton\n**Date:** 2026-02-10\n\n## Context\n\n```\n# a comment\n```\n";
        let expected = text.trim_end().replace("# Decision", "### Decision").replace("## Context", "#### Context");
        assert_eq!(texts(text), [expected]);
        assert_eq!(texts("We use tabs.\n"), ["### keaton tabs\n\nWe use tabs."]);
        assert_eq!(texts("# Inbox\n\n---\n"), Vec::<String>::new());
        let two = "# Inbox\n\n### 2026-02-10: One\n\na\n\n### 2026-02-11: Two\n\nb\n";
        assert_eq!(texts(two), ["## Inbox", "### 2026-02-10: One\n\na", "### 2026-02-11: Two\n\nb"]);
    }

    #[test]
    fn entries_under_the_title_of_a_section_stay_as_they_are() {
        let section = "## Sprint 12 (2026-02-12)\n\n### Tabs\n**By:** Keaton\n**What:** We use tabs.\n\n### Logs\n**By:** Verbal\n";
        let dated = "**Date:** 2026-02-12";
        let expected = [
            "## Sprint 12 (2026-02-12)".to_owned(),
            format!("### Tabs\n{dated}\n**By:** Keaton\n**What:** We use tabs."),
            format!("### Logs\n{dated}\n**By:** Verbal"),
        ];
        assert_eq!(texts(section), expected);
        let moments: Vec<_> = parts(section).iter().map(|entry| entry.moment).collect();
        assert!(moments.iter().all(|moment| moment.is_some() && *moment == moments[0]), "{moments:?}");
        let plain = "## Caches\n\n### Keep them\n\nFor a day.\n\n## Logs\n\nAt most a line.\n\n### Why\n\nDisks.\n";
        let expected = "### Caches\n\n### Keep them\n\nFor a day.\n\n### Logs\n\nAt most a line.\n\n#### Why\n\nDisks.";
        assert_eq!(texts(plain), [expected]);
    }
}
