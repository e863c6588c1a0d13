//! A line scan that knows as much of CommonMark as entries need: code fences of any length, also in list items; HTML
//! blocks and comments; front matter; headings; list containers.
//!
//! It yields only the lines that mean something to the formats above it. A line inside a fence, an HTML block or front
//! matter is text, whatever it looks like (RULES.md, "fence-aware"). A heading inside a list item or a block quote is
//! a heading to CommonMark and text here: no entry starts there.

mod blocks;
mod held;
pub mod items;
pub mod line;
mod place;
mod short;
mod shut;
pub mod slots;

pub use blocks::{Block, BlockLine, BlockLines};
pub use held::holds;
pub use place::{ContentColumns, lines_with};
pub use shut::{Shut, find_rare, is_free_heading};

use line::{
    HtmlEnd, columns, heading_level, html_end, indentation, is_conflict, is_thematic_break, is_underline, list_marker,
    opens_fence, run,
};

use crate::text::{Span, bom_len, line_end};

/// A line that means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// What it is.
    pub kind: MarkKind,
    /// The line, without its line end.
    pub line: Span,
    /// Where the next line starts.
    pub next: u32,
}

/// What a marked line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// An ATX heading of this level.
    Heading(u8),
    /// A line whose text starts with `**`, perhaps after spaces and a list marker.
    Bold,
    /// `---` alone on a line.
    Rule,
    /// The opening line of a code fence.
    FenceOpen,
    /// The closing line of a code fence.
    FenceClose,
    /// A line inside a fence that would be a heading outside.
    FencedHeading,
    /// `<<<<<<<`, `|||||||`, `=======` or `>>>>>>>` as git leaves them.
    Conflict(u8),
    /// A row of a table.
    TableRow,
}

/// The marked lines of one text, in order.
#[derive(Debug, Default)]
pub struct Outline {
    /// The marks.
    pub marks: Vec<Mark>,
    /// YAML front matter at the start, its two `---` lines included.
    pub front_matter: Option<Span>,
    /// The opening line of a fence that nothing closes.
    pub unclosed_fence: Option<Span>,
    /// The opening line of a comment, or of another HTML block with an end of its own, that nothing closes.
    pub unclosed_html: Option<Span>,
    /// Whether a line is a backtick alone.
    pub has_lone_backtick: bool,
    /// Whether a line begins with `--- `, `=== ` or `==> `, as the names of files do where a tool joined them.
    pub has_file_marker: bool,
}

impl Outline {
    /// Notes what `line` is to the rules that look for one in a million: the scan has each line at hand, and a search would read
    /// the text again.
    fn note(&mut self, line: &[u8]) {
        if let [before @ .., b'`'] = line {
            self.has_lone_backtick |= before.trim_ascii().is_empty();
        } else if let [b'-' | b'=', ..] = line {
            self.has_file_marker |= [b"--- ", b"=== ", b"==> "].iter().any(|marker| line.starts_with(*marker));
        }
    }
}

/// How deep list items nest before deeper ones count as their parent: bounds the work on hostile input.
const MAX_LIST_DEPTH: usize = 64;

/// Scans `text` once, from its start (a byte order mark is skipped) to its end. Never fails.
pub fn scan(text: &str) -> Outline {
    let (scanner, at) = Scanner::start(text);
    scanner.scan(at)
}

/// Scans `text` from the line at `start` on, where nothing is open.
pub fn scan_from(text: &str, start: usize) -> Outline {
    Scanner::new(text).scan(start)
}

/// An open code fence.
#[derive(Clone, Copy)]
struct Fence {
    byte: u8,
    len: usize,
    open: Span,
    /// How many list items hold it, and how far its lines must be indented to stay in them.
    depth: usize,
    indent: usize,
}

struct Scanner<'a> {
    outline: Outline,
    bytes: &'a [u8],
    fence: Option<Fence>,
    html: Option<HtmlEnd>,
    /// The line that opened the last HTML block.
    html_open: Span,
    /// The content columns of the open list items.
    lists: Vec<usize>,
    /// Whether the line before is text that the next one may go on.
    paragraph: bool,
    /// Whether that text is in a block quote.
    quoted: bool,
    /// Whether the line before is a list marker alone: a blank line then ends its item (CommonMark §5.2).
    empty_item: bool,
}

impl<'a> Scanner<'a> {
    /// A scanner of `text`, and where it starts: after a byte order mark and front matter.
    fn start(text: &'a str) -> (Self, usize) {
        let mut scanner = Self::new(text);
        // About one line in three means something, and lines are some 50 bytes long.
        scanner.outline.marks.reserve(text.len() / 128);
        let mut at = bom_len(text);
        if let Some(end) = front_matter_end(text, at) {
            scanner.outline.front_matter = Some(Span::new(at, end));
            at = end;
        }
        (scanner, at)
    }

    /// A scanner of `text` with nothing open.
    fn new(text: &'a str) -> Self {
        Self {
            outline: Outline::default(),
            bytes: text.as_bytes(),
            fence: None,
            html: None,
            html_open: Span::default(),
            lists: Vec::new(),
            paragraph: false,
            quoted: false,
            empty_item: false,
        }
    }

    /// Scans the lines from `at` on.
    fn scan(mut self, mut at: usize) -> Outline {
        let bytes = self.bytes;
        // One byte to look for is faster than two, and few lines have a carriage return. Each is looked for once: a text may have
        // a hundred thousand of one and none of the other.
        let first = |byte: u8, from: usize| {
            let found = bytes.get(from..).and_then(|rest| memchr::memchr(byte, rest));
            found.map_or(bytes.len(), |at| from + at)
        };
        let (mut feed, mut carriage_return) = (first(b'\n', at), first(b'\r', at));
        while at < bytes.len() {
            let (end, next) = if carriage_return < feed {
                let end = carriage_return;
                let next = end + 1 + usize::from(end + 1 == feed && feed < bytes.len());
                carriage_return = first(b'\r', next);
                (end, next)
            } else {
                (feed, bytes.len().min(feed + 1))
            };
            self.outline.note(bytes.get(at..end).unwrap_or_default());
            if !self.passes_over(at, end, next) {
                self.line(at, end, next);
            }
            if feed < next {
                // A third of all lines are blank.
                feed = if bytes.get(next) == Some(&b'\n') { next } else { first(b'\n', next) };
            }
            at = next;
        }
        let unclosed = self.fence.filter(|fence| fence.depth == 0).map(|fence| fence.open);
        let comment = self.html.filter(|html| matches!(html, HtmlEnd::At(_))).map(|_| self.html_open);
        Outline { unclosed_fence: unclosed, unclosed_html: comment, ..self.outline }
    }

    fn line(&mut self, start: usize, end: usize, next: usize) {
        let line = self.bytes.get(start..end).unwrap_or_default();
        let (indent, skip) = indentation(line);
        let rest = line.get(skip..).unwrap_or_default();
        let mark = |kind| Mark { kind, line: Span::new(start, end), next: Span::at(next).start };
        let Some(&first) = rest.first() else {
            if matches!(self.html, Some(HtmlEnd::Blank)) {
                self.html = None;
            }
            (self.paragraph, self.quoted) = (false, false);
            if std::mem::take(&mut self.empty_item) {
                self.lists.pop();
            }
            return;
        };
        self.empty_item = false;
        if let Some(fence) = self.fence {
            if fence.depth == 0 || indent >= fence.indent {
                if first == fence.byte && closes(rest, fence) && indent < fence.indent + 4 {
                    self.fence = None;
                    self.outline.marks.push(mark(MarkKind::FenceClose));
                } else if first == b'#' && heading_level(rest).is_some() {
                    self.outline.marks.push(mark(MarkKind::FencedHeading));
                }
                return;
            }
            self.fence = None; // the list item that held it ends here
        }
        if let Some(html) = self.html {
            if let HtmlEnd::At(needle) = html
                && memchr::memmem::find(line, needle).is_some()
            {
                self.html = None;
            }
            return;
        }
        // Most lines are plain text: nothing below matters to them, except for where a list ends.
        let plain = first.is_ascii_alphabetic() || first >= 0x80;
        if !self.lists.is_empty() && !(self.paragraph && (plain || !self.starts_block(rest, indent))) {
            self.close_lists(indent);
        }
        if plain {
            self.paragraph |= indent < self.base() + 4;
            return;
        }
        if indent < self.base() + 4 {
            self.block(rest, indent, mark(MarkKind::Bold));
        } else if rest.starts_with(b"**") {
            self.outline.marks.push(mark(MarkKind::Bold));
        }
    }

    /// The column at which the content of the innermost open list item starts.
    fn base(&self) -> usize {
        self.lists.last().copied().unwrap_or(0)
    }

    /// Whether a line after a paragraph is more than its continuation.
    fn starts_block(&self, rest: &[u8], indent: usize) -> bool {
        match rest.first() {
            Some(b'#') => heading_level(rest).is_some(),
            Some(b'`' | b'~') => opens_fence(rest).is_some(),
            Some(b'>') => true,
            Some(b'<') => html_end(rest).is_some(),
            Some(b'-' | b'*' | b'_') if is_thematic_break(rest) => true,
            _ => self.interrupts(rest, indent),
        }
    }

    /// Whether a list marker opens an item here: in the midst of a paragraph only one with text, and with the number 1
    /// (CommonMark §5.2). Behind the item that the paragraph is in, any.
    fn interrupts(&self, rest: &[u8], indent: usize) -> bool {
        let Some(marker) = list_marker(rest) else { return false };
        let inside = self.paragraph && !self.quoted && indent >= self.base();
        let has_text = rest.get(marker..).is_some_and(|rest| !rest.trim_ascii().is_empty());
        let first = !rest.first().is_some_and(u8::is_ascii_digit) || marker == 2 && rest.starts_with(b"1");
        !inside || has_text && first
    }

    fn close_lists(&mut self, indent: usize) {
        while self.lists.last().is_some_and(|&content| indent < content) {
            self.lists.pop();
            // The paragraph was in that item.
            (self.paragraph, self.quoted) = (false, false);
        }
    }

    /// A line whose text `rest` begins at `column`; `mark` is its mark, except for the kind.
    fn block(&mut self, rest: &[u8], column: usize, mark: Mark) {
        let in_item = !self.lists.is_empty();
        // The paragraph of an item or a quote goes on without its indentation or its `>`.
        let lazy = self.quoted || column < self.base();
        let was_paragraph = std::mem::replace(&mut self.paragraph, false);
        let was_quoted = std::mem::replace(&mut self.quoted, false);
        let kind = match rest.first() {
            Some(b'#') => match heading_level(rest) {
                Some(_) if in_item => return,
                Some(level) => MarkKind::Heading(level),
                None => {
                    (self.paragraph, self.quoted) = (true, was_quoted);
                    return;
                }
            },
            Some(b'`' | b'~') => return self.open_fence(rest, mark),
            Some(b'-') if rest.trim_ascii_end() == b"---" => MarkKind::Rule,
            // The middle of a conflict is an underline as well: both end the paragraph.
            Some(&byte @ (b'<' | b'=' | b'>' | b'|')) if is_conflict(rest) => MarkKind::Conflict(byte),
            Some(&byte @ (b'-' | b'=')) if was_paragraph && !lazy && is_underline(rest, byte) => return,
            Some(b'-' | b'*' | b'_') if is_thematic_break(rest) => return,
            Some(b'>') => {
                let text = rest.trim_ascii_start().get(1..).unwrap_or_default().trim_ascii_start();
                self.paragraph = text.first().is_some_and(u8::is_ascii_alphabetic);
                return self.quoted = self.paragraph;
            }
            Some(b'<') => return self.open_html(rest, mark.line),
            Some(b'*') if rest.starts_with(b"**") => {
                (self.paragraph, self.quoted) = (true, was_quoted);
                MarkKind::Bold
            }
            Some(b'-' | b'*' | b'+' | b'0'..=b'9') => {
                (self.paragraph, self.quoted) = (was_paragraph, was_quoted);
                let opens = self.interrupts(rest, column);
                (self.paragraph, self.quoted) = (!opens, was_quoted && !opens);
                return if opens {
                    self.list_items(rest, column, mark);
                };
            }
            first => {
                (self.paragraph, self.quoted) = (true, was_quoted);
                if first != Some(&b'|') {
                    return;
                }
                MarkKind::TableRow
            }
        };
        self.outline.marks.push(Mark { kind, ..mark });
    }

    /// A line that begins with list markers: opens their items and looks at the text after them.
    fn list_items(&mut self, mut rest: &[u8], mut column: usize, mark: Mark) {
        // Each marker looks at the rest of the line: a line of nothing but markers must not cost the square of its length.
        for _ in 0..MAX_LIST_DEPTH {
            let Some(marker) = list_marker(rest).filter(|_| !is_thematic_break(rest)) else { break };
            let after = rest.get(marker..).unwrap_or_default();
            let (end, skip) = columns(after, column + marker);
            let spaces = end - column - marker;
            // More than four spaces are one, and the rest is indented code (CommonMark §5.2).
            let gap = if (1..=4).contains(&spaces) && skip < after.len() { spaces } else { 1 };
            column += marker + gap;
            if self.lists.len() < MAX_LIST_DEPTH {
                self.lists.push(column);
            }
            self.paragraph = false;
            rest = match after.get(skip..) {
                Some(_) if spaces > 4 => return,
                inner => inner.unwrap_or_default(),
            };
        }
        match rest.first() {
            Some(b'*') if rest.starts_with(b"**") => {
                self.paragraph = true;
                self.outline.marks.push(mark);
            }
            Some(b'`' | b'~') => self.open_fence(rest, mark),
            // Without its indentation, HTML does not go on.
            Some(b'<') => self.paragraph = html_end(rest).is_none(),
            Some(_) => self.paragraph = heading_level(rest).is_none() && !is_thematic_break(rest),
            None => self.empty_item = true,
        }
    }

    fn open_fence(&mut self, rest: &[u8], mark: Mark) {
        let Some((byte, len)) = opens_fence(rest) else { return self.paragraph = true };
        self.fence = Some(Fence { byte, len, open: mark.line, depth: self.lists.len(), indent: self.base() });
        self.outline.marks.push(Mark { kind: MarkKind::FenceOpen, ..mark });
    }

    fn open_html(&mut self, rest: &[u8], line: Span) {
        let Some(end) = html_end(rest) else { return self.paragraph = true };
        let closed = match end {
            HtmlEnd::At(needle) => rest.get(2..).is_some_and(|rest| memchr::memmem::find(rest, needle).is_some()),
            HtmlEnd::Blank => false,
        };
        if !closed {
            self.html = Some(end);
            self.html_open = line;
        }
    }
}

fn closes(rest: &[u8], fence: Fence) -> bool {
    let len = run(rest, fence.byte);
    len >= fence.len && rest.get(len..).is_some_and(|tail| tail.trim_ascii().is_empty())
}

/// The YAML front matter of `text`.
pub fn front_matter(text: &str) -> Option<Span> {
    let start = bom_len(text);
    Some(Span::new(start, front_matter_end(text, start)?))
}

/// The end of the YAML front matter that starts at `start`: a `---` line, then `key:` on the next, then a closing
/// `---` or `...`.
fn front_matter_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (end, mut at) = line_end(bytes, start);
    if bytes.get(start..end)?.trim_ascii_end() != b"---" {
        return None;
    }
    let mut first = true;
    while at < bytes.len() {
        let (end, next) = line_end(bytes, at);
        let line = bytes.get(at..end)?.trim_ascii_end();
        if !first && matches!(line, b"---" | b"...") {
            return Some(next);
        }
        // A comment may be above the first key; a heading is none unless it suppresses findings.
        if first && line.starts_with(b"# squad-lint:") {
            at = next;
            continue;
        }
        if first {
            let key = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_- ".contains(byte)).count();
            if key == 0 || line.get(key) != Some(&b':') {
                return None;
            }
        }
        first = false;
        at = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headings(text: &str) -> Vec<&str> {
        let outline = scan(text);
        let marks = outline.marks.iter().filter(|mark| matches!(mark.kind, MarkKind::Heading(_)));
        marks.map(|mark| mark.line.of(text)).collect()
    }

    #[test]
    fn headings_in_fences_comments_and_lists_are_text() {
        let text = "# a\n```\n# no\n```\n~~~~\n# no\n~~~\n# no\n~~~~\n<!--\n# no\n-->\n## b\n- item\n  # no\n### c\n";
        assert_eq!(headings(text), ["# a", "## b", "### c"]);
    }

    #[test]
    fn a_fence_in_a_list_item_ends_with_the_item() {
        let text = "1. step\n   ```sh\n   # no\n   ```\n2. step\n\n    - deep\n      ```\n      # no\n\n# a\n";
        assert_eq!(headings(text), ["# a"]);
        assert_eq!(scan(text).unclosed_fence, None);
    }

    #[test]
    fn a_fence_without_end_runs_to_the_end() {
        let text = "# a\n```rust\n# no\n``` rust\n# no\n";
        assert_eq!(headings(text), ["# a"]);
        assert_eq!(scan(text).unclosed_fence.map(|span| span.of(text)), Some("```rust"));
    }

    #[test]
    fn front_matter_is_no_heading_and_no_rule() {
        let text = "\u{feff}---\nname: x\n# comment\n---\n# a\n---\n";
        assert_eq!(headings(text), ["# a"]);
        let rules = scan(text).marks.iter().filter(|mark| mark.kind == MarkKind::Rule).count();
        assert_eq!(rules, 1);
        assert_eq!(scan("---\n\n# a\n---\n").front_matter, None);
    }

    #[test]
    fn every_line_end_counts() {
        assert_eq!(
            headings("# a\r\n# b\r# c\n#d\n####### e\n #f\n  # g\n    # h\n#"),
            ["# a", "# b", "# c", "  # g", "#"]
        );
    }

    #[test]
    fn hostile_nesting_is_bounded() {
        let text = "- ".repeat(10_000) + "x\n# a\n";
        assert_eq!(headings(&text), ["# a"]);
    }
}
