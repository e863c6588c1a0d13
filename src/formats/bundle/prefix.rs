//! The signs before the text of a line: blanks, and those of quotations.

use crate::formats::markdown::line::item_marker;

/// The signs before the text of a line.
#[derive(Debug)]
pub(super) struct Prefix<'t> {
    /// The number of `>`.
    pub(super) quotes: usize,
    /// The column at which the text begins, behind the last `>`. As in Markdown, a tab goes on to the next multiple of four columns of
    /// the line.
    pub(super) column: usize,
    /// The text.
    pub(super) rest: &'t str,
    /// The columns at which each `>` is, behind the one before.
    outer: Vec<usize>,
}

impl<'t> Prefix<'t> {
    /// Those of `line`.
    pub(super) fn of(line: &'t str) -> Self {
        let (mut column, mut start, mut outer) = (0, 0, Vec::new());
        let mut rest = line.strip_prefix('\u{feff}').unwrap_or(line);
        loop {
            let mut chars = rest.chars();
            match chars.next() {
                Some(' ') => column += 1,
                Some('\t') => column += 4 - column % 4,
                Some('>') => {
                    outer.push(column - start);
                    column += 1;
                    start = column;
                }
                _ => return Self { quotes: outer.len(), column: column - start, rest, outer },
            }
            rest = chars.as_str();
        }
    }

    /// The column at which the content begins of a quotation behind so many `>`, be it text or the next `>`; `None` if the line is in no
    /// such quotation.
    pub(super) fn column_in(&self, quotes: usize) -> Option<usize> {
        if quotes == self.quotes { Some(self.column) } else { self.outer.get(quotes).copied() }
    }

    /// Where the content of the item begins that begins here: behind the last of its markers. Its column, and the text there.
    pub(super) fn content(&self) -> (usize, &'t str) {
        // Only blanks behind a tab depend on where the line begins; before the marker, there is the place for the `>`.
        let before: usize = self.outer.iter().map(|column| column + 1).sum();
        let (mut column, mut rest) = (before + self.column, self.rest);
        while let Some((marker, text)) =
            item_marker(rest.as_bytes()).and_then(|marker| Some((marker, rest.get(marker..)?)))
        {
            column += marker;
            let mut inner = column;
            let mut chars = text.chars();
            let mut behind = text;
            while let Some(c @ (' ' | '\t')) = chars.next() {
                inner += if c == '\t' { 4 - inner % 4 } else { 1 };
                behind = chars.as_str();
            }
            // Behind more blanks is code, which begins behind the first of them.
            if inner > column + 4 || behind.is_empty() {
                return (column + 1 - before, behind);
            }
            (column, rest) = (inner, behind);
        }
        (column - before, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_behind_tabs_and_quotations() {
        for (line, quotes, column, rest) in [
            ("a", 0, 0, "a"),
            ("  \ta", 0, 4, "a"),
            ("\t a", 0, 5, "a"),
            ("> a", 1, 1, "a"),
            (">\ta", 1, 3, "a"),
            (" > >a", 2, 0, "a"),
            ("\u{feff}> ", 1, 1, ""),
        ] {
            let prefix = Prefix::of(line);
            assert_eq!((prefix.quotes, prefix.column, prefix.rest), (quotes, column, rest), "{line:?}");
        }
        let prefix = Prefix::of("  > x > y");
        assert_eq!((prefix.column_in(0), prefix.column_in(1), prefix.column_in(2)), (Some(2), Some(1), None));
    }

    #[test]
    fn where_the_text_of_an_item_begins() {
        for (line, column, rest) in [
            ("- a", 2, "a"),
            ("  12. a", 6, "a"),
            ("-   a", 4, "a"),
            ("-      a", 2, "a"),
            ("-\ta", 4, "a"),
            ("> - a", 3, "a"),
            ("- - a", 4, "a"),
            ("-", 2, ""),
            ("- > b", 2, "> b"),
        ] {
            assert_eq!(Prefix::of(line).content(), (column, rest), "{line}");
        }
    }
}
