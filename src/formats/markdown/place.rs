//! What is around one place of a text: a scan of its own, for the few texts in which someone asks.

use super::Scanner;
use super::line::{HtmlEnd, indentation};
use crate::text::{Span, line_end};

/// The lines that hold `word` and are not code: in no fence and no front matter, not indented as code, and inside no comment
/// or script that began on a line above. Each line is without its line end.
pub fn lines_with(text: &str, word: &str) -> Vec<Span> {
    let mut found = Vec::new();
    if memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_none() {
        return found;
    }
    let (mut scanner, mut at) = Scanner::start(text);
    let bytes = scanner.bytes;
    while at < bytes.len() {
        let (end, next) = line_end(bytes, at);
        let html = scanner.html;
        scanner.line(at, end, next);
        let line = bytes.get(at..end).unwrap_or_default();
        let is_text = scanner.fence.is_none()
            && match html {
                Some(HtmlEnd::At(_)) => false,
                Some(HtmlEnd::Blank) => true,
                None => indentation(line).0 < scanner.base() + 4,
            };
        if is_text && memchr::memmem::find(line, word.as_bytes()).is_some() {
            found.push(Span::new(at, end));
        }
        at = next;
    }
    found
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
        let found: Vec<_> = lines_with(text, "x!").iter().map(|line| line.of(text)).collect();
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
