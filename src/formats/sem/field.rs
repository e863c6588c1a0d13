//! The fields of an entry: `**name:** value`, with the items of `related` and the tags. See
//! `docs/formats/squad-entry-markdown.md`, "Fields".

use super::EntryType;
use crate::formats::label::{Form, Label};
use crate::formats::legacy::Meaning;
use crate::formats::timestamp::Reading;
use crate::text::suggest::{Tolerance, nearest};
use crate::text::{Span, lines};

/// The names that seeds 000 and 001 give to fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldName {
    /// `type`
    Type,
    /// `timestamp`
    Timestamp,
    /// `author`
    Author,
    /// `scope`
    Scope,
    /// `tags`
    Tags,
    /// `summary`
    Summary,
    /// `details`
    Details,
    /// `rationale`
    Rationale,
    /// `related`
    Related,
    /// `supersedes`
    Supersedes,
    /// `expires`
    Expires,
    /// `contributors`
    Contributors,
    /// A label that no specification names.
    Unknown,
}

impl FieldName {
    /// Every known name.
    pub const KNOWN: [Self; 12] = [
        Self::Type,
        Self::Timestamp,
        Self::Author,
        Self::Scope,
        Self::Tags,
        Self::Summary,
        Self::Details,
        Self::Rationale,
        Self::Related,
        Self::Supersedes,
        Self::Expires,
        Self::Contributors,
    ];

    /// The word in the label; `unknown` has none of its own.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Timestamp => "timestamp",
            Self::Author => "author",
            Self::Scope => "scope",
            Self::Tags => "tags",
            Self::Summary => "summary",
            Self::Details => "details",
            Self::Rationale => "rationale",
            Self::Related => "related",
            Self::Supersedes => "supersedes",
            Self::Expires => "expires",
            Self::Contributors => "contributors",
            Self::Unknown => "unknown",
        }
    }

    /// The field that `word` names exactly.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "type" => Self::Type,
            "timestamp" => Self::Timestamp,
            "author" => Self::Author,
            "scope" => Self::Scope,
            "tags" => Self::Tags,
            "summary" => Self::Summary,
            "details" => Self::Details,
            "rationale" => Self::Rationale,
            "related" => Self::Related,
            "supersedes" => Self::Supersedes,
            "expires" => Self::Expires,
            "contributors" => Self::Contributors,
            _ => return None,
        })
    }

    /// The field that `word`, which names none, may be meant for.
    pub fn nearest(word: &str, tolerance: Tolerance) -> Option<Self> {
        let known = Self::KNOWN.map(Self::as_str);
        nearest(word, known, tolerance).filter(|near| !near.eq_ignore_ascii_case(word)).and_then(Self::from_word)
    }

    /// The field that a label of the legacy format, such as `By`, means.
    pub fn of_legacy(word: &str) -> Option<Self> {
        match Meaning::of(word) {
            Meaning::Author => Some(Self::Author),
            Meaning::Date => Some(Self::Timestamp),
            Meaning::What => Some(Self::Details),
            Meaning::Why => Some(Self::Rationale),
            Meaning::Reviewer | Meaning::Status | Meaning::RequestedBy | Meaning::Other => None,
        }
    }

    /// Whether its value is a timestamp.
    pub fn is_stamp(self) -> bool {
        matches!(self, Self::Timestamp | Self::Supersedes | Self::Expires)
    }

    /// Whether its value is Markdown that runs over many lines, so that the metadata block ends with it.
    pub fn is_body(self) -> bool {
        matches!(self, Self::Details | Self::Rationale | Self::Related)
    }
}

/// One field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Which one.
    pub name: FieldName,
    /// Where the label starts, and the lengths of it and of the word in it, in bytes: see [`Field::label`] and
    /// [`Field::word`]. Labels are short.
    label_start: u32,
    label_len: u8,
    word_len: u8,
    /// How the label differs from the specification's form, apart from its case.
    pub form: Form,
    /// Whether the label is written exactly as the specification has it.
    pub exact: bool,
    /// The line of the label, without its line end.
    pub line: Span,
    /// The value up to the next field, without white space around it; empty if there is none.
    pub value: Span,
    /// What the first line of the value reads as, in `timestamp`, `supersedes` and `expires`.
    pub reading: Reading,
}

impl Field {
    pub(crate) fn new(name: FieldName, label: Label, line: Span, text: &str) -> Self {
        let Label { span, name: word, form } = label;
        let short = |span: Span| u8::try_from(span.len()).unwrap_or(u8::MAX);
        let (label_start, label_len, word_len) = (span.start, short(span), short(word));
        let value = Span::new(span.end(), line.end());
        let exact = form.is_exact() && word.of(text) == name.as_str();
        Self { name, label_start, label_len, word_len, form, exact, line, value, reading: Reading::Other }
    }

    /// The label, from its first asterisk to its last, or to the colon after that.
    pub fn label(&self) -> Span {
        let start = self.label_start as usize;
        Span::new(start, start + usize::from(self.label_len))
    }

    /// The word in the label, after its two asterisks.
    pub fn word(&self) -> Span {
        let start = self.label().start() + 2;
        Span::new(start, start + usize::from(self.word_len))
    }

    /// Whether the specification's own parser sees the label. A label that it does not see is text of the field above.
    pub fn is_seen_by_all(&self) -> bool {
        self.exact && !matches!(self.name, FieldName::Unknown | FieldName::Contributors)
    }

    /// Gives the field its value: everything from the label up to `end`.
    pub(crate) fn set_value(&mut self, text: &str, end: usize) {
        self.value = Span::new(self.label().end(), end).trim(text);
        if self.name.is_stamp() {
            self.reading = Reading::whole(self.first_line(text));
        }
    }

    /// The first line of the value.
    pub fn first_line(self, text: &str) -> &str {
        self.first_line_span(text).of(text)
    }

    /// Where the first line of the value is, without white space around it.
    pub fn first_line_span(self, text: &str) -> Span {
        if self.value.end() <= self.line.end() {
            return self.value;
        }
        if self.value.start() < self.line.end() {
            return Span::new(self.value.start(), self.line.end().min(self.value.end())).trim(text);
        }
        lines(text, self.value).next().unwrap_or(self.value).trim(text)
    }

    /// The first paragraph of the value: up to the first blank line.
    pub fn first_paragraph(self, text: &str) -> Span {
        if self.value.end() <= self.line.end() {
            return self.value;
        }
        let mut end = self.value.start();
        for line in lines(text, self.value) {
            if line.of(text).trim().is_empty() {
                break;
            }
            end = line.end();
        }
        Span::new(self.value.start(), end).trim(text)
    }
}

/// The tags of a `tags` value, commas apart, each without white space around it; an empty tag is an empty span.
pub fn tags(text: &str, value: Span) -> impl Iterator<Item = Span> {
    let mut at = value.start();
    let mut done = value.is_empty();
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let rest = Span::new(at, value.end()).of(text);
        // Tags are short: no search pays that has to be set up.
        let len = rest.bytes().position(|byte| byte == b',').unwrap_or_else(|| {
            done = true;
            rest.len()
        });
        let tag = Span::new(at, at + len).trim(text);
        at += len + 1;
        Some(tag)
    })
}

/// The types of related items.
pub const RELATED_TYPES: [&str; 6] = ["proposal", "issue", "decision", "memory", "pr", "skill"];

/// One line under `**related:**`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelatedItem {
    /// The line without white space around it.
    pub line: Span,
    bullet_len: u8,
    /// The word before the colon; empty if there is no colon.
    pub kind: Span,
    /// Whether a colon is after that word.
    has_colon: bool,
    /// Where the text after the colon starts, or after the bullet if there is no colon.
    identifier_start: u32,
    /// The type of the entry that it names: only decisions and memories have a word of their own.
    pub entry_type: Option<EntryType>,
    /// What the identifier of a decision or a memory reads as.
    pub reading: Reading,
    /// Whether it is written as the specification has it: `- type: identifier`.
    pub is_well_formed: bool,
}

impl RelatedItem {
    fn new(text: &str, line: Span, bullet_len: u8, kind: Span, has_colon: bool, identifier_start: usize) -> Self {
        let identifier = Span::new(identifier_start, line.end());
        let word = kind.of(text);
        let (known, entry_type) = match word {
            "decision" => (true, Some(EntryType::Decision)),
            "memory" => (true, Some(EntryType::Memory)),
            "proposal" | "issue" | "pr" | "skill" => (true, None),
            _ => (false, None),
        };
        let reading = if entry_type.is_some() { Reading::whole(identifier.of(text)) } else { Reading::Other };
        let dash = bullet_len == 1 && line.of(text).starts_with('-');
        let gap = has_colon && identifier_start > kind.end() + 1;
        let is_well_formed = dash && gap && known && !identifier.is_empty();
        let identifier_start = identifier.start;
        Self { line, bullet_len, kind, has_colon, identifier_start, entry_type, reading, is_well_formed }
    }

    /// The bullet, `-`, `*` or `+`; empty if there is none.
    pub fn bullet(&self) -> Span {
        Span::new(self.line.start(), self.line.start() + usize::from(self.bullet_len))
    }

    /// The text between the word and the identifier: a colon and blanks; empty if there is no colon.
    pub fn colon(&self) -> Span {
        let end = if self.has_colon { self.identifier_start as usize } else { self.kind.end() };
        Span::new(self.kind.end(), end)
    }

    /// The text after the colon, or after the bullet if there is no colon.
    pub fn identifier(&self) -> Span {
        Span::new(self.identifier_start as usize, self.line.end())
    }
}

/// The items of a `related` value: every line with a bullet or with a known type before a colon. Other lines are text,
/// and so are those in a code fence.
pub fn related(text: &str, value: Span) -> impl Iterator<Item = RelatedItem> {
    let mut fence = None;
    lines(text, value).filter_map(move |line| {
        let line = line.trim(text);
        let may_be_fence = matches!(text.as_bytes().get(line.start()), Some(b'`' | b'~'));
        let marker = ["```", "~~~"].into_iter().find(|marker| may_be_fence && line.of(text).starts_with(marker));
        match (fence, marker) {
            (None, None) => return related_item(text, line),
            (None, Some(_)) => fence = marker,
            (Some(_), _) if fence == marker => fence = None,
            (Some(_), _) => {}
        }
        None
    })
}

fn related_item(text: &str, line: Span) -> Option<RelatedItem> {
    let Some(kind) = plain_item(line.of(text), line) else { return odd_item(text, line) };
    Some(RelatedItem::new(text, line, 1, kind, true, kind.end() + 2))
}

/// The type in the specification's own form, `- type: identifier` with one blank at each place: nearly every item is one.
fn plain_item(inner: &str, line: Span) -> Option<Span> {
    let rest = inner.as_bytes().strip_prefix(b"- ")?;
    let len = rest.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let behind = rest.get(len..)?.strip_prefix(b": ")?;
    let start = line.start() + 2;
    let plain = len > 0 && behind.first().is_some_and(u8::is_ascii_graphic);
    plain.then(|| Span::new(start, start + len))
}

/// An item in any other form.
fn odd_item(text: &str, line: Span) -> Option<RelatedItem> {
    let inner = line.of(text);
    let bulleted = inner.starts_with(['-', '*', '+']) && !inner.starts_with("---") && !inner.starts_with("**");
    let bullet_len = u8::from(bulleted);
    let rest = Span::new(line.start() + usize::from(bullet_len), line.end()).trim(text);
    let word_len = rest.of(text).bytes().take_while(u8::is_ascii_alphabetic).count();
    let kind = Span::new(rest.start(), rest.start() + word_len);
    let behind = Span::new(kind.end(), rest.end()).of(text);
    if word_len == 0 || !behind.starts_with(':') {
        let nothing = Span::at(rest.start());
        return bulleted.then(|| RelatedItem::new(text, line, bullet_len, nothing, false, rest.start()));
    }
    let identifier = Span::new(kind.end() + 1, rest.end()).trim(text);
    let known = bulleted || RELATED_TYPES.contains(&kind.of(text));
    known.then(|| RelatedItem::new(text, line, bullet_len, kind, true, identifier.start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_keep_their_places() {
        let text = " a,, b c ,";
        let found: Vec<_> = tags(text, Span::new(0, text.len())).map(|tag| tag.of(text)).collect();
        assert_eq!(found, ["a", "", "b c", ""]);
        assert_eq!(tags("", Span::at(0)).count(), 0);
    }

    #[test]
    fn related_items_and_their_near_misses() {
        let text = "- proposal: 024\n* issue: #18\n  pr: #42  \n- ticket: 9\n- issue:#1\n- see the docs\n\nsee: more\n";
        let items: Vec<_> = related(text, Span::new(0, text.len())).collect();
        let parts: Vec<_> =
            items.iter().map(|item| (item.bullet().of(text), item.kind.of(text), item.identifier().of(text))).collect();
        assert_eq!(
            parts,
            [
                ("-", "proposal", "024"),
                ("*", "issue", "#18"),
                ("", "pr", "#42"),
                ("-", "ticket", "9"),
                ("-", "issue", "#1"),
                ("-", "", "see the docs"),
            ]
        );
        let good: Vec<_> = items.iter().map(|item| item.is_well_formed).collect();
        assert_eq!(good, [true, false, false, false, false, false]);
    }

    #[test]
    fn related_items_in_a_fence_are_text() {
        let text = "- pr: #1\n```md\n- pr: #2\n~~~\n```\n- pr: #3\n~~~\n- pr: #4\n";
        let items: Vec<_> = related(text, Span::new(0, text.len())).map(|item| item.identifier().of(text)).collect();
        assert_eq!(items, ["#1", "#3"]);
    }
}
