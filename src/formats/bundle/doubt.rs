//! What raises a doubt whether a text is portable: words with which it says that it belongs to one project, or is not for others.

use super::heading::is_project_context;
use super::plain::plain;
use super::says::{is_stressed, names_one, says_mark};
use super::tag::{PROJECTS, Said, denies, ends_clause, is_called, names_place, said};
use super::words::{is, is_one_of, words, words_at};

/// What `text` says, if a doubt counts as a tag. It is read as people see it and as it is written, so that no markup hides a word.
pub(super) fn said_strictly(text: &str) -> Said {
    let shown = plain(text);
    let (one, other) = (said(&shown), said(text));
    let is_alone = one.is_alone || other.is_alone;
    let is_doubtful = one.is_local || other.is_local || raises_doubt(&shown) || is_in_markup(text) || is_stressed(text);
    Said { is_tagged: is_doubtful, is_local: is_doubtful, is_alone }
}

/// Likewise for `text` behind `before`, the line that it may go on with: words of both together count. If it `is_same`, a part of the same
/// text, a word at its start can be one in the midst of a sentence, and no mark: `keep the state`, `local.`
pub(super) fn said_across(before: &str, text: &str, is_same: bool) -> Said {
    let said = said_strictly(text);
    let is_in_sentence = is_same && is_in_sentence(before, text);
    if said.is_local && !is_in_sentence || before.is_empty() || said_strictly(before).is_local {
        return said;
    }
    Said { is_alone: false, ..said_strictly(&[before, text].join(" ")) }
}

/// Whether the word at the start of `text` is one that the sentence in `before` goes on with: after `is`, or what one keeps or makes so.
pub(super) fn is_in_sentence(before: &str, text: &str) -> bool {
    const GOES_ON: [&str; 30] = [
        "is", "are", "be", "was", "were", "stay", "stays", "remain", "remains", "and", "or", "but", "not", "than",
        "as", "in", "the", "a", "an", "of", "for", "with", "on", "very", "more", "any", "each", "every", "from", "use",
    ];
    const KEEPS: [&str; 8] = ["keep", "keeps", "keeping", "kept", "make", "makes", "making", "made"];
    let sentence = before.rsplit(['.', '!', '?', ':', ';', '(', '—', '–']).next().unwrap_or_default();
    let last = words(sentence).last().unwrap_or_default();
    text.starts_with(char::is_lowercase)
        && before.ends_with(char::is_alphanumeric)
        && (is_one_of(last, &GOES_ON) || words(sentence).any(|word| is_one_of(word, &KEEPS)))
}

/// Pairs of words with which a text says that it is about one project.
const OF_ONE_PROJECT: [[&str; 2]; 24] = [
    ["scope", "project"],
    ["not", "portable"],
    ["non", "portable"],
    ["longer", "portable"],
    ["t", "portable"],
    ["formerly", "portable"],
    ["previously", "portable"],
    ["was", "portable"],
    ["never", "portable"],
    ["un", "portable"],
    ["not", "transferable"],
    ["internal", "use"],
    ["project", "only"],
    ["repo", "only"],
    ["project", "specific"],
    ["repo", "specific"],
    ["repository", "specific"],
    ["codebase", "specific"],
    ["app", "specific"],
    ["site", "specific"],
    ["company", "specific"],
    ["only", "here"],
    ["here", "only"],
    ["stays", "here"],
];

/// Words for what is not for others, as a label, or said of a text.
const NOT_FOR_OTHERS: [&str; 7] =
    ["local", "private", "internal", "confidential", "secret", "proprietary", "sensitive"];

/// Whether `text`, as people read it, is perhaps about one project: `Local: …`, `(local)`, `not portable`, `in this project`, `[private]`.
fn raises_doubt(text: &str) -> bool {
    is_project_context(text) || says_pair(text) || has_label(text) || is_denied(text) || says_mark(text)
}

/// Whether `text` says `portable: no`.
fn is_denied(text: &str) -> bool {
    let mut portable = words_at(text).filter(|(_, word)| is(word, "portable"));
    portable.any(|(at, word)| text.get(at + word.len()..).is_some_and(denies))
}

fn says_pair(text: &str) -> bool {
    let mut before = "";
    let mut words = words(text);
    while let Some(word) = words.next() {
        let first = std::mem::replace(&mut before, word);
        let is_own =
            ["this", "our", "current"].iter().any(|own| is(first, own)) && PROJECTS.iter().any(|known| is(word, known));
        let is_pair = |[one, other]: &[&str; 2]| {
            // A hyphen that is not shown joins them.
            is(first, one) && is(word, other)
                || word.split_at_checked(one.len()).is_some_and(|(start, end)| is(start, one) && is(end, other))
        };
        let is_place = || {
            is(word, "to")
                && (is(first, "specific") && names_place(words.clone())
                    || is(first, "local") && names_one(words.clone()))
        };
        if is_own || OF_ONE_PROJECT.iter().any(is_pair) || is_place() {
            return true;
        }
    }
    false
}

/// Whether a word of [`NOT_FOR_OTHERS`] is a label in `text`, or said of it: in brackets, with a colon behind it, alone in a cell, at the
/// start before a dash, and in `it is private`.
fn has_label(text: &str) -> bool {
    // The last two words, and where the last one ends.
    let (mut before, mut end_before) = (["", ""], 0);
    words_at(text).any(|(at, word)| {
        let end = at + word.len();
        let signs = text.get(end_before..at).unwrap_or_default();
        end_before = end;
        let [first, last] = before;
        before = [last, word];
        if is(word, "project") && signs.ends_with('[') && text.get(end..).is_some_and(|rest| rest.starts_with(']')) {
            return true;
        }
        is_not_for_others(word) && {
            let behind = text.get(end..).unwrap_or_default();
            // Of other things, it says how they are: `the constructor is private`.
            let is_of_text = || {
                ["local", "confidential"].iter().any(|known| is(word, known))
                    || TEXTS.iter().any(|known| is(first, known) || is(last, known))
            };
            is_label(last.is_empty(), signs, behind) || is_called(last) && ends_clause(behind) && is_of_text()
        }
    })
}

/// What a text calls itself, or what is in it.
const TEXTS: [&str; 16] = [
    "this",
    "that",
    "these",
    "those",
    "it",
    "section",
    "part",
    "following",
    "below",
    "rest",
    "everything",
    "all",
    "note",
    "notes",
    "entry",
    "history",
];

fn is_not_for_others(word: &str) -> bool {
    NOT_FOR_OTHERS.iter().any(|known| is(word, known))
}

/// Quotation marks.
const QUOTES: [char; 14] = ['"', '\'', '“', '”', '„', '‟', '‘', '’', '‚', '‛', '«', '»', '‹', '›'];

/// Whether a word between `signs`, those behind the word before it, and `behind` is a label.
fn is_label(is_first: bool, signs: &str, behind: &str) -> bool {
    let signs = signs.trim_end();
    let outer = signs.trim_end_matches(QUOTES);
    let is_quoted = outer.len() < signs.len();
    let next = behind.trim_start_matches(|c: char| c.is_whitespace() || is_quoted && QUOTES.contains(&c));
    let ends = !next.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '(' | '/' | '&' | '+' | '=' | '_'));
    // `local.rs`, `local-first`: a part of another word.
    let mut chars = behind.chars();
    let is_part = chars.next().is_some_and(|c| !c.is_whitespace()) && chars.next().is_some_and(char::is_alphanumeric);
    // A note at the end: `… — local`, `… #local`.
    let is_last = signs.contains(['—', '–', '-', ';', '.', '#', '@', '{', '·', '•', '→'])
        && signs.starts_with(char::is_whitespace)
        && !behind.contains(char::is_alphanumeric);
    is_last
        // `{ secret: true }` is a key of other things.
        || next.starts_with(':') && !behind.starts_with("::") && (is_first || !signs.is_empty())
        || (is_first || outer.trim_end().ends_with(['|', ':'])) && !is_part && ends
}

/// Whether `text` as it is written has such a word in the tag of an element (`<local>`, `class="local"`), or in bold letters or code at its start.
fn is_in_markup(text: &str) -> bool {
    let is_named = |tag: &str| words(tag).next().is_some_and(is_not_for_others);
    let of_elements = || text.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag);
    if text.contains('<')
        && of_elements().any(|tag| is_named(tag) || tag.contains('=') && words(tag).any(is_not_for_others))
    {
        return true;
    }
    let Some((at, word)) = words_at(text).next().filter(|(_, word)| is_not_for_others(word)) else { return false };
    let (signs, rest) = (text.get(..at).unwrap_or_default(), text.get(at + word.len()..).unwrap_or_default());
    signs.contains(['*', '_', '`', '>', '~']) && rest.starts_with(['*', '_', '`', '<', '~'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_raises_a_doubt() {
        for line in [
            "**Local:** the vault",
            "`Local`: the vault",
            "the vault (local)",
            "the vault (*local*)",
            "not portable: the vault",
            "[private] the vault",
            "in this project, the vault",
            "the `project-specific` vault",
            "the keys are local to us",
            "this is confidential",
            "**Local** the vault",
            "`secret` the vault",
            "| Local | the vault |",
            "<dt>Local</dt><dd>the vault</dd>",
            "<p class=\"local\">the vault</p>",
            "scope: local",
            "portable: false",
            "**Portable:** no",
            "the keys are no longer portable",
            "Internal – the vault",
            "🔒 Private",
            "„Lokal“ „local“: the vault",
            "«local» — the vault",
            "「local」the vault",
            "【private】 the vault",
            "project\u{ad}specific",
            "project‑specific",
            "It works only here.",
            "Keep it local.",
            "That is private and stays",
            "\u{4cf}ocal: the vault",
            "ｌｏｃａｌ： the vault",
            "This pro<b>ject</b> has a vault",
            "Read the project&nbsp;context",
            "<local>the vault</local>",
            "the vault — local",
            "the vault {.local}",
            "specific to the project: the vault",
            "[project] the vault",
            "unportable: the vault",
            "for internal use",
            "it is local to Acme",
            "local to the Acme backend",
            "local to the acme project",
        ] {
            assert!(said_strictly(line).is_tagged, "{line}");
        }
        for line in [
            "run local tests first",
            "a project is portable",
            "repos",
            "",
            "All local tools are listed below:",
            "it is local to the component",
            "http://localhost:3000",
            "a local variable is better than a global one",
            "Local variables are short",
            "local.yml, .env.local and local-first software",
            "pub(crate) hides internal details",
            "private methods come last",
            "never commit a secret",
            "a local, not a global",
            "the constructor is private",
            "set the `secret: true` flag",
            "the docs are internal only",
            "errors that are specific to the parser",
            "keep it in /usr/local",
            "it runs in CI and local",
            "local to each module",
            "[portable] No mocks in tests",
            "[portable] False positives of the linter",
        ] {
            assert!(!said_strictly(line).is_local, "{line}");
        }
    }

    #[test]
    fn what_two_lines_say_together() {
        assert!(said_across("the vault of this", "project is shut", true).is_tagged);
        assert!(said_across("project-", "specific", true).is_tagged);
        // What the line before says by itself is not said twice.
        assert!(!said_across("(local)", "the vault", true).is_tagged);
        assert!(!said_across("", "project is shut", false).is_tagged);
        for (before, text) in [
            ("keep all the state", "local."),
            ("the API should stay", "internal, so that it can change"),
            ("make the fields", "private. Tests use getters."),
            ("prefer what is small and", "local. It is faster"),
            ("keep packages", "internal: users cannot break"),
        ] {
            assert!(!said_across(before, text, true).is_tagged, "{text}");
            assert!(said_across(before, text, false).is_tagged, "{text}");
        }
        for (before, text) in [
            ("the vault", "internal"),
            ("the vault", "local: a"),
            ("the vault is shut.", "internal."),
            ("the vault is here,", "internal only"),
            ("the vault. This is", "confidential."),
            ("the vault. Keep this", "private."),
            ("the vault. Do", "not share."),
        ] {
            assert!(said_across(before, text, true).is_tagged, "{text}");
        }
    }
}
