//! Where the reference parser of the specification, taken literally, reads an entry differently (`docs/formats/squad-entry-markdown.md`,
//! "Reference parser"): it ignores code fences, needs a space after every label, takes any bold label for a field, and
//! splits lines at LF only.

use super::{End, Entry};
use crate::text::Span;

/// The first place at which the literal parser goes another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The line, without its line end.
    pub line: Span,
    /// Why.
    pub reason: Reason,
}

/// Why the literal parser goes another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The header's line ends with CRLF, and its pattern does not match the CR: no entry at all.
    CarriageReturn,
    /// Nothing is after a label: no field.
    LabelAlone,
    /// A bold word in a body: ends the field before it.
    BoldWord,
    /// A `---` that is text: ends the entry.
    Rule,
}

/// The first divergence in `entry`.
pub fn divergence(entry: Entry<'_>) -> Option<Divergence> {
    let text = entry.text();
    let header = entry.header().line;
    if text.as_bytes().get(header.end()) == Some(&b'\r') {
        return Some(Divergence { line: header, reason: Reason::CarriageReturn });
    }
    let terminator = match entry.end() {
        End::Rule(line) => line.start(),
        End::NextEntry | End::EndOfFile => entry.span().end(),
    };
    let mut at = header.end() + 1;
    let mut fields = entry.fields().iter().peekable();
    while at < terminator {
        let rest = Span::new(at, terminator).of(text);
        let len = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        let line = Span::new(at, at + len);
        at += len + 1;
        let content = line.of(text);
        if content.trim() == "---" {
            return Some(Divergence { line, reason: Reason::Rule });
        }
        while fields.peek().is_some_and(|field| field.line.start() < line.start()) {
            fields.next();
        }
        let ours = fields.peek().filter(|field| line.contains(field.line));
        match (ours.map(|field| field.exact), label(content)) {
            (Some(true), false) => return Some(Divergence { line, reason: Reason::LabelAlone }),
            (None, true) => return Some(Divergence { line, reason: Reason::BoldWord }),
            _ => {}
        }
    }
    None
}

/// `^\*\*(\w+):\*\*\s+(.*)$`, where `.` matches no CR.
fn label(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("**") else { return false };
    let name = rest.bytes().take_while(|&byte| byte.is_ascii_alphanumeric() || byte == b'_').count();
    let value = rest.get(name..).and_then(|rest| rest.strip_prefix(":**"));
    name > 0 && value.is_some_and(|value| value.starts_with(char::is_whitespace) && !value.trim_start().contains('\r'))
}
