//! Words with which a line says of itself that it is local: in brackets, in bold, as its label, or as what it says.

use super::heading::{LONGEST, begins_with_bold_project, is_project_context, names_only_project};
use super::orders::{may_say_order, says_order};
use super::plain::plain;
use super::tag::{PROJECTS, ends_clause, is_called};
use super::words::{is, may_say_local, set_off, words, words_at};

/// Whether `text`, a line without the marker of its item, says of itself that it is local: `Local: …`, `… (local only)`,
/// `… is local to this project.`, `… Do not export.`
pub(super) fn is_claimed(text: &str) -> bool {
    may_say_order(text) && says_order(&plain(text))
        || may_say_local(text)
            && (label(text).is_some_and(|label| is_claim(label) || is_local(label))
                || set_off(text).any(is_claim_in_part)
                || is_claimed_in_sentence(text))
}

/// Whether `text`, a line without the marker of its item, says of itself that it is about the project, and not of what follows it:
/// `**Project Context:** app` in an item, `Project Context: app`, `| Project Context | app |`.
pub(super) fn is_about_project(text: &str, is_item: bool) -> bool {
    is_project_context(text)
        && (is_item && begins_with_bold_project(text)
            || label(text).is_some_and(names_only_project)
            || text.contains('|') && text.split('|').any(names_only_project))
}

/// Whether a sentence in `text` says that something belongs to this project: `it is local to this project`, `it stays project-local`.
pub(super) fn is_claimed_in_sentence(text: &str) -> bool {
    let mut before = ["", ""];
    let mut all = words_at(text);
    while let Some((at, word)) = all.next() {
        let [first, last] = before;
        before = [last, word];
        if !is(word, "local") {
            continue;
        }
        let behind = text.get(at + word.len()..).unwrap_or_default();
        let is_of_project = is(last, "project") && is_called(first) && ends_clause(behind);
        let is_in_place =
            || is_called(last) && place(all.clone()).is_some_and(|end| text.get(end..).is_some_and(ends_clause));
        if is_of_project || is_in_place() {
            return true;
        }
    }
    false
}

/// Where the words end that name the place of those who write, `to` before them: `to this project`, `to us`.
fn place<'t>(mut all: impl Iterator<Item = (usize, &'t str)>) -> Option<usize> {
    let is_one = |word: &str, known: &[&str]| known.iter().any(|known| is(word, known));
    all.next().filter(|(_, word)| is(word, "to"))?;
    let (at, word) = all.next()?;
    if is_one(word, &["us", "here"]) {
        return Some(at + word.len());
    }
    let is_own = is_one(word, &["this", "our", "the", "that"]);
    let (at, word) = all.next().filter(|_| is_own)?;
    (is_one(word, &PROJECTS) || is_one(word, &["team", "squad"])).then_some(at + word.len())
}

/// Whether the first or the last words of `part` are a claim: `gitignored, local only`.
fn is_claim_in_part(part: &str) -> bool {
    let signs = |c: char| matches!(c, ',' | ';' | ':' | '—' | '–');
    let part = part.trim_end_matches(|c: char| signs(c) || matches!(c, '.' | '!'));
    let mut pieces = part.split(signs);
    pieces.next().is_some_and(is_claim) || part.rsplit(signs).next().is_some_and(is_claim)
}

fn is_local(piece: &str) -> bool {
    let mut words = words(piece);
    words.next().is_some_and(|word| is(word, "local")) && words.next().is_none()
}

/// Whether `piece` says that something is local, and nothing more: `local only`, `project-local`, `stays local`, `local to this repo`.
fn is_claim(piece: &str) -> bool {
    /// With more words before it, it is a sentence about something else: `status shows the folder as local`.
    const FEW: usize = 3;
    if !may_say_local(piece) || words(piece).nth(LONGEST).is_some() {
        return false;
    }
    let mut before = "";
    let mut all = words_at(piece);
    let mut count = 0;
    while let Some((_, word)) = all.next() {
        let last = std::mem::replace(&mut before, word);
        count += 1;
        if !is(word, "local") {
            continue;
        }
        let is_called = count <= FEW + 1 && (is(last, "project") || is_called(last));
        let mut rest = all.clone();
        return match rest.next() {
            None => is_called,
            Some((_, only)) if is(only, "only") => (last.is_empty() || is_called) && rest.next().is_none(),
            Some(_) => {
                let end = place(all).filter(|_| last.is_empty() || is_called);
                end.is_some_and(|end| words(piece.get(end..).unwrap_or_default()).next().is_none())
            }
        };
    }
    false
}

/// The label with which `text` begins: what is before its first colon or dash, if it is short.
pub(super) fn label(text: &str) -> Option<&str> {
    let text = ["[x] ", "[X] ", "[ ] "].iter().find_map(|sign| text.strip_prefix(sign)).unwrap_or(text);
    let (at, sign) = text.char_indices().find(|(at, c)| match c {
        ':' => {
            !text.get(at + 1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || ":/".contains(c)))
        }
        '：' => true,
        '—' | '–' | '-' => {
            text.get(..*at).is_some_and(|before| before.ends_with(' '))
                && text.get(at + c.len_utf8()..).is_some_and(|rest| rest.starts_with(' '))
        }
        _ => false,
    })?;
    let label = text.get(..at)?;
    // A dash parts words in other texts, too.
    let is_short = words(label).nth(LONGEST).is_none() && (matches!(sign, ':' | '：') || words(label).nth(1).is_some());
    is_short.then_some(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_about_the_project() {
        for (text, is_item) in [
            ("**Project Context:** app", true),
            ("**Project Context** app", true),
            ("Project Context: app", true),
            ("[x] Project Context: app", true),
            ("Project Context: app", false),
            ("Project Context — app", false),
            ("| Project Context | app |", false),
            ("**Project Context** | app", false),
            ("| 1 | Project&nbsp;Context: | app |", false),
        ] {
            assert!(is_about_project(text, is_item), "{text}");
        }
        for (text, is_item) in [
            ("**Project Context** app", false),
            ("Project Context matters", true),
            ("Read the project context: it matters", true),
            ("| Read the project context | app |", false),
        ] {
            assert!(!is_about_project(text, is_item), "{text}");
        }
    }

    #[test]
    fn what_a_line_says_of_itself() {
        for line in [
            "DB app_prod (local only)",
            "DB app_prod (port 1, local-only)",
            "the keys (local only; in the vault)",
            "the keys (stays local)",
            "the keys {project-local}",
            "the keys **local only**",
            "**Local only:** the keys",
            "**Local only** the keys",
            "[x] Local only: the keys",
            "Local only — the keys",
            "Project-local: the keys",
            "Local to this project: the keys",
            "Local: the keys",
            "Local：the keys",
            "the keys (do not share)",
            "Not for export: the keys",
            "the keys. Do not export this.",
            "**Local:** the keys",
            "__Local__: the keys",
            "the keys are local to this project",
            "It is local to our repo, and secret.",
            "The DB is project-local.",
            "The keys stay local to us",
        ] {
            assert!(is_claimed(line), "{line}");
        }
        for line in [
            "All local tools are listed below:",
            "the cache is local to the worker",
            "the state is local to this component",
            "helpers local to this module (local state)",
            "the build is local",
            "the server is local only in tests",
            "it works offline: local only comes first",
            "no sync (no account, local only, no UI)",
            "a project-local config wins",
            "the folder (project-local `.squad/` above) wins",
            "the keys (status shows the folder as local) are wrong",
            "the paths (project-local paths) win",
            "it is not local to this project",
            "Local development: run the script",
            "Run it (local)",
            "Local - the keys",
            "see local://keys and local::keys",
            "the locale (locale only)",
        ] {
            assert!(!is_claimed(line), "{line}");
        }
    }
}
