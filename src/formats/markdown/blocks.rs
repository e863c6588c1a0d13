//! The lines of a text, each with the block that it is in: for those who ask whether a line is shown as it is.

use super::line::HtmlEnd;
use super::{MarkKind, Scanner};
use crate::text::{Span, bom_len, line_end};

/// One line, and what it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockLine {
    /// The line, without its line end.
    pub line: Span,
    /// Where the next line starts.
    pub next: usize,
    /// The level of the heading that it is, if `#` makes it one.
    pub heading: Option<u8>,
    /// Its part in front matter, a code fence or a comment.
    pub block: Block,
    /// Whether a list item is open after it.
    pub in_list: bool,
}

/// The part of a line in a block whose lines are not Markdown: front matter, a code fence, or a comment or the like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// It is in none.
    None,
    /// It opens one.
    Opens,
    /// It is in one. The end of a list item ends a fence, too: the next line is in none then.
    Inside,
    /// It closes one.
    Closes,
}

/// The lines of a text, from its start on.
pub struct BlockLines<'a> {
    scanner: Scanner<'a>,
    /// Where the front matter ends.
    start: usize,
    at: usize,
    /// What of the first line is a byte order mark.
    bom: usize,
}

impl<'a> BlockLines<'a> {
    /// Those of `text`.
    pub fn of(text: &'a str) -> Self {
        let (mut scanner, start) = Scanner::start(text);
        // Nothing of the outline is kept.
        scanner.outline.marks = Vec::new();
        let start = if scanner.outline.front_matter.is_some() { start } else { 0 };
        Self { scanner, start, at: 0, bom: bom_len(text) }
    }
}

impl Iterator for BlockLines<'_> {
    type Item = BlockLine;

    fn next(&mut self) -> Option<BlockLine> {
        let bytes = self.scanner.bytes;
        let at = self.at;
        if at >= bytes.len() {
            return None;
        }
        let (end, next) = line_end(bytes, at);
        self.at = next;
        let line = Span::new(at, end);
        if next <= self.start {
            let block = match () {
                () if at == 0 => Block::Opens,
                () if next == self.start => Block::Closes,
                () => Block::Inside,
            };
            return Some(BlockLine { line, next, heading: None, block, in_list: false });
        }
        let is_comment = |html: Option<HtmlEnd>| matches!(html, Some(HtmlEnd::At(_)));
        let (in_fence, in_comment) = (self.scanner.fence.is_some(), is_comment(self.scanner.html));
        let bom = if at == 0 { self.bom } else { 0 };
        self.scanner.line(at + bom, end, next);
        let (mut heading, mut opens, mut closes) = (None, false, in_comment && !is_comment(self.scanner.html));
        for mark in self.scanner.outline.marks.drain(..) {
            match mark.kind {
                MarkKind::Heading(level) => heading = Some(level),
                MarkKind::FenceOpen => opens = true,
                MarkKind::FenceClose => closes = true,
                _ => {}
            }
        }
        opens |= !in_comment && is_comment(self.scanner.html);
        let block = match () {
            () if opens => Block::Opens,
            () if closes => Block::Closes,
            () if in_comment || in_fence && self.scanner.fence.is_some() => Block::Inside,
            () => Block::None,
        };
        Some(BlockLine { line, next, heading, block, in_list: !self.scanner.lists.is_empty() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One letter a line: `(` opens a block, `.` is in one, `)` closes one, a number is a heading, `l` in a list, `-` other.
    fn letters(text: &str) -> String {
        let letter = |line: BlockLine| match (line.block, line.heading) {
            (Block::Opens, _) => '(',
            (Block::Inside, _) => '.',
            (Block::Closes, _) => ')',
            (Block::None, Some(level)) => char::from(b'0' + level),
            (Block::None, None) if line.in_list => 'l',
            (Block::None, None) => '-',
        };
        BlockLines::of(text).map(letter).collect()
    }

    #[test]
    fn lines_and_their_blocks() {
        for (text, expected) in [
            ("---\na: x\n---\n# A\n", "(.)1"),
            ("\u{feff}# A\r\n```\r\n# B\r\n```\r\nx", "1(.)-"),
            ("<!-- a\n# B\n\n-->\n## C\n", "(..)2"),
            ("<!-- a -->\n# B\n", "-1"),
            ("- a\n  ```\n  b\n- c\n", "l(.l"),
            ("```\n# A\n", "(."),
            ("# A\r## B\r", "12"),
        ] {
            assert_eq!(letters(text), expected, "{text:?}");
        }
    }
}
