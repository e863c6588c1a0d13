//! What Markdown shows of a history, for tests: by pulldown-cmark, which has nothing in common with the scanner of this project.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// What a history shows by its tags.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// The lines that are in a block with `[local]`, in an item with such a block, below such a heading, or that it announces.
    pub(super) local: BTreeSet<usize>,
    /// The lines that are in an item with `[portable]` in its first text, below a heading with that or below `Portable Context`.
    pub(super) portable: BTreeSet<usize>,
}

/// A block, with the numbers of the blocks around it in the order of the text.
struct Block {
    range: Range<usize>,
    parent: Option<usize>,
    kind: Kind,
    /// What is shown as text, without code, links and HTML.
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Heading(HeadingLevel),
    Item,
    Head,
    Row,
    Table,
    Html,
    Paragraph,
    Code,
    Other,
}

fn blocks(history: &str) -> Vec<Block> {
    let (mut blocks, mut open, mut hidden) = (Vec::<Block>::new(), Vec::new(), 0);
    for (event, range) in Parser::new_ext(history, Options::ENABLE_TABLES).into_offset_iter() {
        let kind = match &event {
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => {
                hidden += 1;
                continue;
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                hidden -= 1;
                continue;
            }
            Event::Start(Tag::Emphasis | Tag::Strong) | Event::End(TagEnd::Emphasis | TagEnd::Strong) => continue,
            Event::Start(Tag::Heading { level, .. }) => Kind::Heading(*level),
            Event::Start(Tag::Item) => Kind::Item,
            Event::Start(Tag::TableHead) => Kind::Head,
            Event::Start(Tag::TableRow) => Kind::Row,
            Event::Start(Tag::Table(_)) => Kind::Table,
            Event::Start(Tag::HtmlBlock) => Kind::Html,
            Event::Start(Tag::Paragraph) => Kind::Paragraph,
            Event::Start(Tag::CodeBlock(_)) => Kind::Code,
            Event::Start(_) => Kind::Other,
            Event::End(_) => {
                open.pop();
                continue;
            }
            Event::Text(text) if hidden == 0 => {
                if let Some(block) = open.last().and_then(|last: &usize| blocks.get_mut(*last)) {
                    block.text.push_str(text);
                }
                continue;
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(block) = open.last().and_then(|last: &usize| blocks.get_mut(*last)) {
                    block.text.push('\n');
                }
                continue;
            }
            _ => continue,
        };
        blocks.push(Block { range, parent: open.last().copied(), kind, text: String::new() });
        open.push(blocks.len() - 1);
    }
    blocks
}

/// The numbers of the lines of `history` in `range`.
fn lines(history: &str, range: &Range<usize>) -> Range<usize> {
    let number = |at: usize| history[..at].matches('\n').count();
    let text = history[range.clone()].trim_end();
    // With a tab before it, a block may begin at the end of the line before.
    let start = range.start + text.len() - text.trim_start().len();
    number(start)..number(range.start + text.len()) + 1
}

/// The innermost block of that kind that the block `number` is or is in.
fn around(blocks: &[Block], mut number: usize, kind: Kind) -> Option<usize> {
    loop {
        if blocks[number].kind == kind {
            return Some(number);
        }
        number = blocks[number].parent?;
    }
}

impl Shown {
    /// What is shown of `history`.
    pub(super) fn of(history: &str) -> Self {
        let blocks = blocks(history);
        let mut shown = Self::default();
        // The section below the heading with that number.
        let section = |number: usize, level: HeadingLevel| {
            let next = blocks[number + 1..]
                .iter()
                .find(|block| matches!(block.kind, Kind::Heading(other) if other <= level) && block.parent.is_none());
            blocks[number].range.start..next.map_or(history.len(), |next| next.range.start)
        };
        // The block behind one, in the same one.
        let next = |number: usize| {
            let block = &blocks[number];
            let behind = blocks[number + 1..].iter();
            behind.take_while(|next| next.range.start < history.len()).find(|next| next.parent == block.parent)
        };
        for (number, block) in blocks.iter().enumerate() {
            let source = &history[block.range.clone()];
            let is_leaf = !matches!(block.kind, Kind::Table | Kind::Other);
            let own_text = match block.kind {
                // Of a tight list, the text is that of the item.
                Kind::Item => &block.text,
                _ if is_leaf => source,
                _ => continue,
            };
            let is_tagged = own_text.contains("[local]");
            if is_tagged {
                let [item, head, row] = [Kind::Item, Kind::Head, Kind::Row].map(|kind| around(&blocks, number, kind));
                let range = match (block.kind, item, head, row) {
                    (Kind::Heading(level), None, ..) if block.parent.is_none() => section(number, level),
                    // A tag in code is about the code.
                    (Kind::Code, ..) => block.range.clone(),
                    (_, Some(item), ..) => blocks[item].range.clone(),
                    (.., Some(head), _) => blocks[blocks[head].parent.unwrap()].range.clone(),
                    (.., Some(row)) => blocks[row].range.clone(),
                    _ => block.range.clone(),
                };
                shown.local.extend(lines(history, &range));
            }
            let is_announcing = matches!(own_text.trim(), "[local]" | "**[local]**" | "<!-- [local] -->")
                || own_text.trim_end().ends_with("[local]:")
                || own_text.contains("following is local");
            let is_text = matches!(block.kind, Kind::Paragraph | Kind::Html);
            let next = next(number).filter(|next| !matches!(next.kind, Kind::Heading(_)));
            if is_announcing
                && is_text
                && let Some(next) = next
            {
                // What ends it can be in the midst of that.
                let source: Vec<&str> = history.lines().collect();
                let ends = |number: &usize| matches!(source.get(*number), Some(&("[/local]" | "<!-- /local -->")));
                shown.local.extend(lines(history, &next.range).take_while(|number| !ends(number)));
            }
        }
        for (number, block) in blocks.iter().enumerate() {
            // The first line of its first text, be it in a paragraph or not.
            let is_first = |inner: &&Block| inner.parent == Some(number) && inner.kind == Kind::Paragraph;
            let first = match block.kind {
                Kind::Item if block.text.is_empty() => blocks.iter().find(is_first).map(|inner| &inner.text),
                _ => Some(&block.text),
            };
            let first = first.and_then(|text| text.lines().next()).unwrap_or_default();
            let is_marked = first.contains("[portable]");
            match block.kind {
                Kind::Item if is_marked => shown.portable.extend(lines(history, &block.range)),
                Kind::Heading(level) if block.parent.is_none() && (is_marked || block.text == "Portable Context") => {
                    shown.portable.extend(lines(history, &section(number, level)));
                }
                Kind::Heading(_) => shown.portable.extend(lines(history, &block.range)),
                _ => {}
            }
        }
        shown
    }
}
