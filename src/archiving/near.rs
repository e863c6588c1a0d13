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
