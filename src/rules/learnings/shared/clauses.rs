//! The clauses of an entry.

use crate::text::words::is_in_word;

/// What joins a clause to the one before it.
const JOINS: [&str; 4] = ["and", "but", "or", "so"];

/// The rests of `text` from the start of each clause.
pub(super) fn clauses(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.match_indices([':', ';', ',', '.', '!', '?', '(', '-', '\u{2013}', '\u{2014}']);
    let after = ends.filter_map(|(at, mark)| text.get(at + mark.len()..));
    std::iter::once(text).chain(after).map(|rest| {
        let rest = start(rest);
        let word = rest.find(|c| !is_in_word(c)).unwrap_or(rest.len());
        let (first, behind) = rest.split_at(word);
        if JOINS.contains(&first) { start(behind) } else { rest }
    })
}

/// `text` without blanks and emphasis before it.
pub(super) fn start(text: &str) -> &str {
    text.trim_start_matches([' ', '*', '_', '"', '\n', '\r', '\t'])
}
