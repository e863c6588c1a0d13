//! The lines of a text, each with its part in the lists of the text: for formats whose entries are list items.

use super::line::{HtmlEnd, indentation, item_marker};
use super::{Fence, MarkKind, Scanner};
use crate::text::{Span, line_end};

/// One line and its part in the lists of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line, without its line end.
    pub line: Span,
    /// Where the next line starts.
    pub next: u32,
    /// What it is.
    pub kind: LineKind,
}

/// What part a line has in the lists of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A blank line, wherever it is.
    Blank,
    /// An ATX heading of this level.
    Heading(u8),
    /// The line that opens an item of a list that is in no other item.
    Item {
        /// Where the text after its marker starts, blanks included.
        content: u32,
    },
    /// A line of the item above: text that goes on, an item of an inner list.
    Inside,
    /// A line of the item above that is code or a comment.
    InsideCode,
    /// Anything that is in no list.
    Other,
}

/// The lines of `text`, after a byte order mark and front matter.
pub fn lines(text: &str) -> Vec<Line> {
    let (mut scanner, mut at) = Scanner::start(text);
    let bytes = scanner.bytes;
    let mut found = Vec::with_capacity(text.len() / 64);
    while at < bytes.len() {
        let (end, next) = line_end(bytes, at);
        let (fence, html, list) = (scanner.fence, scanner.html, scanner.lists.first().copied());
        scanner.line(at, end, next);
        let line = Span::new(at, end);
        let kind = kind(&scanner, line, fence, html, list);
        found.push(Line { line, next: Span::at(next).start, kind });
        // Only whether the line itself is one matters.
        scanner.outline.marks.clear();
        at = next;
    }
    found
}

/// What `line` is, which `scanner` has just read; the others are what was open before it.
fn kind(
    scanner: &Scanner<'_>,
    line: Span,
    fence: Option<Fence>,
    html: Option<HtmlEnd>,
    list: Option<usize>,
) -> LineKind {
    let bytes = scanner.bytes.get(line.start()..line.end()).unwrap_or_default();
    let (indent, skip) = indentation(bytes);
    let rest = bytes.get(skip..).unwrap_or_default();
    if rest.is_empty() {
        return LineKind::Blank;
    }
    if let Some(mark) = scanner.outline.marks.last()
        && let MarkKind::Heading(level) = mark.kind
    {
        return LineKind::Heading(level);
    }
    if scanner.lists.is_empty() {
        return LineKind::Other;
    }
    let in_fence = fence.is_some_and(|fence| indent >= fence.indent);
    if in_fence || matches!(html, Some(HtmlEnd::At(_))) {
        return LineKind::InsideCode;
    }
    let marker = item_marker(rest).filter(|_| html.is_none() && list.is_none_or(|content| indent < content));
    match marker {
        Some(marker) => LineKind::Item { content: Span::at(line.start() + skip + marker).start },
        None if scanner.outline.marks.iter().any(|mark| mark.kind == MarkKind::FenceOpen) => LineKind::InsideCode,
        None => LineKind::Inside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One letter a line: `.` blank, `#` heading, `*` item, `i` inside, `c` code inside, `-` other.
    fn letters(text: &str) -> String {
        let letter = |line: &Line| match line.kind {
            LineKind::Blank => '.',
            LineKind::Heading(_) => '#',
            LineKind::Item { .. } => '*',
            LineKind::Inside => 'i',
            LineKind::InsideCode => 'c',
            LineKind::Other => '-',
        };
        lines(text).iter().map(letter).collect()
    }

    #[test]
    fn items_and_what_stands_in_them() {
        assert_eq!(letters("# a\n\ntext\n- one\n  two\nlazy\n  - inner\n\n  more\n\nout\n"), "#.-*iii.i.-");
        assert_eq!(letters("* a\n+ b\n1. c\n2) d\n12. e\n"), "*****");
        assert_eq!(letters("- a\n - b\n  - c\n   - d\n     - e\n"), "****i");
        assert_eq!(letters("- a\n## b\n- c\n---\n- d\n"), "*#*-*");
    }

    #[test]
    fn fences_and_comments() {
        assert_eq!(letters("- a\n  ```\n- no\n  ```\n"), "*c*c");
        assert_eq!(letters("- a\n  ```\n  - no\n  ```\n- b\n"), "*ccc*");
        assert_eq!(letters("- a\n```\n- no\n```\n- b\n"), "*---*");
        assert_eq!(letters("- a\n<!--\n- no\n-->\n- b\n"), "*---*");
        assert_eq!(letters("- a\n  <!--\n- no\n-->\n- b\n"), "*icc*");
        assert_eq!(letters("    - code\n\ttext\n"), "--");
    }

    #[test]
    fn a_marker_that_opens_no_item() {
        assert_eq!(letters("text\n2. no\n- yes\n"), "--*");
        assert_eq!(letters("- - -\n* * *\n"), "--");
    }
}
