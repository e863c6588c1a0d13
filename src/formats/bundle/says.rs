//! Marks in words: a few words, set off from what is around them, that say that this is not for others: `(internal only)`,
//! `| confidential |`, `Keep private: …`, `… Do not export.` They are read in the same way wherever they are.

use super::orders::{MOST, is_order, is_owner, says_order, stays_here};
use super::plain::plain;
use super::tag::{NOUNS, PROJECTS, ends_clause, names_place};
use super::words::{Piece, begins_with, is, is_one_of, pieces, words, words_at};

/// How words begin for what is not for others, in English and in languages that are written like it: a few letters more make another form
/// of the word, and many another word, such as `localStorage`.
const STEMS: [&str; 19] = [
    "local",
    "locais",
    "locaux",
    "lokal",
    "privat",
    "privad",
    "prive",
    "intern",
    "internal",
    "confidential",
    "confidentiel",
    "confidenciai",
    "confidencial",
    "confidenzial",
    "riservat",
    "proprietar",
    "proprietair",
    "propietari",
    "vertraulich",
];

/// So many letters more.
const FORM: usize = 2;

/// Words that begin like these and mean something else.
const OTHERS: [&str; 6] = ["locale", "locales", "locally", "internals", "internally", "interns"];

/// Words before the one that says what a text is: `keep this private`, `it is strictly confidential`.
const BEFORE: [&str; 44] = [
    "for",
    "strictly",
    "purely",
    "highly",
    "very",
    "keep",
    "kept",
    "this",
    "it",
    "that",
    "these",
    "those",
    "them",
    "they",
    "which",
    "all",
    "everything",
    "following",
    "follows",
    "below",
    "rest",
    "is",
    "are",
    "stay",
    "stays",
    "remain",
    "remains",
    "be",
    "please",
    "must",
    "should",
    "mark",
    "marked",
    "treat",
    "as",
    "considered",
    "the",
    "our",
    "section",
    "entry",
    "part",
    "note",
    "notes",
    "history",
];

/// Words behind it.
const BEHIND: [&str; 14] = [
    "only", "use", "eyes", "note", "stuff", "info", "material", "content", "here", "below", "for", "now", "please",
    "and",
];

/// The opposites: with one of them, the words are about things of both kinds.
const OPPOSITES: [&str; 9] = ["public", "external", "remote", "global", "shared", "no", "not", "non", "or"];

/// Whether `word` says that something is not for others.
pub(super) fn is_doubtful(word: &str) -> bool {
    let is_form = |stem: &str| begins_with(word, stem) && word.len() <= stem.len() + FORM;
    STEMS.iter().any(|stem| is_form(stem)) && !is_one_of(word, &OTHERS)
}

/// Whether `word` is that of French and Italian, which follows what it is about: in English, it is something else.
pub(super) fn is_locale(word: &str) -> bool {
    is(word, "locale")
}

/// Whether `text`, as people read it, has a mark in words.
pub(super) fn says_mark(text: &str) -> bool {
    is_of_owner(text)
        || says_order(text)
        || stays_here(text)
        || pieces(text).any(|piece| is_shouted(piece.text) || says_so(&piece))
}

/// Whether `text`, as people read it, is a mark in words and nothing more.
pub(super) fn is_only_mark(text: &str) -> bool {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    is_mark(text, false) || is_order(text)
}

/// Whether a part of `text`, as it is written, is in bold or in italics, and is a mark: of one word alone only at the start or at the end, as
/// in the midst of a sentence, the letters may stress what a thing is.
pub(super) fn is_stressed(text: &str) -> bool {
    ["**", "__", "*", "_", "=="].into_iter().any(|sign| {
        let mut at = 0;
        text.split(sign).enumerate().any(|(number, part)| {
            let start = at;
            at += part.len() + sign.len();
            if number % 2 == 0 {
                return false;
            }
            let (before, Some(behind)) = (text.get(..start).unwrap_or_default(), text.get(at..)) else { return false };
            // `_` is a sign of names in code, too.
            let is_in_word = before.trim_end_matches(sign).ends_with(char::is_alphanumeric)
                || behind.starts_with(char::is_alphanumeric);
            if part.trim() != part || sign.starts_with('_') && is_in_word {
                return false;
            }
            let shown = plain(part);
            let starts = [']', '|', '.', '!', '?', ';'];
            let is_first = || !before.rsplit(starts).next().unwrap_or_default().contains(char::is_alphanumeric);
            let is_code = || words(behind).next().is_some_and(|next| is_one_of(next, &CODE));
            let is_alone = || words(&shown).nth(1).is_none();
            let counts = || !is_alone() || is_first() && !is_code() || ends_clause(behind);
            says_order(&shown) || counts() && pieces(&shown).any(|piece| is_mark(piece.text, true))
        })
    })
}

/// What code has: how it is called says how that is, and nothing of the text.
pub(super) const CODE: [&str; 33] = [
    "api",
    "apis",
    "class",
    "classes",
    "component",
    "components",
    "constructor",
    "constructors",
    "field",
    "fields",
    "function",
    "functions",
    "helper",
    "helpers",
    "import",
    "imports",
    "link",
    "links",
    "member",
    "members",
    "method",
    "methods",
    "module",
    "modules",
    "property",
    "properties",
    "refactoring",
    "refactorings",
    "state",
    "type",
    "types",
    "variable",
    "variables",
];

/// What developers call `local`, `private` or `internal` anywhere: in the midst of a sentence, it raises no doubt.
pub(super) const TECHNICAL: [&str; 45] = [
    "api",
    "apis",
    "branch",
    "branches",
    "build",
    "builds",
    "cache",
    "caches",
    "changes",
    "class",
    "classes",
    "clone",
    "clones",
    "commits",
    "config",
    "constructor",
    "copies",
    "copy",
    "dev",
    "development",
    "environment",
    "environments",
    "field",
    "fields",
    "file",
    "files",
    "function",
    "functions",
    "key",
    "keys",
    "machine",
    "machines",
    "method",
    "methods",
    "module",
    "modules",
    "run",
    "runs",
    "server",
    "servers",
    "state",
    "test",
    "testing",
    "tests",
    "tools",
];

/// Whether `piece` is a mark, or what is before its first comma, or behind the only one.
fn says_so(piece: &Piece<'_>) -> bool {
    if piece.asks || piece.goes_on {
        return false;
    }
    // `Private, internal and public packages`.
    let has_opposite = || words(piece.text).any(|word| is_one_of(word, &OPPOSITES));
    if !words(piece.text).any(|word| is_doubtful(word) || is_secret(word) || is_locale(word) || is(word, "only"))
        || has_opposite()
    {
        return false;
    }
    let is_mark = |text| is_mark(text, piece.is_set_off);
    let mut parts = piece.text.split(',');
    let [first, second, third] = [parts.next(), parts.next(), parts.next()];
    is_mark(piece.text)
        || second.is_some() && first.is_some_and(is_mark)
        || third.is_none() && second.is_some_and(is_mark)
}

/// Whether `text` is a mark: a word that says that it is not for others, with others around it that are about the text alone.
fn is_mark(text: &str, is_set_off: bool) -> bool {
    let (mut all, mut count, mut is_called, mut is_after_owner) = (words(text), 0, true, false);
    let found = loop {
        let Some(word) = all.next().filter(|_| count < MOST) else { return false };
        if is_doubtful(word) || is_secret(word) || is_locale(word) {
            break word;
        }
        count += 1;
        if is(word, "only") && is_called && is_after_owner {
            return all.next().is_none();
        }
        is_after_owner = is_owner(word);
        is_called &= is_one_of(word, &BEFORE) || is_after_owner;
    };
    let mut behind = all.clone();
    let ends = behind.next().is_none();
    match () {
        // `a locale` is something else.
        () if is_locale(found) => is_set_off && count == 0 && ends,
        // `(Acme-internal)`, but not `(Access.internal)`.
        () if ends && count == 1 && is_set_off && is_name(text) && !is_secret(found) => true,
        () if !is_called => false,
        () if all.clone().next().is_some_and(|word| is(word, "to")) => {
            let place = all.skip(1);
            names_place(place.clone()) || names_one(place)
        }
        () => all.take(MOST).all(|word| {
            is_one_of(word, &BEHIND) || is_one_of(word, &NOUNS) || is_one_of(word, &BEFORE) || is_doubtful(word)
        }),
    }
}

/// Whether `words`, which are behind `local to`, are a name and nothing that is in every project: `local to Acme`.
pub(super) fn names_one<'t>(words: impl Iterator<Item = &'t str>) -> bool {
    const ANY: [&str; 8] = ["a", "an", "any", "each", "every", "one", "its", "their"];
    let mut words = words.take(4).peekable();
    let Some(first) = words.next_if(|word| !is(word, "the") && !is(word, "that")) else {
        // `the Acme backend`, `the acme project`.
        return words
            .skip(1)
            .any(|word| word.starts_with(char::is_uppercase) || PROJECTS.iter().any(|known| is(word, known)));
    };
    !ANY.iter().any(|any| is(first, any))
}

/// Whether `text` begins with a name that is a part of what is behind it: `Acme-internal`, `ACME internal`.
fn is_name(text: &str) -> bool {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let (name, behind) = text.split_at_checked(end).unwrap_or_default();
    name.starts_with(char::is_uppercase) && behind.starts_with(['-', '\u{2010}'])
        || name.len() > 1 && name.chars().all(char::is_uppercase) && behind.starts_with(' ')
}

fn is_secret(word: &str) -> bool {
    is_one_of(word, &["secret", "sensitive"])
}

/// Whether `text` calls something the owner's alone: `the branches are company-internal`.
fn is_of_owner(text: &str) -> bool {
    let mut end_before = None;
    words_at(text).any(|(at, word)| {
        let is_joined =
            end_before.and_then(|end| text.get(end..at)).is_some_and(|sign| matches!(sign, "-" | "\u{2010}"));
        end_before = is_owner(word).then_some(at + word.len());
        is_joined && is_doubtful(word) && text.get(at + word.len()..).is_some_and(ends_clause)
    })
}

/// Whether `text` begins with a mark in capital letters, and goes on in others: `INTERNAL the keys`.
fn is_shouted(text: &str) -> bool {
    let is_loud = |word: &str| word.chars().all(char::is_uppercase);
    let mut all = words(text);
    all.next().is_some_and(|word| is_doubtful(word) && is_loud(word)) && all.next().is_some_and(|next| !is_loud(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_in_words() {
        for text in [
            "the vault (company-internal)",
            "the vault (Acme-internal)",
            "the vault (internal to Acme)",
            "ACME internal: the vault",
            "the vault (keep private)",
            "the vault (highly sensitive)",
            "the vault (riservato)",
            "the vault [privé]",
            "[propriétaire] the vault",
            "the vault (locale)",
            "keep private: the vault",
            "Keep this local. The vault",
            "the vault. Internal.",
            "the vault. Keep it confidential!",
            "[portable] Internal, the vault",
            "[portable] Internal notes — the vault",
            "| vault | internal use | a |",
            "| vault | Internal notes",
            "Internal: the vault",
            "The branches are company-internal",
            "INTERNAL the vault",
            "Everything below is team-internal.",
        ] {
            assert!(says_mark(&plain(text)), "{text}");
        }
        for text in [
            "use the local cache",
            "internal links resolve relative to the root",
            "a local, not a global",
            "Timeouts (internal and external) are explicit",
            "Private, internal and public packages have changelogs",
            "Is it local?",
            "INTERNAL_ERROR is a code",
            "the company-internal registry is slow",
            "set the locale (a language) first",
            "the type (Access.internal) is hidden",
            "the file (machine-local, without secrets) is small",
            "the generic .Ok() is private; the other one is public",
            "fields like /token|secret|key/ are hidden",
            "it has pub(crate) internals (like this)",
            "set the secret: true flag",
            "Set private: true in the file",
            "the state is local to the component",
            "Generated code is internal: never edit it",
            "private methods come last",
        ] {
            assert!(!says_mark(&plain(text)), "{text}");
        }
        for text in [
            "*Internal* the vault",
            "[portable] **Private** the vault",
            "the vault **internal only**, and",
            "==Local== a",
        ] {
            assert!(is_stressed(text), "{text}");
        }
        for text in [
            "use the **local** cache",
            "**Private** methods come last",
            "a my_local_name",
            "a(b_local_in_internal())",
            "the *internal* API",
        ] {
            assert!(!is_stressed(text), "{text}");
        }
    }
}
