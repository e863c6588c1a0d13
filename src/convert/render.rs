//! An entry as Squad Entry Markdown.

use std::fmt::Write as _;

use super::Found;
use super::body::{self, Body};
use super::reason::Reason;
use super::subject::{Pattern, Subject, matches};
use super::title::{self, Title};
use crate::formats::entries::{self, Block};
use crate::formats::legacy::Meaning;
use crate::formats::sem::{End, FieldName};
use crate::text::{Span, line_ending};

/// An entry in its new form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// From the header to the terminator, with the file's line ends.
    pub text: String,
    /// The header line.
    pub header: String,
    /// What had to be done on the way.
    pub reasons: Vec<Reason>,
}

/// A sentence of what did not work.
static FAILED: Pattern = Pattern::new(r"(?i)\b(?:failed|fails|failing)\b");

/// Writes the entry as what was `found`.
///
/// # Errors
/// Why it cannot be written so that every reader takes it for the same.
pub fn render(subject: Subject<'_>, found: &Found) -> Result<Rendered, Reason> {
    let Found { at, kind, authors, used, moved } = found;
    let body = body::divide(subject, *kind, used);
    if body.is_bare() {
        return Err(Reason::NoText);
    }
    let Body { mut details, rationale, mut reasons } = body;
    // The first sentence of a field says what the entry is about; other texts often begin with the background.
    let first = body::what(subject, *kind).map(|field| field.value).filter(|value| !value.is_empty());
    let states = || subject.fields().iter().find(|field| field.meaning == Meaning::What).map(|field| field.value);
    let sentence = title::sentence(subject, first).or_else(|| title::sentence(subject, states()));
    let Title { text: title, rest, kind: of_heading } =
        title::of(subject, *kind, sentence.as_deref()).ok_or(Reason::NoTitle)?;
    reasons.extend(match of_heading {
        title::Kind::Whole => None,
        title::Kind::Short => Some(Reason::TitleShortened),
        title::Kind::Range => Some(Reason::TitleWithoutRange),
        title::Kind::Sentence => Some(Reason::TitleFromText),
    });
    // A time that is in the heading and no longer in the header is in the text.
    let timed = *moved && subject.entry.date.is_some_and(|date| subject.entry.heading.contains(date));
    if let Some(rest) = rest.or_else(|| timed.then(|| subject.of(subject.heading()).to_owned())) {
        let end = line_ending(subject.text);
        details = if details.is_empty() { rest } else { format!("{rest}{end}{end}{details}") };
    }
    let header = format!("### {at}: {}: {title}", kind.as_str());
    let mut text =
        format!("{header}\n\n**type:** {}  \n**timestamp:** {at}  \n**author:** {}  \n", kind.as_str(), authors.name);
    if !authors.others.is_empty() {
        let _ = writeln!(text, "**contributors:** {}  ", authors.others.join(", "));
    }
    // The title says what was done about what failed.
    let is_short = |sentence: &String| sentence.chars().count() <= title::MAX && !matches(&FAILED, sentence);
    let summary = sentence.filter(|sentence| first.is_some() && is_short(sentence)).unwrap_or(title);
    let _ = writeln!(text, "\n**summary:** {summary}\n");
    let mut text = text.replace('\n', line_ending(subject.text));
    let end = line_ending(subject.text);
    let mut expected = vec![FieldName::Type, FieldName::Timestamp, FieldName::Author];
    expected.extend((!authors.others.is_empty()).then_some(FieldName::Contributors));
    expected.push(FieldName::Summary);
    if !details.is_empty() {
        let _ = write!(text, "**details:**{end}{end}{details}{end}{end}");
        expected.push(FieldName::Details);
    }
    if !rationale.is_empty() {
        let gap = if rationale.contains(['\n', '\r']) && !starts_with_text(&rationale) {
            format!("{end}{end}")
        } else {
            " ".to_owned()
        };
        let _ = write!(text, "**rationale:**{gap}{rationale}{end}{end}");
        expected.push(FieldName::Rationale);
    }
    let _ = write!(text, "---{end}");
    verify(&text, found, &expected)?;
    Ok(Rendered { text, header, reasons })
}

/// Whether a paragraph comes first, and not a list or a fence, which start a line of their own.
fn starts_with_text(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '"' | '\'' | '(' | '“'))
        && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// Reads the new text as every other file is read: it must be one whole entry, and say what was found.
fn verify(text: &str, found: &Found, expected: &[FieldName]) -> Result<(), Reason> {
    let parsed = entries::parse(text);
    let whole = Span::new(0, text.len());
    let mut blocks = parsed.blocks();
    let (Some(Block::Sem(spans)), None) = (blocks.next(), blocks.next()) else { return Err(Reason::WouldMisread) };
    if !matches!(spans.end, End::Rule(_)) {
        return Err(Reason::OpenBlock);
    }
    let Some(entry) = parsed.sem(text).next() else { return Err(Reason::WouldMisread) };
    let names = entry.fields().iter().map(|field| field.name);
    let same = spans.span == whole
        && entry.header().defect.is_none()
        && entry.timestamp() == Some(found.at)
        && entry.entry_type() == Some(found.kind)
        && entry.author() == Some(found.authors.name.as_str())
        && names.eq(expected.iter().copied())
        && entry.fields().iter().all(|field| field.exact);
    if same { Ok(()) } else { Err(Reason::WouldMisread) }
}
