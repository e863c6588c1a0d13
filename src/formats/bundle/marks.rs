//! The lines of a text with their marks: by its sections, its tags, and the blocks that it has.

use super::claim::{is_about_project, is_claimed, is_claimed_in_sentence};
use super::classified::{Classified, classified};
use super::doubt::{is_in_sentence, said_across, said_strictly};
use super::elements::Elements;
use super::ends::{End, ends};
use super::heading::{
    self, Heading, LONGEST, LOWEST, Style, alike, html_heading, is_bare_title, is_item, is_near_project_title,
    is_portable_context, is_project_context, is_project_title, is_title, names_only_project, underline,
};
use super::html_title::{HtmlTitle, is_only_tag};
use super::items::{Items, Reached};
use super::line::{Line, Marks, OpenBlock, Place};
use super::prefix::Prefix;
use super::tag::{Announced, Reach, Said, announces, said, tag};
use super::titled::{Doubt, Start, doubt, is_doubtful_title};
use super::words::may_say_local;
use super::work;
use crate::formats::markdown::{Block, BlockLine, BlockLines};
use crate::text::Span;

/// The lines of `text`, with what they are marked as.
pub(super) fn lines(text: &str, marks: Marks) -> Vec<Line> {
    let mut reader = Reader {
        text,
        marks,
        // With one place for each line, none is kept for others.
        lines: Vec::with_capacity(memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1),
        items: Items::default(),
        elements: Elements::default(),
        html_title: HtmlTitle::default(),
        back: Vec::new(),
        underlined: 0,
        level: 0,
        before: "",
        local: None,
        local_before: None,
        ranges: 0,
        portable: None,
        is_in_doubt: false,
        open: None,
        is_title: false,
        was_blank: true,
    };
    BlockLines::of(text).for_each(|line| reader.read(line));
    reader.end_block(false);
    reader.end()
}

struct Reader<'t> {
    text: &'t str,
    marks: Marks,
    lines: Vec<Line>,
    items: Items,
    elements: Elements,
    html_title: HtmlTitle,
    /// The lines up to which, and from which on, all is local.
    back: Vec<(usize, usize)>,
    /// The line behind the last one that may make a title of what is before it.
    underlined: usize,
    /// The level of the section that is open; 0 before the first heading.
    level: u8,
    /// The text of the last line, if it may go on.
    before: &'t str,
    /// The local section that is open.
    local: Option<Heading>,
    /// The one that was open before the last line, which can be the title over a line of `-`.
    local_before: Option<Heading>,
    /// How many marks such as `[local]` alone on a line began the local section: as many marks such as `[/local]` end it. 0 if anything
    /// else began it, too.
    ranges: usize,
    /// The level of the portable section that is open.
    portable: Option<u8>,
    /// Whether something that only looks like a heading has ended the portable section.
    is_in_doubt: bool,
    open: Option<OpenBlock>,
    /// Whether a line of `=` makes a heading of the line before.
    is_title: bool,
    was_blank: bool,
}

impl<'t> Reader<'t> {
    fn read(&mut self, line: BlockLine) {
        let number = self.lines.len();
        let text: &'t str = line.line.of(self.text);
        if matches!(line.block, Block::None | Block::Opens) {
            self.end_block(true);
        }
        if line.block == Block::Opens {
            let opening = Prefix::of(text).content().1;
            let (is_comment, is_code) = (opening.starts_with('<'), opening.starts_with(['`', '~']));
            let announces = Announced::Nothing;
            self.open =
                Some(OpenBlock { first: number, is_comment, is_code, mark: None, announces, has_heading: false });
        }
        let was_title = std::mem::take(&mut self.is_title);
        let was_blank = std::mem::replace(&mut self.was_blank, text.trim().is_empty());
        if !was_blank && self.underlines(&line, was_title) {
            return;
        }
        let waited = self.items.waited(text, line.heading.is_some());
        // Of a `team.md`, the rest is about the team.
        let waited = if self.marks == Marks::ProjectContext { Announced::Nothing } else { waited };
        self.begin_range(waited);
        self.local_before = self.local;
        let heading = match line.heading {
            Some(level) => Some(Heading { level, style: Style::Signs }),
            // In code, `# …` is a comment.
            None => alike(text).filter(|_| !self.is_comment(text) || is_project_context(text)),
        };
        let in_html = || html_heading(text).filter(|_| self.marks == Marks::Strict && heading.is_none());
        // In code, it is an example.
        let in_html = if self.is_in_code() { None } else { in_html() };
        if let Some(level) = in_html {
            self.end_portable(level, false);
        }
        let mut mark = heading.and_then(|heading| self.begin(heading, text));
        if self.ends_html_title(&line, number) || mark.is_none() && self.names_project(text) {
            self.announce(Announced::Title);
            mark = Some(Reach::Local);
        }
        let mut said = self.said(text, line.heading.is_some());
        let ended = if self.marks == Marks::ProjectContext { None } else { ends(Prefix::of(text).content().1) };
        // In code, it is an example.
        let is_range = self.local.is_some() && self.ranges > 0 && self.open.is_none();
        // In the text of an item, it is for that item alone.
        let is_in_item =
            |end: End| text.starts_with([' ', '\t']) || !was_blank && !end.is_alone && self.items.is_open();
        let ends_range = is_range && ended.is_some_and(|end| end.reach == Reach::Local && !is_in_item(end));
        if ends_range {
            (said, mark) = (Said::default(), None);
        }
        let Reached { reach, has_mark, local_from, announces: begins } = match line.block {
            _ if line.heading.is_some() => Reached::default(),
            _ if self.marks == Marks::ProjectContext => {
                // Where a title of several lines begins, and what an item reaches that is about the project.
                let reached = match line.block {
                    Block::None => self.items.read(self.text, text, (number, line.line.start()), said),
                    _ => self.items.pass(text),
                };
                let reach = reached.reach.filter(|reach| *reach == Reach::Local);
                // Nothing that it says reaches further: the rest is about the team.
                Reached {
                    reach,
                    has_mark: reached.has_mark && said.is_tagged,
                    announces: Announced::Nothing,
                    ..reached
                }
            }
            Block::None => {
                if let Some(first) = self.elements.read(text, number, said.is_tagged || mark == Some(Reach::Local)) {
                    self.make_local(first, number);
                }
                self.items.read(self.text, text, (number, line.line.start()), said)
            }
            _ => self.items.pass(text),
        };
        self.begin_range(begins);
        if begins.max(waited) != Announced::Nothing {
            mark = Some(Reach::Local);
        }
        self.add(
            Span::new(line.line.start(), line.next),
            line.heading.unwrap_or_default(),
            reach,
            has_mark || mark.is_some(),
        );
        if let Some(first) = local_from {
            self.make_local(first, number);
        }
        self.end_what_ends(ended, number, ends_range);
        if let Some(open) = &mut self.open {
            // In code, `# …` is a comment.
            open.has_heading |= in_html.is_some() || heading.is_some_and(|heading| heading.level > 1 || !open.is_code);
        }
        self.mark_block(number, text, said, mark);
        if line.block == Block::Closes {
            self.end_block(true);
        }
        let is_first =
            was_blank || number.checked_sub(1).and_then(|last| self.lines.get(last)).is_some_and(|last| last.level > 0);
        let is_text = line.block == Block::None && line.heading.is_none();
        self.is_title = is_first && is_text && !line.in_list && is_title(text);
    }

    /// Whether a title in HTML ends on the line that began on another one, and is that of a local section.
    fn ends_html_title(&mut self, line: &BlockLine, number: usize) -> bool {
        if line.block != Block::None {
            self.html_title = HtmlTitle::default();
            return false;
        }
        let text = Prefix::of(line.line.of(self.text)).content().1;
        let title = self.html_title.read(number, text).filter(|(_, title)| self.names_project(title));
        if let Some((first, _)) = title {
            self.make_local(first, number);
        }
        title.is_some()
    }

    /// Marks the block that is open with what the line `number` in it says, and the item with it that it is in.
    fn mark_block(&mut self, number: usize, text: &str, said: Said, mark: Option<Reach>) {
        let Some(open) = &mut self.open else { return };
        let announced = if said.is_local { announces(text) } else { Announced::Nothing };
        let is_said = said.is_alone || announced != Announced::Nothing;
        let is_tagged = said.is_tagged && self.marks != Marks::ProjectContext;
        if is_tagged || !open.is_code && is_said {
            open.mark = Some(open.first);
            open.announces = open.announces.max(announced);
            if let Some(first) = self.items.hold() {
                self.make_local(first, number);
            }
        } else if mark == Some(Reach::Local) || said.is_tagged {
            open.mark.get_or_insert(number);
        }
    }

    /// Ends what the mark on the line `number` ends, and if `ends_range`, a range of lines that is local.
    fn end_what_ends(&mut self, ended: Option<End>, number: usize, ends_range: bool) {
        if let Some(end) = ended.filter(|end| end.reach == Reach::Portable) {
            self.end_portable(0, false);
            self.items.end(Reach::Portable);
            if end.has_behind && self.marks == Marks::Strict {
                self.make_local(number, number);
            }
        } else if ends_range {
            self.ranges -= 1;
            if self.ranges == 0 {
                self.local = None;
                self.items.end(Reach::Local);
            }
        }
    }

    /// What the line `text` says. In doubt, it may go on with the line before.
    fn said(&mut self, text: &'t str, is_heading: bool) -> Said {
        let prefix = Prefix::of(text);
        let (content, is_item) = (prefix.content().1, is_item(prefix.rest));
        let said = match self.marks {
            Marks::ProjectContext => Said::default(),
            Marks::All => {
                let rest = if is_heading || self.is_in_code() { "" } else { content };
                let before = std::mem::replace(&mut self.before, rest);
                let goes_on = !before.is_empty() && !rest.is_empty() && !is_item;
                let said = said(content);
                let is_in_sentence = || goes_on && prefix.quotes == 0 && is_in_sentence(before, rest);
                let said = if said.is_alone && !said.is_tagged && is_in_sentence() {
                    Said { is_alone: false, ..self::said(&[before, rest].join(" ")) }
                } else {
                    said
                };
                let is_across = || {
                    (may_say_local(before) || said.is_local)
                        && goes_on
                        && !is_claimed_in_sentence(before)
                        && is_claimed_in_sentence(&[before, rest].join(" "))
                };
                // In code, words are about other things.
                match if is_in_sentence() { Classified::Nothing } else { classified(rest) } {
                    Classified::Alone => Said { is_tagged: true, is_local: true, is_alone: true },
                    class if class == Classified::Text || is_claimed(rest) || is_across() => {
                        Said { is_tagged: true, is_local: true, ..said }
                    }
                    _ => said,
                }
            }
            Marks::Strict => {
                let rest = if is_heading { "" } else { content };
                let before = std::mem::replace(&mut self.before, rest);
                if !before.is_empty() && !rest.is_empty() && names_only_project(&[before, rest].join(" ")) {
                    self.announce(Announced::Title);
                }
                let start = match () {
                    () if is_item => Start::Item,
                    () if before.is_empty() || is_only_tag(before) => Start::Text,
                    () => Start::Nothing,
                };
                let said = said_across(before, rest, start == Start::Nothing && prefix.quotes == 0);
                match doubt(rest, start) {
                    Doubt::Nothing => said,
                    doubt => Said { is_tagged: true, is_local: true, is_alone: said.is_alone || doubt == Doubt::Title },
                }
            }
        };
        let is_of_project = !said.is_tagged && !is_heading && is_about_project(content, is_item);
        if is_of_project { Said { is_tagged: true, is_local: true, ..said } } else { said }
    }

    /// Whether the last line is in a code block.
    fn is_in_code(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.is_code)
    }

    /// Likewise for a mark that another one can end.
    fn begin_range(&mut self, announced: Announced) {
        if announced == Announced::Nothing {
            return;
        }
        let is_range = announced == Announced::Title && (self.local.is_none() || self.ranges > 0);
        let ranges = self.ranges + 1;
        self.announce(announced);
        self.ranges = if is_range { ranges } else { 0 };
    }

    /// Begins what is local by what a line says that is not a heading.
    fn announce(&mut self, announced: Announced) {
        let level = match announced {
            Announced::Nothing => return,
            Announced::Next => LOWEST,
            // In a `team.md`, the sections below it are about the team.
            Announced::Title if self.marks == Marks::ProjectContext => LOWEST,
            // As the title of a history, it has the sections beside it.
            Announced::Title => self.level.max(2),
            Announced::Following | Announced::Section => self.level,
        };
        self.begin_local(Heading { level, style: Style::Alike });
    }

    /// Adds a line that is marked as `reach`, unless its section says otherwise.
    fn add(&mut self, span: Span, level: u8, reach: Option<Reach>, has_mark: bool) {
        let place = if reach == Some(Reach::Portable) { Place::Item } else { Place::Text };
        let reach = match reach {
            _ if self.local.is_some() || self.elements.is_local() => Some(Reach::Local),
            None => self.portable.map(|_| Reach::Portable),
            reach => reach,
        };
        let is_in_doubt = self.is_in_doubt;
        self.lines.push(Line { span, level, reach, has_mark, place, is_in_doubt });
    }

    /// Whether `line` makes a heading of the line before, which is text: then both are one.
    fn underlines(&mut self, line: &BlockLine, was_title: bool) -> bool {
        let prefix = Prefix::of(line.line.of(self.text));
        let Some(level) = underline(prefix.rest) else { return false };
        let Some(title) = self.lines.last().copied().filter(|title| title.level == 0) else { return false };
        let is_shown = line.block == Block::None && !line.in_list && prefix.quotes == 0 && prefix.column < 4;
        if was_title && is_shown {
            self.lines.pop();
            self.local = self.local_before;
            let mark = self.begin(Heading { level, style: Style::Underlined }, title.span.of(self.text));
            self.add(Span::new(title.span.start(), line.next), level, None, mark.is_some());
            self.underlined = self.lines.len();
            return true;
        }
        let last = self.lines.len() - 1;
        let first = self.items.text_from().unwrap_or(last).max(self.underlined).min(last);
        let start = self.lines.get(first).map_or(title.span.start(), |line| line.span.start());
        let text = Span::new(start, title.span.end()).of(self.text);
        let head = Prefix::of(text);
        if is_item(head.rest) && (head.quotes != prefix.quotes || prefix.column < head.content().0) {
            return false;
        }
        // Markdown may show a text of several lines so, or nothing: what travels ends here all the same.
        self.level = self.level.min(level);
        match &mut self.open {
            Some(open) => open.has_heading = true,
            None => self.end_portable(level, false),
        }
        self.underlined = self.lines.len();
        work::step(text.len());
        // With tags, all lines of the title belong to it; the words are in one place.
        let mut lines = self.lines.iter().skip(first);
        let is_known = self.marks == Marks::ProjectContext && lines.any(|line| line.has_mark);
        let is_shown = is_shown && head.quotes == 0;
        let is_short = || text.split_whitespace().nth(LONGEST).is_none();
        if !is_known && (is_shown || is_short()) && self.mark(text) == Some(Reach::Local) {
            self.begin_local(Heading { level, style: Style::Alike });
            self.make_local(first, last);
            if let Some(open) = &mut self.open {
                open.mark.get_or_insert(first);
            }
        }
        false
    }

    /// What a title says about its section.
    fn mark(&self, title: &str) -> Option<Reach> {
        match self.marks {
            Marks::Strict if said_strictly(title).is_local => Some(Reach::Local),
            Marks::Strict if is_doubtful_title(title) && !self.is_comment(title) => Some(Reach::Local),
            Marks::All | Marks::Strict => heading::mark(title),
            Marks::ProjectContext => is_project_context(title).then_some(Reach::Local),
        }
    }

    /// Whether `line` is a comment in code: `# …`.
    fn is_comment(&self, line: &str) -> bool {
        self.is_in_code() && alike(line).is_some_and(|heading| heading.level == 1)
    }

    /// Whether `line`, which is not a heading, is meant as the title of a local section.
    fn names_project(&self, line: &str) -> bool {
        let is_tagged = || !is_item(line) && is_bare_title(line) && self.mark(line) == Some(Reach::Local);
        is_project_title(line) || self.marks == Marks::Strict && is_near_project_title(line) || is_tagged()
    }

    /// Goes on to a heading, and returns its mark.
    fn begin(&mut self, heading: Heading, title: &str) -> Option<Reach> {
        let Heading { level, style } = heading;
        let is_shown = style != Style::Alike;
        let is_first = self.level == 0;
        if is_shown {
            self.items = Items::default();
            self.level = level;
            // A line of `-` below a text can be meant to part it.
            let is_in_doubt = |open: Style| style == Style::Underlined && level == 2 && open != Style::Underlined;
            self.local = self.local.filter(|open| open.level < level || is_in_doubt(open.style));
            self.ranges = if self.local.is_some() { self.ranges } else { 0 };
        }
        // In code, `# …` is a comment.
        if is_shown || level > 1 || self.open.is_none() {
            self.end_portable(level, is_shown);
        }
        let mark = match self.mark(title) {
            None if self.marks != Marks::ProjectContext && is_portable_context(title) => Some(Reach::Portable),
            mark => mark,
        };
        match mark {
            Some(Reach::Local) => {
                // Under `# Project Context` as the title of a history, its first heading, come `## Learnings` and all else.
                let is_certain = !is_project_context(title) && heading::mark(title).is_some();
                let is_title = is_first && level == 1 && !is_certain && tag(title) != Some(Reach::Local);
                self.begin_local(Heading { level: if is_title { 2 } else { level }, style });
            }
            Some(Reach::Portable) if is_shown => {
                self.portable = Some(self.portable.map_or(level, |open| open.min(level)));
            }
            _ => return None,
        }
        mark
    }

    /// Ends the portable section at a heading of the same or a higher level, whether Markdown shows it as one or not.
    fn end_portable(&mut self, level: u8, is_shown: bool) {
        let was_portable = self.portable.is_some();
        self.portable = self.portable.filter(|open| *open < level);
        self.is_in_doubt = !is_shown && (self.is_in_doubt || was_portable && self.portable.is_none());
    }

    /// Begins a local section. The one that is open continues after it, if it is longer.
    fn begin_local(&mut self, heading: Heading) {
        self.ranges = 0;
        let Heading { level, style } = self.local.unwrap_or(heading);
        self.local = Some(Heading {
            level: level.min(heading.level),
            style: if style == heading.style { style } else { Style::Alike },
        });
    }

    /// Makes all local from the line `first` up to the line `last`, which are marked so.
    fn make_local(&mut self, first: usize, last: usize) {
        self.back.push((last, first));
        if let Some(first) = self.lines.get_mut(first) {
            first.has_mark = true;
        }
    }

    /// Ends the block that is open: what closed it is the last line, or nothing did.
    fn end_block(&mut self, is_closed: bool) {
        let Some(OpenBlock { first, is_comment, mark, announces, has_heading, .. }) = self.open.take() else { return };
        if !is_closed || has_heading {
            for line in self.lines.iter_mut().skip(first).filter(|line| line.place != Place::Item) {
                line.is_in_doubt |= line.reach == Some(Reach::Portable);
                line.reach = line.reach.filter(|reach| *reach == Reach::Local);
            }
        }
        for line in self.lines.iter_mut().skip(first).filter(|_| is_closed) {
            line.place = Place::Block;
        }
        let Some(mark) = mark else { return };
        self.make_local(if is_closed { first } else { mark }, self.lines.len().saturating_sub(1));
        // A comment is about the text around it, and front matter about all of it.
        let opening = self.lines.get(first).map_or("", |line| line.span.of(self.text).trim_start_matches('\u{feff}'));
        if first == 0 && opening.starts_with("---") && self.marks != Marks::ProjectContext {
            self.begin_local(Heading { level: 0, style: Style::Alike });
        } else if is_comment && self.marks != Marks::ProjectContext {
            self.begin_range(announces.max(Announced::Title));
        } else if self.marks == Marks::Strict && announces > Announced::Title {
            self.announce(announces);
        }
    }

    /// The lines with all marks.
    fn end(self) -> Vec<Line> {
        let Self { mut lines, mut back, .. } = self;
        back.sort_unstable();
        let mut from = usize::MAX;
        for (number, line) in lines.iter_mut().enumerate().rev() {
            while let Some((_, first)) = back.pop_if(|(last, _)| *last >= number) {
                work::step(1);
                from = from.min(first);
            }
            if from <= number {
                line.reach = Some(Reach::Local);
            }
        }
        lines
    }
}
