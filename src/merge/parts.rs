//! A version of a file as a list of parts: entries, list items, and lines between them.

use crate::dialects::{FileKind, Syntax};
use crate::formats::entries::Block;
use crate::formats::learnings::Learnings;
use crate::formats::legacy::LegacyEntry;
use crate::formats::legacy::day;
use crate::formats::sem;
use crate::formats::timestamp::{Reading, Timestamp};
use crate::text::{Span, line_end, lines, similarity};

/// A part of a file. The texts of all parts, one after the other, are the text of the file.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// What it is.
    pub kind: PartKind,
    /// What it says, without the blank lines and rules after it.
    pub body: &'a str,
    /// The line end, blank lines and rules after it.
    pub tail: &'a str,
    /// Its title; for an item, all that it says without its marks.
    pub title: &'a str,
    /// Its moment, in seconds since 1970 (UTC); for a day, its start.
    pub moment: Option<i64>,
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartKind {
    /// An entry of this type, with a timestamp.
    Sem(Option<sem::EntryType>),
    /// An entry from before SEM.
    Legacy,
    /// A heading of the third level or below that no date makes an entry, with the text below it: `### Per-command help`.
    Section,
    /// A paragraph for the team in a history: `📌 Team update (2026-02-24T18:42Z): …`.
    Update,
    /// A list item, such as a learning.
    Item,
    /// A line that belongs to no entry.
    Line,
}

impl PartKind {
    /// Its place among kinds: what comes after a kind with a higher rank would be read as a part of it.
    pub fn rank(self) -> u8 {
        match self {
            Self::Line | Self::Item => 0,
            Self::Section => 1,
            Self::Sem(_) | Self::Legacy | Self::Update => 2,
        }
    }
}

impl Part<'_> {
    /// Whether it is an entry or an item: something that a merge never loses.
    pub fn is_entry(&self) -> bool {
        self.kind != PartKind::Line
    }

    /// What it is known by in every version: the moment and the type of an SEM entry, the day and the title of an older one, the
    /// words of an item.
    pub fn key(&self) -> (PartKind, Option<i64>, String) {
        match self.kind {
            PartKind::Sem(_) if self.moment.is_some() => (self.kind, self.moment, String::new()),
            PartKind::Sem(_) | PartKind::Legacy | PartKind::Section | PartKind::Update => {
                (self.kind, self.moment, similarity::normal(self.title))
            }
            // Its mark may be new.
            PartKind::Item => (self.kind, None, similarity::normal(self.title)),
            PartKind::Line => (self.kind, None, self.body.to_owned()),
        }
    }
}

/// Whether files of this kind are cut into parts.
pub fn has_parts(kind: &FileKind) -> bool {
    matches!(kind.syntax, Syntax::Markdown(_))
}

/// The parts of `text`, a file of this kind.
pub fn read<'a>(text: &'a str, kind: &FileKind) -> Vec<Part<'a>> {
    let entries = kind.entries(text);
    let learnings = Learnings::parse(text);
    let mut items = learnings.entries.iter().peekable();
    let has_sections = kind.holds_legacy();
    let mut out = List { text, has_sections, parts: Vec::new() };
    let mut sem = entries.sem(text);
    let mut at = 0;
    for block in entries.blocks() {
        at = block.span().end();
        match block {
            Block::Prose(span) => out.prose(span, &mut items),
            Block::Sem(_) => {
                if let Some(entry) = sem.next() {
                    let title = entry.header().summary;
                    let moment = entry.timestamp().map(Timestamp::unix);
                    out.entry(PartKind::Sem(entry.entry_type()), entry.span(), title, moment);
                }
            }
            Block::Legacy(entry) => {
                let end = out.next_update(entry.span).unwrap_or(entry.span.end());
                let span = Span::new(entry.span.start(), end);
                out.entry(PartKind::Legacy, span, entry.title, moment_of(entry, text));
                out.prose(Span::new(end, entry.span.end()), &mut items);
            }
        }
    }
    // A file without entries has no blocks.
    out.prose(Span::new(at, text.len()), &mut items);
    out.parts
}

/// The parts so far.
struct List<'a> {
    text: &'a str,
    /// Whether there are sections and updates, as in a history.
    has_sections: bool,
    parts: Vec<Part<'a>>,
}

impl<'a> List<'a> {
    fn entry(&mut self, kind: PartKind, span: Span, title: Span, moment: Option<i64>) {
        let whole = span.of(self.text);
        let body = body(whole);
        let tail = whole.get(body.len()..).unwrap_or_default();
        self.parts.push(Part { kind, body, tail, title: title.of(self.text), moment });
    }

    /// Adds the items and the lines of a text between entries.
    fn prose<'l>(
        &mut self,
        span: Span,
        items: &mut std::iter::Peekable<impl Iterator<Item = &'l crate::formats::learnings::Entry>>,
    ) {
        let mut at = span.start();
        while at < span.end() {
            if let Some(end) = self.section_end(Span::new(at, span.end())) {
                let whole = Span::new(at, end);
                let line = Span::new(at, line_end(self.text.as_bytes(), at).0);
                let is_update = is_update(whole.of(self.text));
                let kind = if is_update { PartKind::Update } else { PartKind::Section };
                let words = line.of(self.text);
                let moment = day::find(words).and_then(|day| moment_at(words.get(day.span.start()..)?));
                self.entry(kind, whole, line, moment);
                at = end;
                continue;
            }
            // The lists of an entry are a part of it.
            while items.next_if(|item| item.span.start() < at).is_some() {}
            let inside = |item: &&crate::formats::learnings::Entry| span.contains(item.span);
            match items.next_if(|item| item.span.start() == at && inside(item)) {
                Some(item) => {
                    let moment = item.added().and_then(|day| moment(day.year(), day.month(), day.day()));
                    self.entry(PartKind::Item, item.span, item.text, moment);
                    at = item.span.end().max(at + 1);
                }
                None => {
                    let next = line_end(self.text.as_bytes(), at).1.min(span.end());
                    self.line(Span::new(at, next));
                    at = next.max(at + 1);
                }
            }
        }
    }

    /// The end of the section or the update that starts at the start of `span`, if one does.
    fn section_end(&self, span: Span) -> Option<usize> {
        let text = span.of(self.text);
        if !self.has_sections {
            return None;
        }
        if is_update(text) {
            let blank = lines(self.text, span).find(|line| line.of(self.text).trim().is_empty());
            return Some(blank.map_or(span.end(), Span::start));
        }
        let level = heading_level(text).filter(|level| *level > 2)?;
        let mut fence = false;
        let next = lines(self.text, span).skip(1).find(|line| {
            let words = line.of(self.text);
            fence ^= words.trim_start().starts_with("```");
            !fence && heading_level(words).is_some_and(|next| next <= level)
        });
        let end = next.map_or(span.end(), Span::start);
        Some(self.next_update(Span::new(span.start(), end)).unwrap_or(end))
    }

    /// The start of the first update in `span` that is after a blank line.
    fn next_update(&self, span: Span) -> Option<usize> {
        let mut is_after_blank = false;
        let found = lines(self.text, span).find(|line| {
            let words = line.of(self.text);
            let found = is_after_blank && is_update(words);
            is_after_blank = words.trim().is_empty();
            found
        });
        found.filter(|_| self.has_sections).map(Span::start)
    }

    /// Adds a line. Blank lines and rules belong to the part before.
    fn line(&mut self, span: Span) {
        let text = span.of(self.text);
        let words = text.trim_end_matches(['\r', '\n']);
        if (words.trim().is_empty() || words.trim() == "---")
            && let Some(last) = self.parts.last_mut()
        {
            let start = span.start() - last.tail.len();
            last.tail = Span::new(start, span.end()).of(self.text);
            return;
        }
        let tail = text.get(words.len()..).unwrap_or_default();
        self.parts.push(Part { kind: PartKind::Line, body: words, tail, title: words, moment: None });
    }
}

/// Whether `text` starts with an update.
fn is_update(text: &str) -> bool {
    text.starts_with('📌')
}

/// The number of `#` at the start of a heading.
fn heading_level(line: &str) -> Option<usize> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let is_heading = (1..=6).contains(&level) && line.as_bytes().get(level).is_some_and(u8::is_ascii_whitespace);
    is_heading.then_some(level)
}

/// The text of an entry without the blank lines and rules after it.
fn body(text: &str) -> &str {
    let mut body = text.trim_end();
    while let Some(rest) = body.strip_suffix("---") {
        if !rest.ends_with('\n') || rest.trim().is_empty() {
            break;
        }
        body = rest.trim_end();
    }
    body
}

fn moment_of(entry: &LegacyEntry, text: &str) -> Option<i64> {
    let written = entry.date.or(entry.section_date)?.of(text);
    moment_at(written)
}

/// The moment or the day at the start of a text.
fn moment_at(written: &str) -> Option<i64> {
    let day = || {
        day::find(written)?.date.and_then(|(year, month, day)| {
            moment(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?)
        })
    };
    Reading::prefix(written).0.moment().map(Timestamp::unix).or_else(day)
}

/// The start of a day.
fn moment(year: i16, month: i8, day: i8) -> Option<i64> {
    let day = jiff::civil::Date::new(year, month, day).ok()?;
    Some(day.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_second())
}
