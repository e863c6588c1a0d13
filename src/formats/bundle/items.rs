//! What the tags of list items, paragraphs and tables reach, line by line. `[local]` reaches all that may belong to it, and `[portable]`
//! only what certainly does.

use super::heading::is_item;

/// Whether a line is about one project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// `## Project Context`, `[local]`.
    Local,
    /// `## Portable Context`, `[portable]`.
    Portable,
}

/// The tag in a line. Of both, `[local]` counts: what is in doubt stays.
pub(super) fn tag(line: &str) -> Option<Reach> {
    memchr::memchr(b'[', line.as_bytes())?;
    let lower = line.to_ascii_lowercase().replace('\\', "");
    let tags = || lower.match_indices('[').filter_map(|(at, _)| lower.get(at + 1..)?.split_once(']'));
    if tags().any(|(tag, _)| tag.trim() == "local") {
        return Some(Reach::Local);
    }
    // `[portable](…)` is a link.
    tags().any(|(tag, rest)| tag == "portable" && !rest.starts_with('(')).then_some(Reach::Portable)
}

/// The list items, the paragraph and the table that are open.
#[derive(Default)]
pub(super) struct Items {
    /// The items, the innermost last.
    open: Vec<Item>,
    paragraph: Option<Paragraph>,
    /// The number of the first line of the table, and whether all of it is local.
    table: Option<(usize, bool)>,
    /// Whether a local paragraph reaches the list, the fence or the quotation after it.
    is_announced: bool,
    /// The item that certainly is portable.
    portable: Option<Portable>,
}

/// A list item.
struct Item {
    indentation: usize,
    is_local: bool,
    /// Its first line.
    first: usize,
}

/// The text that is open, in an item or in none.
struct Paragraph {
    first: usize,
    is_local: bool,
    /// Whether it ends with a colon: what it announces can follow after a blank line.
    announces: bool,
}

/// Where the content of a portable item is.
#[derive(Clone, Copy)]
struct Portable {
    /// The number of `>` before it.
    quotes: usize,
    /// The column at which its text begins.
    content: usize,
}

/// What a line is by its items, its paragraph and its table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reached {
    pub(super) reach: Option<Reach>,
    /// Whether the mark is in this line.
    pub(super) has_mark: bool,
    /// The line from which on all is local up to this one.
    pub(super) local_from: Option<usize>,
}

impl Items {
    /// Goes on to a line of a block, which is not Markdown.
    pub(super) fn pass(&mut self, line: &str) -> Reached {
        self.paragraph = None;
        self.table = None;
        let is_local = self.is_announced || self.open.iter().any(|item| item.is_local);
        reached(is_local, self.is_in_portable(line), false)
    }

    /// Goes on to `line`, which has that number, and is not a heading and in no block.
    pub(super) fn read(&mut self, line: &str, number: usize) -> Reached {
        // In a quotation are items and paragraphs as elsewhere.
        let inner = line.trim_start_matches([' ', '\t', '>']);
        if inner.trim().is_empty() {
            if let Some(paragraph) = self.paragraph.take().filter(|paragraph| paragraph.is_local) {
                self.is_announced &= paragraph.announces;
            }
            self.table = None;
            let is_local = self.is_announced || self.open.iter().any(|item| item.is_local);
            return reached(is_local, self.is_in_portable(line), false);
        }
        let indentation = line.len() - inner.len();
        let (is_item, is_row) = (is_item(inner), inner.starts_with('|'));
        // A paragraph in an item goes on without indentation.
        if self.paragraph.is_none() || is_item || is_row {
            self.open.retain(|item| item.indentation < indentation);
        }
        let tag = tag(line);
        let is_tagged = tag == Some(Reach::Local);
        if !is_row {
            self.table = None;
        }
        let mut local_from = None;
        if is_item {
            self.open.push(Item { indentation, is_local: is_tagged, first: number });
            self.paragraph = Some(Paragraph { first: number, is_local: false, announces: false });
        } else if is_row {
            self.paragraph = None;
            let (first, is_whole) = *self.table.get_or_insert((number, false));
            // What the head of a table says is true of its columns.
            self.table = Some((first, is_whole || is_tagged && first == number));
        } else {
            // Another paragraph that nothing announced.
            self.is_announced &= self.paragraph.is_some() || inner.starts_with('>') || indentation > 0;
            let paragraph =
                self.paragraph.get_or_insert(Paragraph { first: number, is_local: false, announces: false });
            paragraph.announces = announces(inner);
            if is_tagged {
                if let Some(item) = self.open.last_mut() {
                    item.is_local = true;
                    local_from = Some(item.first);
                } else {
                    paragraph.is_local = true;
                    self.is_announced = true;
                    local_from = Some(paragraph.first);
                }
            }
        }
        let of_paragraph = self.paragraph.as_ref().is_some_and(|paragraph| paragraph.is_local);
        let of_table = is_row && (is_tagged || self.table.is_some_and(|(_, is_whole)| is_whole));
        let is_local = of_paragraph || of_table || self.is_announced || self.open.iter().any(|item| item.is_local);
        let is_portable = self.is_in_portable(line) || {
            self.portable = (is_item && tag == Some(Reach::Portable)).then(|| content(line));
            self.portable.is_some()
        };
        let has_mark = is_tagged && (is_item || is_row) || is_item && tag.is_some();
        Reached { local_from, ..reached(is_local, is_portable, has_mark) }
    }

    /// Whether `line` certainly is the content of the portable item: blank, or indented as far as its text. The first other line ends
    /// the item.
    fn is_in_portable(&mut self, line: &str) -> bool {
        let Some(Portable { quotes, content }) = self.portable else { return false };
        let prefix = Prefix::of(line, quotes);
        let is_blank = prefix.rest.trim().is_empty();
        if !is_blank && (prefix.quotes < quotes || prefix.column < content) {
            self.portable = None;
        }
        self.portable.is_some()
    }
}

fn reached(is_local: bool, is_portable: bool, has_mark: bool) -> Reached {
    let reach = if is_local { Some(Reach::Local) } else { is_portable.then_some(Reach::Portable) };
    Reached { reach, has_mark, local_from: None }
}

/// Whether a text that ends with `line` says that something follows: `The keys [local]:`, `The keys: [local]`.
fn announces(line: &str) -> bool {
    let text = line.trim_end();
    let tag = text.strip_suffix(']').and_then(|text| text.rfind('['));
    let text = tag.and_then(|at| text.get(..at)).unwrap_or(text);
    text.trim_end_matches([' ', '*', '_', '`', '\\']).ends_with(':')
}

/// The signs before the text of a line.
struct Prefix<'t> {
    quotes: usize,
    /// The column at which the text begins.
    column: usize,
    rest: &'t str,
}

impl<'t> Prefix<'t> {
    /// Those of `line`: blanks, and at most so many `>`.
    fn of(line: &'t str, most: usize) -> Self {
        let mut prefix = Self { quotes: 0, column: 0, rest: line };
        loop {
            let mut rest = prefix.rest.chars();
            match rest.next() {
                Some(' ') => prefix.column += 1,
                Some('\t') => prefix.column += 4 - prefix.column % 4,
                Some('>') if prefix.quotes < most => {
                    prefix.quotes += 1;
                    prefix.column += 1;
                }
                _ => return prefix,
            }
            prefix.rest = rest.as_str();
        }
    }
}

/// Where the content of the item on `line` begins: after the last of its markers.
fn content(line: &str) -> Portable {
    let Prefix { quotes, mut column, mut rest } = Prefix::of(line, usize::MAX);
    while is_item(rest) {
        let text = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let text = text.get(1..).unwrap_or_default();
        let marker = column + rest.len() - text.len();
        column = marker;
        let mut blanks = text.chars();
        let mut inner = text;
        while let Some(c @ (' ' | '\t')) = blanks.next() {
            column += if c == '\t' { 4 - column % 4 } else { 1 };
            inner = blanks.as_str();
        }
        // Behind more blanks is code, which begins after the first of them.
        if column > marker + 4 || inner.is_empty() {
            return Portable { quotes, content: marker + 1 };
        }
        rest = inner;
    }
    Portable { quotes, content: column }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags() {
        for line in ["- [local] x", "[ Local ]", "\\[local\\]", "[portable] [local]", "`[local]`"] {
            assert_eq!(tag(line), Some(Reach::Local), "{line}");
        }
        assert_eq!(tag("- [Portable]: x"), Some(Reach::Portable));
        for line in ["- local", "[locale]", "[portable](https://a.b)", "- [x] portable", "["] {
            assert_eq!(tag(line), None, "{line}");
        }
    }

    #[test]
    fn where_the_text_of_an_item_begins() {
        for (line, quotes, column) in [
            ("- a", 0, 2),
            ("  12. a", 0, 6),
            ("-   a", 0, 4),
            ("-      a", 0, 2),
            ("-\ta", 0, 4),
            ("> - a", 1, 4),
            ("- - a", 0, 4),
        ] {
            let found = content(line);
            assert_eq!((found.quotes, found.content), (quotes, column), "{line}");
        }
    }
}
