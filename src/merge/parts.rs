//! A version of a file as a list of parts: entries, list items, and lines between them.

use crate::dialects::{FileKind, Syntax};
use crate::formats::entries::Block;
use crate::formats::learnings::Learnings;
use crate::formats::legacy::LegacyEntry;
use crate::formats::legacy::day;
use crate::formats::sem;
use crate::formats::timestamp::{Reading, Timestamp};
use crate::text::{Span, similarity};

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
    /// A list item, such as a learning.
    Item,
    /// A line that belongs to no entry.
    Line,
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
            PartKind::Sem(_) | PartKind::Legacy => (self.kind, self.moment, similarity::normal(self.title)),
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
    let mut out = List { text, parts: Vec::new() };
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
            Block::Legacy(entry) => out.entry(PartKind::Legacy, entry.span, entry.title, moment_of(entry, text)),
        }
    }
    // A file without entries has no blocks.
    out.prose(Span::new(at, text.len()), &mut items);
    out.parts
}

/// The parts so far.
struct List<'a> {
    text: &'a str,
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
                    let next = crate::text::line_end(self.text.as_bytes(), at).1.min(span.end());
                    self.line(Span::new(at, next));
                    at = next.max(at + 1);
                }
            }
        }
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
