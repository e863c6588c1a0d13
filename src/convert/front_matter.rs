//! The front matter of another document in the midst of a file, where a merge left it.

use crate::formats::legacy::{Meaning, find_date};
use crate::formats::markdown::{Mark, MarkKind};
use crate::text::{Span, lines};

/// Where the front matter of the next document begins in `text`, among the lines of `marks`: keys between two rules, right above a
/// heading, or with an author and a date among them.
pub(super) fn find(text: &str, marks: &[Mark]) -> Option<usize> {
    let signed = |two: &[Mark]| {
        let keys = keys_between(text, two.first()?, two.get(1)?)?;
        let has = |meaning| values(text, keys).any(|(found, _, _)| found == meaning);
        (has(Meaning::Author) && has(Meaning::Date)).then_some(two.first()?.line.start())
    };
    let above = |three: &[Mark]| keys_above(text, three).and_then(|_| Some(three.first()?.line.start()));
    let signed = marks.windows(2).find_map(signed);
    marks.windows(3).find_map(above).into_iter().chain(signed).min()
}

/// A value in the front matter right above the `heading` of an entry, where a merge left it, with its key.
pub(super) fn value<'a>(text: &'a str, marks: &[Mark], heading: Span, meaning: Meaning) -> Option<(&'a str, Span)> {
    let at = marks.partition_point(|mark| mark.line.start() < heading.start());
    let keys = keys_above(text, marks.get(at.checked_sub(2)?..=at)?)?;
    values(text, keys).find(|(found, _, _)| *found == meaning).map(|(_, key, value)| (key, value))
}

/// The lines between the first two of three marks, if they are front matter right above the third one, a heading.
fn keys_above(text: &str, marks: &[Mark]) -> Option<Span> {
    let [open, close, heading] = marks else { return None };
    let gap = Span::new((close.next as usize).min(heading.line.start()), heading.line.start());
    let is_right_above = matches!(heading.kind, MarkKind::Heading(_)) && gap.of(text).trim().is_empty();
    keys_between(text, open, close).filter(|_| is_right_above)
}

/// The lines between two rules, if they are front matter.
fn keys_between(text: &str, open: &Mark, close: &Mark) -> Option<Span> {
    let are_rules = open.kind == MarkKind::Rule && close.kind == MarkKind::Rule;
    let keys = Span::new(open.next as usize, close.line.start().max(open.next as usize));
    (are_rules && is_keys(keys.of(text))).then_some(keys)
}

/// What the lines of front matter say of who and when: the meaning, the key and the value without quotes.
fn values(text: &str, keys: Span) -> impl Iterator<Item = (Meaning, &str, Span)> {
    lines(text, keys).filter_map(move |line| {
        let (key, _) = line.of(text).split_once(": ")?;
        let value = Span::new(line.start() + key.len() + 1, line.end()).trim(text);
        let inner = ['"', '\''].iter().find_map(|quote| value.of(text).strip_prefix(*quote)?.strip_suffix(*quote));
        let value = inner.map_or(value, |inner| Span::new(value.start() + 1, value.start() + 1 + inner.len()));
        let meaning = if key.eq_ignore_ascii_case("created") { Meaning::Date } else { Meaning::of(key) };
        let is_known = match meaning {
            Meaning::Author => true,
            Meaning::Date => find_date(text, value).is_some(),
            _ => false,
        };
        is_known.then_some((meaning, key, value))
    })
}

/// Whether a text has at least two keys with values, a line each, and nothing else.
fn is_keys(text: &str) -> bool {
    let is_key = |line: &str| {
        let (key, value) = line.split_once(": ").unwrap_or_default();
        !value.trim().is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
    };
    text.lines().all(is_key) && text.lines().nth(1).is_some()
}
