//! Which parts of a file a change touched.

use std::collections::HashMap;
use std::ops::Range;

use super::Document;
use super::touched::Touched;
use crate::formats::entries::Block;
use crate::formats::markdown::MarkKind;
use crate::text::{Source, Span};

/// The parts of `now` that hold one of the `lines` (counted from 1; an empty range is a place where lines are gone).
/// `before` is the file as it was. With `any_ends`, a difference in line ends alone does not count: git may change them in the work tree.
pub(super) fn touched(now: &Document, before: &Document, lines: &[Range<u32>], any_ends: bool) -> Touched {
    let (source, all) = (&now.source, units(now));
    let mut hit: Vec<Span> = Vec::new();
    for range in lines {
        let start = source.line_start(range.start as usize);
        let changed = if range.is_empty() {
            // Lines that are gone leave a mark on what was before them: its end may be among them.
            Span::new(start.saturating_sub(1), start)
        } else {
            Span::new(start, source.line_start(range.end as usize))
        };
        let first = all.partition_point(|unit| unit.end <= changed.start);
        let touched = all.iter().skip(first).take_while(|unit| unit.start < changed.end);
        hit.extend(
            touched.filter(|unit| hit.last().is_none_or(|last| last.start < unit.start)).copied().collect::<Vec<_>>(),
        );
    }
    if hit.is_empty() {
        return Touched::default();
    }
    let text_of = |unit: &Span, source: &Source| -> String {
        let text = unit.of(source.text()).trim();
        if any_ends { text.replace("\r\n", "\n") } else { text.to_owned() }
    };
    let count = |source: &Source, units: &[Span]| {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for unit in units {
            *counts.entry(text_of(unit, source)).or_default() += 1;
        }
        counts
    };
    let (old, new) = (count(&before.source, &units(before)), count(source, &all));
    hit.retain(|unit| {
        let text = text_of(unit, source);
        !text.is_empty() && old.get(&text).copied().unwrap_or(0) < new.get(&text).copied().unwrap_or(0)
    });
    Touched::of(hit)
}

/// The entries of a file, and its other text from heading to heading, learning to learning or member to member. They
/// tile the file.
fn units(document: &Document) -> Vec<Span> {
    let mut blocks: Vec<Block<'_>> = document.entries.blocks().collect();
    if blocks.is_empty() {
        blocks.push(Block::Prose(Span::new(0, document.source.text().len())));
    }
    let headings = document.entries.outline.marks.iter().filter(|mark| matches!(mark.kind, MarkKind::Heading(_)));
    let mut starts: Vec<u32> = headings.map(|mark| mark.line.start).chain(document.body.part_starts()).collect();
    starts.sort_unstable();
    let mut starts = starts.into_iter().peekable();
    let mut units = Vec::new();
    for block in blocks {
        let (mut start, end) = (block.span().start, block.span().end);
        while let Some(next) = starts.next_if(|next| *next < end) {
            if matches!(block, Block::Prose(_)) && next > start {
                units.push(Span { start, end: next });
                start = next;
            }
        }
        if start < end {
            units.push(Span { start, end });
        }
    }
    units
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bstr::BString;

    use super::*;
    use crate::dialects::squad;
    use crate::git::lines;
    use crate::select::selected::Selected;

    const ONE: &str = "### 2026-02-15T14:32:15-0800: note: one\n\nText.\n\n---\n\n";
    const TWO: &str = "### 2026-02-16T14:32:15-0800: note: two\n\nText.\n\n---\n\n";
    const THREE: &str = "### 2026-02-17T14:32:15-0800: note: three\n\nText.\n\n---\n";

    /// The first lines of what is touched.
    fn touched(before: &str, now: &str) -> Vec<String> {
        let parse = |text: &str| {
            let file = Selected::on_disk("a.md".into(), BString::default(), &squad::DECISIONS, true, false);
            Document::parse(file, Arc::new(Source::new("a.md", text.into())))
        };
        let changed = lines::changed(before.as_bytes(), now.as_bytes());
        let touched = super::touched(&parse(now), &parse(before), &changed, true);
        let first = |span: &Span| {
            span.of(now).lines().next().unwrap_or_default().rsplit(' ').next().unwrap_or_default().to_owned()
        };
        touched.spans().iter().map(first).collect()
    }

    #[test]
    fn the_entries_with_changed_lines() {
        let all = [ONE, TWO, THREE].concat();
        assert_eq!(touched(&all, &all.replacen("Text.", "Other.", 1)), ["one"]);
        assert_eq!(touched(&[ONE, THREE].concat(), &all), ["two"]);
        assert_eq!(touched("", &all), ["one", "two", "three"]);
        assert_eq!(touched(ONE.trim_end(), &[ONE, THREE].concat()), ["three"]);
    }

    #[test]
    fn what_only_moved_or_lost_a_neighbour_is_as_it_was() {
        let all = [ONE, TWO, THREE].concat();
        assert_eq!(touched(&all, &[ONE, THREE].concat()), [""; 0]);
        assert_eq!(touched(&all, &[TWO, ONE, THREE].concat()), [""; 0]);
        assert_eq!(touched(&[ONE, THREE].concat(), &[ONE, ONE, THREE].concat()).len(), 1);
    }

    #[test]
    fn other_line_ends_are_no_difference() {
        let all = [ONE, TWO].concat();
        let with = |text: &str| text.replace('\n', "\r\n");
        assert_eq!(touched(&all, &with(&all)), [""; 0]);
        assert_eq!(touched(&with(&all), &[all.as_str(), THREE].concat()), ["three"]);
        assert_eq!(
            touched(&all, &[with(ONE).as_str(), &with(TWO).replace("Text", "Other"), THREE].concat()),
            ["two", "three"]
        );
    }

    #[test]
    fn an_end_that_is_gone_touches_its_entry() {
        let all = [ONE, TWO].concat();
        assert_eq!(touched(&all, &all.replacen("---\n\n", "", 1)), ["one"]);
    }

    #[test]
    fn prose_is_cut_at_its_headings() {
        let text = "# a\n\nx\n\n## b\n\ny\n\n## c\n\nz\n";
        assert_eq!(touched(text, &text.replace('y', "new")), ["b"]);
        assert_eq!(touched(text, &text.replace("y\n", "")), ["b"]);
    }
}
