//! A charter in the form of the profile. Nothing is invented, and no text is lost: sections get their names and their order, and
//! fields their form. Extensions stay as they are, byte for byte.

use super::model::{Charter, Field, Heading, Section, split_title, title_parts};
use super::section::{FieldName, SectionKind, SectionName};
use crate::diagnostic::Severity;
use crate::text::{Span, line_end, lines};

/// Why a charter is not written in its canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// It has errors: which of two sections is meant, only a person knows.
    Invalid,
    /// Its title comes after a section, as in a file with two documents.
    LateTitle,
    /// Something that is left open, such as a code fence, would hide what comes after it.
    Misread,
}

impl Obstacle {
    /// In a few words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "the charter has errors",
            Self::LateTitle => "the title comes after a section",
            Self::Misread => "a code fence or a comment is never closed",
        }
    }
}

/// The canonical form of `text`, which `charter` was read from. `None` if it is in that form, as far as what it says allows.
///
/// # Errors
/// Why it has to stay as it is.
pub fn canonical(text: &str, charter: &Charter) -> Result<Option<String>, Obstacle> {
    if charter.problems.is_empty() {
        return Ok(None);
    }
    if charter.problems.iter().any(|problem| problem.code.severity() == Severity::Error) {
        return Err(Obstacle::Invalid);
    }
    let new = render(text, charter)?;
    Ok((new != text).then_some(new))
}

/// Writes all of `text`, which `charter` was read from, in the canonical form.
///
/// # Errors
/// Why it has to stay as it is.
pub fn render(text: &str, charter: &Charter) -> Result<String, Obstacle> {
    let first = charter.sections.first().map_or(text.len(), |section| section.heading.line.start());
    let title = charter.title().ok_or(Obstacle::Invalid)?;
    if title.line.start() > first {
        return Err(Obstacle::LateTitle);
    }
    let writer = Writer { text, charter, line_end: first_line_end(text) };
    let head = Span::new(title.next, first);
    let lead = Span::new(if charter.sections.is_empty() { first } else { writer.lead_start(head) }, first);
    let mut out = writer.head(title, lead.start());
    let (pieces, tail) = writer.pieces(without_blank_lines(text, lead));
    for piece in &pieces {
        out.push_str(writer.line_end);
        for line in [piece.lead, &piece.heading].into_iter().filter(|line| !line.is_empty()) {
            out.push_str(line);
            out.push_str(writer.line_end);
        }
        writer.push_paragraph(&mut out, &piece.body);
    }
    if !tail.is_empty() {
        out.push_str(writer.line_end);
        out.push_str(tail);
    }
    if reads_back(&out, charter, &pieces) { Ok(out) } else { Err(Obstacle::Misread) }
}

/// The first line end of `text`.
fn first_line_end(text: &str) -> &'static str {
    let (end, next) = line_end(text.as_bytes(), 0);
    match text.get(end..next) {
        Some("\r\n") => "\r\n",
        Some("\r") => "\r",
        _ => "\n",
    }
}

/// Whether each of `pieces` is a section of `new`, and nothing else is.
fn reads_back(new: &str, old: &Charter, pieces: &[Piece<'_>]) -> bool {
    let charter = Charter::parse(new);
    let is_own = |section: &&Section| section.kind != SectionKind::Extension;
    let mut sections = charter.sections.iter().filter(is_own);
    let all = pieces.iter().all(|piece| {
        let Some(section) = sections.next() else { return false };
        // Comments for the next heading may follow.
        section.heading.line.of(new) == piece.heading
            && section.body().of(new).trim_start().starts_with(piece.body.trim())
    });
    let extensions = |charter: &Charter| charter.sections.iter().filter(|section| !is_own(section)).count();
    all && sections.next().is_none()
        && charter.titles.len() == old.titles.len()
        && extensions(&charter) == extensions(old)
        && charter.problems.iter().all(|problem| problem.code.severity() < Severity::Error)
}

/// A section as it is written.
struct Piece<'a> {
    /// The place of the section in the order of the profile.
    name: Option<SectionName>,
    /// Comments to this program that belong to its heading.
    lead: &'a str,
    /// Its heading.
    heading: String,
    /// What is below, without blank lines around it.
    body: String,
}

struct Writer<'a> {
    text: &'a str,
    charter: &'a Charter,
    line_end: &'static str,
}

impl<'a> Writer<'a> {
    /// Everything up to the first section: the title, and the text around it.
    fn head(&self, title: &Heading, end: usize) -> String {
        let name = title.name.of(self.text);
        let mut out = Span::new(0, title.line.start()).of(self.text).to_owned();
        match new_title_parts(name).filter(|_| title_parts(name).is_none()) {
            Some((name, role)) => out.extend(["# ", name, " — ", role]),
            None => out.push_str(title.line.of(self.text)),
        }
        out.push_str(self.line_end);
        self.push_paragraph(&mut out, without_blank_lines(self.text, Span::new(title.next, end)).of(self.text));
        out
    }

    /// Adds a blank line and `body`, unless that is empty.
    fn push_paragraph(&self, out: &mut String, body: &str) {
        if !body.is_empty() {
            out.extend([self.line_end, body, self.line_end]);
        }
    }

    /// The sections in their new order, and the extensions. Sections of the profile take the places that they have, in its
    /// order; any other section keeps its own. `lead` is the lead of the first one.
    fn pieces(&self, mut lead: Span) -> (Vec<Piece<'a>>, &'a str) {
        let sections = &self.charter.sections;
        let mut pieces = Vec::new();
        for (at, section) in sections.iter().enumerate() {
            let line = section.heading.line;
            if section.kind == SectionKind::Extension {
                let start = if lead.is_empty() { line.start() } else { lead.start() };
                return (ordered(pieces), Span::new(start, self.text.len()).of(self.text));
            }
            let body = section.body();
            let is_last = at + 1 == sections.len();
            let end = if is_last { body.end() } else { self.lead_start(body) };
            let heading = match section.kind.name() {
                Some(name) => format!("## {}", name.as_str()),
                None => line.of(self.text).to_owned(),
            };
            let own = self.body(Span::new(body.start(), end));
            pieces.push(Piece { name: section.kind.name(), lead: lead.of(self.text), heading, body: own });
            lead = without_blank_lines(self.text, Span::new(end, body.end()));
        }
        (ordered(pieces), "")
    }

    /// Where the comments to this program begin that end `body`: those right above the next heading, to which they belong.
    fn lead_start(&self, body: Span) -> usize {
        let mut start = None;
        for line in lines(self.text, body) {
            let text = line.of(self.text).trim();
            if text.starts_with("<!-- squad-lint:") && text.ends_with("-->") {
                start.get_or_insert(line.start());
            } else {
                start = None;
            }
        }
        start.unwrap_or(body.end())
    }

    /// The text of `span`, the body of a section, with its fields in their form.
    fn body(&self, span: Span) -> String {
        let mut out = String::new();
        let mut at = span.start();
        let fields = &self.charter.fields;
        let from = fields.partition_point(|field| field.line.start < span.start);
        for field in fields.iter().skip(from).take_while(|field| field.line.start < span.end) {
            out.push_str(Span::new(at, field.line.start()).of(self.text));
            if !self.is_in_title(field) {
                let (marker, label) = (if field.name.section() == SectionName::Model { "" } else { "- " }, field.name);
                out.extend([marker, "**", label.as_str(), ":**"]);
                let value = field.value.of(self.text);
                match self.charter.id(self.text).filter(|_| field.name == FieldName::Id) {
                    Some(id) => out.extend([" `", id, "`"]),
                    None if value.is_empty() => {}
                    None => out.extend([" ", value]),
                }
                out.push_str(Span::new(field.line.end(), field.next).of(self.text));
            }
            at = field.next;
        }
        out.push_str(Span::new(at, span.end()).of(self.text));
        without_blank_lines(&out, Span::new(0, out.len())).of(&out).to_owned()
    }

    /// Whether `field` repeats what the title says, in a charter that has all that the profile asks for in its place.
    fn is_in_title(&self, field: &Field) -> bool {
        let has = |name| self.charter.field(name).is_some();
        let title = self.charter.title().map(|title| title.name.of(self.text));
        let Some((name, role)) = title.and_then(new_title_parts) else { return false };
        let value = field.value.of(self.text);
        let repeats = field.name == FieldName::Name && value == name || field.name == FieldName::Role && value == role;
        repeats && has(FieldName::Id) && has(FieldName::Purpose)
    }
}

/// The two parts of a title as it is written: a hyphen or an en dash becomes an em dash.
fn new_title_parts(title: &str) -> Option<(&str, &str)> {
    title_parts(title).or_else(|| split_title(title, &['–', '-']))
}

/// `span` without the blank lines at both ends, and without the line end of its last line.
fn without_blank_lines(text: &str, span: Span) -> Span {
    let mut kept: Option<Span> = None;
    for line in lines(text, span).filter(|line| !line.of(text).trim().is_empty()) {
        kept = Some(kept.map_or(line, |kept| kept.to(line)));
    }
    kept.unwrap_or(Span::at(span.start()))
}

/// `pieces` with those of the profile in its order.
fn ordered(pieces: Vec<Piece<'_>>) -> Vec<Piece<'_>> {
    let (known, other): (Vec<_>, Vec<_>) = pieces.into_iter().enumerate().partition(|(_, piece)| piece.name.is_some());
    let places: Vec<usize> = known.iter().map(|(place, _)| *place).collect();
    let mut known: Vec<_> = known.into_iter().map(|(_, piece)| piece).collect();
    known.sort_by_key(|piece| piece.name);
    let mut all: Vec<_> = places.into_iter().zip(known).chain(other).collect();
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, piece)| piece).collect()
}
