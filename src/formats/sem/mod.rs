//! Squad Entry Markdown: the model of one entry. See `docs/formats/squad-entry-markdown.md`.
//!
//! [`super::entries`] finds the entries of a file; this module says what an entry is. Nothing is dropped: labels that no
//! specification names, lines that are not related items and fields given twice are all kept with their spans.

mod entry_type;
pub mod field;
pub mod header;
pub mod literal;
pub mod repair;
pub mod schema;

pub use entry_type::EntryType;
pub use field::{Field, FieldName, RelatedItem};
pub use header::{Defect, Header};

use crate::text::suggest::Tolerance;

use crate::formats::Indices;
use crate::formats::timestamp::{Reading, Timestamp};
use crate::text::Span;

/// How an entry ends. See `docs/formats/squad-entry-markdown.md`, "End of an entry".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A `---` line; the span is the line without its line end.
    Rule(Span),
    /// The header of the next entry, with no `---` before it.
    NextEntry,
    /// The end of the file.
    EndOfFile,
}

/// One entry as it is in a file. Its fields are the range `fields` of the document's fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntrySpans {
    /// From the header's first byte to the end of the terminator line, or to where the next entry starts.
    pub span: Span,
    /// The header line.
    pub header: Header,
    /// Its fields among the document's.
    pub fields: Indices,
    /// Its related items among the document's.
    pub related: Indices,
    /// How it ends.
    pub end: End,
    /// The first line of text after the terminator that goes on as if the entry had not ended.
    pub continued: Option<Span>,
}

/// One entry with the text it is in.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    pub(crate) text: &'a str,
    pub(crate) spans: &'a EntrySpans,
    pub(crate) fields: &'a [Field],
    pub(crate) related: &'a [RelatedItem],
}

/// Who should read an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope<'a> {
    /// Everybody.
    Team,
    /// Everybody in this project.
    Project,
    /// One agent.
    Agent(&'a str),
    /// What should become a skill.
    Skill(&'a str),
}

impl<'a> Entry<'a> {
    /// The whole file's text, to which all spans refer.
    pub fn text(self) -> &'a str {
        self.text
    }

    /// From the header to the end of the terminator line.
    pub fn span(self) -> Span {
        self.spans.span
    }

    /// The header line.
    pub fn header(self) -> &'a Header {
        &self.spans.header
    }

    /// How it ends.
    pub fn end(self) -> End {
        self.spans.end
    }

    /// The first line after the terminator that goes on as if the entry had not ended.
    pub fn continued(self) -> Option<Span> {
        self.spans.continued
    }

    /// All fields in file order, also unknown and repeated ones.
    pub fn fields(self) -> &'a [Field] {
        self.fields
    }

    /// The items under all its `related` fields.
    pub fn related(self) -> &'a [RelatedItem] {
        self.related
    }

    /// The first field of that name. The specification allows one, and `sem/duplicate-field` reports the others.
    pub fn field(self, name: FieldName) -> Option<&'a Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The value of the first field of that name, without white space around it.
    pub fn value(self, name: FieldName) -> Option<&'a str> {
        self.field(name).map(|field| field.value.of(self.text))
    }

    /// Which names are given more than once with different values, in the order of [`FieldName::KNOWN`].
    pub fn contradictions(self) -> [bool; FieldName::KNOWN.len()] {
        let mut firsts = [None; FieldName::KNOWN.len()];
        let mut out = [false; FieldName::KNOWN.len()];
        for field in self.fields {
            // `Unknown` comes after the known names and has no place.
            let place = firsts.get_mut(field.name as usize).zip(out.get_mut(field.name as usize));
            let Some((first, differs)) = place else { continue };
            let value = field.value.of(self.text);
            *differs |= *first.get_or_insert(value) != value;
        }
        out
    }

    /// Whether a field of that name is there, if only under a misspelt or legacy label (`sem/unknown-field`).
    pub fn mentions(self, name: FieldName) -> bool {
        let stands_for = |field: &Field| {
            let word = field.word().of(self.text);
            field.name == FieldName::Unknown
                && FieldName::nearest(word, Tolerance::Help).or_else(|| FieldName::of_legacy(word)) == Some(name)
        };
        self.field(name).is_some() || self.fields.iter().any(stands_for)
    }

    /// The type: the header's, else the field's.
    pub fn entry_type(self) -> Option<EntryType> {
        self.spans
            .header
            .entry_type
            .or_else(|| EntryType::from_word(self.field(FieldName::Type)?.first_line(self.text)))
    }

    /// The moment: the header's, else the field's.
    pub fn timestamp(self) -> Option<Timestamp> {
        let header = self.spans.header.reading.moment();
        header.or_else(|| self.field(FieldName::Timestamp)?.reading.moment())
    }

    /// The author on the first line of the field; `None` if there is none or it is empty.
    pub fn author(self) -> Option<&'a str> {
        Some(self.field(FieldName::Author)?.first_line(self.text)).filter(|author| !author.is_empty())
    }

    /// The scope as written, or by default: `team` for decisions and directives, the author for memories (see
    /// the specification, "scope"). `None` if it is malformed, or when the specification gives no default.
    pub fn scope(self) -> Option<Scope<'a>> {
        match self.field(FieldName::Scope) {
            Some(field) => Scope::parse(field.first_line(self.text)),
            None => match self.entry_type()? {
                EntryType::Decision | EntryType::Directive => Some(Scope::Team),
                EntryType::Memory => self.author().map(Scope::Agent),
                EntryType::Note => None,
            },
        }
    }

    /// The timestamp that a field holds, and where; `None` if there is no such field or it is empty.
    pub fn stamp(self, name: FieldName) -> Option<(Span, Reading)> {
        let field = self.field(name)?;
        let span = field.first_line_span(self.text);
        (!span.is_empty()).then_some((span, field.reading))
    }
}

impl<'a> Scope<'a> {
    /// Reads `team`, `project`, `agent:NAME` or `skill:NAME`; a name is `[A-Za-z0-9][A-Za-z0-9._-]*` (RULES.md).
    pub fn parse(text: &'a str) -> Option<Self> {
        match text {
            "team" => return Some(Self::Team),
            "project" => return Some(Self::Project),
            _ => {}
        }
        match text.split_once(':') {
            Some(("agent", name)) if is_name(name) => Some(Self::Agent(name)),
            Some(("skill", name)) if is_name(name) => Some(Self::Skill(name)),
            _ => None,
        }
    }
}

fn is_name(name: &str) -> bool {
    name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}
