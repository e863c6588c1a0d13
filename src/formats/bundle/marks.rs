//! The lines of a text with their marks: by its sections, its tags, and the blocks that it has.

use super::heading::{
    Heading, LOWEST, Style, alike, is_bare_title, is_item, is_portable_context, is_project_context, is_title, underline,
};
use super::items::{Items, Reach, Reached, tag};
use crate::formats::markdown::{Block, BlockLine, BlockLines};
use crate::text::Span;

/// One line of a text, or a heading of two lines. There can be millions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Its bytes, with the line end.
    pub(super) span: Span,
    /// Its level, if Markdown shows it as a heading; 0 for another line.
    pub(super) level: u8,
    /// What it is marked as, itself or by its section or list item.
    pub(super) reach: Option<Reach>,
    /// Whether the mark is in this line.
    pub(super) has_mark: bool,
    /// What it is in.
    pub(super) place: Place,
}

/// What a line is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A portable item.
    Item,
    /// A block that something closes.
    Block,
    /// None of both.
    Text,
}

/// The marks that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marks {
    /// Sections and tags, in a history.
    All,
    /// The sections `## Project Context` alone.
    ProjectContext,
}

/// The lines of `text`, with what they are marked as.
pub(super) fn lines(text: &str, marks: Marks) -> Vec<Line> {
    let mut reader = Reader {
        text,
        marks,
        lines: Vec::new(),
        items: Items::default(),
        local: None,
        local_before: None,
        portable: None,
        open: None,
        is_title: false,
        was_blank: true,
    };
    BlockLines::of(text).for_each(|line| reader.read(line));
    reader.end_block(false);
    reader.lines
}

/// A block that is open: front matter, a code fence or a comment.
struct OpenBlock {
    /// The number of its first line.
    first: usize,
    /// The number of the first line in it that is marked as local.
    mark: Option<usize>,
    /// Whether something in it looks like a heading: then it may be two blocks that were not closed, with a section between them.
    has_heading: bool,
}

struct Reader<'t> {
    text: &'t str,
    marks: Marks,
    lines: Vec<Line>,
    items: Items,
    /// The local section that is open.
    local: Option<Heading>,
    /// The one that was open before the last line, which can be the title over a line of `-`.
    local_before: Option<Heading>,
    /// The level of the portable section that is open.
    portable: Option<u8>,
    open: Option<OpenBlock>,
    /// Whether a line of `=` makes a heading of the line before.
    is_title: bool,
    was_blank: bool,
}

impl Reader<'_> {
    fn read(&mut self, line: BlockLine) {
        let number = self.lines.len();
        let text = line.line.of(self.text);
        if matches!(line.block, Block::None | Block::Opens) {
            self.end_block(true);
        }
        if line.block == Block::Opens {
            self.open = Some(OpenBlock { first: number, mark: None, has_heading: false });
        }
        let was_title = std::mem::take(&mut self.is_title);
        let was_blank = std::mem::replace(&mut self.was_blank, text.trim().is_empty());
        if !was_blank && self.underlines(&line, was_title) {
            return;
        }
        self.local_before = self.local;
        let heading = match line.heading {
            Some(level) => Some(Heading { level, style: Style::Signs }),
            None => alike(text),
        };
        let mut mark = heading.and_then(|heading| self.begin(heading, text));
        if mark.is_none() && self.names_project(text) {
            self.begin_local(Heading { level: LOWEST, style: Style::Alike });
            mark = Some(Reach::Local);
        }
        let Reached { reach, has_mark, local_from } = match line.block {
            _ if line.heading.is_some() || self.marks == Marks::ProjectContext => Reached::default(),
            Block::None => self.items.read(text, number),
            _ => self.items.pass(text),
        };
        self.add(
            Span::new(line.line.start(), line.next),
            line.heading.unwrap_or_default(),
            reach,
            has_mark || mark.is_some(),
        );
        if let Some(first) = local_from {
            self.make_local(first);
        }
        if let Some(open) = &mut self.open {
            if mark == Some(Reach::Local) || self.marks == Marks::All && tag(text) == Some(Reach::Local) {
                open.mark.get_or_insert(number);
            }
            open.has_heading |= heading.is_some();
        }
        if line.block == Block::Closes {
            self.end_block(true);
        }
        let is_first =
            was_blank || number.checked_sub(1).and_then(|last| self.lines.get(last)).is_some_and(|last| last.level > 0);
        self.is_title =
            is_first && line.block == Block::None && !line.in_list && line.heading.is_none() && is_title(text);
    }

    /// Adds a line that is marked as `reach`, unless its section says otherwise.
    fn add(&mut self, span: Span, level: u8, reach: Option<Reach>, has_mark: bool) {
        let place = if reach == Some(Reach::Portable) { Place::Item } else { Place::Text };
        let reach = match reach {
            _ if self.local.is_some() => Some(Reach::Local),
            None => self.portable.map(|_| Reach::Portable),
            reach => reach,
        };
        self.lines.push(Line { span, level, reach, has_mark, place });
    }

    /// Whether `line` makes a heading of the line before, which is text: then both are one.
    fn underlines(&mut self, line: &BlockLine, was_title: bool) -> bool {
        let Some(level) = underline(line.line.of(self.text)) else { return false };
        let Some(title) = self.lines.last().copied().filter(|title| title.level == 0) else { return false };
        let text = title.span.of(self.text);
        if was_title && line.block == Block::None && !line.in_list {
            self.lines.pop();
            self.local = self.local_before;
            let mark = self.begin(Heading { level, style: Style::Underlined }, text);
            self.add(Span::new(title.span.start(), line.next), level, None, mark.is_some());
            return true;
        }
        if is_item(text) {
            return false;
        }
        // Markdown may show the last line of a longer text so, or nothing: what travels ends here all the same.
        match &mut self.open {
            Some(open) => open.has_heading = true,
            None => self.portable = self.portable.filter(|open| *open < level),
        }
        let is_short = text.split_whitespace().nth(LONGEST).is_none();
        if is_short && self.mark(text) == Some(Reach::Local) {
            self.begin_local(Heading { level, style: Style::Alike });
            let last = self.lines.len() - 1;
            self.make_local(last);
            if let Some(open) = &mut self.open {
                open.mark.get_or_insert(last);
            }
        }
        false
    }

    /// What a title says about its section.
    fn mark(&self, title: &str) -> Option<Reach> {
        match () {
            () if is_project_context(title) => Some(Reach::Local),
            () if self.marks == Marks::All => tag(title),
            () => None,
        }
    }

    /// Whether `line`, which is not a heading, is meant as the title of a local section.
    fn names_project(&self, line: &str) -> bool {
        let is_tagged = self.mark(line) == Some(Reach::Local) && !is_item(line);
        (is_tagged || is_project_context(line)) && is_bare_title(line)
    }

    /// Goes on to a heading, and returns its mark.
    fn begin(&mut self, heading: Heading, title: &str) -> Option<Reach> {
        let Heading { level, style } = heading;
        let is_shown = style != Style::Alike;
        if is_shown {
            self.items = Items::default();
            // A line of `-` below a text can be meant to part it.
            let is_in_doubt = |open: Style| style == Style::Underlined && level == 2 && open != Style::Underlined;
            self.local = self.local.filter(|open| open.level < level || is_in_doubt(open.style));
        }
        // In code, `# …` is a comment.
        if is_shown || level > 1 || self.open.is_none() {
            self.portable = self.portable.filter(|open| *open < level);
        }
        let mark = match self.mark(title) {
            None if level <= 2 && self.marks == Marks::All && is_portable_context(title) => Some(Reach::Portable),
            mark => mark,
        };
        match mark {
            Some(Reach::Local) => {
                // Under `# Project Context` as the title of a history come `## Learnings` and all else.
                let is_title = level == 1 && tag(title) != Some(Reach::Local);
                self.begin_local(Heading { level: if is_title { 2 } else { level }, style });
            }
            Some(Reach::Portable) if is_shown => {
                self.portable = Some(self.portable.map_or(level, |open| open.min(level)));
            }
            _ => return None,
        }
        mark
    }

    /// Begins a local section. The one that is open continues after it, if it is longer.
    fn begin_local(&mut self, heading: Heading) {
        let Heading { level, style } = self.local.unwrap_or(heading);
        self.local = Some(Heading {
            level: level.min(heading.level),
            style: if style == heading.style { style } else { Style::Alike },
        });
    }

    /// Makes all local from the line with the number `first` on.
    fn make_local(&mut self, first: usize) {
        let lines = self.lines.get_mut(first..).unwrap_or_default();
        for line in lines.iter_mut() {
            line.reach = Some(Reach::Local);
        }
        if let Some(first) = lines.first_mut() {
            first.has_mark = true;
        }
    }

    /// Ends the block that is open: what closed it is the last line, or nothing did.
    fn end_block(&mut self, is_closed: bool) {
        let Some(OpenBlock { first, mark, has_heading }) = self.open.take() else { return };
        if !is_closed || has_heading {
            for line in self.lines.iter_mut().skip(first).filter(|line| line.place != Place::Item) {
                line.reach = line.reach.filter(|reach| *reach == Reach::Local);
            }
        }
        for line in self.lines.iter_mut().skip(first).filter(|_| is_closed) {
            line.place = Place::Block;
        }
        if let Some(mark) = mark {
            self.make_local(if is_closed { first } else { mark });
        }
    }
}

/// A longer line is not a title, unless Markdown shows it as one.
const LONGEST: usize = 6;
