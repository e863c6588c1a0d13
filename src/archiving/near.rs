//! What is near a word that was found in a text.

use std::ops::Range;

use crate::text::words::is_in_word;

/// So many bytes before and after a word can change what it says. Lines can be very long.
const NEAR: usize = 300;

/// What is before and after the bytes `at` on their line, as far as it is near.
pub fn around(text: &str, at: Range<usize>) -> Option<(&str, &str)> {
    let from = (at.start.saturating_sub(NEAR)..=at.start).find(|from| text.is_char_boundary(*from))?;
    let to = (at.end..=text.len().min(at.end + NEAR)).rev().find(|to| text.is_char_boundary(*to))?;
    let (before, after) = (text.get(from..at.start)?, text.get(at.end..to)?);
    let before = before.get(before.rfind(['\n', '\r']).map_or(0, |end| end + 1)..)?;
    Some((before, after.get(..after.find(['\n', '\r']).unwrap_or(after.len()))?))
}

/// The words of a text.
pub fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c| !is_in_word(c)).filter(|word| !word.is_empty())
}

/// Whether a sentence begins after `before`: `**Rule:** Always …`.
pub fn is_start(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '*', '_', '-', '"']);
    before.is_empty() || before.ends_with(['.', ':', ';', '!', '?', '\u{2013}', '\u{2014}'])
}

/// Whether the word around a sign begins a label of two words at most.
pub fn is_label(before: &str, after: &str) -> bool {
    let label = after.split_once(':').map(|(label, _)| label);
    is_start(before.get(..before.len().saturating_sub(1)).unwrap_or_default())
        && label.is_some_and(|label| words(label).count() <= 2)
}

/// Whether no comma outside parentheses ends a clause in `text`.
pub fn is_one_clause(text: &str) -> bool {
    let mut depth = 0_usize;
    !text.chars().any(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
}

/// Whether a box after `before` is that of an item in a list.
pub fn is_item(before: &str) -> bool {
    let mark = before.trim();
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    matches!(mark, "-" | "*" | "+") || mark.strip_suffix(['.', ')']).is_some_and(is_number)
}
