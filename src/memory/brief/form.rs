//! How much of an entry a brief has: all of it, its beginning, or one line.

use std::fmt::Write as _;

use crate::formats::legacy::{Meaning, is_part_of};
use crate::formats::markdown::MarkKind;
use crate::formats::roster::bare;
use crate::formats::sem::EntryType;
use crate::memory::list::text::at;
use crate::memory::record::{Format, Record};
use crate::terminal::{display_path, escape};
use crate::text::tokens::Tokens;
use crate::text::{Span, line_end, lines};

/// How much of an entry was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// All of it.
    Whole,
    /// Its first paragraphs.
    Excerpt,
    /// One line.
    Line,
}

impl Form {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Excerpt => "excerpt",
            Self::Line => "line",
        }
    }
}

/// An entry has at most this part of the budget, so that others have some, too.
const PART: u64 = 8;
/// An entry of fewer tokens is short, however small the budget is.
const SHORT: u64 = 60;

/// The texts that an entry can have in a brief.
pub(super) struct Forms {
    /// From the longest to the shortest.
    texts: Vec<(Form, String)>,
    /// What the entry says, without the marks of Markdown: two entries with the same say the same.
    pub(super) said: String,
}

impl Forms {
    pub(super) fn of(record: &Record<'_>, budget: Tokens) -> Self {
        let most = Tokens::whole((budget.count() / PART).max(SHORT));
        let (head, body) = (head(record), body(record));
        let said = said(&record.summary, &body);
        let whole = match (body.is_empty(), left_out(record)) {
            (true, _) => line(record, usize::MAX),
            (false, None) => format!("{head}{body}\n"),
            (false, Some(section)) => format!("{head}{body}\n\n… (left out: {section})\n"),
        };
        let mut texts = Vec::new();
        if Tokens::of(&whole) <= most {
            texts.push((Form::Whole, whole));
        } else if let Some(first) = beginning(&body, most) {
            texts.push((Form::Excerpt, format!("{head}{first}\n\n… (more in {})\n", place(record))));
        }
        texts.push((Form::Line, line(record, LINE)));
        Self { texts, said }
    }

    /// What the longest of them needs.
    pub(super) fn cost(&self) -> Tokens {
        self.texts.first().map_or(Tokens::default(), |(_, text)| Tokens::of(text))
    }

    /// What the shortest of them needs.
    pub(super) fn cost_of_line(&self) -> Tokens {
        self.texts.last().map_or(Tokens::default(), |(_, text)| Tokens::of(text))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(Form, String)> {
        self.texts.iter()
    }
}

/// A summary and a text in lower case, without the marks of Markdown.
fn said(summary: &str, body: &str) -> String {
    let marks = ['*', '_', '`', '#'];
    let lines = std::iter::once(summary).chain(body.lines());
    let lines = lines.map(|line| line.trim_start().trim_start_matches("- ").replace(marks, ""));
    let words = lines.flat_map(|line| line.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>());
    words.collect::<Vec<_>>().join(" ")
}

fn place(record: &Record<'_>) -> String {
    format!("{}:{}", display_path(record.document.path()), record.line())
}

/// The type, the author, the moment or day, the sections and the place of an entry.
fn about(record: &Record<'_>) -> String {
    let mut out = record.kind.map_or("entry", EntryType::as_str).to_owned();
    if let Some(author) = &record.author {
        let _ = write!(out, " by {}", escape(author));
    }
    if record.when.day().is_some() {
        let _ = write!(out, ", {}", at(record.when));
    }
    if let Some(sections) = record.sections.said() {
        let _ = write!(out, ", in: {}", escape(&sections));
    }
    let _ = write!(out, ", {}", place(record));
    if record.is_in_conflict {
        out.push_str(", in an unresolved merge conflict");
    }
    out
}

/// The heading of an entry, and the line below it.
fn head(record: &Record<'_>) -> String {
    format!("### {}\n*{}*\n\n", escape(&record.summary), about(record))
}

/// The longest summary of an entry that has one line only, in characters.
const LINE: usize = 300;

/// An entry on one line, with at most so many characters of its summary.
fn line(record: &Record<'_>, most: usize) -> String {
    let summary = escape(&record.summary);
    let summary = match summary.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", summary.get(..end).unwrap_or_default()),
        None => summary,
    };
    format!("- {summary} *({})*\n", about(record))
}

/// The text of an entry below its heading, without fields that the line below the heading has.
fn body(record: &Record<'_>) -> String {
    let document = record.document;
    let text = document.text();
    let is_item = matches!(record.format, Format::Learning | Format::TeamDecision);
    if is_item {
        return String::new();
    }
    let heading = document.source.lines_around(Span::at(record.span.start()));
    let below = Span::new(heading.end().min(record.span.end()), record.span.end());
    let parts: Vec<Span> = match record.format {
        Format::Sem => of_fields(record),
        _ => of_legacy(record, below),
    };
    let marks = &document.entries.outline.marks;
    if record.is_in_conflict {
        return IN_CONFLICT.to_owned();
    }
    let known = known_lines(record);
    let end = section_inside(record);
    let parts = parts.into_iter().map(|part| Span::new(part.start().min(end), part.end().min(end)));
    let mut out = String::new();
    for part in parts.filter(|part| !part.is_empty()) {
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        let first = marks.partition_point(|mark| mark.line.end() < part.start());
        let mut marks = marks.get(first..).unwrap_or_default().iter().peekable();
        let mut blank = 0;
        for line in lines(text, part) {
            while marks.next_if(|mark| mark.line.start() < line.start()).is_some() {}
            let kind = marks.peek().filter(|mark| mark.line.start() == line.start()).map(|mark| mark.kind);
            let is_heading = matches!(kind, Some(MarkKind::Heading(_)));
            // A rule of the file divides nothing in a brief, and the markers of a conflict of its neighbours neither.
            if matches!(kind, Some(MarkKind::Rule | MarkKind::Conflict(_))) || known.contains(&line.start()) {
                continue;
            }
            let said = escape(line.of(text));
            let said = said.trim_end();
            blank = if said.is_empty() { blank + 1 } else { 0 };
            if blank > 1 {
                continue;
            }
            // A heading of the entry is below that of the entry.
            let said =
                if is_heading { format!("#### {}", said.trim_start_matches(['#', ' '])) } else { said.to_owned() };
            out.push_str(&said);
            out.push('\n');
        }
        out.truncate(out.trim_end().len());
    }
    out
}

/// Where in an entry a section begins that readers take for the end of it, by the level of the headings: in an SEM entry without a
/// terminator, and in an older directive, which is what somebody said and has no documents in it.
fn section_in(record: &Record<'_>) -> Option<Span> {
    let (text, entries) = (record.document.text(), &record.document.entries);
    let level = match (record.format, record.kind) {
        (Format::Sem, _) => entries.sem_at(text, record.span.start()).map(|entry| entry.header().level),
        (Format::Legacy, Some(EntryType::Directive)) => entries.legacy_at(record.span.start()).map(|entry| entry.level),
        _ => None,
    }?;
    let marks = &entries.outline.marks;
    let first = marks.partition_point(|mark| mark.line.start() <= record.span.start());
    let mut inside = marks.iter().skip(first).take_while(|mark| mark.line.start() < record.span.end());
    let begins = |kind, line| matches!(kind, MarkKind::Heading(own) if own < level) && !is_part_of(text, line);
    inside.find(|mark| begins(mark.kind, mark.line)).map(|mark| mark.line)
}

/// Where that section begins; else the end of the entry.
fn section_inside(record: &Record<'_>) -> usize {
    section_in(record).map_or(record.span.end(), Span::start)
}

/// The title and the place of that section, behind an older entry: to those who ask, it is in no other entry.
fn left_out(record: &Record<'_>) -> Option<String> {
    let line = section_in(record).filter(|_| record.format == Format::Legacy && !record.is_in_conflict)?;
    let document = record.document;
    let title = escape(line.of(document.text()).trim_matches(['#', ' ']));
    let place = format!("{}:{}", display_path(document.path()), document.source.line(line.start()));
    Some(format!("the section `{title}` behind it, {place}"))
}

/// What is said about an entry in a conflict: there may be two versions of it.
const IN_CONFLICT: &str =
    "This entry is in an unresolved merge conflict: neither side of it applies until the conflict is resolved.";

/// What an SEM entry says beside its heading: summary, details and reasons.
fn of_fields(record: &Record<'_>) -> Vec<Span> {
    use crate::formats::sem::FieldName::{Details, Rationale, Summary};
    let document = record.document;
    let text = document.text();
    let Some(entry) = document.entries.sem_at(text, record.span.start()) else { return Vec::new() };
    let value = |name| entry.field(name).map(|field| field.value);
    let summary = value(Summary).filter(|span| span.of(text).trim() != record.summary.trim());
    [summary, value(Details), value(Rationale)].into_iter().flatten().collect()
}

/// The lines of an entry from before SEM that say who wrote it and when, by their starts: the line below its heading says it.
fn known_lines(record: &Record<'_>) -> Vec<usize> {
    let document = record.document;
    let text = document.text();
    let entry = document.entries.legacy_at(record.span.start()).filter(|_| record.format == Format::Legacy);
    let fields = entry.map(|entry| document.entries.legacy_fields(entry)).unwrap_or_default();
    let is_author = |value: &str| record.author.as_deref().is_some_and(|author| bare(author) == bare(value));
    let known = fields.iter().filter(|field| match field.meaning {
        Meaning::Date => record.when.day().is_some(),
        Meaning::Author => is_author(field.value.of(text)),
        _ => false,
    });
    let lines = known.map(|field| document.source.lines_around(field.value));
    lines.filter(|line| !line.of(text).contains('|')).map(Span::start).collect()
}

/// What an entry from before SEM says below its heading, without a rule at its end.
fn of_legacy(record: &Record<'_>, below: Span) -> Vec<Span> {
    let text = record.document.text();
    let known = known_lines(record);
    let mut start = below.start();
    for line in lines(text, below) {
        if !line.of(text).trim().is_empty() && !known.contains(&line.start()) {
            break;
        }
        start = line_end(text.as_bytes(), line.end()).1;
    }
    let rest = Span::new(start.min(below.end()), below.end()).trim(text);
    let said = rest.of(text).trim_end_matches(['-', ' ', '\n', '\r']);
    // A rule, not a dash.
    let is_rule = rest.of(text).get(said.len()..).is_some_and(|end| end.contains("\n---"));
    vec![if is_rule { Span::new(rest.start(), rest.start() + said.len()) } else { rest }]
}

/// The first paragraphs of `body` that fit into `most`; `None` if the first does not. A code block is not cut.
fn beginning(body: &str, most: Tokens) -> Option<&str> {
    let (mut end, mut is_code, mut used) = (0, false, Tokens::default());
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        at += line.len();
        used = used.and(Tokens::of(line));
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            is_code = !is_code;
        }
        if used > most {
            break;
        }
        if !is_code && (line.trim().is_empty() || line.trim_start().starts_with(['-', '*'])) {
            end = at;
        }
    }
    let mut first = body.get(..end)?.trim_end();
    // A label or a heading says nothing without what is below it, and a whole line in bold is one.
    let is_bold = |line: &str| line.len() > 4 && line.starts_with("**") && line.ends_with("**");
    while let Some((before, last)) = first.rsplit_once('\n')
        && (last.starts_with('#') || last.trim_end_matches('*').ends_with(':') || is_bold(last.trim()))
    {
        first = before.trim_end();
    }
    Some(first).filter(|first| !first.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_ends_with_a_paragraph() {
        let body = "First words.\n\nMore of them.\n\n```\ncode\n\ncode\n```\n\nEnd.";
        assert_eq!(beginning(body, Tokens::whole(8)), Some("First words."));
        assert_eq!(beginning(body, Tokens::whole(14)), Some("First words.\n\nMore of them."));
        assert_eq!(beginning(body, Tokens::whole(1)), None);
        let body = "First words.\n\n**4. A part**\n- one item of several words, which is long\n";
        assert_eq!(beginning(body, Tokens::whole(14)), Some("First words."));
    }
}
