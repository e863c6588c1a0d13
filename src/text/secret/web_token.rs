//! JSON web tokens.

use super::letters::letters;
use super::random::{is_example, is_random};

/// The longest part that is read, in letters.
const LONGEST_PART: usize = 8_000;

/// `{"alg":"HS256"}`, the shortest first part, has so many letters. A signature has more.
const SHORTEST: usize = 20;

/// Where the first part ends of what begins at `at`, and where all of it ends if it is a token of three parts.
pub fn web_token(text: &[u8], at: usize) -> (usize, Option<usize>) {
    match part(text, at) {
        Some((header, end)) => {
            (end, Some(header).filter(|header| header.len() >= SHORTEST).and_then(|_| rest(text, end)))
        }
        None => (at, None),
    }
}

/// The end of the second and the third part, with a dot before each.
fn rest(text: &[u8], at: usize) -> Option<usize> {
    let dot = |at: usize| (text.get(at) == Some(&b'.')).then_some(at + 1);
    let (payload, payload_end) = part(text, dot(at)?)?;
    let (signature, end) = part(text, dot(payload_end)?)?;
    let is_real = payload.starts_with("eyJ") && signature.len() >= SHORTEST && is_random(&signature);
    (is_real && !is_example(&payload) && !is_example(&signature)).then_some(end)
}

/// The letters of the part at `at`, and where they end.
fn part(text: &[u8], at: usize) -> Option<(String, usize)> {
    let is = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let (mut part, ends) = letters(text, at, is, LONGEST_PART);
    // What Markdown has after it.
    part.truncate(part.trim_end_matches(['_', '-']).len());
    ends.get(part.len().checked_sub(1)?).map(|end| (part, *end))
}
