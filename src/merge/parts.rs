//! A version of a file as a list of parts: entries, list items, and lines between them.

use foldhash::HashSet;
use std::cmp::Ordering;

use crate::dialects::{FileKind, Syntax};
use crate::formats::entries::Block;
use crate::formats::learnings::{Entry as Item, Learnings};
use crate::formats::legacy::{self, LegacyEntry, day};
use crate::formats::markdown::{MarkKind, Outline};
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
    /// All that `memory` reads as this entry, with the parts after it that continue with it. Empty for what `memory` reads as no entry.
    pub whole: &'a str,
    /// Whether it continues with the entry before it: nothing comes between them.
    pub goes_on: bool,
    /// Whether `memory` reads it as a part of the entry before it, which may also be a section that a side put there.
    pub is_read_on: bool,
    /// The level of a line that is a heading outside of entries.
    pub level: Option<u8>,
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
    /// A paragraph or a line for the team in a history: `📌 Team update (2026-02-24T18:42Z): …`.
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

    /// Whether it is a heading outside of entries, or one that is read on and begins a section.
    pub fn is_section(&self) -> bool {
        self.level.is_some() && !self.goes_on
    }

    /// Whether it is a heading outside of entries that documents do not have for their parts.
    pub fn is_title(&self) -> bool {
        let line = self.body.trim_end();
        self.level.is_some() && !legacy::is_part_of(line, Span::new(0, line.len()))
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

/// Whether files of this kind have sections and updates, as a history.
pub fn has_sections(kind: &FileKind) -> bool {
    kind.holds_legacy()
}

/// What a version is compared with while it is cut into parts.
#[derive(Debug, Default)]
pub struct Base<'a> {
    /// Whether there is one: the base itself is compared with nothing.
    is_known: bool,
    /// The lines of the base that belong to no entry, and those of its items.
    prose: HashSet<&'a str>,
    /// Its headings that belong to no entry.
    headings: HashSet<&'a str>,
    /// The first lines of its entries.
    titles: HashSet<&'a str>,
}

impl<'a> Base<'a> {
    /// The lines of the base, cut into these parts.
    pub fn of(parts: &[Part<'a>]) -> Self {
        let mut base = Self { is_known: true, ..Self::default() };
        for part in parts {
            match part.kind {
                PartKind::Line if part.level.is_some() => {
                    base.headings.insert(part.body.trim_end());
                }
                PartKind::Line | PartKind::Item => base.prose.extend(part.body.lines().map(str::trim_end)),
                _ => base.titles.extend(part.body.lines().next()),
            }
        }
        base
    }
}

/// The parts of `text`, a file of this kind. If a side puts an entry before prose of the base, the prose looks like the end of that
/// entry, and is not: `base` tells.
pub fn read<'a>(text: &'a str, kind: &FileKind, base: &Base<'_>) -> Vec<Part<'a>> {
    let entries = kind.entries(text);
    let has_sections = has_sections(kind);
    let (headings, fences) = marks(&entries.outline);
    let (items, parts) = (None, Vec::new());
    let mut out = List { text, has_sections, headings, fences, base, is_new: false, items, item: 0, parts };
    let mut sem = entries.sem(text);
    let mut at = 0;
    for block in entries.blocks() {
        at = block.span().end();
        match block {
            Block::Prose(span) => out.prose(span),
            Block::Sem(_) => {
                if let Some(entry) = sem.next() {
                    let title = entry.header().summary;
                    let moment = entry.timestamp().map(Timestamp::unix);
                    out.entry(PartKind::Sem(entry.entry_type()), entry.span(), title, moment);
                    out.is_all_of(entry.span());
                }
            }
            Block::Legacy(entry) => {
                out.is_new = base.is_known && !out.is_known(entry.span);
                let end = out.end(entry.span, entry.level);
                let end = if out.is_new && end == entry.span.end() {
                    out.without_empty_sections(entry.span, entry.level)
                } else {
                    end
                };
                let span = Span::new(entry.span.start(), end);
                out.entry(PartKind::Legacy, span, entry.title, moment_of(entry, text));
                out.is_all_of(entry.span);
                let first = out.parts.len();
                out.prose(Span::new(end, entry.span.end()));
                out.parts.iter_mut().skip(first).for_each(|part| (part.goes_on, part.is_read_on) = (true, true));
                out.end_before_empty_sections(first, entry.span);
                out.end_before_new_section(first, entry.level);
                out.is_new = false;
            }
        }
    }
    // A file without entries has no blocks.
    out.prose(Span::new(at, text.len()));
    out.parts
}

/// The headings, each with its level, and the code fences.
fn marks(outline: &Outline) -> (Vec<(usize, u8)>, Vec<Span>) {
    let (mut headings, mut fences, mut open) = (Vec::new(), Vec::new(), None);
    for mark in &outline.marks {
        match mark.kind {
            MarkKind::Heading(level) => headings.push((mark.line.start(), level)),
            MarkKind::FenceOpen => open = Some(mark.line.start()),
            MarkKind::FenceClose => fences.extend(open.take().map(|open| Span::new(open, mark.line.end()))),
            MarkKind::Bold | MarkKind::Rule | MarkKind::FencedHeading | MarkKind::Conflict(_) | MarkKind::TableRow => {}
        }
    }
    (headings, fences)
}

/// The parts so far.
struct List<'a, 'b> {
    text: &'a str,
    /// Whether there are sections and updates, as in a history.
    has_sections: bool,
    /// Where each heading starts, and its level.
    headings: Vec<(usize, u8)>,
    fences: Vec<Span>,
    base: &'b Base<'b>,
    /// Whether the list is in an older entry that the base lacks: the headings in it are its own, but for those that the base has.
    is_new: bool,
    /// The items of the file, which are looked for when the first line looks like one.
    items: Option<Vec<Item>>,
    /// How many of them are before the place that was reached.
    item: usize,
    parts: Vec<Part<'a>>,
}

impl List<'_, '_> {
    fn entry(&mut self, kind: PartKind, span: Span, title: Span, moment: Option<i64>) {
        let whole = span.of(self.text);
        let body = body(whole);
        let tail = whole.get(body.len()..).unwrap_or_default();
        let title = title.of(self.text);
        self.parts.push(Part {
            kind,
            body,
            tail,
            title,
            moment,
            whole: "",
            goes_on: false,
            is_read_on: false,
            level: None,
        });
    }

    /// Notes that `memory` reads all of `span` as the last entry.
    fn is_all_of(&mut self, span: Span) {
        if let Some(last) = self.parts.last_mut() {
            last.whole = body(span.of(self.text));
        }
    }

    /// Takes the headings without a text at the end of the last entry out of it: sides add to these sections. `span` is all of the entry,
    /// which continues with the parts from `first` on.
    fn end_before_empty_sections(&mut self, first: usize, span: Span) {
        let behind = self.parts.get_mut(first..).unwrap_or_default().iter_mut().rev();
        let mut end = span.end();
        for part in behind.take_while(|part| part.level.is_some()) {
            (part.goes_on, part.is_read_on) = (false, false);
            end -= part.body.len() + part.tail.len();
        }
        if let Some(entry) = first.checked_sub(1).and_then(|at| self.parts.get_mut(at)) {
            entry.whole = body(Span::new(span.start(), end).of(self.text));
        }
    }

    /// Lets a section begin with the first title above `level` among the parts from `first` on, which continue with an entry of that level:
    /// a side put it there, and to people it is one. What the other side adds to the section of the entry stays out of it. A title that
    /// documents have for their parts is one if the base has the text below it: then it is new for a section that is not.
    fn end_before_new_section(&mut self, first: usize, level: u8) {
        let is_new = |at: usize, part: &Part<'_>| {
            let below = || self.parts.get(at + 1).map(|below| below.body.trim_end());
            part.goes_on
                && part.level.is_some_and(|own| own < level)
                && self.base.is_known
                && !self.base.headings.contains(part.body.trim_end())
                && (part.is_title() || below().is_some_and(|below| self.base.prose.contains(below)))
        };
        let mut behind = self.parts.iter().enumerate().skip(first);
        let Some(place) = behind.position(|(at, part)| is_new(at, part)) else { return };
        self.parts.iter_mut().skip(first + place).for_each(|part| part.goes_on = false);
    }

    /// Whether the base has an entry with the first line of `span`.
    fn is_known(&self, span: Span) -> bool {
        self.base.titles.contains(self.line_at(span.start()).of(self.text))
    }

    /// Adds the items and the lines of a text between entries.
    fn prose(&mut self, span: Span) {
        let mut at = span.start();
        while at < span.end() {
            if let Some(end) = self.section_end(Span::new(at, span.end())) {
                let whole = Span::new(at, end);
                let line = self.line_at(at);
                let kind = if is_update(whole.of(self.text)) { PartKind::Update } else { PartKind::Section };
                let words = line.of(self.text);
                let moment = day::find(words).and_then(|day| moment_at(words.get(day.span.start()..)?));
                self.entry(kind, whole, line, moment);
                at = end;
                continue;
            }
            if let Some((item, title, moment)) = self.item_at(at).filter(|(item, ..)| span.contains(*item)) {
                self.entry(PartKind::Item, item, title, moment);
                at = item.end().max(at + 1);
            } else {
                let next = self.next_line(at).min(span.end());
                self.line(Span::new(at, next));
                at = next.max(at + 1);
            }
        }
    }

    /// The start of the line after the one at `at`. Among lines that end with `\n`, a `\r` is a character of its line.
    fn next_line(&self, at: usize) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        memchr::memchr(b'\n', rest).map_or_else(|| line_end(self.text.as_bytes(), at).1, |feed| at + feed + 1)
    }

    /// The item that starts at `at`, if one does: what it is, its title and its moment.
    fn item_at(&mut self, at: usize) -> Option<(Span, Span, Option<i64>)> {
        let byte = self.text.as_bytes().get(at)?;
        if !matches!(byte, b'-' | b'*' | b'+' | b' ' | b'\t' | b'0'..=b'9') {
            return None;
        }
        let items = self.items.get_or_insert_with(|| Learnings::parse(self.text).entries);
        // The lists of an entry are a part of it.
        self.item += items.get(self.item..)?.iter().take_while(|item| item.span.start() < at).count();
        let item = items.get(self.item).filter(|item| item.span.start() == at)?;
        let moment = item.added().and_then(|day| moment(day.year(), day.month(), day.day()));
        Some((item.span, item.text, moment))
    }

    /// The end of the section or the update that starts at the start of `span`, if one does.
    fn section_end(&self, span: Span) -> Option<usize> {
        if !self.has_sections {
            return None;
        }
        if is_update(span.of(self.text)) && !self.is_fenced(span.start()) {
            let next = lines(self.text, span).skip(1).find(|line| {
                let words = line.of(self.text);
                words.trim().is_empty() || is_update(words)
            });
            return Some(next.map_or(span.end(), Span::start));
        }
        let found = self.headings.binary_search_by_key(&span.start(), |(start, _)| *start).ok();
        let (_, level) = self.headings.get(found?).filter(|(_, level)| *level > 2)?;
        Some(self.end(span, *level))
    }

    /// The end of the entry at the start of `span`, whose heading has this level: the next heading above that level that is not part
    /// of it, or of a section at it, the next update, or the prose of the base that ends it. `## Context` is a part of a new entry.
    fn end(&self, span: Span, level: u8) -> usize {
        let behind = self.headings.partition_point(|(start, _)| *start <= span.start());
        let headings = self.headings.get(behind..).unwrap_or_default();
        let headings = headings.iter().take_while(|(start, _)| *start < span.end());
        let ends = |(start, next): &&(usize, u8)| match (*next).cmp(&level) {
            Ordering::Less => !self.is_new || self.is_heading_of_base(*start) || !self.is_part(*start),
            Ordering::Equal => level > 2,
            Ordering::Greater => false,
        };
        let next = headings.clone().find(ends).map(|(start, _)| *start);
        let end = next.filter(|_| self.has_sections).unwrap_or(span.end());
        let end = self.next_update(Span::new(span.start(), end)).unwrap_or(end);
        self.without_prose(Span::new(span.start(), end))
    }

    /// Whether the base has the heading at `start`, outside of entries: there, teams may add to its section.
    fn is_heading_of_base(&self, start: usize) -> bool {
        self.base.headings.contains(self.line_at(start).of(self.text).trim_end())
    }

    /// Whether documents have the heading at `start` for one of their parts.
    fn is_part(&self, start: usize) -> bool {
        legacy::is_part_of(self.text, self.line_at(start))
    }

    fn line_at(&self, start: usize) -> Span {
        Span::new(start, line_end(self.text.as_bytes(), start).0)
    }

    /// The start of the first update in `span` that is after a blank line.
    fn next_update(&self, span: Span) -> Option<usize> {
        if !self.has_sections || !span.of(self.text).contains(UPDATE) {
            return None;
        }
        let mut is_after_blank = false;
        let found = lines(self.text, span).find(|line| {
            let words = line.of(self.text);
            let found = is_after_blank && is_update(words) && !self.is_fenced(line.start());
            is_after_blank = words.trim().is_empty();
            found
        });
        found.map(Span::start)
    }

    /// The end of an entry without the paragraphs at its end that are prose in the base, if the base does not have the entry.
    fn without_prose(&self, span: Span) -> usize {
        let text = span.of(self.text);
        let mut rest = text.split_inclusive('\n');
        let first = rest.next().unwrap_or_default();
        if self.base.prose.is_empty() || self.base.titles.contains(first.trim_end_matches(['\r', '\n'])) {
            return span.end();
        }
        let (mut at, mut end, mut paragraph) = (span.end(), span.end(), None);
        while let Some(line) = rest.next_back() {
            let words = line.trim_end();
            if words.is_empty() || words == "---" {
                end = paragraph.take().unwrap_or(end);
            } else if self.base.prose.contains(words) {
                paragraph = Some(at - line.len());
            } else {
                break;
            }
            at -= line.len();
        }
        end
    }

    /// The end of an entry without the headings above its level at its end that have no text: sides add to these sections.
    fn without_empty_sections(&self, span: Span, level: u8) -> usize {
        if !self.has_sections {
            return span.end();
        }
        let (first, behind) = (
            self.headings.partition_point(|(start, _)| *start <= span.start()),
            self.headings.partition_point(|(start, _)| *start < span.end()),
        );
        let mut end = span.end();
        for (start, next) in self.headings.get(first..behind).unwrap_or_default().iter().rev() {
            let below = Span::new(line_end(self.text.as_bytes(), *start).1.min(end), end);
            if *next >= level || lines(self.text, below).any(|line| !matches!(line.of(self.text).trim(), "" | "---")) {
                break;
            }
            end = *start;
        }
        end
    }

    fn is_fenced(&self, at: usize) -> bool {
        let fence = self.fences.partition_point(|fence| fence.start() <= at).checked_sub(1);
        fence.and_then(|fence| self.fences.get(fence)).is_some_and(|fence| at < fence.end())
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
        let heading = self.headings.binary_search_by_key(&span.start(), |(start, _)| *start).ok();
        let level = heading.and_then(|at| self.headings.get(at)).map(|(_, level)| *level);
        let kind = PartKind::Line;
        let (title, whole) = (words, "");
        let part =
            Part { kind, body: words, tail, title, moment: None, whole, goes_on: false, is_read_on: false, level };
        self.parts.push(part);
    }
}

/// How an update starts.
const UPDATE: &str = "📌";

/// Whether `text` starts with an update.
pub(super) fn is_update(text: &str) -> bool {
    text.starts_with(UPDATE)
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

/// The moment of an older entry, its own or that of its section.
pub fn moment_of(entry: &LegacyEntry, text: &str) -> Option<i64> {
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
