//! Entries from before SEM: headings with a date, with fields below, or with a word such as `Decision:`. See
//! `docs/formats/legacy-entries.md`; the shapes come from public repositories.
//!
//! A heading counts as an entry when something identifies it: a date in its title, or a field below that says who or
//! when. Headings inside an entry that has such evidence are parts of it, however deep; everything else is prose.

pub mod day;
pub mod field;
mod gap;
pub mod headless;
mod iso;
pub mod rejected;
#[cfg(test)]
mod tests;
pub mod titles;

pub use field::{Field, Meaning};
pub use gap::Gap;
pub use titles::same_title;

use self::titles::{
    follows_background, is_container, is_counted, is_doubled, is_frame, is_key, is_named, is_one_of_several, is_part,
    is_profile, is_signed,
};
use crate::formats::Indices;
use crate::formats::markdown::Mark;
use crate::text::Span;

/// One legacy entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegacyEntry {
    /// From its heading to where the next entry or section starts.
    pub span: Span,
    /// The heading's line, without its line end.
    pub heading: Span,
    /// The number of `#`.
    pub level: u8,
    /// The title, without hashes, and without the date where that leads.
    pub title: Span,
    /// The date, in the heading or in a field; with its time of day where there is one.
    pub date: Option<Span>,
    /// The date of the nearest section that it is under, and that has one.
    pub section_date: Option<Span>,
    /// Whether it has a date or an author of its own.
    pub identified: bool,
    /// Whether a field of its own names an author.
    pub has_author: bool,
    /// Its fields among the document's.
    pub fields: Indices,
}

/// What a heading is below.
#[derive(Clone, Copy, Debug)]
pub enum Above<'a> {
    /// Prose.
    Nothing,
    /// An SEM entry that has no terminator so far.
    Sem,
    /// A legacy entry.
    Legacy {
        /// That entry.
        entry: &'a LegacyEntry,
        /// What is between the two headings.
        gap: Gap,
        /// The marks of the text.
        marks: &'a [Mark],
    },
}

/// What a heading is.
#[derive(Debug)]
pub enum HeadingKind {
    /// The heading of an entry; its fields have been appended.
    Entry(LegacyEntry),
    /// The title of the entry above once more; its fields have been appended, and its date may help.
    Repeated(Option<Span>),
    /// A section that ends the entry above.
    Section,
    /// A part of what is above.
    Part,
}

/// Judges the heading `line` with the lines of `below` under it. Fields are appended to `fields` only with
/// [`HeadingKind::Entry`] and [`HeadingKind::Repeated`].
pub fn heading(
    text: &str,
    line: Span,
    level: u8,
    below: Span,
    above: Above<'_>,
    fields: &mut Vec<Field>,
) -> HeadingKind {
    let content = title(text, line);
    // Inside an SEM entry only a date at the start of a title begins another entry, whatever is below.
    let goes_on =
        matches!(above, Above::Sem) && (level > 3 || leading(text, content, find_date(text, content)).is_none());
    if content.is_empty() || goes_on {
        return HeadingKind::Part;
    }
    let first = fields.len();
    field::read(text, below, fields);
    let own = fields.get(first..).unwrap_or_default();
    let evidence = Evidence::gather(text, content, own);
    let kind = evidence.classify(text, line, level, content, above, own);
    if !matches!(kind, HeadingKind::Entry(_) | HeadingKind::Repeated(_)) {
        fields.truncate(first);
    }
    kind
}

/// A heading with the lines right below it.
#[derive(Clone, Copy, Debug)]
pub struct Heading {
    /// Its line.
    pub line: Span,
    /// The number of `#`.
    pub level: u8,
    /// The lines below it, up to the next heading or fence.
    pub below: Span,
}

/// Whether the heading `upper` is the title of a section, as its first content is the heading `lower` of an entry with fields or a
/// date of its own. The caller knows that nothing but blank lines and rules is between the two.
pub fn is_section(text: &str, upper: Heading, lower: Heading, above: Above<'_>) -> bool {
    let (upper_title, title) = (title(text, upper.line), title(text, lower.line));
    if lower.level <= upper.level || title.is_empty() || upper_title.is_empty() {
        return false;
    }
    let mut fields = Vec::new();
    field::read(text, lower.below, &mut fields);
    let evidence = Evidence::gather(text, title, &fields);
    // The title once more, below a document's own.
    if evidence.leading.is_none() && is_doubled(upper_title.of(text), title.of(text)) {
        return false;
    }
    let whole = above;
    let is_inside = |entry: &LegacyEntry| entry.identified && upper.level > entry.level;
    let (above, is_open) = match above {
        Above::Legacy { entry, marks, .. } if is_inside(entry) => {
            (Above::Legacy { entry, gap: Gap::Text, marks }, true)
        }
        Above::Legacy { .. } => (Above::Nothing, true),
        Above::Nothing | Above::Sem => (above, false),
    };
    // Nothing of the entry above is below it, unless it is one of its parts by its level: then it is an empty one.
    let may_be_part = |above: Above<'_>| matches!(above, Above::Legacy { entry, .. } if upper.level >= entry.level);
    if is_open && may_be_part(whole) && is_part(upper_title.of(text)) {
        return false;
    }
    let has_evidence = evidence.author
        || evidence.field_date.is_some()
        || evidence.leading.is_some()
        || evidence.body_fields && (!is_open || is_named(title.of(text)));
    let kind = evidence.classify(text, lower.line, lower.level, title, above, &fields);
    has_evidence && matches!(kind, HeadingKind::Entry(_))
}

/// What a heading, with the fields right below it, shows of an entry.
#[derive(Clone, Copy, Debug)]
pub struct Signs {
    /// A date at the start of the title, and words after it.
    pub dated: bool,
    /// A date anywhere in the title where entries have theirs.
    pub title_date: bool,
    /// A date in a field.
    pub field_date: bool,
    /// A field that names an author.
    pub author: bool,
    /// A field that says what, why, when or in which state.
    pub says: bool,
    /// A title such as `Decision: …`.
    pub named: bool,
    /// A title that documents have for their parts: `Context`, `Decision` …
    pub part: bool,
}

/// Whether the heading `line` has a title that documents have for their parts: `Context`, `Decision` …
pub fn is_part_of(text: &str, line: Span) -> bool {
    is_part(title(text, line).of(text))
}

/// Whether the heading `line` is that of what an entry holds above all: `Key Decisions`.
pub fn is_key_part(text: &str, line: Span) -> bool {
    let words = title(text, line).of(text);
    is_key(words) && is_container(words)
}

/// Reads the heading `line` with the lines of `below` under it.
pub fn signs(text: &str, line: Span, below: Span) -> Signs {
    let title = title(text, line);
    let mut fields = Vec::new();
    field::read(text, below, &mut fields);
    let evidence = Evidence::gather(text, title, &fields);
    let has_words = |date: Span| Span::new(date.end(), title.end()).of(text).contains(char::is_alphanumeric);
    let says = |field: &Field| matches!(field.meaning, Meaning::What | Meaning::Why | Meaning::Date | Meaning::Status);
    Signs {
        dated: evidence.leading.is_some_and(has_words),
        title_date: evidence.leading.or(evidence.trailing).is_some(),
        field_date: evidence.field_date.is_some(),
        author: evidence.author,
        says: fields.iter().any(says),
        named: is_named(title.of(text)),
        part: is_part(title.of(text)),
    }
}

/// The text of a heading without hashes (also doubled ones, `# # x`) and without the marks before its first word.
fn title(text: &str, line: Span) -> Span {
    let inner = line.of(text);
    let start = inner.find(|c: char| c.is_alphanumeric() || matches!(c, '`' | '"' | '\'' | '@' | '('));
    let Some(start) = start else { return Span::at(line.end()) };
    Span::new(line.start() + start, line.end()).trim(text)
}

/// What speaks for an entry.
struct Evidence {
    /// A date at the start of the title.
    leading: Option<Span>,
    /// A date at the end of the title, or in brackets.
    trailing: Option<Span>,
    /// A date in a field.
    field_date: Option<Span>,
    /// A field that names an author, or who reviewed or reported it.
    author: bool,
    /// A field that says what was decided.
    what: bool,
    /// A field that says in which state it is.
    status: bool,
    /// Two plain fields of what, why and status.
    body_fields: bool,
}

/// The first date in `span`: `2026-02-15`, with a time of day in any of its shapes, or else a day as people write it
/// ([`day`]).
pub fn find_date(text: &str, span: Span) -> Option<Span> {
    let inner = span.of(text);
    // Most texts have no date, and every year from 1900 to 2099 has one of these.
    memchr::memchr2(b'0', b'9', inner.as_bytes())?;
    let iso = iso::find(inner).map(|found| Span::new(found.start, found.end));
    let found = iso.or_else(|| day::find(inner).map(|day| day.span))?;
    Some(Span::new(span.start() + found.start(), span.start() + found.end()))
}

/// `date`, the first in a title, where it is at its start, perhaps after a label: `Session: 2026-07-21 — Cache`.
fn leading(text: &str, title: Span, date: Option<Span>) -> Option<Span> {
    date.filter(|date| {
        date.start <= title.start + 1 || titles::is_session(Span::new(title.start(), date.start()).of(text))
    })
}

/// The date of a heading that is not an entry, which applies to the entries below it.
pub fn section_date(text: &str, line: Span) -> Option<Span> {
    let date = find_date(text, line)?;
    let before = Span::new(line.start(), date.start());
    (!titles::is_of_something_else(before.of(text))).then_some(date)
}

impl Evidence {
    fn gather(text: &str, title: Span, fields: &[Field]) -> Self {
        let date = find_date(text, title);
        let leading = leading(text, title, date);
        let trailing = date.filter(|date| {
            let behind = Span::new(date.end(), title.end()).of(text);
            let before = Span::new(title.start(), date.start()).of(text);
            leading.is_none()
                && (behind.chars().all(|c| !c.is_alphanumeric()) || before.contains('(') && behind.contains(')'))
        });
        // `- **Agent:** Keaton` in a proposal's list of features says who is to do it.
        let is_part_of_list = leading.is_none() && is_counted(title.of(text));
        let is_task = |field: &Field| {
            let name = field.name.of(text);
            let is_of_task = || ["agent", "agente", "from"].iter().any(|task| name.eq_ignore_ascii_case(task));
            let is_of_part = field.bulleted || field.meaning == Meaning::Reviewer;
            field.bulleted && is_of_task() || is_of_part && is_part_of_list
        };
        let has =
            |meaning| fields.iter().any(|field| field.meaning == meaning && field.value.len() > 1 && !is_task(field));
        let plain = |meaning| fields.iter().any(|field| field.meaning == meaning && !field.bulleted);
        Self {
            leading,
            trailing,
            field_date: fields
                .iter()
                .filter(|field| field.meaning == Meaning::Date)
                .find_map(|f| find_date(text, f.value)),
            author: has(Meaning::Author) || has(Meaning::Reviewer),
            what: plain(Meaning::What),
            status: plain(Meaning::Status),
            body_fields: plain(Meaning::Why) && (plain(Meaning::What) || plain(Meaning::Status)),
        }
    }

    fn identified(&self) -> bool {
        self.author || self.leading.is_some() || self.trailing.is_some() || self.field_date.is_some()
    }

    fn classify(
        &self,
        text: &str,
        line: Span,
        level: u8,
        title: Span,
        above: Above<'_>,
        fields: &[Field],
    ) -> HeadingKind {
        let words = title.of(text);
        let above_date = match above {
            Above::Legacy { entry, .. } => entry.date,
            Above::Nothing | Above::Sem => None,
        };
        // `2026-02-15`; days in words are not compared.
        let day = |date: Option<Span>| {
            date?.of(text).get(..10).filter(|day| day.bytes().filter(|byte| *byte == b'-').count() == 2)
        };
        let is_another_day = |date| day(date).zip(day(above_date)).is_some_and(|(own, above)| own != above);
        let nested = match above {
            Above::Sem if self.leading.is_none() || level > 3 => return HeadingKind::Part,
            Above::Nothing | Above::Sem => false,
            Above::Legacy { entry, gap, .. } => {
                if self.leading.is_none() && gap.repeats(words, level, entry.title.of(text), entry.level) {
                    return HeadingKind::Repeated(self.field_date.or(self.trailing));
                }
                let is_authored = fields.iter().any(|field| field.meaning == Meaning::Author);
                if entry.identified
                    && !is_authored
                    && self.leading.is_none()
                    && !is_another_day(self.field_date.or(self.trailing))
                    && is_one_of_several(words, entry.title.of(text))
                {
                    return HeadingKind::Part;
                }
                entry.identified && level > entry.level
            }
        };
        // Below an entry's own level such a title is that of a part: `## Decisions` under `# Caching (2026-02-10)`. `## Key
        // Decisions` is a part of the entry above at any level.
        let is_of_entry = matches!(above, Above::Legacy { entry, .. } if entry.identified) && is_key(words);
        let container = !nested && !is_of_entry && self.leading.is_none() && !self.author && is_container(words)
            || is_profile(words) && matches!(above, Above::Nothing);
        // `## Decision: Use tabs` below `## Context` of the same entry.
        let is_below_background = || match above {
            Above::Legacy { entry, marks, .. } => {
                entry.identified && follows_background(text, entry.heading, marks, line, level)
            }
            Above::Nothing | Above::Sem => false,
        };
        let is_named = || is_named(words) && (self.identified() || !is_below_background());
        let is_entry = if container || self.leading.is_none() && is_frame(words) {
            false
        } else if nested {
            // Inside an entry only a heading with evidence of its own is another one.
            let is_dated = self.field_date.or(self.trailing).is_some();
            let is_record = self.field_date.is_some() && self.status
                || self.trailing.is_some() && is_signed(words)
                || is_another_day(self.trailing);
            (level <= 3 && (self.leading.is_some() || is_record || self.author && self.what)
                || level <= 4 && self.author && (is_dated || self.leading.is_some()))
                && !is_part(words)
        } else {
            self.leading.is_some()
                || self.author
                || self.field_date.is_some()
                || self.trailing.is_some() && level <= 4
                || level <= 3 && (self.body_fields || is_named()) && !is_part(words) && !is_counted(words)
        };
        if is_entry {
            let from = self.leading.map_or(title.start(), Span::end);
            let rest = Span::new(from, title.end());
            let skipped =
                rest.len() - rest.of(text).trim_start_matches(|c: char| !c.is_alphanumeric() && c != '`').len();
            return HeadingKind::Entry(LegacyEntry {
                span: line,
                heading: line,
                level,
                title: Span::new(rest.start() + skipped, rest.end()),
                date: self.leading.or(self.trailing).or(self.field_date),
                section_date: None,
                identified: self.identified(),
                has_author: self.author,
                fields: Indices::new(0, fields.len()),
            });
        }
        if container { HeadingKind::Section } else { HeadingKind::Part }
    }
}

/// Whether the heading `line` begins another document below `entry`, which has parts of lower levels where `has_parts`. Levels alone
/// end nothing: an entry under `###` often has its own `## Context`. Other titles end it at the top level, or above its own level
/// where it had headings below that. The caller knows that none of its parts had a level as high.
pub fn begins_document(text: &str, line: Span, level: u8, entry: &LegacyEntry, has_parts: bool) -> bool {
    let is_above = level < entry.level && has_parts || level == 1 && entry.level == 1;
    is_above && stands_alone(text, line)
}

/// Whether the heading `line` is a title by itself: the line above it is none of its text, and documents do not have it for their parts.
pub fn stands_alone(text: &str, line: Span) -> bool {
    let title = title(text, line);
    // The rest of a `####` that was broken in two is not a title.
    if title.is_empty() {
        return false;
    }
    let words = title.of(text);
    let before = text.get(..line.start()).unwrap_or_default();
    let mut above = before.lines().rev();
    let stands_alone = above.next().is_none_or(|line| matches!(line.trim(), "" | "---"));
    // What a broken fence lets out is not a title: `# resolve conflicts …`.
    let is_titled = !words.starts_with(|c: char| c.is_ascii_lowercase()) && !words.ends_with([':', '.', '…', ';', ',']);
    is_titled && stands_alone && !is_part(words)
}

/// Whether the heading `line` below `entry` is the title of that entry once more.
pub fn is_title_again(text: &str, line: Span, level: u8, entry: &LegacyEntry) -> bool {
    let gap = Gap::of(Span::new(entry.heading.end(), line.start().max(entry.heading.end())).of(text));
    gap.repeats(title(text, line).of(text), level, entry.title.of(text), entry.level)
}

/// Whether the heading `line` has hashes alone: what is left of a `####` that was broken in two.
pub fn has_no_title(text: &str, line: Span) -> bool {
    title(text, line).is_empty()
}
