//! Entries on their way into an archive: the text to remove, and the text to append.

use std::collections::HashSet;

use super::{Learnings, Section};
use crate::diagnostic::{Edit, Passage};
use crate::text::{Span, line_ending};

/// What moves entries into an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archived {
    /// What takes them out of their file, in order.
    pub edits: Vec<Edit>,
    /// What comes to the end of the archive.
    pub content: Passage,
}

impl Learnings {
    /// What moves the entries at the places `going` of [`Learnings::entries`] into the archive of `name`, which holds `archive`
    /// by now, under a heading with `why` they go. A section of the team's own in which nothing stays goes with them; any other gets
    /// a placeholder.
    pub fn archive(&self, text: &str, going: &[usize], archive: &str, name: &str, why: &str) -> Archived {
        let mut going = going.to_vec();
        going.sort_unstable();
        let goes = |at: usize| going.binary_search(&at).is_ok();
        let (emptied, hollow): (Vec<&Section>, Vec<&Section>) =
            self.emptied(text, &going).into_iter().partition(|section| section.kind.is_none());
        let headings: HashSet<u32> = emptied.iter().map(|section| section.heading.start).collect();
        let mut spans: Vec<Span> =
            emptied.iter().map(|section| Span::new(section.heading.start(), section.body.end())).collect();
        let holds = |section: &Section| {
            let first = self.entries.partition_point(|entry| entry.span.start < section.body.start);
            self.entries.get(first).is_some_and(|entry| entry.span.start < section.body.end)
        };
        let mut around = emptied.iter().rev().peekable();
        let entries = self.entries.iter().enumerate().filter(|(at, _)| goes(*at)).map(|(_, entry)| entry);
        let end = if archive.is_empty() { line_ending(text) } else { line_ending(archive) };
        let (mut content, mut stood) = (Passage::new(heading(text, archive, name, why), end), None);
        for entry in entries {
            if !self.section_of(entry).is_some_and(|section| headings.contains(&section.heading.start)) {
                spans.push(with_gap(text, entry.span));
            }
            if stood != Some(entry.section) {
                stood = Some(entry.section);
                // The headings above it that go along, and that no entry of their own takes into the archive.
                while let Some(above) = around.next_if(|above| above.heading.start < entry.span.start) {
                    let own = self.section_of(entry).is_some_and(|own| own.heading == above.heading);
                    if !own && !holds(above) && !above.name.is_empty() {
                        content.extend([end, "### ", above.name.of(text), end]);
                    }
                }
                let under = self.section_of(entry).map_or("", |section| section.name.of(text));
                content.push(end);
                if !under.is_empty() {
                    content.extend(["### ", under, end, end]);
                }
            }
            content.push_lines(entry.span);
        }
        let mut hollow = hollow.iter().rev().peekable();
        let edit = |span: Span| {
            while hollow.next_if(|section| section.span.end() <= span.start()).is_some() {}
            match hollow.next_if(|section| section.heading.end() <= span.start()) {
                Some(_) => Edit::replace(span, placeholder(text, span)),
                None => Edit::delete(span),
            }
        };
        Archived { edits: joined(text, spans).into_iter().map(edit).collect(), content }
    }

    /// The sections in which nothing stays when the entries at `going`, in order, go: neither text nor an inner section. The last
    /// comes first.
    fn emptied(&self, text: &str, going: &[usize]) -> Vec<&Section> {
        let mut emptied: Vec<&Section> = Vec::new();
        // For each section, how many from it on go: its parts are those right after it.
        let mut gone = vec![0_usize; self.sections.len() + 1];
        let mut end = self.entries.len();
        for (place, section) in self.sections.iter().enumerate().rev() {
            let first = self.entries.partition_point(|entry| entry.span.start < section.body.start).min(end);
            let entries = self.entries.iter().enumerate().take(std::mem::replace(&mut end, first)).skip(first);
            let behind = self.sections.partition_point(|other| other.heading.start < section.span.end);
            let inner = behind.saturating_sub(place + 1);
            let count = |place: usize| gone.get(place).copied().unwrap_or_default();
            let gone_inside = count(place + 1) - count(behind).min(count(place + 1));
            let mut at = section.body.start();
            let (mut is_blank, mut went) = (gone_inside == inner, gone_inside > 0);
            for (index, entry) in entries.filter(|(_, entry)| entry.section == Some(place)) {
                let goes = going.binary_search(&index).is_ok();
                is_blank &= Span::new(at, entry.span.start()).of(text).trim().is_empty() && goes;
                went |= goes;
                at = entry.span.end();
            }
            let is_rest_blank = Span::new(at, section.body.end()).of(text).trim().is_empty();
            let is_emptied = is_blank && went && is_rest_blank;
            let from_here = count(place + 1) + usize::from(is_emptied && section.kind.is_none());
            if let Some(here) = gone.get_mut(place) {
                *here = from_here;
            }
            if is_emptied {
                emptied.push(section);
            }
        }
        emptied
    }
}

/// What takes the place of the lines at `span`, which are the whole content of a section: a placeholder.
fn placeholder(text: &str, span: Span) -> String {
    let end = line_ending(text);
    let gap = if span.of(text).ends_with(&end.repeat(2)) && span.end() < text.len() { end } else { "" };
    format!("- (none yet){end}{gap}")
}

/// The spans in order, with a gap between any two; what ends the text takes the blank lines before it along.
fn joined(text: &str, mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort();
    let mut joined: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        push(&mut joined, span);
    }
    // The blank lines before the last one can be those after the one before it, which then ends the text as well.
    while let Some(last) = joined.pop_if(|last| last.end() == text.len()) {
        let before = text.get(..last.start()).unwrap_or_default();
        let kept = before.trim_end_matches(['\r', '\n']);
        let (_, next) = crate::text::line_end(before.as_bytes(), kept.len());
        let longer = Span::new(next.min(last.start()), last.end());
        let count = joined.len();
        push(&mut joined, longer);
        if joined.len() > count {
            break;
        }
    }
    joined
}

/// Adds `span`, which starts after the starts of all in `joined`, or makes one of it and those that it meets.
fn push(joined: &mut Vec<Span>, mut span: Span) {
    while let Some(before) = joined.pop_if(|before| before.end() >= span.start()) {
        span = Span::new(before.start().min(span.start()), before.end().max(span.end()));
    }
    joined.push(span);
}

/// The text above the entries in the archive.
pub fn heading(text: &str, archive: &str, name: &str, why: &str) -> String {
    let end = if archive.is_empty() { line_ending(text) } else { line_ending(archive) };
    let before = match archive {
        "" => format!("# Archive: {name}{end}{end}"),
        archive if archive.ends_with("\n\n") || archive.ends_with("\n\r\n") => String::new(),
        archive if archive.ends_with('\n') => end.to_owned(),
        _ => end.repeat(2),
    };
    format!("{before}## {why}{end}")
}

/// The entry with the blank line after it, where one is before it, too: one of them is enough.
fn with_gap(text: &str, span: Span) -> Span {
    let before = text.get(..span.start()).unwrap_or_default();
    let after = text.get(span.end()..).unwrap_or_default();
    let gap = if after.starts_with("\r\n") { 2 } else { usize::from(after.starts_with('\n')) };
    let follows_blank = before.ends_with("\n\n") || before.ends_with("\n\r\n");
    Span::new(span.start(), span.end() + if follows_blank { gap } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Learnings: db

## Gotchas
- one (added: 2026-01-01)
  goes on
- two

## ELK Layout

### Inner
- three

## Notes
Prose.
- four
";

    fn left(going: &[usize], archive: &str) -> (String, String) {
        let archived = Learnings::parse(TEXT).archive(TEXT, going, archive, "db", "Archived 2026-03-01: stale");
        let text = archived.edits.iter().rev().fold(TEXT.to_owned(), |text, edit| edit.applied_to(&text));
        (text, archived.content.of(TEXT))
    }

    #[test]
    fn entries_go_with_all_their_lines() {
        let (text, archive) = left(&[0], "");
        assert_eq!(text, TEXT.replace("- one (added: 2026-01-01)\n  goes on\n", ""));
        assert_eq!(
            archive,
            "# Archive: db\n\n## Archived 2026-03-01: stale\n\n### Gotchas\n\n- one (added: 2026-01-01)\n  goes on\n"
        );
    }

    #[test]
    fn a_section_of_the_team_goes_with_its_last_entry() {
        let (text, archive) = left(&[0, 1, 2, 3], "# Archive: db\r\n");
        assert_eq!(text, "# Learnings: db\n\n## Gotchas\n- (none yet)\n\n## Notes\nProse.\n");
        let expected = "\n## Archived 2026-03-01: stale\n\n### Gotchas\n\n- one (added: 2026-01-01)\n  goes on\n- two\n\n\
                        ### ELK Layout\n\n### Inner\n\n- three\n\n### Notes\n\n- four\n";
        assert_eq!(archive, expected.replace('\n', "\r\n"));
    }
}
