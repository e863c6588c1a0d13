//! The learnings of a member of a learning team: `learnings.md` and `archive.md`. See `docs/formats/learning-teams.md`,
//! "Learnings".
//!
//! A title, sections, and list items with marks. Only items of outermost lists are entries; the text in them (inner
//! lists, code, further paragraphs) belongs to them. Everything else (prose, tables, code, comments) is kept and means
//! nothing here.

pub mod archive;
pub mod layout;
mod mark;
mod section;

pub use archive::Archived;
pub use jiff::civil::Date;
pub use mark::{Mark, MarkKind, looks_like_date};
pub use section::{Section, SectionKind, Tier, Title};

use crate::formats::markdown::items::{self, Line, LineKind};
use crate::text::Span;

/// A parsed file. All spans refer to the text it was parsed from, and are in its order.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Learnings {
    /// The first heading of level 1 that names no section.
    pub title: Option<Title>,
    /// Further ones.
    pub more_titles: Vec<Title>,
    /// The sections, those in others included.
    pub sections: Vec<Section>,
    /// The entries, placeholders included.
    pub entries: Vec<Entry>,
}

/// One list item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its lines, whole, with the line end of the last: continuation, inner lists, code and the blank lines between.
    pub span: Span,
    /// The section it is in, by its place in [`Learnings::sections`]: the innermost.
    pub section: Option<usize>,
    /// What was learned: without the marker, the sender before it and the marks after it.
    pub text: Span,
    /// Its marks, in order.
    pub marks: Vec<Mark>,
    /// The name of who sent it: `(from architect)`.
    pub sender: Option<Span>,
    /// Whether it is only a placeholder: `(none yet)`.
    pub placeholder: bool,
}

impl Entry {
    /// The day it was added; `None` without a readable mark.
    pub fn added(&self) -> Option<Date> {
        self.day(MarkKind::Added)
    }

    /// The newest day in any of its marks.
    pub fn newest(&self) -> Option<Date> {
        self.marks.iter().filter_map(|mark| mark.day).max()
    }

    /// The day of the first mark of this kind that has one.
    pub fn day(&self, kind: MarkKind) -> Option<Date> {
        self.marks_of(kind).find_map(|mark| mark.day)
    }

    /// The marks of this kind, in order.
    pub fn marks_of(&self, kind: MarkKind) -> impl Iterator<Item = &Mark> {
        self.marks.iter().filter(move |mark| mark.kind == kind)
    }
}

impl Learnings {
    /// Parses `text`. Nothing fails: what is not understood is between what is.
    pub fn parse(text: &str) -> Self {
        let mut out = Self::default();
        let mut open: Option<Open> = None;
        for line in items::lines(text) {
            match line.kind {
                LineKind::Blank => {}
                LineKind::Inside | LineKind::InsideCode => {
                    if let Some(item) = &mut open {
                        item.goes_on(line);
                    }
                }
                LineKind::Item { content } => {
                    let ended = open.replace(Open::new(line, content));
                    out.entries.extend(ended.map(|item| item.entry(text, out.sections.len())));
                }
                LineKind::Heading(level) => {
                    out.entries.extend(open.take().map(|item| item.entry(text, out.sections.len())));
                    out.heading(text, line, level);
                }
                LineKind::Other => out.entries.extend(open.take().map(|item| item.entry(text, out.sections.len()))),
            }
        }
        out.entries.extend(open.map(|item| item.entry(text, out.sections.len())));
        out.nest(text);
        out
    }

    /// The section that `entry` is in, the innermost.
    pub fn section_of(&self, entry: &Entry) -> Option<&Section> {
        self.sections.get(entry.section?)
    }

    /// The first section of this kind.
    pub fn section(&self, kind: SectionKind) -> Option<&Section> {
        self.sections.iter().find(|section| section.kind == Some(kind))
    }

    /// The entries that are not placeholders, in file order.
    pub fn real_entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.placeholder)
    }

    /// The entries under a section of this kind that are not placeholders, in file order.
    pub fn entries_within(&self, kind: SectionKind) -> impl Iterator<Item = &Entry> {
        self.real_entries().filter(move |entry| self.section_of(entry).and_then(|section| section.within) == Some(kind))
    }

    /// The text again, put together from the parts that were recognised and the text between them.
    pub fn print(&self, text: &str) -> String {
        let titles = self.title.iter().chain(&self.more_titles).map(|title| title.line);
        let sections = self.sections.iter().map(|section| section.heading);
        let mut parts: Vec<Span> = titles.chain(sections).chain(self.entries.iter().map(|entry| entry.span)).collect();
        parts.sort();
        let (mut out, mut at) = (String::with_capacity(text.len()), 0);
        for part in parts {
            out.push_str(Span::new(at, part.start()).of(text));
            out.push_str(part.of(text));
            at = part.end();
        }
        out.push_str(Span::new(at, text.len()).of(text));
        out
    }

    fn heading(&mut self, text: &str, line: Line, level: u8) {
        let name = section::heading_text(text, line.line);
        let kind = SectionKind::read(name.of(text));
        if level == 1 && kind.is_none() {
            let title = Title::read(text, line.line);
            match self.title {
                None => self.title = Some(title),
                Some(_) => self.more_titles.push(title),
            }
        }
        let below = Span::at(line.next as usize);
        let (within, tier) = (None, None);
        let section = Section { heading: line.line, name, level, kind, within, tier, body: below, span: line.line };
        self.sections.push(section);
    }

    /// Gives each section its extent and what it is in, and takes the titles out of their list.
    fn nest(&mut self, text: &str) {
        let mut next = text.len();
        // For each level, where the next heading of that level or a higher one starts.
        let mut ends = [text.len(); 7];
        for section in self.sections.iter_mut().rev() {
            let (start, level) = (section.heading.start(), usize::from(section.level));
            section.body = Span::new(section.body.start(), next);
            section.span = Span::new(start, ends.get(level).copied().unwrap_or(next));
            for end in ends.iter_mut().skip(level) {
                *end = start;
            }
            next = start;
        }
        // A title holds nothing: what is under it is in no section.
        let mut around: [Option<(SectionKind, Option<Tier>)>; 7] = [None; 7];
        let mut kept = Vec::with_capacity(self.sections.len());
        let mut places = Vec::with_capacity(self.sections.len());
        for mut section in std::mem::take(&mut self.sections) {
            let level = usize::from(section.level);
            let inherited = around.iter().take(level).rev().find_map(|outer| *outer);
            section.within = section.kind.or(inherited.map(|(kind, _)| kind));
            section.tier = section.kind.and_then(SectionKind::tier).or(inherited.and_then(|(_, tier)| tier));
            for (at, inner) in around.iter_mut().enumerate().skip(level) {
                *inner = section.within.filter(|_| at == level).map(|kind| (kind, section.tier));
            }
            let is_title = section.level == 1 && section.kind.is_none();
            places.push((!is_title).then_some(kept.len()));
            if !is_title {
                kept.push(section);
            }
        }
        self.sections = kept;
        for entry in &mut self.entries {
            entry.section = entry.section.and_then(|place| places.get(place).copied().flatten());
        }
    }
}

/// An item whose end has not been seen.
struct Open {
    span: Span,
    /// Behind the marker.
    content: Span,
    /// Its lines of code.
    code: Vec<Span>,
}

impl Open {
    fn new(line: Line, content: u32) -> Self {
        let content = Span::new(content as usize, line.line.end());
        Self { span: Span::new(line.line.start(), line.next as usize), content, code: Vec::new() }
    }

    fn goes_on(&mut self, line: Line) {
        self.span = Span::new(self.span.start(), line.next as usize);
        self.content = self.content.to(line.line);
        if line.kind == LineKind::InsideCode {
            self.code.push(line.line);
        }
    }

    /// The entry, in the last of `sections` headings.
    fn entry(self, text: &str, sections: usize) -> Entry {
        let content = self.content.trim(text);
        let marks = mark::scan(text, content, &self.code);
        let what = without_marks(text, content, &marks);
        let sender = marks.iter().find(|mark| mark.kind == MarkKind::From).map(|mark| mark.value);
        Entry {
            span: self.span,
            section: sections.checked_sub(1),
            text: what,
            placeholder: marks.is_empty() && is_placeholder(content.of(text)),
            marks,
            sender,
        }
    }
}

/// `content` without the sender at its start and the marks at its end.
fn without_marks(text: &str, content: Span, marks: &[Mark]) -> Span {
    let emphasis = |c: char| c.is_whitespace() || matches!(c, '*' | '_');
    let mut what = content;
    if let Some(first) = marks.first()
        && first.kind == MarkKind::From
        && Span::new(content.start(), first.group.start()).of(text).trim_matches(emphasis).is_empty()
    {
        let behind = Span::new(first.group.end(), content.end());
        let skip = behind.of(text).len() - behind.of(text).trim_start_matches([' ', '\t', '*', '_', ':']).len();
        what = Span::new(behind.start() + skip, content.end());
    }
    for mark in marks.iter().rev() {
        if !what.contains(mark.group) {
            continue;
        }
        let behind = Span::new(mark.group.end(), what.end()).of(text);
        let is_nothing = behind.trim_matches(|c: char| emphasis(c) || matches!(c, '.' | ',' | ';')).is_empty();
        let is_comment = behind.trim().starts_with("<!--") && behind.trim().ends_with("-->");
        if !is_nothing && !is_comment {
            break;
        }
        what = Span::new(what.start(), mark.group.start()).trim(text);
    }
    // The emphasis of a group that went.
    let open = what.of(text).trim_end_matches([' ', '\t']);
    let starred = open.strip_suffix(" *").or_else(|| open.strip_suffix(" _")).filter(|_| what.end() < content.end());
    starred.map_or(what, |inner| Span::new(what.start(), what.start() + inner.len())).trim(text)
}

/// Whether an item with this text is only a placeholder.
fn is_placeholder(content: &str) -> bool {
    const WORDS: [&str; 14] = [
        "",
        "none",
        "none yet",
        "nothing",
        "nothing yet",
        "empty",
        "no entries",
        "no entries yet",
        "no notes",
        "no notes yet",
        "no learnings yet",
        "n/a",
        "na",
        "tbd",
    ];
    if content.len() > 60 {
        return false;
    }
    let inner = match content.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->")) {
        Some(_) => "",
        None => content,
    };
    let bare = inner.trim_matches(|c: char| !c.is_alphanumeric());
    WORDS.iter().any(|word| bare.eq_ignore_ascii_case(word)) && (bare.is_empty() || !inner.contains('`'))
}

#[cfg(test)]
mod tests;
