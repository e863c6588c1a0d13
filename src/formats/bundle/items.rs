//! What the tags of list items, paragraphs and tables reach, line by line. `[local]` reaches all that may belong to it, and `[portable]`
//! only what certainly does.

use super::prefix::Prefix;
use super::tag::{Announced, Reach, Said, announces, tag};
use super::work;
use crate::formats::markdown::line::{heading_level, is_thematic_break, item_marker};

/// An item in so many others is a part of the last one of these: what it costs to look at a line has an end.
const DEEPEST: usize = 64;

/// The list items and the text that are open.
#[derive(Default)]
pub(super) struct Items {
    /// The items, the innermost last.
    open: Vec<Item>,
    text: Option<Text>,
    /// Whether a local text reaches what is right behind it and is no other paragraph: a list, a quotation, a table, code.
    reaches: bool,
    /// How many items were open at one that says that what follows is local, as long as nothing has followed in it, and what it says.
    waits: Option<(usize, Announced)>,
    /// Where the content of the item begins that certainly is portable.
    portable: Option<Place>,
}

/// A place in a quotation, or in none.
#[derive(Clone, Copy)]
struct Place {
    /// The number of `>` before it.
    quotes: usize,
    /// The column behind the last of these.
    column: usize,
}

/// A list item.
struct Item {
    marker: Place,
    /// The column at which its text begins.
    content: usize,
    /// Whether it or one around it is local.
    is_local: bool,
    /// Whether it has ended for Markdown, though what is further to the right than its marker may be meant to be in it.
    is_left: bool,
    /// Its first line.
    first: usize,
}

/// Lines that are one text, in an item or in none.
struct Text {
    kind: Kind,
    quotes: usize,
    /// Its first line, and where that begins.
    first: (usize, usize),
    /// Whether it says that something is local.
    says: bool,
    is_local: bool,
    /// Whether it goes on up to the next blank line, be it HTML: it does not end with the item.
    is_free: bool,
    /// Whether what is before it reaches it, should it turn out to be a table.
    is_reached: bool,
    /// The number of cells in its last line.
    cells: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Paragraph,
    Table,
    Html,
    /// What ends with its line: a comment, a heading in an item or a quotation.
    Line,
    /// Indented code: it goes on behind blank lines.
    Code,
}

/// What begins on a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begins {
    Item,
    Text,
    /// The text of the line before goes on.
    Nothing,
}

/// What a line is by its items and its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reached {
    pub(super) reach: Option<Reach>,
    /// Whether the mark is in this line.
    pub(super) has_mark: bool,
    /// The line from which on all is local up to this one.
    pub(super) local_from: Option<usize>,
    /// What the line says of what is behind it, or of all that is around it.
    pub(super) announces: Announced,
}

impl Items {
    /// What an item said of what follows, if nothing was in it up to `line`, which is not in it, as no heading is. It is asked before the line is
    /// read.
    pub(super) fn waited(&mut self, line: &str, is_heading: bool) -> Announced {
        if self.waits.is_none() || line.trim().is_empty() {
            return Announced::Nothing;
        }
        let prefix = Prefix::of(line);
        if prefix.rest.trim().is_empty() {
            return Announced::Nothing;
        }
        let Some((depth, announced)) = self.waits.take() else { return Announced::Nothing };
        let item = depth.checked_sub(1).and_then(|last| self.open.get(last));
        let is_in = !is_heading && item.is_some_and(|item| is_in(item, &prefix));
        if is_in { Announced::Nothing } else { announced }
    }

    /// Goes on to `line` of a block, which is no Markdown.
    pub(super) fn pass(&mut self, line: &str) -> Reached {
        let prefix = Prefix::of(line);
        self.text = None;
        self.leave(&prefix);
        Reached { reach: self.reach(self.is_local(), &prefix), ..Reached::default() }
    }

    /// Goes on to the line `number` of `text`, which begins at `start`, is no heading and in no block, and says `said`.
    pub(super) fn read(&mut self, text: &str, line: &str, (number, start): (usize, usize), said: Said) -> Reached {
        let prefix = Prefix::of(line);
        if prefix.rest.trim().is_empty() {
            // Within HTML, `>` is a sign as any other.
            let goes_on =
                |text: &Text| text.kind == Kind::Code || text.kind == Kind::Html && prefix.quotes > text.quotes;
            self.text = self.text.take().filter(goes_on);
            self.leave(&prefix);
            let reach = self.reach(self.is_local(), &prefix);
            return Reached { reach, ..Reached::default() };
        }
        let begins = self.enter(&prefix);
        let mut reached = Reached::default();
        let (content, rest) = if begins == Begins::Item { prefix.content() } else { (prefix.column, prefix.rest) };
        match begins {
            Begins::Item => {
                let marker = Place { quotes: prefix.quotes, column: prefix.column };
                let is_local = self.open.last().is_some_and(|item| item.is_local);
                if self.open.len() < DEEPEST {
                    self.open.push(Item { marker, content, is_local, is_left: false, first: number });
                }
                self.begin_text(&prefix, rest, (number, start), true);
            }
            Begins::Text => self.begin_text(&prefix, rest, (number, start), false),
            Begins::Nothing => reached.local_from = self.go_on(&prefix),
        }
        // In an item, it is about all of that.
        let is_row = begins == Begins::Nothing
            && self.text.as_ref().is_some_and(|text| text.kind == Kind::Table)
            && self.open.iter().all(|item| item.is_left);
        if is_row {
            // Of a table, one row alone can be local.
            reached.has_mark = said.is_tagged;
            if said.is_local && announces(rest) == Announced::Section {
                reached.announces = Announced::Section;
            }
        } else {
            let up_to_here = |first: usize| text.get(first..start + line.len()).unwrap_or_default();
            // A paragraph that goes on without its indentation may be meant as another one.
            let is_in = self.open.last().is_some_and(|item| is_in(item, &prefix));
            self.mark(said, rest, up_to_here, is_in || begins == Begins::Item, &mut reached);
        }
        let is_local = self.is_local() || is_row && said.is_tagged;
        reached.reach = self.reach(is_local, &prefix);
        if begins == Begins::Item {
            let tag = tag(rest);
            reached.has_mark |= tag.is_some();
            if self.portable.is_none() && tag == Some(Reach::Portable) {
                self.portable = Some(Place { quotes: prefix.quotes, column: content });
                reached.reach = reached.reach.or(Some(Reach::Portable));
            }
        }
        reached
    }

    /// Makes the item local that the last line is in for Markdown, and returns its first line.
    pub(super) fn hold(&mut self) -> Option<usize> {
        let number = self.open.iter().rposition(|item| !item.is_left)?;
        let held = self.open.get_mut(number..)?;
        for item in &mut *held {
            item.is_local = true;
        }
        held.first().map(|item| item.first)
    }

    /// Ends what is portable, or what a local text reaches behind it.
    pub(super) fn end(&mut self, reach: Reach) {
        match reach {
            Reach::Portable => self.portable = None,
            Reach::Local => (self.reaches, self.waits) = (false, None),
        }
    }

    /// Whether a line that no blank line is before can go on in an item.
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// The first line of the text that is open.
    pub(super) fn text_from(&self) -> Option<usize> {
        self.text.as_ref().map(|text| text.first.0)
    }

    /// Ends what `prefix` is not in, and says what begins behind it.
    fn enter(&mut self, prefix: &Prefix<'_>) -> Begins {
        let marker = item_marker(prefix.rest.as_bytes());
        let parts = is_rule(prefix.rest) && !self.is_deep(prefix, prefix.quotes);
        let goes_on =
            self.text.as_ref().filter(|text| !parts || text.kind == Kind::Html).is_some_and(|text| match text.kind {
                // Without its indentation, a paragraph goes on.
                Kind::Paragraph | Kind::Table => {
                    let begins = marker.is_some_and(|marker| self.interrupts(text, prefix, marker));
                    // So does a quotation without its `>`.
                    let is_quoted = prefix.quotes > text.quotes && !self.is_deep(prefix, text.quotes)
                        || self.open.iter().any(|item| ends_at_quotation(item, prefix));
                    !begins && !is_quoted
                }
                Kind::Html => text.is_free || self.is_in_content(prefix),
                Kind::Line => false,
                Kind::Code => self.is_deep(prefix, prefix.quotes),
            });
        if goes_on {
            return Begins::Nothing;
        }
        self.text = None;
        while self.open.last().is_some_and(|item| !is_in(item, prefix)) {
            work::step(1);
            self.open.pop();
        }
        self.leave(prefix);
        if marker.is_some() && !self.is_deep(prefix, prefix.quotes) { Begins::Item } else { Begins::Text }
    }

    /// Leaves the items that have ended for Markdown. A blank line in the same quotation ends none.
    fn leave(&mut self, prefix: &Prefix<'_>) {
        let is_blank = prefix.rest.trim().is_empty();
        let ends = |item: &Item| !(is_in_content(item, prefix) || is_blank && item.marker.quotes == prefix.quotes);
        for item in self.open.iter_mut().rev().take_while(|item| item.is_left || ends(item)) {
            item.is_left = true;
        }
    }

    /// The column at which the text begins of the innermost item behind so many `>` that `prefix` goes as far as.
    fn base(&self, prefix: &Prefix<'_>, quotes: usize) -> usize {
        let column = prefix.column_in(quotes).unwrap_or_default();
        let items = self.open.iter().rev().filter(|item| item.marker.quotes == quotes && !item.is_left);
        items.map(|item| item.content).find(|content| column >= *content).unwrap_or(usize::from(quotes > 0))
    }

    /// Whether the text behind `prefix` is at least as far to the right as that of the innermost item.
    fn is_in_content(&self, prefix: &Prefix<'_>) -> bool {
        self.open.iter().rfind(|item| !item.is_left).is_none_or(|item| is_in_content(item, prefix))
    }

    /// Whether the content behind so many `>` is so far to the right that it is code.
    fn is_deep(&self, prefix: &Prefix<'_>, quotes: usize) -> bool {
        prefix.column_in(quotes).is_some_and(|column| column >= self.base(prefix, quotes) + 4)
    }

    /// Whether the marker behind `prefix` begins an item in the midst of `text`: in the same item or quotation, only one with the number
    /// 1 and with some text does.
    fn interrupts(&self, text: &Text, prefix: &Prefix<'_>, marker: usize) -> bool {
        if self.is_deep(prefix, prefix.quotes) {
            return false;
        }
        if text.quotes != prefix.quotes || !self.is_in_content(prefix) {
            return true;
        }
        let (sign, behind) = prefix.rest.split_at_checked(marker).unwrap_or_default();
        let is_first = !sign.starts_with(|c: char| c.is_ascii_digit()) || matches!(sign, "1." | "1)");
        is_first && !behind.trim().is_empty()
    }

    /// Begins a text, which is `rest` behind `prefix`.
    fn begin_text(&mut self, prefix: &Prefix<'_>, rest: &str, first: (usize, usize), is_item: bool) {
        let kind = match () {
            () if is_line(rest) => Kind::Line,
            () if is_html(rest) => Kind::Html,
            () if !is_item && self.is_deep(prefix, prefix.quotes) => Kind::Code,
            () => Kind::Paragraph,
        };
        let is_reached = self.reaches;
        // Another paragraph that nothing is said of.
        // `: …` is about the term before it.
        let goes_on = rest.starts_with(['|', ':']);
        if kind == Kind::Paragraph && !is_item && prefix.quotes == 0 && prefix.column == 0 && !goes_on {
            self.reaches = false;
        }
        if kind == Kind::Paragraph && is_rule(rest) {
            // Nothing goes on behind it.
            return;
        }
        let (quotes, cells) = (prefix.quotes, cells(rest));
        self.text = Some(Text { kind, quotes, first, says: false, is_local: false, is_free: false, is_reached, cells });
    }

    /// Goes on to another line of the text. Returns its first line, if it is a table that is reached.
    fn go_on(&mut self, prefix: &Prefix<'_>) -> Option<usize> {
        let rest = prefix.rest;
        let is_free = !self.is_in_content(prefix);
        let text = self.text.as_mut()?;
        if !matches!(text.kind, Kind::Code | Kind::Html) && (is_html(rest) || is_line(rest)) {
            // Some elements begin in the midst of a paragraph.
            text.kind = if is_line(rest) { Kind::Line } else { Kind::Html };
            (text.is_free, text.quotes) = (is_free, prefix.quotes);
            self.leave(prefix);
        }
        let text = self.text.as_mut()?;
        let cells = cells(rest);
        let is_table = text.kind == Kind::Paragraph && cells == text.cells && is_delimiter(rest);
        text.cells = cells;
        if !is_table {
            return None;
        }
        // A head that is local makes all local: see `mark`.
        text.kind = if text.is_local { Kind::Paragraph } else { Kind::Table };
        self.reaches |= text.is_reached;
        text.is_reached.then_some(text.first.0)
    }

    /// Marks what the line `rest` reaches with what it said. `up_to_here` is the text from there up to the end of the line, and `is_in` says
    /// whether the line is in an item by its column.
    fn mark<'t>(
        &mut self,
        said: Said,
        rest: &str,
        up_to_here: impl Fn(usize) -> &'t str,
        is_in: bool,
        reached: &mut Reached,
    ) {
        let Some(text) = self.text.as_mut().filter(|text| text.says || said.is_local) else { return };
        // A text that says so is looked through once, and then each of its other lines.
        let is_title = said.is_alone || said.is_tagged && matches!(text.kind, Kind::Html | Kind::Line);
        let announced = announces(if text.says { rest } else { up_to_here(text.first.1) });
        let announced = if is_title { announced.max(Announced::Title) } else { announced };
        let announces = announced != Announced::Nothing;
        work::step(if text.says { rest.len() } else { up_to_here(text.first.1).len() });
        text.says = true;
        text.is_local |= said.is_tagged || announces;
        if !text.is_local {
            return;
        }
        // The item that it is in for Markdown, or else the last one that it may be meant to be in.
        let number = self.open.iter().rposition(|item| !item.is_left).or(self.open.len().checked_sub(1));
        if let Some([item, inner @ ..]) = number.and_then(|number| self.open.get_mut(number..)) {
            item.is_local = true;
            for item in &mut *inner {
                item.is_local = true;
            }
            reached.local_from = Some(item.first);
            // What is in none for Markdown is about what follows, and `this section` about more than the item.
            if announced == Announced::Section || !is_in || text.is_free || item.is_left || !inner.is_empty() {
                reached.announces = reached.announces.max(announced);
            }
            if announces {
                self.waits = Some((self.open.len(), announced));
            }
        } else {
            self.reaches = true;
            reached.local_from = Some(text.first.0);
            reached.announces = reached.announces.max(announced);
        }
    }

    /// Whether what is open is local.
    fn is_local(&self) -> bool {
        self.reaches
            || self.text.as_ref().is_some_and(|text| text.is_local)
            || self.open.last().is_some_and(|item| item.is_local)
    }

    /// What the line behind `prefix` is marked as. In the portable item it is certainly if it is blank in the same quotation, or indented as far as the text
    /// of that. The first other line ends the item.
    fn reach(&mut self, is_local: bool, prefix: &Prefix<'_>) -> Option<Reach> {
        let is_blank = prefix.rest.trim().is_empty();
        self.portable = self.portable.filter(|place| {
            is_blank && prefix.quotes == place.quotes
                || prefix.column_in(place.quotes).is_some_and(|column| column >= place.column)
        });
        match is_local {
            true => Some(Reach::Local),
            false => self.portable.map(|_| Reach::Portable),
        }
    }
}

/// Whether the text behind `prefix` can be in `item`.
fn is_in(item: &Item, prefix: &Prefix<'_>) -> bool {
    prefix.column_in(item.marker.quotes).is_some_and(|column| column > item.marker.column)
}

/// Whether the text behind `prefix` is at least as far to the right as that of `item`.
fn is_in_content(item: &Item, prefix: &Prefix<'_>) -> bool {
    prefix.column_in(item.marker.quotes).is_some_and(|column| column >= item.content)
}

/// Whether `line` parts the texts around it: `---`.
fn is_rule(line: &str) -> bool {
    line.starts_with(['-', '*', '_']) && is_thematic_break(line.as_bytes())
}

/// Whether a quotation begins on the line that is not in `item`.
fn ends_at_quotation(item: &Item, prefix: &Prefix<'_>) -> bool {
    !item.is_left && prefix.quotes > item.marker.quotes && !is_in_content(item, prefix)
}

/// Whether `line` begins with a comment that ends in it, or is a heading.
fn is_line(line: &str) -> bool {
    line.starts_with("<!--") && line.contains("-->") || heading_level(line.as_bytes()).is_some()
}

/// Whether `line` begins with an element, a comment or the like.
fn is_html(line: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?');
    line.strip_prefix('<').is_some_and(|name| name.starts_with(is_name))
}

/// The number of cells in `line`, if it is a row of a table; 0 for another line.
fn cells(line: &str) -> usize {
    let line = line.trim();
    let inner = line.strip_prefix('|').unwrap_or(line);
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    if line.contains('|') { inner.matches('|').count() + 1 } else { 0 }
}

/// Whether `line` is below the head of a table: `| --- | --- |`.
fn is_delimiter(line: &str) -> bool {
    line.contains('|') && line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}
