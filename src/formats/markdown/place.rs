//! What is around one place of a text: a scan of its own, for the few texts in which someone asks.

use super::Scanner;
use super::line::{HtmlEnd, indentation};
use crate::text::{Span, bom_len, line_end};

/// The lines that hold `word`, are as `wanted` says, and are not code: in no fence and no front matter, not indented as code, and
/// inside no comment or script that began on a line above. Each line is without its line end.
pub fn lines_with(text: &str, word: &str, wanted: impl Fn(Span) -> bool) -> Vec<Span> {
    let mut lines = holding(text, word);
    lines.retain(|line| wanted(*line));
    let Some(last) = lines.last().map(|line| line.start()) else { return lines };
    let (mut scanner, start) = Scanner::start(text);
    let mut lines = lines.into_iter().skip_while(|line| line.start() < start).peekable();
    let (mut found, mut at) = (Vec::new(), start);
    while at <= last {
        let (end, next) = line_end(scanner.bytes, at);
        let html = scanner.html;
        if !scanner.passes_over(at, end, next) {
            scanner.line(at, end, next);
        }
        if let Some(line) = lines.next_if(|line| line.start() == at) {
            let is_text = scanner.fence.is_none()
                && match html {
                    Some(HtmlEnd::At(_)) => false,
                    Some(HtmlEnd::Blank) => true,
                    None => indentation(line.of(text).as_bytes()).0 < scanner.base() + 4,
                };
            found.extend(is_text.then_some(line));
        }
        at = next;
    }
    found
}

/// The lines that hold `word`, each without its line end.
fn holding(text: &str, word: &str) -> Vec<Span> {
    let (bytes, finder) = (text.as_bytes(), memchr::memmem::Finder::new(word));
    let (mut lines, mut at) = (Vec::new(), 0);
    while let Some(found) = bytes.get(at..).and_then(|rest| finder.find(rest)) {
        let before = bytes.get(..at + found).unwrap_or_default();
        let start = memchr::memrchr2(b'\n', b'\r', before).map_or(bom_len(text), |end| end + 1);
        let (end, next) = line_end(bytes, at + found);
        lines.push(Span::new(start, end));
        at = next;
    }
    lines
}

/// The columns at which the contents of list items begin, asked for from the first line to the last.
pub struct ContentColumns<'a> {
    scanner: Scanner<'a>,
    /// The line that comes next.
    at: usize,
}

impl<'a> ContentColumns<'a> {
    /// Those of `text`.
    pub fn new(text: &'a str) -> Self {
        let (scanner, at) = Scanner::start(text);
        Self { scanner, at }
    }

    /// The column at which the content of the list item that a comment on the line at `place` would be in begins; 0 in
    /// none. A comment is not a text that goes on lazily. `place` does not lie before the one asked for last.
    pub fn at(&mut self, place: usize) -> usize {
        while self.at < place.min(self.scanner.bytes.len()) {
            let (end, next) = line_end(self.scanner.bytes, self.at);
            self.scanner.line(self.at, end, next);
            self.at = next;
        }
        let (column, _) = indentation(self.scanner.bytes.get(self.at..).unwrap_or_default());
        self.scanner.lists.iter().rev().find(|content| **content <= column).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_a_word_are_no_code() {
        let text =
            "---\na: x!\n---\n1 x!\n```x!\nx!\n```\n<!-- x!\nx!\n-->\n    x!\n\n- a\n  ```\n  x!\n2 x!\n<div>\n3 x!\n";
        let found: Vec<_> = lines_with(text, "x!", |_| true).iter().map(|line| line.of(text)).collect();
        assert_eq!(found, ["1 x!", "<!-- x!", "2 x!", "3 x!"]);
    }

    #[test]
    fn a_comment_stands_in_the_item_of_its_column() {
        let text = "- a\n  - b\n    c\n    - d\n\n  e\nf\n";
        let mut columns = ContentColumns::new(text);
        let mut column = |needle: &str| columns.at(text.find(needle).unwrap_or_default());
        assert_eq!([column("- a"), column("  - b"), column("    c"), column("    - d")], [0, 2, 4, 4]);
        assert_eq!([column("  e"), column("f")], [2, 0]);
    }
}
