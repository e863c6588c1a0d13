//! Orders: a text says of itself that it must not leave. `Do not share`, `not for export`, `keep it to ourselves`.

use super::tag::PROJECTS;
use super::words::{has, is, is_one_of, pieces, words};

/// More words may be a sentence about something else.
pub(super) const MOST: usize = 10;

/// Who the text can belong to.
const OWNERS: [&str; 7] = ["team", "squad", "org", "organization", "organisation", "department", "house"];

/// What leaves, with a word before it that says that it does not: `not for export`.
pub(super) const LEAVES: [&str; 25] = [
    "export",
    "exports",
    "exported",
    "exporting",
    "share",
    "shared",
    "sharing",
    "publish",
    "published",
    "publishing",
    "publication",
    "public",
    "portable",
    "transfer",
    "transferred",
    "transferable",
    "travel",
    "leave",
    "leaves",
    "bundle",
    "bundled",
    "bundling",
    "distribute",
    "distribution",
    "reuse",
];

/// What can be behind it in an order that is about the text: `do not share this outside the team`.
const OBJECTS: [&str; 32] = [
    "this",
    "that",
    "these",
    "those",
    "it",
    "them",
    "what",
    "follows",
    "following",
    "below",
    "outside",
    "anywhere",
    "elsewhere",
    "externally",
    "beyond",
    "with",
    "others",
    "anyone",
    "anybody",
    "outsiders",
    "of",
    "or",
    "and",
    "the",
    "our",
    "please",
    "section",
    "part",
    "entry",
    "note",
    "text",
    "ever",
];

/// Whether `text`, as people read it, has an order that it must not leave: `do not share`, `not for export`, `remove before export`.
pub(super) fn says_order(text: &str) -> bool {
    may_say_order(text) && pieces(text).any(|piece| piece.text.split(',').any(is_order))
}

/// Whether a word of an order can be in `text`. Nearly all lines end here.
pub(super) fn may_say_order(text: &str) -> bool {
    const STARTS: [(&str, u8); 11] = [
        ("other", b'h'),
        ("export", b'x'),
        ("shar", b'h'),
        ("publi", b'b'),
        ("portable", b'b'),
        ("distribut", b'd'),
        ("transfer", b'f'),
        ("travel", b'v'),
        ("leave", b'v'),
        ("bundl", b'b'),
        ("reuse", b'r'),
    ];
    STARTS.into_iter().any(|(start, rare)| has(text, start, rare))
}

/// Whether `word` is one of those who write.
pub(super) fn is_owner(word: &str) -> bool {
    is_one_of(word, &PROJECTS) || is_one_of(word, &OWNERS)
}

/// Whether `text` is an order that it must not leave, and nothing more. Of code, it is said that it does not: `not exported`.
pub(super) fn is_order(text: &str) -> bool {
    const FILLERS: [&str; 32] = [
        "please",
        "note",
        "this",
        "it",
        "that",
        "these",
        "those",
        "they",
        "which",
        "all",
        "everything",
        "following",
        "follows",
        "below",
        "what",
        "rest",
        "section",
        "entry",
        "part",
        "text",
        "content",
        "and",
        "but",
        "so",
        "is",
        "are",
        "be",
        "the",
        "any",
        "meant",
        "intended",
        "strictly",
    ];
    const ORDERS: [&str; 12] =
        ["do", "does", "don", "must", "mustn", "should", "shouldn", "shall", "may", "for", "to", "ever"];
    const REMOVES: [&str; 8] = ["remove", "removed", "delete", "strip", "redact", "drop", "omit", "exclude"];
    let (mut is_not, mut is_ordered, mut is_removed, mut is_away, mut leaves) = (false, false, false, false, false);
    for (count, word) in words(text).enumerate() {
        match () {
            () if count > MOST => return false,
            () if leaves => {
                if !is_one_of(word, &OBJECTS) && !is_one_of(word, &LEAVES) && !is_owner(word) {
                    return false;
                }
            }
            () if is_one_of(word, &LEAVES) || is_ordered && is_one_of(word, &["others", "outsiders"]) => {
                leaves = true;
                if !(is_not && is_ordered || is_removed && is_away) {
                    return false;
                }
            }
            () if is_one_of(word, &["not", "t"]) => is_not = true,
            () if is_one_of(word, &["never", "dont", "cannot"]) => (is_not, is_ordered) = (true, true),
            () if is(word, "no") && is_no_export(text) => return true,
            () if is_one_of(word, &ORDERS) => is_ordered = true,
            () if is_one_of(word, &REMOVES) => is_removed = true,
            () if is_one_of(word, &["from", "before"]) => is_away = true,
            () if is_one_of(word, &FILLERS) => {}
            () => return false,
        }
    }
    leaves
}

/// Whether `text` is `no export` or the like.
fn is_no_export(text: &str) -> bool {
    let mut all = words(text).skip_while(|word| !is(word, "no")).skip(1);
    all.next().is_some_and(|word| is_one_of(word, &["export", "sharing", "publication", "distribution", "reuse"]))
        && all.next().is_none()
}

/// Whether `text` says of itself that it stays with those who write: `stays in this repo`, `keep it to ourselves`.
pub(super) fn stays_here(text: &str) -> bool {
    const STAYS: [&str; 6] = ["stay", "stays", "remain", "remains", "keep", "leaves"];
    const SUBJECTS: [&str; 12] =
        ["this", "it", "that", "these", "those", "they", "which", "all", "everything", "must", "should", "please"];
    const WITH: [&str; 6] = ["in", "inside", "within", "to", "with", "for"];
    let is_here = |piece: &str| {
        let mut all = words(piece).skip_while(|word| is_one_of(word, &SUBJECTS));
        let Some(first) = all.next().filter(|word| is_one_of(word, &STAYS)) else { return false };
        let keeps = is(first, "keep");
        let mut rest = all.skip_while(|word| keeps && is_one_of(word, &["this", "it", "these", "that", "them"]));
        let is_with = rest.next().is_some_and(|word| if keeps { is(word, "to") } else { is_one_of(word, &WITH) });
        let mut place = rest.skip_while(|word| is_one_of(word, &["the", "this", "our"]));
        is_with
            && place.next().is_some_and(|word| is_owner(word) || is_one_of(word, &["us", "ourselves", "yourself"]))
            && place.next().is_none()
    };
    pieces(text).any(|piece| piece.text.split(',').any(is_here))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::bundle::plain::plain;

    #[test]
    fn orders() {
        for text in ["the vault (stays in this repo)", "the vault. Keep it to ourselves."] {
            assert!(stays_here(text), "{text}");
        }
        assert!(!stays_here("Keep it in the repo"));
        for text in [
            "Do not publish: the vault",
            "Not for export: the vault",
            "the vault (do not share)",
            "the vault (never share)",
            "the vault (remove before the export)",
            "the vault. Do not export.",
            "the vault, do not share this",
            "the vault — don't share it outside the team!",
            "the vault. It must not leave the repo.",
            "The rest is not for export.",
            "Do not share what follows.",
            "the vault (no export)",
            "the vault (not for others)",
        ] {
            assert!(says_order(&plain(text)), "{text}");
        }
        for text in [
            "The shell has no exports: it is a program",
            "A constant (not exported) is short",
            "Named exports (not `export *`)",
            "Do not share mutable state",
            "Do not share this object between threads",
            "Never export default components",
            "Helpers must not be exported",
            "Do not leave it half done",
            "Remove exports",
            "Remove exports from the file",
        ] {
            assert!(!says_order(&plain(text)), "{text}");
        }
    }
}
