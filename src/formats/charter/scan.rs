//! Finds the parts of a charter, line by line.

use super::model::{Charter, Field, Heading, Section};
use super::section::{FieldName, SectionKind, SectionName};
use crate::formats::markdown::line::item_marker;
use crate::text::{Span, bom_len, line_end};

/// Finds the titles, sections and fields in `text`. A byte order mark at its start is not part of it.
pub fn scan(text: &str) -> Charter {
    let bytes = text.as_bytes();
    let mut scanner = Scanner { text, charter: Charter::default(), within: Within::Text, in_extensions: false };
    let mut at = bom_len(text);
    while at < bytes.len() {
        let (end, next) = line_end(bytes, at);
        scanner.line(Span::new(at, end), next);
        at = next;
    }
    let mut charter = scanner.charter;
    if let Some(last) = charter.sections.last_mut() {
        last.end = text.len();
    }
    charter
}

/// What the line before left open.
#[derive(Clone, Copy)]
enum Within {
    /// Nothing.
    Text,
    /// A comment.
    Comment,
    /// A code fence of so many backticks or tildes.
    Fence(u8, usize),
}

struct Scanner<'t> {
    text: &'t str,
    charter: Charter,
    within: Within,
    /// Whether an extension began: no other text means anything from there on.
    in_extensions: bool,
}

impl Scanner<'_> {
    fn line(&mut self, line: Span, next: usize) {
        let text = line.of(self.text);
        let rest = text.trim_start_matches([' ', '\t']);
        match self.within {
            Within::Comment => {
                if text.contains("-->") {
                    self.within = Within::Text;
                }
                return;
            }
            // The profile has fences before comments: code can show one.
            Within::Fence(byte, len) => {
                let (marker, count) = fence(text).unwrap_or_default();
                let is_bare = rest.get(count..).is_some_and(|rest| rest.trim_matches([' ', '\t']).is_empty());
                if marker == byte && count >= len && is_bare {
                    self.within = Within::Text;
                }
                return;
            }
            Within::Text => {}
        }
        let first = rest.as_bytes().first();
        if !matches!(first, Some(b'<' | b'`' | b'~')) {
            self.text(line, next);
        } else if rest.starts_with("<!--") {
            if !rest.contains("-->") {
                self.within = Within::Comment;
            }
        } else if let Some((byte, len)) = fence(text) {
            self.within = Within::Fence(byte, len);
        } else {
            self.text(line, next);
        }
    }

    /// A line that is neither in a comment nor in a code fence. Block quotes and indented code begin with other characters
    /// than headings and fields.
    fn text(&mut self, line: Span, next: usize) {
        let is_marked = self.text.as_bytes().get(line.start()) == Some(&b'#');
        if let Some(name) = is_marked.then(|| heading(self.text, line, "## ")).flatten() {
            self.section(Heading { line, next, name });
            return;
        }
        if self.in_extensions {
            return;
        }
        if let Some(name) = is_marked.then(|| heading(self.text, line, "# ")).flatten() {
            self.charter.titles.push(Heading { line, next, name });
        } else if let Some(SectionKind::Standard(section)) = self.charter.sections.last().map(|section| section.kind) {
            // Most lines are items of text.
            if memchr::memchr(b'*', line.of(self.text).as_bytes()).is_some() {
                self.charter.fields.extend(field(self.text, line, next, section));
            }
        }
    }

    fn section(&mut self, heading: Heading) {
        let kind = SectionKind::of(heading.name.of(self.text));
        let is_extension = kind == SectionKind::Extension;
        if self.in_extensions && !is_extension {
            return;
        }
        self.in_extensions |= is_extension;
        let start = heading.line.start();
        if let Some(last) = self.charter.sections.last_mut() {
            last.end = start;
        }
        self.charter.sections.push(Section { heading, kind, end: start });
    }
}

/// How many blanks `text` begins with; `None` for indented code.
fn indent(text: &str) -> Option<usize> {
    let blanks = text.bytes().take_while(|byte| *byte == b' ').count();
    (blanks <= 3).then_some(blanks)
}

/// The character and the length of the fence that `text` begins with.
fn fence(text: &str) -> Option<(u8, usize)> {
    let rest = text.get(indent(text)?..)?.as_bytes();
    let byte = *rest.first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let len = rest.iter().take_while(|other| **other == byte).count();
    (len >= 3).then_some((byte, len))
}

/// The text of a heading that begins with `marker`, which ends with a blank for any blank.
fn heading(text: &str, line: Span, marker: &str) -> Option<Span> {
    let hashes = marker.len() - 1;
    let rest = line.of(text).strip_prefix(marker.get(..hashes)?)?;
    if !rest.starts_with([' ', '\t']) {
        return None;
    }
    let name = Span::new(line.start() + hashes, line.end()).trim(text);
    (!name.is_empty()).then(|| cut_hashes(text, name))
}

/// `name` without the `#` at its end and the blanks before them. One of `#` alone stays.
fn cut_hashes(text: &str, name: Span) -> Span {
    let kept = name.of(text).trim_end_matches('#').trim_end().len();
    if kept == 0 { name } else { Span::new(name.start(), name.start() + kept) }
}

/// The field of `section` on a line.
fn field(text: &str, line: Span, next: usize, section: SectionName) -> Option<Field> {
    let whole = line.of(text);
    let mut at = indent(whole)?;
    let rest = whole.get(at..)?.as_bytes();
    // `-**ID:**` without a blank is not a list item, and a field all the same.
    let marker = item_marker(rest).or_else(|| rest.starts_with(b"-").then_some(1)).unwrap_or(0);
    at += marker;
    at += whole.get(at..)?.bytes().take_while(|byte| marker > 0 && matches!(byte, b' ' | b'\t')).count();
    let label = whole.get(at..)?.strip_prefix("**")?;
    let len = label.find('*')?;
    let name = FieldName::find(section, label.get(..len)?.strip_suffix(':')?.trim())?;
    let value = label.get(len..)?.strip_prefix("**")?;
    let start = line.start() + at;
    let label = Span::new(start, line.end() - value.len());
    let value = Span::new(label.end(), line.end()).trim(text);
    Some(Field { name, label, value, line, next })
}
