//! What is near a word that was found in a text.

use std::ops::Range;

use crate::text::words::{begins_with, is_in_word};

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

/// `before` without its last letter, the first one of the word that a sign is a part of.
pub fn without_last(before: &str) -> &str {
    let mut letters = before.chars();
    letters.next_back();
    letters.as_str()
}

/// Whether the word around a sign ends a bold label at the start of its line: `- **README convention**: …`.
pub fn is_bold_label(before: &str, after: &str) -> bool {
    let label = before.trim_start_matches([' ', '-', '*', '+']);
    let is_bold = before.contains("**") && !label.contains("**") && words(label).count() <= 3;
    let rest = after.strip_prefix('s').unwrap_or(after);
    is_bold && (rest.starts_with("**:") || rest.starts_with(":**"))
}

/// Whether what comes after a label is more than that there is none: `none`, `N/A`, `no blockers`.
pub fn is_more(after: &str) -> bool {
    let value = after.trim_start_matches(|c| !is_in_word(c));
    !begins_with(value, &["complete", "completed", "done", "n/a", "na", "no", "none", "nothing", "resolved"])
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

/// `**Cross-tenant queries are forbidden outside the admin pages.**`, but not `403 Forbidden`.
pub fn is_ban(before: &str, after: &str) -> bool {
    const LIMITS: [&str; 6] = ["except", "for", "in", "outside", "unless", "without"];
    let is_word = before.strip_suffix('f').is_some_and(|before| !before.ends_with(is_in_word));
    let verb = words(before.get(..before.len().saturating_sub(1)).unwrap_or_default()).next_back();
    let limit = after.trim_start_matches(['*', '_', '`']).strip_prefix(' ');
    let is_status = verb.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    is_word
        && !is_status
        && (matches!(verb, Some("is" | "are")) || limit.is_some_and(|after| begins_with(after, &LIMITS)))
}

/// `**Items (deferred to the next sprint):**`: whether the line is the title of a list.
pub fn is_title_of_list(before: &str, after: &str) -> bool {
    let end = after.trim_end().trim_end_matches(['*', '_']);
    before.trim_start().starts_with("**") && end.ends_with(':')
}

/// `must have failed`: nothing that is to be done.
pub fn is_past(after: &str) -> bool {
    let participle = after.trim_start().strip_prefix("have ").and_then(|rest| words(rest).next());
    participle.is_some_and(|word| word.ends_with("ed") || word == "been")
}

/// `No further action required`: whether nothing is asked for.
pub fn is_none(lead: &str) -> bool {
    words(lead).any(|word| ["no", "not", "without"].iter().any(|no| no.eq_ignore_ascii_case(word)))
}

/// `Do not wait for user input.`
pub fn is_negated(before: &str) -> bool {
    let mut last = words(before).rev().skip(1);
    last.next().is_some_and(|word| ["not", "t", "never", "without"].iter().any(|no| no.eq_ignore_ascii_case(word)))
}
