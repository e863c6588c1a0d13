//! What of a history travels: by its sections and tags (`docs/formats/portable-squads.md`, "Histories").

use super::heading::{Heading, PROJECT_CONTEXT, headings, is_item};
use crate::formats::markdown::{self, MarkKind};
use crate::text::Span;

/// Whether a line is about one project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// `## Project Context`, `[local]`.
    Local,
    /// `## Portable Context`, `[portable]`.
    Portable,
}

/// One line of a history.
struct Line {
    /// Its bytes, with the line end.
    span: Span,
    /// Its level, if it is a heading.
    heading: Option<u8>,
    /// What it is marked as, itself or by its section or list item.
    reach: Option<Reach>,
    /// Whether the mark is in this line.
    has_mark: bool,
}

/// `history` without what is marked as local. The rest keeps its bytes.
pub fn without_local(history: &str) -> String {
    let lines = lines(history);
    let kept = lines.iter().filter(|line| line.reach != Some(Reach::Local));
    kept.map(|line| line.span.of(history)).collect()
}

/// What of `history` is marked as portable, under its headings; empty if nothing is.
pub fn only_portable(history: &str) -> String {
    let lines = lines(history);
    let mut kept = vec![false; lines.len()];
    // The heading above what is kept is kept: those up to this level are above it.
    let mut above = 0;
    for (line, kept) in lines.iter().zip(&mut kept).rev() {
        let is_blank = line.span.of(history).trim().is_empty();
        *kept = match (line.reach, line.heading) {
            _ if is_blank => false,
            (Some(Reach::Portable), heading) => {
                above = heading.unwrap_or(u8::MAX);
                true
            }
            (_, Some(level)) if level < above => {
                above = level;
                true
            }
            _ => false,
        };
    }
    let mut text = String::new();
    let mut was_kept = false;
    for (line, kept) in lines.iter().zip(kept) {
        let line_text = line.span.of(history);
        let is_blank = line_text.trim().is_empty();
        // A blank line parts what is kept.
        if kept || is_blank && was_kept {
            text.push_str(line_text);
        }
        was_kept = kept;
    }
    let end = text.trim_end().len();
    let line_end = text.get(end..).filter(|rest| rest.starts_with("\r\n")).map_or("\n", |_| "\r\n");
    text.truncate(end);
    if !text.is_empty() {
        text.push_str(line_end);
    }
    text
}

/// The parts of `history` that are marked as local: of each the line with the mark, and all of it.
pub(super) fn local(history: &str) -> Vec<(Span, Span)> {
    let mut found: Vec<(Span, Span)> = Vec::new();
    let mut was_local = false;
    for line in lines(history) {
        let is_local = line.reach == Some(Reach::Local);
        match found.last_mut().filter(|_| was_local && !line.has_mark) {
            Some((_, whole)) if is_local => *whole = Span::new(whole.start(), line.span.end()),
            _ if is_local => {
                let first = line.span.of(history).lines().next().unwrap_or_default();
                let mark = Span::new(line.span.start(), line.span.start() + first.len());
                found.push((mark.trim(history), line.span));
            }
            _ => {}
        }
        was_local = is_local;
    }
    found
}

/// The lines of `history`, with what they are marked as. A heading of two lines is one of them.
fn lines(history: &str) -> Vec<Line> {
    let marks = markdown::scan(history).marks;
    let mut fences =
        marks.iter().filter(|mark| matches!(mark.kind, MarkKind::FenceOpen | MarkKind::FenceClose)).peekable();
    let mut headings = headings(history).into_iter().peekable();
    let mut lines = Vec::new();
    let mut in_fence = false;
    // The level and the mark of the sections that are open, the innermost last.
    let mut sections: Vec<(u8, Option<Reach>)> = Vec::new();
    let mut items = Items::default();
    let mut at = 0;
    let mut line_ends = history.split_inclusive('\n').map(str::len);
    while let Some(len) = line_ends.next() {
        let start = at;
        at += len;
        while let Some(mark) = fences.next_if(|mark| mark.line.start() < at) {
            in_fence = mark.kind == MarkKind::FenceOpen;
        }
        let heading = headings.next_if(|heading| heading.span.start() < at);
        if heading.is_some_and(|heading| heading.span.end() > at) {
            at += line_ends.next().unwrap_or_default();
        }
        let span = Span::new(start, at);
        let text = span.of(history);
        let mut mark = None;
        if let Some(heading) = heading {
            let level = heading.level;
            sections.retain(|(open, _)| *open < level);
            let reach = of_heading(&heading, history);
            mark = reach;
            // Under `# Project Context` as the title of a history come `## Learnings` and all else: it ends at the next heading.
            let is_title = level == 1 && reach.is_some() && tag(text).is_none();
            sections.push((if is_title { LOWEST } else { level }, reach));
            items = Items::default();
        } else if in_fence || is_fence(text) {
            items.paragraph = None;
        } else {
            mark = items.read(text, lines.len());
            // The mark can be behind the first line of an item or a paragraph: what is in doubt stays as a whole.
            if let Some(first) = items.local_from.take().and_then(|first| lines.get_mut(first..)) {
                first.iter_mut().for_each(|line: &mut Line| line.reach = Some(Reach::Local));
                match first.first_mut() {
                    Some(first) => first.has_mark = true,
                    None => mark = Some(Reach::Local),
                }
            }
        }
        let of_sections = sections.iter().filter_map(|(_, reach)| *reach);
        let of_row = mark.filter(|_| items.paragraph.is_none());
        let of_items = items.open.iter().filter_map(|item| item.reach).chain(items.of_paragraph()).chain(of_row);
        let mut reaches = of_sections.chain(of_items);
        let is_local = reaches.clone().any(|reach| reach == Reach::Local);
        let reach = if is_local { Some(Reach::Local) } else { reaches.next_back() };
        lines.push(Line { span, heading: heading.map(|heading| heading.level), reach, has_mark: mark.is_some() });
    }
    lines
}

/// The list items and the paragraph that are open.
#[derive(Default)]
struct Items {
    /// The items, the innermost last.
    open: Vec<Item>,
    /// The first line of the paragraph, and whether it is local; `None` behind a blank line, a fence or a row of a table.
    paragraph: Option<(usize, bool)>,
    /// The line from which on all is local up to the current one.
    local_from: Option<usize>,
}

/// A list item.
struct Item {
    indentation: usize,
    reach: Option<Reach>,
    /// Its first line.
    first: usize,
}

impl Items {
    /// Goes on to `line`, which has that number and is no heading and in no fence. Returns its mark.
    fn read(&mut self, line: &str, number: usize) -> Option<Reach> {
        // In a quotation are items and paragraphs as elsewhere.
        let inner = line.trim_start_matches([' ', '\t', '>']);
        let indentation = line.len() - inner.len();
        if inner.trim().is_empty() {
            self.paragraph = None;
            return None;
        }
        let (is_item, is_row) = (is_item(inner), inner.starts_with('|'));
        // A paragraph in an item goes on without indentation.
        if self.paragraph.is_none() || is_item || is_row {
            self.open.retain(|item| item.indentation < indentation);
        }
        if is_item {
            let reach = tag(line);
            self.open.push(Item { indentation, reach, first: number });
            self.paragraph = Some((number, false));
            return reach;
        }
        let is_local = tag(line) == Some(Reach::Local);
        if is_row {
            self.paragraph = None;
            return is_local.then_some(Reach::Local);
        }
        let (first, _) = *self.paragraph.get_or_insert((number, false));
        if is_local {
            match self.open.last_mut() {
                Some(item) => {
                    item.reach = Some(Reach::Local);
                    self.local_from = Some(item.first);
                }
                None => {
                    self.paragraph = Some((first, true));
                    self.local_from = Some(first);
                }
            }
        }
        None
    }

    fn of_paragraph(&self) -> Option<Reach> {
        self.paragraph.filter(|(_, is_local)| *is_local).map(|_| Reach::Local)
    }
}

/// Whether a fence closes on `line`.
fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

/// The lowest level of a heading.
const LOWEST: u8 = 6;

/// What a heading says of its section.
fn of_heading(heading: &Heading, history: &str) -> Option<Reach> {
    match () {
        () if heading.level <= 2 && heading.is_called(history, PROJECT_CONTEXT) => Some(Reach::Local),
        () if heading.level <= 2 && heading.is_called(history, ["portable", "context"]) => Some(Reach::Portable),
        () => tag(heading.line.of(history)),
    }
}

/// The tag in a line. Of both, `[local]` counts: what is in doubt stays.
fn tag(line: &str) -> Option<Reach> {
    let lower = line.to_ascii_lowercase();
    match () {
        () if lower.contains("[local]") => Some(Reach::Local),
        () if lower.contains("[portable]") => Some(Reach::Portable),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HISTORY: &str = "# History of Keaton\n\nText.\n\n## Portable Context\n\n- Small changes\n- [local] Port 3000\n  and 3001\n\n\
                           ## Project Context\n\n- Rust\n\n### More\n\nText.\n\n## Learnings\n\n- [portable] Tests first\n  always\n- Other\n";

    #[test]
    fn what_is_local_stays() {
        assert_eq!(
            without_local(HISTORY),
            "# History of Keaton\n\nText.\n\n## Portable Context\n\n- Small changes\n## Learnings\n\n- [portable] Tests first\n  always\n- Other\n"
        );
        let plain = "# History\r\n\r\n- One\r\n```\n[local]\n## Project Context\n```\n- Two [portable]";
        assert_eq!(without_local(plain), plain);
    }

    #[test]
    fn a_title_ends_at_the_next_heading() {
        let history = "# Project Context\n\n- **Owner:** Brady\n\n## Learnings\n\n- One\n\n## Updates\n\nText.\n";
        assert_eq!(without_local(history), "## Learnings\n\n- One\n\n## Updates\n\nText.\n");
        let tagged = "# Verbal [local]\n\n## Learnings\n\n- One\n";
        assert_eq!(without_local(tagged), "");
    }

    #[test]
    fn a_title_over_a_line_is_a_heading() {
        let history =
            "# A\n\nProject Context:\n----------------\n\n- Rust\n\nLearnings\n---------\n\n- [portable] One\n- Two\n";
        assert_eq!(without_local(history), "# A\n\nLearnings\n---------\n\n- [portable] One\n- Two\n");
        assert_eq!(only_portable(history), "# A\n\nLearnings\n---------\n\n- [portable] One\n");
    }

    #[test]
    fn parts_that_are_local() {
        let found: Vec<_> =
            local(HISTORY).iter().map(|(mark, whole)| (mark.of(HISTORY), whole.of(HISTORY).len())).collect();
        assert_eq!(found, [("- [local] Port 3000", 32), ("## Project Context", 45)]);
        let text = "- [local] A\n- B\n- [local] C\n  c\n";
        let found: Vec<_> = local(text).iter().map(|(_, whole)| whole.of(text)).collect();
        assert_eq!(found, ["- [local] A\n", "- [local] C\n  c\n"]);
    }

    #[test]
    fn an_item_in_another_one_can_be_local() {
        for history in [
            "- Deploys\n  - [local] In the vault\n    and below\n  - Daily\n- Tests\n",
            "1. Deploys\n   1. [local] In the vault\n\n      and below\n   2. Daily\n2. Tests\n",
            "- Deploys\n\t- [local] In the vault\n\t- Daily\n- Tests\n",
        ] {
            let left = without_local(history);
            assert!(!left.contains("vault") && !left.contains("below"), "{left}");
            assert!(left.contains("Deploys") && left.contains("Daily") && left.contains("Tests"), "{left}");
        }
        assert_eq!(without_local("- [local] A\n  - B [portable]\n- C\n"), "- C\n");
        assert_eq!(only_portable("## [portable]\n\n- A\n  - [local] B\n"), "## [portable]\n\n- A\n");
    }

    #[test]
    fn a_mark_in_a_quotation_a_table_or_a_paragraph_counts() {
        for (history, left) in [
            ("> - The vault [local]\n>   and below\n> - Daily\n", "> - Daily\n"),
            ("> Daily\n\n> The vault\n> and below [local]\n\nTests\n", "> Daily\n\n\nTests\n"),
            ("| a | b |\n| --- | --- |\n| vault | [local] |\n| c | d |\n", "| a | b |\n| --- | --- |\n| c | d |\n"),
            ("The vault [local]\nand below\n\nTests\n", "\nTests\n"),
            ("- The vault [local]\nand below\n- Daily\n", "- Daily\n"),
            ("- The vault\n  and below [local]\n\n  and more\n- Daily\n", "- Daily\n"),
            ("- Deploys\n  - The vault\n    and below [local]\n  - Daily\n", "- Deploys\n  - Daily\n"),
            ("- [local] A\n  > and below\n- Daily\n", "- Daily\n"),
            ("- A\n```\n[local]\n```\nB\n", "- A\n```\n[local]\n```\nB\n"),
        ] {
            assert_eq!(without_local(history), left, "{history:?}");
            let parts: Vec<_> = local(history).iter().map(|(_, whole)| whole.of(history).len()).collect();
            assert_eq!(parts.iter().sum::<usize>(), history.len() - left.len(), "{history:?}: {parts:?}");
        }
    }

    #[test]
    fn only_what_is_portable_travels() {
        assert_eq!(
            only_portable(HISTORY),
            "# History of Keaton\n\n## Portable Context\n\n- Small changes\n## Learnings\n\n- [portable] Tests first\n  always\n"
        );
        assert_eq!(only_portable("# History\n\n- One\n\n## Two\n\nText.\n"), "");
        assert_eq!(only_portable("# A\n\n## B [portable]\n\nx\n\n## C\n\ny\n"), "# A\n\n## B [portable]\n\nx\n");
    }
}
