//! What a text says of itself: its tags, and words that say that it, or what follows it, is local. `[local]` counts wherever it may be
//! meant, and `[portable]` only where it certainly is.

use super::plain::plain;
use super::words::{is, may_say_local, words, words_at};
use super::work;

/// Whether a line is about one project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// `## Project Context`, `[local]`.
    Local,
    /// `## Portable Context`, `[portable]`.
    Portable,
}

/// The tag in `text`. Of both, `[local]` counts: what is in doubt stays.
pub(super) fn tag(text: &str) -> Option<Reach> {
    match () {
        () if has_local_tag(text) => Some(Reach::Local),
        () if has_portable_tag(text) => Some(Reach::Portable),
        () => None,
    }
}

/// Whether `[local]` is in `text`: in code, escaped, in bold letters, `[local only]`, `[local: the vault]`.
fn has_local_tag(text: &str) -> bool {
    if !may_say_local(text) {
        return false;
    }
    let mut open = None;
    memchr::memchr2_iter(b'[', b']', text.as_bytes()).any(|at| {
        work::step(1);
        let is_open = text.as_bytes().get(at) == Some(&b'[');
        let start = std::mem::replace(&mut open, is_open.then_some(at + 1));
        start.filter(|_| !is_open).and_then(|start| text.get(start..at)).is_some_and(is_local_tag)
    })
}

/// Whether `tag` is `local`, or has that between other words: `local only`, `local: the vault`, `wip/local`.
fn is_local_tag(tag: &str) -> bool {
    const BEFORE: [&str; 5] = ["project", "keep", "stays", "strictly", "only"];
    const OPPOSITES: [&str; 4] = ["remote", "global", "public", "external"];
    /// In a longer text, it comes first.
    const FEW: usize = 4;
    let is_local = |piece: &str| {
        let mut words = words(piece);
        match [words.next(), words.next(), words.next()] {
            [Some(one), None, _] => is(one, "local"),
            [Some(one), Some(other), None] => {
                is(one, "local") && is(other, "only") || is(other, "local") && BEFORE.iter().any(|known| is(one, known))
            }
            _ => false,
        }
    };
    let mut pieces = tag.split([',', ';', ':', '/', '|', '+', '=', '—', '–']).flat_map(|piece| piece.split(" - "));
    let has_opposite = || words(tag).any(|word| OPPOSITES.iter().any(|known| is(word, known)));
    let is_short = || words(tag).nth(FEW).is_none();
    (pieces.next().is_some_and(is_local) || is_short() && pieces.any(is_local)) && !has_opposite()
}

/// Whether `[portable]` certainly is a tag in `text`: not in code, a comment or an element, and not the text of a link. Behind code or
/// an element that does not end in `text`, nothing is certain.
fn has_portable_tag(text: &str) -> bool {
    let bytes = text.as_bytes();
    let from = |at: usize| text.get(at..).unwrap_or_default();
    let mut at = 0;
    while let Some(found) = memchr::memchr3(b'[', b'`', b'<', bytes.get(at..).unwrap_or_default()) {
        let start = at + found;
        let rest = from(start);
        work::step(1);
        let end = match rest.as_bytes() {
            [b'`', ..] => {
                let signs = rest.len() - rest.trim_start_matches('`').len();
                code_end(rest, signs)
            }
            [b'<', b'!', b'-', b'-', ..] => rest.find("-->"),
            [b'<', b'/' | b'!' | b'?', ..] => rest.find('>'),
            [b'<', next, ..] if next.is_ascii_alphabetic() => rest.find('>'),
            [b'[', ..] => {
                let before = text.get(..start).unwrap_or_default().trim_end_matches('\\');
                let behind = portable_tag(rest).filter(|_| !before.ends_with(['!', '[', '~']));
                if behind.is_some_and(|behind| !is_revoked(before, behind)) {
                    return true;
                }
                Some(0)
            }
            _ => Some(0),
        };
        let Some(end) = end else { return false };
        work::step(end);
        at = start + end + 1;
    }
    false
}

/// What is behind `[portable]` if `text` begins with that and it leads nowhere.
fn portable_tag(text: &str) -> Option<&str> {
    const TAG: &str = "portable";
    let (tag, rest) = text.strip_prefix('[')?.trim_start_matches(' ').split_at_checked(TAG.len())?;
    let rest = rest.strip_prefix('\\').unwrap_or(rest).trim_start_matches(' ').strip_prefix(']')?;
    (is(tag, TAG) && !rest.starts_with(['(', '[', '~'])).then_some(rest)
}

/// Whether the text around a tag takes it back: `no longer [portable]`, `[portable]?`, `[portable]: no`.
fn is_revoked(before: &str, behind: &str) -> bool {
    const NOT: [&str; 19] = [
        "not",
        "no",
        "never",
        "non",
        "t",
        "nor",
        "neither",
        "cannot",
        "without",
        "was",
        "were",
        "formerly",
        "previously",
        "once",
        "former",
        "remove",
        "removed",
        "dropped",
        "lost",
    ];
    const FILLERS: [&str; 14] = [
        "be",
        "been",
        "being",
        "is",
        "are",
        "as",
        "marked",
        "tagged",
        "longer",
        "yet",
        "really",
        "considered",
        "the",
        "any",
    ];
    /// A longer way of saying it is not looked for.
    const MOST: usize = 5;
    let signs = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '"' | '\'' | '(');
    let is_one_of = |word: &str, known: &[&str]| known.iter().any(|known| is(word, known));
    let clause = before.trim_end_matches(signs);
    let mut said = clause.rsplit(|c: char| !c.is_alphanumeric()).take(MOST).filter(|word| !word.is_empty());
    let is_said = clause.ends_with(char::is_alphanumeric)
        && said.find(|word| !is_one_of(word, &FILLERS)).is_some_and(|word| is_one_of(word, &NOT));
    is_said || behind.trim_start_matches(signs).starts_with('?') || denies(behind)
}

/// Whether `behind`, which is behind `portable`, says that it is not so: `: no`, `=false`.
pub(super) fn denies(behind: &str) -> bool {
    let signs = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '"' | '\'' | ']');
    let value = behind.trim_start_matches(signs).strip_prefix([':', '=']).map(|rest| rest.trim_start_matches(signs));
    value.is_some_and(|value| {
        let end = value.find(|c: char| !c.is_alphanumeric()).unwrap_or(value.len());
        let (word, rest) = value.split_at_checked(end).unwrap_or_default();
        ["no", "false", "off", "never", "none", "0"].iter().any(|known| is(word, known)) && ends_clause(rest)
    })
}

/// Where the last sign of the code ends that begins `text` with so many `` ` ``.
fn code_end(text: &str, signs: usize) -> Option<usize> {
    let mut at = signs;
    loop {
        at += text.get(at..)?.find('`')?;
        let run = text.get(at..)?.bytes().take_while(|byte| *byte == b'`').count();
        at += run;
        if run == signs {
            return Some(at - 1);
        }
    }
}

/// What a line says of what is local.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// Whether it has the tag.
    pub(super) is_tagged: bool,
    /// Whether it says so with a tag or in words: `the following is local`.
    pub(super) is_local: bool,
    /// Whether it is the tag, or the word, and nothing more: `<!-- [local] -->`.
    pub(super) is_alone: bool,
}

/// What `text`, a line without the marker of its item, says.
pub(super) fn said(text: &str) -> Said {
    if !may_say_local(text) {
        return Said::default();
    }
    let is_tagged = has_local_tag(text);
    let (is_alone, is_said) = says_local(text);
    Said { is_tagged, is_local: is_tagged || is_alone || is_said, is_alone }
}

/// How far it reaches what a text says of what follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Announced {
    /// It says nothing of that.
    #[default]
    Nothing,
    /// It introduces what is right behind it: `The keys [local]:`, `The keys: [local]`.
    Next,
    /// It is as a title of what follows: `[local]` alone.
    Title,
    /// It is about what follows up to the end of the section or the item: `What follows is [local].`
    Following,
    /// It is about all of the section: `This section is local.`
    Section,
}

/// Words that say that something follows.
const FOLLOWING: [&str; 8] =
    ["following", "follows", "below", "beneath", "underneath", "remaining", "onwards", "everything"];

/// Names of the parts of a text.
const PARTS: [&str; 7] = ["section", "document", "file", "page", "part", "chapter", "history"];

/// Words before the name of the part in which they are.
const THIS: [&str; 5] = ["this", "whole", "entire", "current", "present"];

/// What `text` says of what follows it.
pub(super) fn announces(text: &str) -> Announced {
    let shown = plain(text);
    let mut before = "";
    let is_of_section = words(&shown).any(|word| {
        let first = std::mem::replace(&mut before, word);
        PARTS.iter().any(|known| is(word, known)) && THIS.iter().any(|known| is(first, known))
    });
    let mut before = "";
    let mut is_following = || {
        words(&shown).any(|word| {
            let first = std::mem::replace(&mut before, word);
            let is_pair = |one, other| is(first, one) && is(word, other);
            FOLLOWING.iter().any(|known| is(word, known)) || is_pair("the", "rest") || is_pair("here", "on")
        })
    };
    let line = text.trim_end();
    let tag = line.trim_end_matches(['*', '_', '`', '\\']).strip_suffix(']').and_then(|text| text.rfind('['));
    let text = tag.and_then(|at| line.get(..at)).unwrap_or(line);
    match () {
        () if is_of_section => Announced::Section,
        () if is_following() => Announced::Following,
        () if text.trim_end_matches([' ', '*', '_', '`', '\\']).ends_with(':') => Announced::Next,
        () => Announced::Nothing,
    }
}

/// Words before `local` with which a text is called so: `these are local`.
const CALLED: [&str; 20] = [
    "is",
    "are",
    "be",
    "stays",
    "stay",
    "remains",
    "remain",
    "keep",
    "kept",
    "as",
    "strictly",
    "purely",
    "considered",
    "it",
    "this",
    "that",
    "them",
    "these",
    "those",
    "everything",
];

/// Whether `before` is a word with which a text is called what follows it.
pub(super) fn is_called(before: &str) -> bool {
    CALLED.iter().any(|known| is(before, known))
}

/// Words that a clause can go on with behind what it says: `it is local and stays`.
const GOES_ON: [&str; 9] = ["and", "but", "so", "too", "because", "since", "only", "here", "not"];

/// Whether no noun is right before `behind`: what is before it is said of something, and is not a part of its name, as in `local tools`.
pub(super) fn ends_clause(behind: &str) -> bool {
    let mut chars = behind.chars();
    match (chars.next(), chars.next()) {
        (None, _) => true,
        (Some(c), _) if c.is_whitespace() => {
            let next = behind.trim_start();
            let word = words(next).next().filter(|word| next.starts_with(word));
            word.is_none_or(|word| GOES_ON.iter().any(|known| is(word, known)))
        }
        // `local-first`, `local.rs`.
        (_, next) => !next.is_some_and(char::is_alphanumeric),
    }
}

/// What a text can be about with `this` or `our` before it.
pub(super) const PROJECTS: [&str; 9] =
    ["project", "repo", "repository", "codebase", "monorepo", "workspace", "app", "application", "company"];

/// Whether `words`, which are behind `local to` or the like, name the place that a text is for: `this project`, `us`.
pub(super) fn names_place<'t>(mut words: impl Iterator<Item = &'t str>) -> bool {
    let is_one = |word: &str, known: &[&str]| known.iter().any(|known| is(word, known));
    words.next().is_some_and(|word| {
        is_one(word, &["us", "here", "this", "our"])
            || is_one(word, &["the", "that"])
                && words.next().is_some_and(|word| is_one(word, &PROJECTS) || is_one(word, &["team", "squad"]))
    })
}

/// Whether `text` is the word alone, and whether it calls something local: of its place or its owner, not as in `a local variable`.
fn says_local(text: &str) -> (bool, bool) {
    /// Words that do not say what is local: `[local] start`, `<!-- begin project-local section -->`.
    const BEGINS: [&str; 9] = ["start", "starts", "begin", "begins", "on", "open", "section", "block", "project"];
    let (mut is_alone, mut is_said, mut is_named) = (true, false, false);
    let mut words = words_at(text);
    let mut before = "";
    while let Some((at, word)) = words.next() {
        if is(word, "local") {
            is_named = true;
            let behind = text.get(at + word.len()..).unwrap_or_default();
            let mut next = words.clone().map(|(_, word)| word);
            is_said |= is(before, "project")
                || is_called(before) && ends_clause(behind)
                || match next.next() {
                    Some(only) if is(only, "only") => behind.trim_start_matches([' ', '-']).starts_with(only),
                    Some(to) if is(to, "to") => names_place(next),
                    _ => false,
                };
        } else {
            is_alone &= is(word, "only") && is(before, "local") || BEGINS.iter().any(|known| is(word, known));
        }
        before = word;
    }
    (is_alone && is_named, is_said)
}

/// What a section is called that says something.
pub(super) const NOUNS: [&str; 7] = ["context", "facts", "notes", "knowledge", "details", "learnings", "information"];

/// Whether `title` is such as `Local Context`, the other name of a project context.
pub(super) fn is_local_context(title: &str) -> bool {
    let mut words = words(title);
    may_say_local(title)
        && words.next().is_some_and(|word| is(word, "local"))
        && words.next().is_some_and(|word| NOUNS.iter().any(|known| is(word, known)))
        && words.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags() {
        for line in [
            "- [local] x",
            "[ Local ]",
            "\\[local\\]",
            "[portable] [local]",
            "`[local]`",
            "[**local**]",
            "[local only]",
            "[project-local]",
            "[local: the vault]",
            "[local/wip]",
            "[wip, local]",
            "[scope: local]",
            "[[local]]",
            "[local](#local)",
            "<!-- [LoCAL] -->",
        ] {
            assert_eq!(tag(line), Some(Reach::Local), "{line}");
        }
        for line in [
            "- [Portable]: x",
            "[portable]",
            "\\[portable\\] x",
            "run `cargo test` first [portable]",
            "``a ` b`` [portable]",
            "1 < 2 <b>x</b> <!-- y --> [portable]",
        ] {
            assert_eq!(tag(line), Some(Reach::Portable), "{line}");
        }
        for line in [
            "- local",
            "no longer [portable]",
            "not **[portable]**",
            "it isn't [portable]",
            "this was [portable]",
            "(not yet [portable])",
            "[portable]? the vault",
            "[portable]: no",
            "[portable] = false, the vault",
            "[locale]",
            "[local time] of the server",
            "[local/remote] builds",
            "[portable](https://a.b)",
            "[portable][b]",
            "![portable]",
            "~~[portable]~~",
            "- [x] portable",
            "[",
            "`[portable]`",
            "`a [portable]",
            "``a` [portable] b``",
            "<!-- [portable] -->",
            "<!-- [portable]",
            "<a title=\"[portable]\">",
            "[not portable]",
        ] {
            assert_eq!(tag(line), None, "{line}");
        }
        for line in [
            "[ Portable ] x",
            "[portable] No mocks",
            "Do not mock the database [portable]",
            "It is not. [portable]",
            "[portable]: no mocks in tests",
        ] {
            assert_eq!(tag(line), Some(Reach::Portable), "{line}");
        }
    }

    #[test]
    fn words_that_call_a_text_local() {
        for line in ["[local]", "**Local:**", "<!-- local -->", "(local only)", "[local] start", "[project-local]"] {
            assert!(said(line).is_alone, "{line}");
        }
        for line in ["The following is local:", "these are LOCAL", "local to this project", "Project-local notes"] {
            assert!(said(line).is_local && !said(line).is_tagged, "{line}");
        }
        for line in [
            "run local tests:",
            "Local development",
            "the locale",
            "a vocal user",
            "",
            "All local tools are listed below:",
            "it is local to the component",
            "this is a local variable",
            "keep local variables short",
            "these are local-first tools",
            "the file is local.yml",
        ] {
            assert_eq!(said(line), Said::default(), "{line}");
        }
        for text in ["keys [local]:", "**keys: [local]**"] {
            assert_eq!(announces(text), Announced::Next, "{text}");
        }
        for text in ["What follows is [local].", "all\nbelow is x", "Everything is local", "The rest is local"] {
            assert_eq!(announces(text), Announced::Following, "{text}");
        }
        for text in ["This **section** is [local].", "the whole file: [local]"] {
            assert_eq!(announces(text), Announced::Section, "{text}");
        }
        for text in ["the vault [local]", "keys: a", "a REST API [local]", "part of it [local]"] {
            assert_eq!(announces(text), Announced::Nothing, "{text}");
        }
    }
}
