//! The short way through most lines.

use super::{Mark, MarkKind, Scanner};
use crate::text::Span;

impl Scanner<'_> {
    /// The short way for most lines: blank ones, and those outside of HTML, or inside a fence, that start with
    /// text, a label or the marker of an item. Does what [`Scanner::line`] would do.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "two loops call it for each line, and a call takes as long as most lines do"
    )]
    pub(super) fn passes_over(&mut self, start: usize, end: usize, next: usize) -> bool {
        let line = self.bytes.get(start..end).unwrap_or_default();
        if let Some(fence) = self.fence {
            return match line.first() {
                None => true,
                Some(&first) => fence.depth == 0 && first > b'#' && first != fence.byte,
            };
        }
        if self.html.is_some() || self.empty_item {
            return false;
        }
        let bold = || Mark { kind: MarkKind::Bold, line: Span::new(start, end), next: Span::at(next).start };
        match line {
            [] => (self.paragraph, self.quoted) = (false, false),
            [first, ..] if first.is_ascii_alphabetic() => self.flush_text(),
            [b'*', b'*', third, ..] if third.is_ascii_alphanumeric() => {
                self.flush_text();
                self.outline.marks.push(bold());
            }
            [b'-', b' ', third, fourth, ..] if third.is_ascii_alphabetic() || *third == b'`' && *fourth != b'`' => {
                self.flush_item();
            }
            [b'-', b' ', b'*', b'*', fifth, ..] if fifth.is_ascii_alphanumeric() => {
                self.flush_item();
                self.outline.marks.push(bold());
            }
            _ => return false,
        }
        true
    }

    /// Text in the first column: what is not the rest of a paragraph in an item ends all lists.
    fn flush_text(&mut self) {
        if !self.paragraph && !self.lists.is_empty() {
            self.lists.clear();
            self.quoted = false;
        }
        self.paragraph = true;
    }

    /// An item with text, its marker in the first column: it ends every list before it and interrupts every paragraph.
    fn flush_item(&mut self) {
        self.lists.clear();
        self.lists.push(2);
        (self.paragraph, self.quoted) = (true, false);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::line_end;

    /// The lists that are open after a line, and what else is.
    type State = (Vec<usize>, [bool; 5]);

    /// The marks of `text`, and what is open after each line.
    fn walked(text: &str, short: bool) -> (Vec<Mark>, Vec<State>) {
        let (mut scanner, mut at) = Scanner::start(text);
        let mut states = Vec::new();
        while at < text.len() {
            let (end, next) = line_end(scanner.bytes, at);
            if !(short && scanner.passes_over(at, end, next)) {
                scanner.line(at, end, next);
            }
            let Scanner { fence, html, lists, paragraph, quoted, empty_item, .. } = &scanner;
            states.push((lists.clone(), [fence.is_some(), html.is_some(), *paragraph, *quoted, *empty_item]));
            at = next;
        }
        (scanner.outline.marks, states)
    }

    proptest! {
        #[test]
        fn the_short_way_leads_to_the_same(
            lines in prop::collection::vec("( {0,5}|[-*>] | {2}- ){0,2}(|a|`b`|-|\\*\\*c\\*\\*|```|~~~|1[.]|#|# d|<!--|-->|<p>|---|===|[|]|é)( e)?", 0..12),
        ) {
            let text = lines.join("\n");
            prop_assert_eq!(walked(&text, true), walked(&text, false));
        }
    }
}
