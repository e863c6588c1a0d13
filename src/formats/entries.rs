//! A memory file as a sequence of blocks: SEM entries, legacy entries, and prose between them. SEM has precedence: see
//! `docs/formats/squad-entry-markdown.md`, "SEM and older entries in one file".
//!
//! One scan of the lines ([`super::markdown`]), one walk over the marked ones. The blocks tile the file: printing them
//! one after the other gives it back byte for byte, whatever it holds.

mod sections;
mod title;
mod wanted;

pub use self::sections::Section;
pub use self::wanted::{Excerpt, Excerpts, Wanted, parse as parse_wanted};

use self::sections::Sections;

use super::Indices;
use super::label;
use super::legacy::{self, LegacyEntry};
use super::markdown::{self, Mark, MarkKind, Outline};
use super::sem::{End, Entry, EntrySpans, Field, FieldName, Header, RelatedItem, field, header};
use crate::text::{Span, lines};

/// A parsed memory file. All spans refer to the text it was parsed from.
#[derive(Debug, Default)]
pub struct Entries {
    /// The marked lines.
    pub outline: Outline,
    /// The blocks, which tile the file, in its order.
    order: Vec<BlockKind>,
    /// The SEM entries, in file order.
    sem: Vec<EntrySpans>,
    /// The legacy entries, in file order.
    legacy: Vec<LegacyEntry>,
    /// The fields of all SEM entries, in file order.
    pub fields: Vec<Field>,
    /// The related items of all SEM entries, in file order.
    pub related: Vec<RelatedItem>,
    /// The fields of all legacy entries, in file order.
    pub legacy_fields: Vec<legacy::Field>,
    /// The sections that the entries are in.
    sections: Sections,
}

/// Where a block is kept: most files have as much prose between entries as entries, and prose needs little room.
#[derive(Debug)]
enum BlockKind {
    Prose(Span),
    /// The next of the SEM entries.
    Sem,
    /// The next of the legacy entries.
    Legacy,
}

/// A part of a memory file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block<'a> {
    /// Anything that is not an entry.
    Prose(Span),
    /// An SEM entry.
    Sem(&'a EntrySpans),
    /// An entry from before SEM.
    Legacy(&'a LegacyEntry),
}

impl Block<'_> {
    /// The bytes of the block.
    pub fn span(self) -> Span {
        match self {
            Self::Prose(span) => span,
            Self::Sem(entry) => entry.span,
            Self::Legacy(entry) => entry.span,
        }
    }
}

/// Parses `text`. Every text is some sequence of blocks: nothing fails.
pub fn parse(text: &str) -> Entries {
    let outline = markdown::scan(text);
    // Room for all at once: what grows is copied.
    let count = |wanted: fn(MarkKind) -> bool| outline.marks.iter().filter(|mark| wanted(mark.kind)).count();
    let labels = count(|kind| kind == MarkKind::Bold);
    let headings = count(|kind| matches!(kind, MarkKind::Heading(_)));
    let out = Entries {
        fields: Vec::with_capacity(labels),
        order: Vec::with_capacity(2 * headings + 1),
        sem: Vec::with_capacity(headings),
        ..Entries::default()
    };
    let mut builder = Builder { text, marks: &outline.marks, out, open: Open::Prose, start: 0, sections: Vec::new() };
    for at in 0..builder.marks.len() {
        builder.mark(at);
    }
    builder.close(text.len(), End::EndOfFile);
    let Builder { out, .. } = builder;
    Entries { outline, ..out }
}

impl Entries {
    /// The marked lines of `text` alone, for a file without entries.
    pub fn outline_of(text: &str) -> Self {
        Self { outline: markdown::scan(text), ..Self::default() }
    }

    /// The blocks, which tile the file, in its order.
    pub fn blocks(&self) -> impl Iterator<Item = Block<'_>> {
        let (mut sem, mut legacy) = (self.sem.iter(), self.legacy.iter());
        self.order.iter().filter_map(move |place| match place {
            BlockKind::Prose(span) => Some(Block::Prose(*span)),
            BlockKind::Sem => sem.next().map(Block::Sem),
            BlockKind::Legacy => legacy.next().map(Block::Legacy),
        })
    }

    /// The same file where nothing but SEM counts as an entry: legacy entries are prose.
    #[must_use]
    pub fn without_legacy(mut self) -> Self {
        let mut legacy = std::mem::take(&mut self.legacy).into_iter();
        for place in &mut self.order {
            if let BlockKind::Legacy = place {
                *place = BlockKind::Prose(legacy.next().map_or(Span::default(), |entry| entry.span));
            }
        }
        self.legacy_fields.clear();
        self
    }

    /// The SEM entries in file order.
    pub fn sem<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Entry<'a>> {
        self.sem.iter().map(move |spans| self.entry(text, spans))
    }

    fn entry<'a>(&'a self, text: &'a str, spans: &'a EntrySpans) -> Entry<'a> {
        Entry { text, spans, fields: spans.fields.of(&self.fields), related: spans.related.of(&self.related) }
    }

    /// The SEM entry that begins at the byte `start`.
    pub fn sem_at<'a>(&'a self, text: &'a str, start: usize) -> Option<Entry<'a>> {
        let at = self.sem.binary_search_by_key(&start, |spans| spans.span.start()).ok()?;
        self.sem.get(at).map(|spans| self.entry(text, spans))
    }

    /// The legacy entry that begins at the byte `start`.
    pub fn legacy_at(&self, start: usize) -> Option<&LegacyEntry> {
        let at = self.legacy.binary_search_by_key(&start, |entry| entry.span.start()).ok()?;
        self.legacy.get(at)
    }

    /// The sections of the entry of either kind that begins at the byte `start`, the innermost first.
    pub fn sections_of(&self, start: usize) -> impl Iterator<Item = &Section> {
        let sem = self.sem.binary_search_by_key(&start, |spans| spans.span.start());
        let legacy = || self.legacy.binary_search_by_key(&start, |entry| entry.span.start());
        let place = match sem {
            Ok(at) => self.sections.of_sem(at),
            Err(_) => legacy().ok().and_then(|at| self.sections.of_legacy(at)),
        };
        self.sections.around(place)
    }

    /// Whether the heading that begins at the byte `start` is that of a section with entries.
    pub fn is_section(&self, start: usize) -> bool {
        self.sections.begins_at(start)
    }

    /// The entry of either kind that starts in `line`.
    pub fn starting_in(&self, line: Span) -> Option<Span> {
        let sem = self.sem.get(self.sem.partition_point(|entry| entry.span.start < line.start)).map(|entry| entry.span);
        let legacy = self.legacy.partition_point(|entry| entry.span.start < line.start);
        let legacy = self.legacy.get(legacy).map(|entry| entry.span);
        sem.into_iter().chain(legacy).find(|span| span.start <= line.end)
    }

    /// The entry of either kind that holds the byte `at`.
    pub fn around(&self, at: usize) -> Option<Span> {
        let sem = self.sem.partition_point(|entry| entry.span.start() <= at).checked_sub(1);
        let sem = sem.and_then(|index| self.sem.get(index)).map(|entry| entry.span);
        let legacy = self.legacy.partition_point(|entry| entry.span.start() <= at).checked_sub(1);
        let legacy = legacy.and_then(|index| self.legacy.get(index)).map(|entry| entry.span);
        sem.into_iter().chain(legacy).find(|span| at < span.end())
    }

    /// The legacy entries in file order.
    pub fn legacy(&self) -> impl Iterator<Item = &LegacyEntry> {
        self.legacy.iter()
    }

    /// The fields of one legacy entry, in file order.
    pub fn legacy_fields(&self, entry: &LegacyEntry) -> &[legacy::Field] {
        entry.fields.of(&self.legacy_fields)
    }

    /// The text again, put together from the parts that were recognised: for an SEM entry its header, each field's
    /// label and value, its terminator, and the text between them.
    pub fn print(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for block in self.blocks() {
            let Block::Sem(entry) = block else {
                out.push_str(block.span().of(text));
                continue;
            };
            let mut at = entry.span.start();
            let fields = entry.fields.of(&self.fields);
            let parts = fields.iter().flat_map(|field| [field.label(), field.value]);
            let end = match entry.end {
                End::Rule(line) => Some(line),
                End::NextEntry | End::EndOfFile => None,
            };
            for part in [entry.header.line].into_iter().chain(parts).chain(end) {
                out.push_str(Span::new(at, part.start()).of(text));
                out.push_str(part.of(text));
                at = part.end().max(at);
            }
            out.push_str(Span::new(at, entry.span.end()).of(text));
        }
        out
    }
}

/// What the walk is in.
enum Open {
    Prose,
    Sem {
        header: Header,
        first_field: usize,
        first_related: usize,
        body_began: bool,
    },
    Legacy {
        entry: LegacyEntry,
        /// Whether it has headings below its level.
        has_parts: bool,
        /// The highest level of the parts so far.
        top: Option<u8>,
    },
}

struct Builder<'a> {
    text: &'a str,
    marks: &'a [Mark],
    out: Entries,
    open: Open,
    start: usize,
    /// The sections that the walk is in, with their levels and dates.
    sections: Vec<(u8, Option<Span>)>,
}

impl Builder<'_> {
    fn mark(&mut self, at: usize) {
        let Some(&mark) = self.marks.get(at) else { return };
        match (mark.kind, &self.open) {
            (MarkKind::Heading(level), _) => self.heading(at, mark, level),
            (MarkKind::Bold, Open::Sem { first_field, .. }) => self.field(mark, *first_field),
            (MarkKind::Rule, Open::Sem { .. }) => {
                self.close(mark.next as usize, End::Rule(mark.line));
                self.note_continuation(at, mark.next as usize);
            }
            _ => {}
        }
    }

    fn heading(&mut self, at: usize, mark: Mark, level: u8) {
        let text = self.text;
        if let Some(header) = header::parse(text, mark.line, level, || self.sem_fields_below(at)) {
            self.close(mark.line.start(), End::NextEntry);
            let (first_field, first_related) = (self.out.fields.len(), self.out.related.len());
            self.out.sections.note_sem(level);
            self.open = Open::Sem { header, first_field, first_related, body_began: false };
            return;
        }
        // In an SEM entry without a terminator, the specification leaves no room for a heading above its own.
        if matches!(&self.open, Open::Sem { header, .. } if level < header.level)
            && !legacy::is_part_of(text, mark.line)
        {
            self.out.sections.enter(text, mark.line, level, false);
        }
        let above = match &self.open {
            Open::Prose => legacy::Above::Nothing,
            Open::Sem { .. } => legacy::Above::Sem,
            Open::Legacy { entry, .. } => {
                let between = Span::new(entry.heading.end(), mark.line.start());
                let gap = legacy::Gap::of(between.of(text));
                legacy::Above::Legacy { entry, gap, marks: self.marks }
            }
        };
        let below = Span::new(mark.next as usize, self.section_end(at));
        let first_field = self.out.legacy_fields.len();
        let kind = if self.opens_section(at, legacy::Heading { line: mark.line, level, below }, above) {
            legacy::HeadingKind::Section
        } else {
            legacy::heading(text, mark.line, level, below, above, &mut self.out.legacy_fields)
        };
        match kind {
            legacy::HeadingKind::Entry(mut entry) => {
                entry.fields = Indices::new(first_field, self.out.legacy_fields.len());
                self.close(mark.line.start(), End::NextEntry);
                // The date in its fields is its own: what comes after it may be of another document.
                self.enter(level, entry.date.filter(|date| entry.heading.contains(*date)));
                entry.section_date = self.sections.iter().rev().skip(1).find_map(|section| section.1);
                self.out.sections.note_legacy(level);
                self.open = Open::Legacy { entry, has_parts: false, top: None };
            }
            legacy::HeadingKind::Repeated(date) => {
                let end = self.out.legacy_fields.len();
                if let Open::Legacy { entry, .. } = &mut self.open {
                    entry.date = entry.date.or(date);
                    entry.fields.extend(end);
                    entry.identified = true;
                }
            }
            legacy::HeadingKind::Section => {
                if matches!(self.open, Open::Legacy { .. }) {
                    self.close(mark.line.start(), End::NextEntry);
                }
                self.enter_section(level, mark.line, true);
            }
            legacy::HeadingKind::Part if matches!(self.open, Open::Prose) => {
                self.enter_section(level, mark.line, false);
            }
            legacy::HeadingKind::Part => self.part(at, mark, level.saturating_add(self.broken_off(at))),
        }
    }

    /// The level of the heading without text right above a heading: `#` and `### Why` below it are the parts of a `####`.
    fn broken_off(&self, at: usize) -> u8 {
        let above = at.checked_sub(1).and_then(|above| self.marks.get(above));
        let line = self.marks.get(at).map_or(0, |mark| mark.line.start());
        match above {
            Some(&Mark { kind: MarkKind::Heading(level), line: above, next })
                if next as usize == line && legacy::has_no_title(self.text, above) =>
            {
                level
            }
            _ => 0,
        }
    }

    /// A heading inside an entry, or one that ends it.
    fn part(&mut self, at: usize, mark: Mark, level: u8) {
        let is_above_text = self.is_above_text(at, legacy::Heading { line: mark.line, level, below: mark.line });
        let Open::Legacy { entry, has_parts, top } = &mut self.open else { return };
        let goes_on = level > 1 && top.is_some_and(|top| level >= top);
        if goes_on || !is_above_text && !legacy::begins_document(self.text, mark.line, level, entry, *has_parts) {
            *has_parts |= level > entry.level;
            *top = Some(top.map_or(level, |top| top.min(level)));
            return;
        }
        self.close(mark.line.start(), End::NextEntry);
        self.enter_section(level, mark.line, false);
    }

    /// A section with this heading begins. It `holds` entries if that is all that it is for.
    fn enter_section(&mut self, level: u8, line: Span, holds: bool) {
        self.enter(level, legacy::section_date(self.text, line));
        self.out.sections.enter(self.text, line, level, holds);
    }

    /// A section of this level, or an entry that is one to what is below it, begins.
    fn enter(&mut self, level: u8, date: Option<Span>) {
        self.sections.retain(|section| section.0 < level);
        self.sections.push((level, date));
    }

    /// The start of the next marked line that ends the lines right below a heading: another heading, a fence or a rule.
    fn section_end(&self, at: usize) -> usize {
        let ends = |mark: &&Mark| matches!(mark.kind, MarkKind::Heading(_) | MarkKind::FenceOpen);
        self.marks.iter().skip(at + 1).find(ends).map_or(self.text.len(), |mark| mark.line.start())
    }

    /// Whether at least two of the specification's field lines are right below the heading, one of them saying what
    /// the entry is, when, or whose.
    fn sem_fields_below(&self, at: usize) -> bool {
        let Some(heading) = self.marks.get(at) else { return false };
        let (mut seen, mut identity) = (0, false);
        let mut end = heading.next as usize;
        for mark in self.marks.iter().skip(at + 1) {
            if mark.kind != MarkKind::Bold || !blank(self.text, Span::new(end, mark.line.start())) {
                break;
            }
            let Some(label) = label::parse(self.text, mark.line) else { break };
            if let Some(name) = FieldName::from_word(label.name.of(self.text))
                && label.form.is_exact()
            {
                seen += 1;
                identity |= matches!(name, FieldName::Type | FieldName::Timestamp | FieldName::Author);
            }
            end = mark.next as usize;
        }
        seen >= 2 && identity
    }

    fn field(&mut self, mark: Mark, first_field: usize) {
        let Some(label) = label::parse(self.text, mark.line) else { return };
        let word = label.name.of(self.text);
        let exact = FieldName::from_word(word).filter(|name| *name != FieldName::Contributors);
        let name = match exact {
            Some(name) if label.form.is_exact() => name,
            _ if self.in_metadata(mark.line.start(), first_field) => metadata_name(word),
            _ => return,
        };
        self.end_last_field(mark.line.start(), first_field);
        self.out.fields.push(Field::new(name, label, mark.line, self.text));
        if let Open::Sem { body_began, .. } = &mut self.open {
            *body_began |= name.is_body();
        }
    }

    /// Whether a line at `start` still belongs to the metadata block: only fields of one line before it, and nothing
    /// but blank lines between.
    fn in_metadata(&self, start: usize, first_field: usize) -> bool {
        let Open::Sem { header, body_began: false, .. } = &self.open else { return false };
        let last = self.out.fields.get(first_field..).and_then(<[Field]>::last);
        let before = last.map_or(header.line, |field| field.line).end();
        blank(self.text, Span::new(before, start))
    }

    /// Gives the last field of the open entry its value: everything up to `end`.
    fn end_last_field(&mut self, end: usize, first_field: usize) {
        let text = self.text;
        if let Some(field) = self.out.fields.get_mut(first_field..).and_then(<[Field]>::last_mut) {
            field.set_value(text, end);
            if field.name == FieldName::Related {
                self.out.related.extend(field::related(text, field.value));
            }
        }
    }

    /// Closes what is open at byte `end`; prose begins there.
    fn close(&mut self, end: usize, how: End) {
        let span = Span::new(self.start, end);
        self.start = end;
        match std::mem::replace(&mut self.open, Open::Prose) {
            Open::Prose if span.is_empty() => {}
            Open::Prose => self.out.order.push(BlockKind::Prose(span)),
            Open::Sem { header, first_field, first_related, .. } => {
                let body_end = match how {
                    End::Rule(line) => line.start(),
                    End::NextEntry | End::EndOfFile => end,
                };
                self.end_last_field(body_end, first_field);
                let fields = Indices::new(first_field, self.out.fields.len());
                let related = Indices::new(first_related, self.out.related.len());
                self.out.order.push(BlockKind::Sem);
                self.out.sem.push(EntrySpans { span, header, fields, related, end: how, continued: None });
            }
            Open::Legacy { entry, .. } => {
                self.out.order.push(BlockKind::Legacy);
                self.out.legacy.push(LegacyEntry { span, ..entry });
            }
        }
    }

    /// Notes at the entry just closed by the rule at mark `at` whether text continues after it.
    fn note_continuation(&mut self, at: usize, from: usize) {
        let text = self.text;
        let Some(line) = lines(text, Span::new(from, text.len())).find(|line| !line.trim(text).is_empty()) else {
            return;
        };
        let marked = self.marks.get(at + 1).filter(|mark| mark.line == line);
        let new_block = marked
            .is_some_and(|mark| matches!(mark.kind, MarkKind::Heading(_) | MarkKind::Rule | MarkKind::Conflict(_)));
        if new_block || line.of(text).trim_start().starts_with("<!--") {
            return;
        }
        if let Some(entry) = self.out.sem.last_mut() {
            entry.continued = Some(line);
        }
    }
}

/// The field that a label of the metadata block means: known names in any case, else an unknown field.
fn metadata_name(word: &str) -> FieldName {
    FieldName::from_word(&word.to_ascii_lowercase()).unwrap_or(FieldName::Unknown)
}

fn blank(text: &str, span: Span) -> bool {
    span.of(text).bytes().all(|byte| byte.is_ascii_whitespace())
}
