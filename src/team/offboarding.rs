//! Archives the learnings of a member who leaves the team.

use crate::formats::learnings::archive::heading;
use crate::formats::learnings::{Date, Entry, Learnings, MarkKind, SectionKind};
use crate::text::{Span, line_end, line_ending};

/// What comes to the end of the archive of `name`, which holds `archive` by now: all of `text`, a `learnings.md`, under a heading
/// with `why`, its own headings a level lower and its title left out.
pub fn archived(text: &str, archive: &str, name: &str, why: &str) -> String {
    let learnings = Learnings::parse(text);
    let mut body = String::with_capacity(text.len() + learnings.sections.len());
    let mut at = crate::text::bom_len(text);
    let titles = learnings.title.iter().chain(&learnings.more_titles).map(|title| (title.line, 0));
    let headings = learnings.sections.iter().map(|section| (section.heading, section.level));
    let mut lines: Vec<_> = titles.chain(headings).collect();
    lines.sort();
    for (line, level) in lines {
        body.push_str(text.get(at..line.start()).unwrap_or_default());
        at = line.start();
        match level {
            // The first title names the file, as that of the archive does.
            0 if learnings.title.is_some_and(|title| title.line == line) => at = line.end(),
            0 => body.push_str("##"),
            1..=5 => body.push('#'),
            _ => {}
        }
    }
    body.push_str(text.get(at..).unwrap_or_default());
    let end = if archive.is_empty() { line_ending(text) } else { line_ending(archive) };
    let mut archived = heading(text, archive, name, why);
    archived.push_str(end);
    for line in body.trim_matches(['\r', '\n']).lines() {
        archived.push_str(line);
        archived.push_str(end);
    }
    archived
}

/// A note on its way to another member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Who sent it.
    pub sender: Option<String>,
    /// All its lines, without the line end of the last.
    pub lines: String,
}

/// The notes of others to the member, each with all its lines, in order; marked with the day on which they are handed over, from
/// which on those who take them have time to settle them.
pub fn notes(text: &str, learnings: &Learnings, today: Date) -> Vec<Note> {
    let marked = |note: &Entry| {
        let group = note.marks.iter().rfind(|mark| mark.kind != MarkKind::From).map(|mark| mark.group);
        let group = group.filter(|group| group.of(text).ends_with([')', ']']));
        let (at, mark) = match group {
            Some(group) => (group.end() - 1, format!(", updated: {today}")),
            None => (line_end(text.as_bytes(), note.span.start()).0, format!(" (updated: {today})")),
        };
        let (before, behind) = (Span::new(note.span.start(), at), Span::new(at, note.span.end()));
        let sender = note.sender.map(|sender| sender.of(text).to_owned());
        Note { sender, lines: format!("{}{mark}{}", before.of(text), behind.of(text).trim_end()) }
    };
    learnings.entries_within(SectionKind::CrossAgentNotes).map(marked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_handed_over_with_the_day() {
        let text = "## Cross-Agent Notes\n- (from ui) one\n  - inner\n- two (added: 2026-01-01)\n- (none yet)\n- three";
        let notes = notes(text, &Learnings::parse(text), Date::constant(2026, 3, 22));
        assert_eq!(notes.first().and_then(|note| note.sender.as_deref()), Some("ui"));
        assert_eq!(
            notes.into_iter().map(|note| note.lines).collect::<Vec<_>>(),
            [
                "- (from ui) one (updated: 2026-03-22)\n  - inner",
                "- two (added: 2026-01-01, updated: 2026-03-22)",
                "- three (updated: 2026-03-22)"
            ]
        );
    }

    #[test]
    fn every_line_stands_in_the_archive() {
        let text = "# Learnings: db\nWhat I know.\n\n## Gotchas\n- one\n  - two\n\n```\n# no heading\n```\n\n### Inner\n- (none yet)\n";
        let expected = "## Archived 2026-03-22: db left the team\n\nWhat I know.\n\n### Gotchas\n- one\n  - two\n\n\
            ```\n# no heading\n```\n\n#### Inner\n- (none yet)\n";
        let why = "Archived 2026-03-22: db left the team";
        assert_eq!(archived(text, "", "db", why), ["# Archive: db\n\n", expected].concat());
        assert_eq!(archived(text, "# Archive\r\n", "db", why), ["\n", expected].concat().replace('\n', "\r\n"));
        assert_eq!(archived("", "x", "db", why), "\n\n## Archived 2026-03-22: db left the team\n\n");
    }
}
