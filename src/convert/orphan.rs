//! What is below a rule and cannot be of the entry above it: the end of another list, where a merge left it, and the footer of the file.

use crate::formats::markdown::{Mark, MarkKind};
use crate::text::words::begins_with;
use crate::text::{Span, lines};

/// Where, among the lines of `marks` in the `body` of an entry, the rule is above such lines.
pub(super) fn find(text: &str, body: Span, marks: &[Mark]) -> Option<usize> {
    let mut rules = marks.iter().filter(|mark| mark.kind == MarkKind::Rule && body.contains(mark.line));
    let above = rules.find(|rule| is_above(text, body, rule.line.start(), rule.next as usize));
    above.map(|rule| rule.line.start())
}

/// Whether the rule at byte `at`, with the next line at `next`, is above the end of another list or a footer.
fn is_above(text: &str, body: Span, at: usize, next: usize) -> bool {
    let below = Span::new(next.min(body.end()), body.end());
    let mut below = lines(text, below).map(|line| line.of(text)).filter(|line| !line.trim().is_empty());
    let Some(first) = below.next() else { return false };
    if is_footer(first.trim()) {
        return below.next().is_none() && text.get(body.end()..).is_none_or(|rest| rest.trim().is_empty());
    }
    let above = || lines(text, Span::new(body.start(), at)).filter_map(|line| number(line.of(text))).last();
    is_inner_item(first) || number(first).is_some_and(|number| number > 1 && above() != Some(number - 1))
}

/// Where the footer of a file with these marks begins: a rule above its last line, `*Last updated: 2026-03-15*`.
pub fn footer(text: &str, marks: &[Mark]) -> Option<usize> {
    let rule = marks.iter().rev().find(|mark| mark.kind == MarkKind::Rule)?;
    let below = text.get(rule.next as usize..)?.lines().map(str::trim);
    let mut below = below.filter(|line| !line.is_empty());
    (is_footer(below.next()?) && below.next().is_none()).then(|| rule.line.start())
}

/// `*Last updated: 2026-03-15*`
fn is_footer(line: &str) -> bool {
    let inner = line.trim_matches(['*', '_']);
    inner.len() < line.len() && begins_with(inner, &["last updated", "updated"]) && line.ends_with(['*', '_'])
}

/// The number of an item: `3. Events`.
fn number(line: &str) -> Option<u16> {
    let (number, _) = line.split_once(". ").or_else(|| line.split_once(") "))?;
    number.parse().ok()
}

/// Whether `line` is an item of a list that is in another item.
fn is_inner_item(line: &str) -> bool {
    let item = line.trim_start();
    let is_inside = line.starts_with("  ") || line.starts_with('\t');
    is_inside && (item.starts_with("- ") || item.starts_with("* ") || item.starts_with("+ ") || number(item).is_some())
}
