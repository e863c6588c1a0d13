//! Lines that people read as titles of what is below them, and words in these that raise a doubt whether that is portable: with
//! `--portable-only`, such a word in a title keeps all of its section back, whatever else the title says.

use super::heading::{LONGEST, is_bare_title, is_number};
use super::orders::LEAVES;
use super::plain::plain;
use super::says::{CODE, TECHNICAL, is_doubtful, is_locale, is_only_mark};
use super::tag::{NOUNS, PROJECTS, Reach, tag};
use super::words::{begins_with, is, is_one_of, words};

/// What a project is called.
const PROJECT: [&str; 5] = ["project", "repo", "repository", "codebase", "monorepo"];

/// How words begin that have it in other languages.
const PROJECT_STEMS: [&str; 5] = ["projekt", "projet", "proyecto", "projeto", "progett"];

/// Words before one of [`LEAVES`] with which it is said of a text that it does not.
const NOT: [&str; 9] = ["not", "no", "never", "don", "dont", "doesn", "non", "cannot", "without"];

/// What can follow the word of [`LEAVES`] if it is said of the text.
const BEHIND_LEAVES: [&str; 14] = [
    "this",
    "that",
    "these",
    "those",
    "it",
    "them",
    "outside",
    "anywhere",
    "elsewhere",
    "externally",
    "with",
    "beyond",
    "below",
    "following",
];

/// Words before a doubtful one with which it is about those who write.
const OWN: [&str; 6] = ["our", "my", "their", "your", "its", "s"];

/// What a line is, as far as a doubtful word in it matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Doubt {
    /// No doubtful word makes something of it.
    #[default]
    Nothing,
    /// It begins with a label that is doubtful: `Local notes: …`.
    Label,
    /// It is a doubtful title.
    Title,
}

/// Whether `title`, which Markdown shows as a heading or is bold, has a doubtful word. If it has the tag `[portable]`, one says what the text is
/// about that is before what developers call so: `Local testing [portable]`.
pub(super) fn is_doubtful_title(title: &str) -> bool {
    says_doubt(&plain(title), if tag(title) == Some(Reach::Portable) { &TECHNICAL } else { &[] })
}

/// Whether `text`, as people read it, has a doubtful word that is not before one of `things`.
fn says_doubt(text: &str, things: &[&str]) -> bool {
    let mut before = "";
    let mut all = words(text).skip_while(|word| is_number(word));
    while let Some(word) = all.next() {
        let last = std::mem::replace(&mut before, word);
        let next = || all.clone().next();
        let is_last_locale = || is_locale(word) && next().is_none();
        let is_of_thing = || next().is_some_and(|next| is_one_of(next, things));
        if is_doubtful_for(word, next()) && !is_of_thing()
            || is_last_locale()
            || is(word, "secret") && is_of_text(next())
            || is_of_project(last, word, next())
        {
            return true;
        }
    }
    is_said_not_to_leave(text)
}

/// Whether `word` is doubtful before `next`: in `private fields`, it says how these are.
fn is_doubtful_for(word: &str, next: Option<&str>) -> bool {
    is_doubtful(word) && !next.is_some_and(|next| is_one_of(next, &CODE))
}

/// Whether `word` between `last` and `next` is about the project of those who write: `Project setup`, `the repo`, `App facts`.
fn is_of_project(last: &str, word: &str, next: Option<&str>) -> bool {
    let is_said_of_it = is_one_of(word, &PROJECT) && is(last, "the") || is(word, "project") && last.is_empty();
    let is_text_of_it = || is_one_of(word, &PROJECTS) && next.is_some_and(|next| is_one_of(next, &NOUNS));
    is_said_of_it || is_text_of_it() || PROJECT_STEMS.iter().any(|stem| begins_with(word, stem))
}

/// Whether `next`, the word behind a doubtful one, is a text, or there is none.
fn is_of_text(next: Option<&str>) -> bool {
    next.is_none_or(|next| is_one_of(next, &NOUNS))
}

/// Where the text of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// It begins an item.
    Item,
    /// It begins another text.
    Text,
    /// It goes on with the line before.
    Nothing,
}

/// What `text` is, the text of a line without the marker of its item.
pub(super) fn doubt(text: &str, start: Start) -> Doubt {
    let shown = plain(text);
    let of_text = if start == Start::Item { Doubt::Label } else { Doubt::Title };
    let shown = shown.as_ref();
    match () {
        () if (is_bare_title(text) || text.starts_with('<')) && is_doubtful_line(shown) => Doubt::Title,
        // An item says it of itself, unless it says where that begins: `- [local] start`.
        () if has_doubtful_tag(shown) => {
            if start != Start::Item && !is_tagged_sentence(shown) || begins_range(shown) {
                Doubt::Title
            } else {
                Doubt::Label
            }
        }
        () if begins_in_bold(text) => of_text,
        () if start != Start::Nothing && is_only_mark(shown) => of_text.max(is_short_title(shown, start)),
        () if ends_as_title(shown) && is_doubtful_sentence(shown) => Doubt::Title,
        () if start == Start::Nothing => Doubt::Nothing,
        () => is_short_title(shown, start).max(has_label(shown)),
    }
}

/// Whether `text`, which is in bold or in HTML, has a doubtful word as a title, or, if it is too long for that, as a sentence.
fn is_doubtful_line(text: &str) -> bool {
    if words(text).nth(LONGEST).is_some() { is_doubtful_sentence(text) } else { says_doubt(text, &[]) }
}

/// Whether `text`, which may be a sentence, has a word that is doubtful in it, and not a part of the name of other things: `local tests`.
fn is_doubtful_sentence(text: &str) -> bool {
    /// With fewer words, it is a title.
    const LONG: usize = 4;
    /// Behind a doubtful word, it calls the text so.
    const USES: [&str; 12] = ["only", "to", "use", "stuff", "things", "info", "and", "but", "so", "here", "for", "in"];
    let is_long = words(text).nth(LONG - 1).is_some();
    let mut before = "";
    let mut all = words(text);
    while let Some(word) = all.next() {
        let last = std::mem::replace(&mut before, word);
        let next = all.clone().next();
        if !is_long && is_locale(word) && next.is_none() {
            return true;
        }
        if is_doubtful_for(word, next) {
            let is_technical = next.is_some_and(|next| is_one_of(next, &TECHNICAL));
            let is_of_text = is_of_text(next) || next.is_some_and(|next| is_one_of(next, &USES));
            let is_title = (last.is_empty() || !is_long) && !is_technical;
            if is_of_text || is_title || is_one_of(last, &OWN) || last.is_empty() && !is_long {
                return true;
            }
        }
        // In a sentence, `the project` can be any.
        if !is_long && is_of_project(last, word, next) {
            return true;
        }
    }
    is_said_not_to_leave(text)
}

/// Whether `text` says that something does not leave: `not for export`, `do not share this`.
fn is_said_not_to_leave(text: &str) -> bool {
    let mut is_not = false;
    let mut all = words(text);
    while let Some(word) = all.next() {
        if is_not && LEAVES.iter().any(|known| is(word, known)) {
            let next = all.clone().next();
            if next.is_none_or(|next| BEHIND_LEAVES.iter().any(|known| is(next, known))) {
                return true;
            }
        }
        is_not |= NOT.iter().any(|known| is(word, known));
    }
    false
}

/// Whether `text`, as it is written, begins with a doubtful word in bold letters.
fn begins_in_bold(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '*' | '_'));
    ["**", "__"].iter().any(|sign| {
        let bold = text.strip_prefix(sign).and_then(|rest| rest.split_once(sign)).map(|(bold, _)| bold);
        bold.is_some_and(is_doubtful_title)
    })
}

/// Whether a doubtful word is in square brackets in `text`, and few other words with it.
fn has_doubtful_tag(text: &str) -> bool {
    let mut open = None;
    memchr::memchr2_iter(b'[', b']', text.as_bytes()).any(|at| {
        let is_open = text.as_bytes().get(at) == Some(&b'[');
        let start = std::mem::replace(&mut open, is_open.then_some(at + 1));
        let tag = start.filter(|_| !is_open).and_then(|start| text.get(start..at));
        let is_link = text.get(at + 1..).is_some_and(|rest| rest.starts_with(['(', '[']));
        tag.is_some_and(|tag| !is_link && words(tag).nth(LONGEST).is_none() && says_doubt(tag, &[]))
    })
}

/// Whether `text` is a sentence and a tag: it is about itself, and no title.
fn is_tagged_sentence(text: &str) -> bool {
    /// A title can have fewer.
    const LONG: usize = 5;
    let outer: String = text.split('[').map(|part| part.split_once(']').map_or(part, |(_, behind)| behind)).collect();
    outer.trim_end().ends_with(['.', '!', '?']) && words(&outer).nth(LONG - 1).is_some()
}

/// Whether `text` is a tag and a word with which something begins.
fn begins_range(text: &str) -> bool {
    const BEGINS: [&str; 10] =
        ["start", "starts", "begin", "begins", "on", "open", "from", "section", "block", "below"];
    words(text).nth(2).is_none() && words(text).any(|word| is_one_of(word, &BEGINS))
}

/// Whether something follows `text` that it introduces.
fn ends_as_title(text: &str) -> bool {
    let end = text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | ')' | '\'' | '|'));
    // `ACME-` is a part of a word.
    let is_joined = end.strip_suffix('-').is_some_and(|before| before.ends_with(char::is_alphanumeric));
    !is_joined && end.ends_with([':', '—', '–', '-', '→', '↓', '👇', '⬇', '>', '…'])
}

/// What `text` is if it is a few words with a doubtful one, and no sentence: `Local notes`.
fn is_short_title(text: &str, start: Start) -> Doubt {
    const SHORT: usize = 4;
    if text.trim_end().ends_with(['.', '!', '?', ',', ';']) || words(text).nth(SHORT).is_some() {
        return Doubt::Nothing;
    }
    let words: Vec<&str> = words(text).skip_while(|word| is_number(word)).collect();
    let is_title = words.len() <= 2 || words.last().is_some_and(|last| is_one_of(last, &NOUNS));
    let next = words.get(1).copied();
    let begins = words.first().is_some_and(|first| is_doubtful_for(first, next) || is_of_project("", first, next));
    let mut pairs = words.iter().enumerate().map(|(at, word)| (*word, words.get(at + 1).copied()));
    match is_title {
        true if begins => Doubt::Title,
        true if pairs.any(|(word, next)| is_doubtful_for(word, next))
            || words.last().is_some_and(|word| is_locale(word)) =>
        {
            if start == Start::Text {
                Doubt::Title
            } else {
                Doubt::Label
            }
        }
        _ => Doubt::Nothing,
    }
}

/// Whether `text` begins with a few words with a doubtful one among them, and a colon or a dash, or has such words in a cell of a table.
fn has_label(text: &str) -> Doubt {
    const SHORT: usize = 3;
    let is_label = |label: &str| {
        let mut words = words(label).filter(|word| !is_number(word) && !is_one_of(word, &OWN)).take(SHORT + 1);
        let (first, next) = (words.next().unwrap_or_default(), words.next());
        // `Repo: …` names it.
        let is_name = next.is_none() && is_one_of(first, &["repo", "repository"]);
        words.nth(1).is_none() && (is_doubtful_for(first, next) || is_of_project("", first, next) || is_name)
    };
    let is_doubtful = match text.strip_prefix('|') {
        Some(cells) => cells.split('|').any(is_label),
        None => [": ", " — ", " – "].iter().any(|sign| text.split_once(sign).is_some_and(|(label, _)| is_label(label))),
    };
    if is_doubtful { Doubt::Label } else { Doubt::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_with_a_doubtful_word() {
        for title in [
            "## Local development",
            "### Internal",
            "Keys (private)",
            "2. Project setup",
            "Facts of the project",
            "App facts",
            "Repository notes",
            "Projektkontext",
            "Contexto del proyecto",
            "Do not export",
            "Not to be shared with others",
            "Secret",
            "Notes privées",
            "Riservato",
            "Dati confidenziali",
            "Logiciel propriétaire",
            "Datos propietarios",
            "Project learnings [portable]",
            "Internal notes [portable]",
            "Configuration locale",
            "Outils locaux",
        ] {
            assert!(is_doubtful_title(title), "{title}");
        }
        for title in [
            "## Locales and localStorage",
            "Internationalization",
            "Secret scanning",
            "Tests in a web project",
            "Repository pattern",
            "How to export modules",
            "Do not share state",
            "Portable Context",
            "Local testing [portable]",
            "Private methods",
        ] {
            assert!(!is_doubtful_title(title), "{title}");
        }
    }

    #[test]
    fn lines_that_are_titles() {
        for (text, start, expected) in [
            ("Local notes", Start::Text, Doubt::Title),
            ("local notes", Start::Nothing, Doubt::Nothing),
            ("The following is all local:", Start::Nothing, Doubt::Title),
            ("All local tools are listed below:", Start::Text, Doubt::Nothing),
            ("Local development comes first:", Start::Text, Doubt::Nothing),
            ("Our local setup 👇", Start::Text, Doubt::Title),
            ("**Local** setup of the vault", Start::Text, Doubt::Title),
            ("**Local** setup of the vault", Start::Item, Doubt::Label),
            ("[local] start", Start::Item, Doubt::Title),
            ("[local] the vault", Start::Item, Doubt::Label),
            ("[local docs](local.md) come first", Start::Text, Doubt::Nothing),
            ("Local setup: the vault", Start::Item, Doubt::Label),
            ("Project: the vault", Start::Item, Doubt::Label),
            ("The rule: local first, please", Start::Item, Doubt::Nothing),
            ("| a | Local vault |", Start::Text, Doubt::Label),
            ("<!-- internal -->", Start::Text, Doubt::Title),
            ("<!-- what is lasting about the project and its team goes here -->", Start::Text, Doubt::Nothing),
            ("Local tests pass.", Start::Text, Doubt::Nothing),
            ("the vault [privé]", Start::Item, Doubt::Label),
            ("[propriétaire] the vault", Start::Item, Doubt::Label),
            ("Note locale", Start::Text, Doubt::Title),
            ("Keep this private", Start::Text, Doubt::Title),
            ("Keep this private.", Start::Item, Doubt::Label),
            ("**Private fields:** use `#name`", Start::Item, Doubt::Nothing),
            ("Internal: tickets begin with ACME-", Start::Item, Doubt::Label),
            ("Repo: the vault", Start::Item, Doubt::Label),
        ] {
            assert_eq!(doubt(text, start), expected, "{text}");
        }
    }
}
