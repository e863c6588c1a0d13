//! A memory file as headings with what is under them, each with its day.

use bstr::ByteSlice;
use jiff::civil::Date;

use crate::dialects::squad;
use crate::document::Document;
use crate::facts::Run;
use crate::facts::roster::Roster;
use crate::formats::entries::Block;
use crate::formats::legacy::day::{self, CENTURY, Day};
use crate::formats::legacy::{self, Field, LegacyEntry};
use crate::formats::markdown::{Mark, MarkKind};
use crate::formats::sem::{self, End, Entry, EntryType, FieldName};
use crate::formats::timestamp::{Reading, Timestamp};
use crate::text::words::has_any;
use crate::text::{Span, line_end, lines};

use super::hold::{self, Hold};
use super::owner;
use super::said::{self, People};

/// A heading and what is under it: an entry, or a part of the file with a title.
#[derive(Debug)]
pub struct Section {
    /// The number of `#`.
    pub level: u8,
    /// The line of the heading.
    pub heading: Span,
    /// From the heading to the next section of any level.
    pub own: Span,
    /// With all sections of lower levels below it.
    pub span: Span,
    /// The section that it is in, by its place.
    pub parent: Option<usize>,
    /// Whether it is an entry.
    pub is_entry: bool,
    /// Where its own text goes on, below the fields or the heading that date it.
    pub below: usize,
    /// The moment that it is of, in seconds since 1970.
    pub at: Option<i64>,
    /// The latest moment at which something was added to its own text, once [`Section::find_newest`] has looked for it.
    pub newest: Option<i64>,
    /// The earliest moment of its lines that begin with one, for a section that has no moment itself.
    pub oldest: Option<i64>,
    /// Why it stays.
    pub hold: Option<Hold>,
    /// A comment at its end that tells writers where to add more. It is of the file, and stays when the section leaves.
    pub guide: Option<Span>,
}

impl Section {
    /// Looks for the latest moment at which something was added to its own text. That takes long, and what stays for other reasons
    /// does not need it.
    pub fn find_newest(&mut self, text: &str) {
        self.newest = moments(text, self).max().and_then(Moment::unix).max(self.at);
    }

    /// Looks for the earliest moment in a section without one.
    pub fn find_oldest(&mut self, text: &str) {
        self.oldest = moments(text, self).min().and_then(Moment::unix);
    }
}

/// The sections of `document`, in file order.
pub fn sections(document: &Document, run: &Run<'_>) -> Vec<Section> {
    let text = document.text();
    // What grows is copied.
    let sections = Vec::with_capacity(document.entries.blocks().count());
    let team = run.roster(document.root());
    let mut builder = Builder { document, text, sections, open: Vec::new(), people: people(document, &team) };
    let mut sem = document.entries.sem(text);
    let mut marks = document.entries.outline.marks.iter().peekable();
    let mut before_ends = true;
    let mut headings = Vec::new();
    for block in document.entries.blocks() {
        let span = block.span();
        headings.clear();
        while let Some(mark) = marks.next_if(|mark| mark.line.start() < span.end()) {
            headings.extend(level(mark).map(|level| (level, mark.line)));
        }
        match block {
            Block::Prose(_) => builder.prose(span, &headings),
            Block::Sem(spans) => {
                let ends = matches!(spans.end, End::Rule(_)) && spans.continued.is_none();
                builder.sem(span, sem.next(), ends && before_ends);
                before_ends = ends;
            }
            Block::Legacy(entry) => {
                let next = marks.peek().and_then(|mark| Some((level(mark)?, mark.line)));
                builder.legacy(entry, &headings, next, before_ends);
                before_ends = true;
            }
        }
    }
    builder.close(0, text.len());
    for section in &mut builder.sections {
        section.guide = guide(text, section);
    }
    builder.sections
}

/// The comment that ends a section, with the blank lines below it, if it guides writers: `<!-- Append new learnings below. -->`.
fn guide(text: &str, section: &Section) -> Option<Span> {
    let below = Span::new(section.heading.end(), section.own.end()).of(text);
    let before = below.trim_end().strip_suffix("-->")?;
    let start = before.rfind("<!--")?;
    let comment = before.get(start..)?;
    let is_alone = before.get(..start)?.ends_with('\n');
    let guides = is_alone && !comment.contains('\n') && has_any(comment, &GUIDES);
    guides.then(|| Span::new(section.heading.end() + start, section.own.end()))
}

/// In a comment that tells writers where to add what.
const GUIDES: [&str; 5] = ["append", "appends", "below", "this line", "this file"];

/// Whom a memory file names: the owner, by the first lines of a history or by `team.md`, and the agent of `agents/NAME/history.md`.
fn people<'a>(document: &'a Document, team: &'a Roster) -> People<'a> {
    let human = team.team.as_ref().and_then(|team| team.humans.first()).and_then(|name| owner::first_name(name));
    if document.kind() != &squad::HISTORY {
        return People { owner: human, agent: None };
    }
    let folder = document.source.path().rsplit_str("/").nth(1);
    People { owner: owner::owner(document.text()).or(human), agent: folder.and_then(|folder| folder.to_str().ok()) }
}

fn level(mark: &Mark) -> Option<u8> {
    if let MarkKind::Heading(level) = mark.kind { Some(level) } else { None }
}

struct Builder<'a> {
    document: &'a Document,
    text: &'a str,
    sections: Vec<Section>,
    /// The sections that the next one may be in.
    open: Vec<usize>,
    people: People<'a>,
}

impl Builder<'_> {
    /// Ends the sections from `level` on at byte `at`.
    fn close(&mut self, level: u8, at: usize) {
        while let Some(place) = self.open.pop_if(|place| self.sections.get(*place).is_some_and(|s| s.level >= level)) {
            if let Some(section) = self.sections.get_mut(place) {
                section.span = Span::new(section.span.start(), at);
            }
        }
    }

    /// Begins a section at the start of `own`.
    fn begin(&mut self, level: u8, heading: Span, own: Span) -> Option<&mut Section> {
        self.close(level, own.start());
        let parent = self.open.last().copied();
        self.open.push(self.sections.len());
        let section = Section {
            level,
            heading,
            own,
            span: own,
            parent,
            is_entry: false,
            below: own.start(),
            at: None,
            newest: None,
            oldest: None,
            hold: None,
            guide: None,
        };
        self.sections.push(section);
        self.sections.last_mut()
    }

    /// Text that is not an entry: sections with a heading, and before them text that belongs to none.
    fn prose(&mut self, span: Span, headings: &[(u8, Span)]) {
        let first = headings.first().map_or(span.end(), |(_, line)| line.start());
        let loose = Span::new(span.start(), first);
        if let Some(last) = self.sections.last_mut() {
            if loose.of(self.text).trim().is_empty() {
                last.own = Span::new(last.own.start(), loose.end());
            } else {
                // Without the entry above, this text would belong to the one before.
                last.hold = last.hold.or(Some(Hold::Unclear));
            }
        }
        self.titled(span.end(), headings);
    }

    /// Sections that have nothing but their titles to tell what they are.
    fn titled(&mut self, end: usize, headings: &[(u8, Span)]) {
        let ends = headings.iter().skip(1).map(|(_, line)| line.start()).chain([end]);
        for (&(level, line), end) in headings.iter().zip(ends) {
            let (text, people) = (self.text, self.people);
            if let Some(section) = self.begin(level, line, Span::new(line.start(), end)) {
                section.at = latest(line.of(text)).filter(|_| level > 1);
                section.hold = hold::of_title(line.of(text)).or_else(|| said::of_text(section.own.of(text), people));
            }
        }
    }

    fn sem(&mut self, span: Span, entry: Option<Entry<'_>>, is_clear: bool) {
        let Some(entry) = entry else { return };
        let line = entry.header().line;
        if let Some(section) = self.begin(3, line, span) {
            let is_directive = entry.entry_type() == Some(EntryType::Directive);
            section.is_entry = true;
            let is_of_it = |field: &&sem::Field| {
                matches!(field.name, FieldName::Type | FieldName::Timestamp)
                    && !field.value.of(entry.text()).contains('\n')
            };
            let last = entry.fields().iter().take_while(is_of_it).last();
            section.below = last.map_or(line.end(), |field| field.value.end());
            section.at = entry.timestamp().map(Timestamp::unix);
            section.hold = is_directive.then_some(Hold::Directive).or((!is_clear).then_some(Hold::Unclear));
        }
    }

    /// An entry from before SEM. A heading in it that is as high as its own begins another section, if it has a day or the file
    /// consists of notes. Decisions are often whole documents, with headings of any level: there it can be a part of the entry.
    /// `next` is the heading after it.
    fn legacy(&mut self, entry: &LegacyEntry, headings: &[(u8, Span)], next: Option<(u8, Span)>, is_clear: bool) {
        let (text, document, people) = (self.text, self.document, self.people);
        let inner = headings.iter().position(|(_, line)| line.start() > entry.heading.start());
        let inner = inner.and_then(|at| headings.get(at..)).unwrap_or_default();
        let is_notes = document.kind() == &squad::HISTORY;
        let is_dated = |line: Span| latest(line.of(text)).is_some();
        let begins = |(level, line): &(u8, Span)| {
            let is_high = *level <= entry.level;
            is_notes && (is_high || is_dated(*line)) || is_high && (is_dated(*line) || !is_part(text, entry, *line))
        };
        let cut = inner.iter().position(begins).unwrap_or(inner.len());
        // A title with nothing below it but the next one is that of the sections that begin there.
        let announces = |above: &(u8, Span), below: &(u8, Span)| {
            above.0 < below.0 && Span::new(above.1.end(), below.1.start()).of(text).trim().is_empty()
        };
        let (before, after) = inner.split_at_checked(cut).unwrap_or_default();
        let mut below = after.first().or(next.as_ref());
        let titles = before.iter().rev().take_while(|above| {
            let is_title = below.is_some_and(|below| announces(above, below));
            below = Some(above);
            is_title
        });
        let cut = cut - titles.count();
        let (_, rest) = inner.split_at_checked(cut).unwrap_or_default();
        let end = rest.first().map_or(entry.span.end(), |(_, line)| line.start());
        let has_body = || {
            let below = Span::new(entry.heading.end(), end);
            lines(text, below).filter(|line| !line.of(text).trim().is_empty()).nth(1).is_some()
        };
        let ends = |line: Span| is_dated(line) || is_notes && has_body() && !is_part(text, entry, line);
        let is_clear = is_clear && rest.first().is_none_or(|(_, line)| ends(*line));
        if let Some(section) = self.begin(entry.level, entry.heading, Span::new(entry.span.start(), end)) {
            section.is_entry = true;
            section.below = entry.heading.end();
            let of_field = || entry.date.and_then(|date| latest(date.of(text)));
            section.at = latest(entry.heading.of(text)).or_else(of_field);
            let own = section.own.of(text);
            let said = hold::of_title(entry.heading.of(text))
                .or_else(|| hold::of_fields(text, fields(document, entry)))
                .or_else(|| hold::of_record(entry.heading.of(text), text, fields(document, entry)))
                .or_else(|| said::of_text(own, people));
            section.hold = said.or((!is_clear).then_some(Hold::Unclear));
        }
        self.titled(entry.span.end(), rest);
    }
}

fn fields<'a>(document: &'a Document, entry: &LegacyEntry) -> &'a [Field] {
    document.entries.legacy_fields(entry)
}

/// Whether a heading as high as that of `entry` is a part of it: its title once more, or one that documents have for their parts.
fn is_part(text: &str, entry: &LegacyEntry, line: Span) -> bool {
    let words = line.of(text).trim_start_matches('#').trim();
    legacy::signs(text, line, Span::at(line.end())).part || legacy::same_title(words, entry.title.of(text))
}

/// The latest moment in `text`, with the time of day after it.
pub fn latest(text: &str) -> Option<i64> {
    day::find(text).and_then(|first| latest_from(text, first)).and_then(Moment::unix)
}

/// A moment: year, month, day, the minutes of the day, and those from UTC. Many are compared, and few are wanted in seconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Moment(u16, u8, u8, u16, i16);

impl Moment {
    /// A minute of a day; `None` for a day that does not exist.
    fn new((year, month, day): (u16, u8, u8), minutes: u16, offset: i16) -> Option<Self> {
        let exists = (1..=28).contains(&day) && (1..=12).contains(&month) || date(year, month, day).is_some();
        exists.then_some(Self(year, month, day, minutes, offset))
    }

    /// In seconds since 1970.
    fn unix(self) -> Option<i64> {
        let Self(year, month, day, minutes, offset) = self;
        let midnight = date(year, month, day)?.duration_since(Date::constant(1970, 1, 1));
        Some(midnight.as_secs() + (i64::from(minutes) - i64::from(offset)) * 60)
    }
}

fn date(year: u16, month: u8, day: u8) -> Option<Date> {
    Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()
}

/// The latest moment in `text`, whose first day is known.
fn latest_from(text: &str, first: Day) -> Option<Moment> {
    let (mut rest, mut latest, mut next) = (text, None, Some(first));
    while let Some(Day { span, date }) = next {
        let own = rest.get(span.start()..).unwrap_or_default();
        rest = rest.get(span.end()..).unwrap_or_default();
        let moment = || {
            let minutes = minutes(rest.as_bytes());
            // Without a time of day there is no offset from UTC.
            let offset = || Reading::prefix(own).0.moment().map_or(0, Timestamp::offset);
            Moment::new(date?, minutes, if minutes > 0 { offset() } else { 0 })
        };
        latest = latest.max(moment());
        next = day::find(rest);
    }
    latest
}

/// The minutes from the start of the day to the time that `text` begins with: `T17:06`, ` 17:06`, `T17-06-36Z`, `T170636`.
fn minutes(text: &[u8]) -> u16 {
    let number = |tens: u8, ones: u8| {
        (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| u16::from((tens - b'0') * 10 + (ones - b'0')))
    };
    let [b'T' | b' ', h1, h2, rest @ ..] = text else { return 0 };
    let ([b':' | b'-', m1, m2, ..] | [m1, m2, ..]) = rest else { return 0 };
    match (number(*h1, *h2), number(*m1, *m2)) {
        (Some(hour @ 0..24), Some(minute @ 0..60)) => hour * 60 + minute,
        _ => 0,
    }
}

/// So far into a line a day says when the line was written; further on it is a part of what the line says.
const LEAD: usize = 40;

/// Where the next year begins from `from` on, such as every day has: most of the other `20` are a part of a number.
fn next_year(bytes: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let at = from + CENTURY.find(bytes.get(from..)?)?;
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        if is_digit(at + 2) && is_digit(at + 3) && !at.checked_sub(1).is_some_and(is_digit) {
            return Some(at);
        }
        from = at + 2;
    }
}

/// The latest moment of each line of a section that begins with one, or that announces something to the team. That of an entry is its
/// own.
fn moments<'a>(text: &'a str, section: &Section) -> impl Iterator<Item = Moment> + use<'a> {
    let own = Span::new(section.below, section.own.end()).of(text);
    let mut from = 0;
    // Few lines have a day.
    let dated_lines = std::iter::from_fn(move || {
        let at = next_year(own.as_bytes(), from)?;
        let start = memchr::memrchr2(b'\n', b'\r', own.as_bytes().get(..at)?).map_or(0, |end| end + 1);
        let (end, next) = line_end(own.as_bytes(), at);
        from = next;
        own.get(start..end)
    });
    dated_lines.filter_map(|line| {
        let line = line.trim_start();
        // `- **Parser** (2026-02-10T17:06Z): …`
        let is_behind_title = |day: &Day| line.get(..day.span.start()).is_some_and(|before| before.ends_with("** ("));
        let leads = |day: &Day| day.span.start() < LEAD || line.starts_with(['#', '📌']) || is_behind_title(day);
        day::find(line).filter(leads).and_then(|first| latest_from(line, first))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_moment_of_a_title() {
        let at = |text: &str| Timestamp::read(text).map(Timestamp::unix);
        for (title, moment) in [
            ("### 2026-02-10: Tabs", at("2026-02-10T00:00:00+0000")),
            ("## Work (2026-02-10T17:06:36Z)", at("2026-02-10T17:06:00+0000")),
            ("## 2026-02-10 14:35:00 - Scope", at("2026-02-10T14:35:00+0000")),
            ("## 2026-02-10T14-35-08Z: Scope", at("2026-02-10T14:35:00+0000")),
            ("## Update (2026-02-10T041800Z)", at("2026-02-10T04:18:00+0000")),
            ("## Sprint (2026-02-09 to February 20, 2026)", at("2026-02-20T00:00:00+0000")),
            ("### 2026-02-10T15:50:00-05:00: Scope", at("2026-02-10T20:50:00+0000")),
            ("### 2026-02-10T15:50+0530: Scope", at("2026-02-10T10:20:00+0000")),
            ("### 2026-02-10T235000.125-05:00: Scope", at("2026-02-11T04:50:00+0000")),
            ("## 2026-02-10 99 bottles", at("2026-02-10T00:00:00+0000")),
            ("## February 2026", None),
        ] {
            assert_eq!(latest(title), moment, "{title}");
        }
    }
}
