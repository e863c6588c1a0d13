//! The headings of a history or a `team.md`, in both of their forms.

use crate::formats::markdown::{self, MarkKind};
use crate::text::Span;

/// A heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heading {
    /// Its level.
    pub(super) level: u8,
    /// The line with its title, without the line end.
    pub(super) line: Span,
    /// All of its lines: `Title` over `=====` has two. Without the last line end.
    pub(super) span: Span,
}

/// The title of a section about one project.
pub(super) const PROJECT_CONTEXT: [&str; 2] = ["project", "context"];

impl Heading {
    /// Whether its title has these words and no others, whatever signs are around them: `## **Project Context:**`.
    pub(super) fn is_called(&self, text: &str, words: [&str; 2]) -> bool {
        let title = self.line.of(text).trim_matches(|c: char| !c.is_alphanumeric());
        title.split_whitespace().map(str::to_lowercase).eq(words)
    }
}

/// The headings of `text`, in order.
pub(super) fn headings(text: &str) -> Vec<Heading> {
    let outline = markdown::scan(text);
    let front_matter = outline.front_matter.map_or(0, crate::text::Span::end);
    let mut marks = outline.marks.into_iter().peekable();
    let mut found = Vec::new();
    let mut in_fence = false;
    // The line before, if it is a paragraph of its own: an underline makes a heading of it.
    let mut paragraph: Option<Span> = None;
    let mut is_after_text = false;
    let mut at = 0;
    for whole in text.split_inclusive('\n') {
        let line = Span::new(at, at + whole.trim_end_matches(['\n', '\r']).len());
        at += whole.len();
        let mut level = None;
        while let Some(mark) = marks.next_if(|mark| mark.line.start() < at) {
            match mark.kind {
                MarkKind::Heading(of_mark) => level = Some(of_mark),
                MarkKind::FenceOpen => in_fence = true,
                MarkKind::FenceClose => in_fence = false,
                _ => {}
            }
        }
        let is_outside = !in_fence && line.start() >= front_matter;
        let title = paragraph.take().filter(|_| is_outside);
        if let Some(level) = level {
            found.push(Heading { level, line, span: line });
            is_after_text = false;
        } else if let Some((level, title)) = underline(line.of(text)).zip(title) {
            found.push(Heading { level, line: title, span: Span::new(title.start(), line.end()) });
            is_after_text = false;
        } else {
            let is_text = is_outside && is_paragraph(line.of(text));
            paragraph = (is_text && !is_after_text).then_some(line);
            is_after_text = !line.of(text).trim().is_empty();
        }
    }
    found
}

/// The level of the heading that the line makes of the one before it.
fn underline(line: &str) -> Option<u8> {
    let signs = line.trim_end();
    let signs = signs.strip_prefix("   ").or(signs.strip_prefix("  ")).or(signs.strip_prefix(' ')).unwrap_or(signs);
    match signs.as_bytes() {
        [b'=', rest @ ..] if rest.iter().all(|byte| *byte == b'=') => Some(1),
        [b'-', rest @ ..] if rest.iter().all(|byte| *byte == b'-') => Some(2),
        _ => None,
    }
}

/// Whether the line is text of a paragraph, and does not begin anything else.
fn is_paragraph(line: &str) -> bool {
    let text = line.trim_start();
    let is_indented = line.starts_with("    ") || line.starts_with('\t');
    !text.is_empty() && !is_indented && !is_item(line) && !text.starts_with(['#', '>', '|', '`', '~', '<', '-', '='])
}

/// Whether a list item begins on the line.
pub(super) fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "));
    is_numbered || ["- ", "* ", "+ "].iter().any(|marker| line.starts_with(marker))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_headings() {
        let text = "One\n===\n\n## Two\nText\nmore\n---\n\nThree\r\n  -----\r\n- item\n---\n\n```\nFour\n---\n```\n| a |\n---\n";
        let found: Vec<_> = headings(text).iter().map(|heading| (heading.level, heading.span.of(text))).collect();
        assert_eq!(found, [(1, "One\n==="), (2, "## Two"), (2, "Three\r\n  -----")]);
        assert_eq!(headings("---\nname: x\n---\nText\n"), []);
    }
}
