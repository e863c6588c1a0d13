//! What is below a rule and cannot be of the entry above it: the end of another list, where a merge left it, and the footer of the file.

use super::subject::{Pattern, matches};
use crate::formats::markdown::{Mark, MarkKind};
use crate::text::{Span, lines};

/// An item of a list that is in another item.
static INNER_ITEM: Pattern = Pattern::new(r"^(?: {2,}|\t)\s*(?:[-*+]|\d{1,3}[.)]) ");

/// An item with a number.
static NUMBERED: Pattern = Pattern::new(r"^(\d{1,3})[.)] ");

/// `*Last updated: 2026-03-15*`
static FOOTER: Pattern = Pattern::new(r"(?i)^[*_]{1,2}(?:last )?updated\b.*[*_]$");

/// Where, among the lines of `marks` in the `body` of an entry, the rule is above such lines.
pub(super) fn find(text: &str, body: Span, marks: &[Mark]) -> Option<usize> {
    let rules = marks.iter().filter(|mark| mark.kind == MarkKind::Rule && body.contains(mark.line));
    rules
        .map(|mark| (mark.line.start(), mark.next as usize))
        .find(|(at, next)| is_above(text, body, *at, *next))
        .map(|(at, _)| at)
}

/// Whether the rule at byte `at`, with the next line at `next`, is above the end of another list or a footer.
fn is_above(text: &str, body: Span, at: usize, next: usize) -> bool {
    let below = Span::new(next.min(body.end()), body.end());
    let mut below = lines(text, below).map(|line| line.of(text)).filter(|line| !line.trim().is_empty());
    let Some(first) = below.next() else { return false };
    if matches(&FOOTER, first.trim()) {
        return below.next().is_none() && text.get(body.end()..).is_none_or(|rest| rest.trim().is_empty());
    }
    let number = |line: &str| NUMBERED.regex()?.captures(line)?.get(1)?.as_str().parse::<u16>().ok();
    let above = || lines(text, Span::new(body.start(), at)).filter_map(|line| number(line.of(text))).last();
    matches(&INNER_ITEM, first) || number(first).is_some_and(|number| number > 1 && above() != Some(number - 1))
}
