//! What a file of the inbox says, and how it is written into a ledger.

use std::collections::{HashMap, HashSet};

use crate::dialects::{FileKind, squad};
use crate::formats::entries::Block;
use crate::formats::legacy;
use crate::formats::markdown::{self, MarkKind};
use crate::formats::timestamp::Timestamp;
use crate::merge::parts::{self, Base};
use crate::text::{Span, lines};
use crate::writing::cell;

use super::file_name::{Around, FileName, is_one, with_fields};

/// A part of a file of the inbox.
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) moment: Option<i64>,
    pub(super) text: String,
    /// Its section.
    pub(super) around: Around,
    /// Whether it is what the name of the file is about.
    pub(super) is_named: bool,
    /// Whether the name says no more of it than whose it is, as there are several.
    pub(super) is_one_of_several: bool,
    /// Whether its author is the first word of that name, in a team without members.
    pub(super) is_by_first_word: bool,
}

impl Entry {
    fn new(kind: Kind, moment: Option<i64>, text: impl Into<String>) -> Self {
        Self {
            kind,
            moment,
            text: text.into(),
            around: Around::default(),
            is_named: kind == Kind::Older,
            is_one_of_several: false,
            is_by_first_word: false,
        }
    }

    /// Whether it is no more than a title.
    pub(super) fn is_title(&self) -> bool {
        matches!(self.kind, Kind::Title | Kind::Joined)
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
    /// The title of a section of entries.
    Title,
    /// A title that is a part of those below it.
    Joined,
    /// A title without entries.
    Heading,
}

/// The parts of a text, in its order; nothing if there are titles at most. Prose goes where the entry before or behind it goes.
pub(super) fn entries(text: &str, title: &str, kind: &FileKind, name: FileName<'_>) -> Vec<Entry> {
    let parsed = kind.entries(text);
    let mut found: Vec<Entry> = Vec::new();
    // Where the titles of sections are, each with its place among the parts.
    let mut titles: HashMap<usize, usize> = HashMap::new();
    for block in parsed.blocks() {
        let span = block.span();
        let own = span.of(text);
        // The titles right above an entry are those of its sections, also where there is a text above them.
        let (own, behind) = own.split_at_checked(text_end(own)).unwrap_or((own, ""));
        let behind = Span::new(span.end() - behind.len(), span.end());
        let holds = |line: &Span| line.of(text).starts_with('#') && parsed.is_section(line.start());
        let is_text = matches!(block, Block::Prose(_)) && says_something(own);
        let sections: Vec<Span> = lines(text, behind).filter(|line| is_text && holds(line)).collect();
        let own = if sections.is_empty() { span.of(text).trim() } else { own.trim() };
        let below = parsed.sections_of(span.start()).find_map(|section| titles.get(&section.line.start()).copied());
        let entry = match block {
            Block::Sem(_) => {
                Entry { around: Around { date: None, title: below }, ..Entry::new(Kind::Sem, first(own), own) }
            }
            Block::Legacy(entry) => {
                let moment = parts::moment_of(entry, text);
                let date = entry.section_date.filter(|_| entry.date.is_none()).map(|date| date.of(text).to_owned());
                Entry { around: Around { date, title: below }, ..Entry::new(Kind::Older, moment, own) }
            }
            Block::Prose(_) => {
                let has_front_matter = parsed.outline.front_matter.is_some() && found.is_empty();
                let own = if has_front_matter { own } else { without_rules(own) };
                // A part needs a title above it.
                let begins = own.starts_with('#') && !(found.is_empty() && begins_with_part(own));
                match (own.is_empty(), says_something(own), begins) {
                    (true, ..) => continue,
                    (_, false, _) => {
                        for line in lines(text, span).filter(|line| line.of(text).starts_with('#')) {
                            titles.insert(line.start(), found.len());
                            found.push(Entry::new(Kind::Title, None, line.of(text).trim()));
                        }
                        continue;
                    }
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
        for line in sections {
            titles.insert(line.start(), found.len());
            found.push(Entry::new(Kind::Title, None, line.of(text).trim()));
        }
    }
    split_titled(&mut found, kind, name);
    // Beside entries, the name is not about a text that is none.
    if let [one] = found.as_mut_slice()
        && matches!(one.kind, Kind::Document | Kind::Prose)
        && parsed.outline.front_matter.is_none()
    {
        one.is_named = true;
    }
    for entry in found.iter_mut().filter(|entry| entry.is_named) {
        let completed = name.of_one(entry.is_one_of_several).completed(&entry.text, &entry.around);
        let is_author = |line: &str| line.starts_with("**By:** ") && !entry.text.lines().any(|own| own == line);
        entry.is_by_first_word = name.team.has_no_members() && completed.lines().any(is_author);
        entry.moment = entry.moment.or_else(|| first(&completed));
        let is_entry = kind.entries(&completed).legacy().next().is_some();
        entry.kind = if is_entry { Kind::Older } else { entry.kind };
    }
    if found.iter().all(Entry::is_title) {
        return Vec::new();
    }
    join_titles(&mut found);
    let with_entries: HashSet<usize> = found.iter().filter_map(|entry| entry.around.title).collect();
    let mut next = None;
    for (at, entry) in found.iter_mut().enumerate().rev() {
        if entry.kind == Kind::Title && !with_entries.contains(&at) {
            // As the title of a part, it is none of a section, and goes where the entry behind it goes.
            entry.kind = Kind::Heading;
            entry.moment = next;
        }
        next = entry.moment.or(next);
    }
    let mut before = next;
    for entry in found.iter_mut().filter(|entry| !entry.is_title()) {
        entry.moment = entry.moment.or(before);
        before = entry.moment;
    }
    date_introduction(&mut found, kind, name);
    found
}

/// Makes an entry of each text with a title of its own, where there is nothing else and the name of the file says whose they are.
fn split_titled(found: &mut Vec<Entry>, kind: &FileKind, name: FileName<'_>) {
    let [Entry { kind: Kind::Document, text, .. }] = found.as_slice() else { return };
    let outline = markdown::scan(text);
    let titles = outline.marks.iter().filter(|mark| mark.kind == MarkKind::Heading(1)).map(|mark| mark.line.start());
    let titles: Vec<usize> = titles.collect();
    if titles.len() < 2 || titles.first() != Some(&0) || outline.front_matter.is_some() {
        return;
    }
    let ends = titles.iter().skip(1).copied().chain([text.len()]);
    let texts = titles.iter().zip(ends).map(|(start, end)| Span::new(*start, end).of(text).trim());
    let entries =
        texts.map(|text| Entry { is_named: true, is_one_of_several: true, ..Entry::new(Kind::Document, None, text) });
    let entries: Vec<Entry> = entries.collect();
    let is_entry = |entry: &Entry| {
        let completed = name.of_one(entry.is_one_of_several).completed(&entry.text, &entry.around);
        kind.entries(&completed).legacy().next().is_some()
    };
    if entries.iter().all(is_entry) {
        *found = entries;
    }
}

/// Gives the introduction above all entries of a file the day of the first one, and the author that the name of the file says: so it is an
/// entry of its own, and no part of what is before it.
fn date_introduction(found: &mut [Entry], kind: &FileKind, name: FileName<'_>) {
    let [first, behind @ ..] = found else { return };
    if first.kind != Kind::Document || !behind.iter().any(|entry| matches!(entry.kind, Kind::Sem | Kind::Older)) {
        return;
    }
    let Some(moment) = first.moment.filter(|_| kind.entries(&first.text).legacy().next().is_none()) else { return };
    let day = Timestamp::from_unix(moment).day().to_string();
    let dated = with_fields(&first.text, &[("Date", day)], None);
    let parsed = kind.entries(&dated);
    let is_whole = parsed.legacy().next().is_some_and(|entry| entry.span.len() == dated.len());
    if is_whole && is_one(&dated) {
        (first.is_named, first.is_one_of_several) = (true, true);
        first.kind = Kind::Older;
        first.text = dated;
        let completed = name.of_one(true).completed(&first.text, &first.around);
        let is_author = |line: &str| line.starts_with("**By:** ") && !first.text.lines().any(|own| own == line);
        first.is_by_first_word = name.team.has_no_members() && completed.lines().any(is_author);
    }
}

/// The end of a text without the titles, rules and blank lines behind it.
fn text_end(text: &str) -> usize {
    let mut end = text.len();
    for line in text.split_inclusive('\n').rev() {
        let words = line.trim();
        if !words.is_empty() && !cell::is_rule(words) && !words.starts_with('#') {
            break;
        }
        end -= line.len();
    }
    end
}

/// Lets the titles of sections have the titles above them that no entry of its own follows: in a ledger, a title right behind an entry
/// is only one if an entry is right below it.
fn join_titles(found: &mut [Entry]) {
    let with_entries: HashSet<usize> = found.iter().filter_map(|entry| entry.around.title).collect();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut joined: HashSet<usize> = HashSet::new();
    for at in 0..found.len() {
        let Some(title) = found.get(at).filter(|entry| entry.kind == Kind::Title) else { continue };
        let words = title.text.trim_start_matches('#');
        let level = title.text.len() - words.len();
        open.retain(|(above, _)| *above < level);
        let outer = open.last().map(|(_, outer)| *outer).filter(|outer| !with_entries.contains(outer));
        if let Some((outer, above)) = outer.and_then(|outer| Some((outer, found.get(outer)?))) {
            let text = format!("{}: {}", above.text, words.trim());
            joined.insert(outer);
            if let Some(title) = found.get_mut(at) {
                title.text = text;
            }
        }
        open.push((level, at));
    }
    // Their places name the others.
    for at in joined {
        if let Some(title) = found.get_mut(at) {
            title.kind = Kind::Joined;
        }
    }
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
        Kind::Title | Kind::Joined | Kind::Heading => 2,
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

    fn name(team: &Names) -> FileName<'_> {
        FileName { inner: "decisions/inbox/tabs.md".into(), team, is_author_only: false }
    }

    fn parts(text: &str) -> Vec<Entry> {
        entries(text, "keaton tabs", &squad::INBOX, name(&Names::default()))
    }

    fn texts(text: &str) -> Vec<String> {
        let team = Names::default();
        let completed = |entry: &Entry| {
            let text = lowered(&entry.text, entry.kind, 3);
            if entry.is_named { name(&team).completed(&text, &entry.around) } else { text }
        };
        parts(text).iter().map(completed).collect()
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
        let of: Vec<_> = parts(section).iter().map(|entry| (entry.around.title, entry.moment.is_some())).collect();
        assert_eq!(of, [(None, false), (Some(0), true), (Some(0), true)]);
        let plain = "## Caches\n\n### Keep them\n\nFor a day.\n\n## Logs\n\nAt most a line.\n\n### Why\n\nDisks.\n";
        let expected = "### Caches\n\n### Keep them\n\nFor a day.\n\n### Logs\n\nAt most a line.\n\n#### Why\n\nDisks.";
        assert_eq!(texts(plain), [expected]);
    }
}
