//! A file as cells: entries, each with all that readers take for its text, and the lines between them.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::convert::orphan;
use crate::dialects::FileKind;
use crate::formats::entries::{Block, Entries};
use crate::formats::legacy::is_part_of;
use crate::formats::markdown::{self, MarkKind};
use crate::memory::section::says_nothing;
use crate::merge::parts::{self, Base, Part, PartKind};
use crate::text::Span;

/// What an entry is known by.
pub(super) type Key = (PartKind, Option<i64>, String);

/// A part of a file that nothing is put into.
#[derive(Debug)]
pub(super) struct Cell<'a> {
    pub(super) kind: PartKind,
    pub(super) moment: Option<i64>,
    /// What it is known by; nothing for a line.
    pub(super) key: Option<Key>,
    pub(super) body: Cow<'a, str>,
    /// The blank lines and rules after it.
    pub(super) tail: Cow<'a, str>,
    /// Whether it begins with a heading, or goes on from nothing before it for another reason.
    pub(super) is_start: bool,
    /// Whether it is a title that readers have entries below.
    pub(super) holds_entries: bool,
    /// The file that it was put in from.
    pub(super) from: Option<usize>,
    /// The title that it had above it there, and has here.
    pub(super) own_title: Option<String>,
}

/// The cells of a file of this kind with this text. Its footer is one of them, also after an entry.
pub(super) fn of_file<'a>(text: &'a str, kind: &FileKind) -> Vec<Cell<'a>> {
    let (text, footer) = text.split_at(footer(text, &kind.entries(text)).unwrap_or(text.len()));
    let mut cells = read(text, kind);
    let body = footer.trim_end();
    cells.extend(Some(footer).filter(|footer| !footer.is_empty()).map(|footer| Cell {
        kind: PartKind::Line,
        moment: None,
        key: None,
        body: body.into(),
        tail: footer.get(body.len()..).unwrap_or_default().into(),
        is_start: true,
        holds_entries: false,
        from: None,
        own_title: None,
    }));
    cells
}

/// Where the footer of a file begins that would be in its last entry otherwise. The rule above it ends an SEM entry.
pub(super) fn footer(text: &str, entries: &Entries) -> Option<usize> {
    let footer = orphan::footer(text, &entries.outline.marks)?;
    let is_around = |block: Block<'_>| matches!(block, Block::Legacy(entry) if entry.span.contains(Span::at(footer)));
    entries.blocks().any(is_around).then_some(footer)
}

/// The cells of `text`, which is of this kind. What a merge would part from an entry, such as `## Why` after it, is in the cell of
/// the entry if readers take it for a part of that.
pub(super) fn read<'a>(text: &'a str, kind: &FileKind) -> Vec<Cell<'a>> {
    let parsed = kind.entries(text);
    let is_heading = |kind: MarkKind| matches!(kind, MarkKind::Heading(_));
    let headings = parsed.outline.marks.iter().filter(|mark| is_heading(mark.kind));
    let headings: HashSet<usize> = headings.map(|mark| mark.line.start()).collect();
    let entries = parsed.blocks().filter(|block| !matches!(block, Block::Prose(_)));
    let mut entries = entries.map(Block::span).peekable();
    let mut cells: Vec<Cell<'a>> = Vec::new();
    let (mut at, mut first, mut entry_end) = (0, 0, 0);
    for part in parts::read(text, kind, &Base::default()) {
        let start = at;
        let body_end = start + part.body.len();
        at = body_end + part.tail.len();
        let entry = entries.next_if(|entry| entry.start() <= start);
        entry_end = entry.map_or(entry_end, Span::end);
        if let Some(cell) = cells.last_mut().filter(|_| entry.is_none() && start < entry_end) {
            cell.body = text.get(first..body_end).unwrap_or_default().into();
            cell.tail = part.tail.into();
            continue;
        }
        first = start;
        let holds_entries = parsed.is_section(start);
        cells.push(Cell { holds_entries, ..Cell::of(&part, headings.contains(&start)) });
    }
    cells
}

impl<'a> Cell<'a> {
    fn of(part: &Part<'a>, is_start: bool) -> Self {
        let key = part.is_entry().then(|| part.key());
        let Part { kind, moment, body, tail, .. } = *part;
        let (body, tail) = (body.into(), tail.into());
        Self { kind, moment, key, body, tail, is_start, holds_entries: false, from: None, own_title: None }
    }

    /// Its words, if it is the title of a section of entries: a heading of the first two levels.
    pub(super) fn title(&self) -> Option<&str> {
        let is_title = self.kind == PartKind::Line && self.is_start;
        let rest = self.body.strip_prefix('#').filter(|_| is_title)?;
        rest.strip_prefix('#').unwrap_or(rest).strip_prefix(' ').map(str::trim)
    }

    /// The level of the heading that it begins with; none for a text without one.
    pub(super) fn level(&self) -> Option<usize> {
        let words = self.body.trim_start_matches('#');
        Some(self.body.len() - words.len()).filter(|level| *level > 0 && self.is_start)
    }

    /// Whether it is such a title, and says more of the entries below it than that they are entries. `Notes` is a part of a text, unless
    /// readers have entries below it; `Decisions (2026)` is one of both.
    pub(super) fn says_more(&self) -> bool {
        let is_part = || is_part_of(&self.body, Span::new(0, self.body.len()));
        let holds = |title: &str| self.holds_entries && !title.to_lowercase().contains("decision");
        self.title().is_some_and(|title| !says_nothing(title) && (holds(title) || !is_part()))
    }

    /// Whether it is an older entry that ends with a title above its level: without a rule behind it, that is a section with what comes next.
    pub(super) fn ends_with_title(&self) -> bool {
        if self.kind != PartKind::Legacy {
            return false;
        }
        let marks = markdown::scan(&self.body).marks;
        let mut levels = marks.iter().filter_map(|mark| match mark.kind {
            MarkKind::Heading(level) => Some(level),
            _ => None,
        });
        levels.next().zip(levels.next_back()).is_some_and(|(own, last)| last < own)
    }

    /// Whether it was put in.
    pub(super) fn is_new(&self) -> bool {
        self.from.is_some()
    }

    /// Whether the order of moments counts for it.
    pub(super) fn is_dated(&self) -> bool {
        self.kind.rank() == 2 || self.is_new() && self.moment.is_some()
    }

    /// Whether it is an entry to readers.
    pub(super) fn is_entry(&self) -> bool {
        matches!(self.kind, PartKind::Sem(_) | PartKind::Legacy)
    }

    /// Whether it is text of the file that goes on from what is before it: after an entry, it would be read as a part of that.
    pub(super) fn goes_on(&self) -> bool {
        !self.is_new() && !self.is_start && matches!(self.kind, PartKind::Line | PartKind::Item | PartKind::Update)
    }
}

/// Whether a text has all lines of another one, in their order.
pub(super) fn holds(text: &str, other: &str) -> bool {
    let mut rest = text.lines().map(words);
    said(other).all(|line| rest.any(|own| own == line))
}

/// What the lines of a text say, apart from blank ones and rules.
pub(super) fn said(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(words).filter(|line| !line.is_empty() && !is_rule(line))
}

/// What a line says: a heading says the same at every level.
pub(super) fn words(line: &str) -> &str {
    let line = line.trim_end();
    let title = line.trim_start_matches('#');
    if title.len() < line.len() && title.starts_with(' ') { title.trim_start() } else { line }
}

/// Whether a line is a rule of dashes.
pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && line.bytes().all(|byte| byte == b'-')
}
