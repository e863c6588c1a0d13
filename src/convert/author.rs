//! Who wrote an entry, from the value of a field such as `By`.

use super::subject::{Pattern, matches};
use crate::formats::legacy::day;

/// The longest name, in characters; more is prose.
const MAX_NAME: usize = 60;

/// What a field's value says about the author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The first name, as written with the text in brackets.
    pub name: String,
    /// Further names.
    pub others: Vec<String>,
    /// Whether name and others are all that the value says.
    pub whole: bool,
}

/// What ends a name: an aside, a hand-over, or what the work is about.
const ENDS: [&str; 17] = [
    " | ",
    " · ",
    " → ",
    " — ",
    " – ",
    " -> ",
    ", requested by ",
    " requested by ",
    ", sourced from ",
    ", inspired by ",
    ", reviewed by ",
    "; reviewed by ",
    " reviewed by ",
    ", approved by ",
    "; approved by ",
    ", per ",
    " on behalf of ",
];

/// Values that mean that the author is unknown.
const NOBODY: [&str; 9] = ["n/a", "none", "tbd", "unknown", "-", "—", "?", "self", "various"];

/// Reads `value`; `None` if it is empty, names no author, or is prose.
pub fn read(value: &str) -> Option<Author> {
    let value = value.trim();
    if let Some(worker) = behind_scribe(value) {
        return read(worker).map(|author| Author { whole: false, ..author });
    }
    let plain = plain(value);
    let end = ENDS.iter().filter_map(|end| plain.find(end)).filter(|&at| at > 0).min();
    let head = plain.get(..end.unwrap_or(plain.len()))?.trim().trim_end_matches(',');
    let mut names = split(head).into_iter().map(str::trim).filter(|name| !name.is_empty());
    let first = names.next()?;
    let name = with_bracket(first);
    if !is_name(&name) {
        return None;
    }
    let rest: Vec<String> = names.map(|name| with_bracket(without_work(name))).collect();
    let whole = end.is_none() && plain == value && rest.is_empty() && name == first;
    // What is not a name says how or from where: `via Copilot`, `pattern by Kaylee`.
    let is_other = |other: &String| is_plain_name(other) && first_word(other) != first_word(&name);
    let others: Vec<String> = rest.into_iter().filter(is_other).collect();
    Some(Author { name, others, whole })
}

fn first_word(name: &str) -> &str {
    name.split_whitespace().next().unwrap_or_default()
}

/// The last name of a list without what those in it did: `Keaton and Kobayashi analysis`.
fn without_work(name: &str) -> &str {
    const WORK: [&str; 8] =
        ["analysis", "analyses", "assessment", "feedback", "findings", "input", "research", "reviews"];
    let behind = name.rsplit_once(' ').filter(|(_, word)| WORK.contains(word));
    behind.map_or(name, |(name, _)| name.trim_end())
}

/// Who did what the scribe wrote down: `Scribe (from Wash / Kaylee)`, `Scribe (logging) — work by Wash`.
fn behind_scribe(value: &str) -> Option<&str> {
    value.get(..6).filter(|start| start.eq_ignore_ascii_case("scribe"))?;
    let bracket = value.split_once("(from ").and_then(|(_, rest)| rest.split_once(')'));
    bracket.map(|(names, _)| names).or_else(|| value.split_once("work by ").map(|(_, names)| names))
}

/// A name with the bracket after it, and without what is after that: `Keaton (Lead) in the review`. The bracket goes where it
/// makes the name too long. A time in it says when, and a request for whom: `Brady (via Copilot, 14:30)`,
/// `Keaton (requested by Brady)`.
fn with_bracket(name: &str) -> String {
    let Some((outside, rest)) = name.split_once('(') else { return name.to_owned() };
    let (outside, inside) = (outside.trim_end(), rest.split(')').next().unwrap_or_default());
    if outside.is_empty() {
        return name.to_owned();
    }
    let is_request = |part: &str| {
        let ends = ["requested by ", "at the request of ", "on behalf of "];
        ends.iter().any(|end| part.get(..end.len()).is_some_and(|start| start.eq_ignore_ascii_case(end)))
    };
    // `Morpheus (§8.9)` names a section of a document.
    let is_reference = |part: &str| part.starts_with(['§', '#']);
    let named = |part: &&str| !part.is_empty() && !is_time(part) && !is_request(part) && !is_reference(part);
    let parts: Vec<&str> = inside.split(", ").map(str::trim).filter(named).collect();
    let bracket = if parts.len() == inside.split(", ").count() { inside.to_owned() } else { parts.join(", ") };
    let whole = format!("{outside} ({bracket})");
    if bracket.is_empty() || whole.chars().count() > MAX_NAME { outside.to_owned() } else { whole }
}

/// Whether `text` says a day or a time of day, perhaps after one word: `2026-03-03`, `consolidated 2026-02-18`, `14:30 UTC`.
fn is_time(text: &str) -> bool {
    static DAY: Pattern = Pattern::new(r"(?i)^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}$");
    static CLOCK: Pattern = Pattern::new(r"(?:^|[T\s])(?:[01]?\d|2[0-3]):[0-5]\d\b");
    text.split_whitespace().count() <= 4
        && !text.contains(".md")
        && (day::is_named_in(text) || matches(&CLOCK, text) || matches(&DAY, text))
}

/// A value without link, emphasis and code.
fn plain(value: &str) -> String {
    let mut value = value;
    if let Some((name, rest)) = value.strip_prefix('[').and_then(|rest| rest.split_once("]("))
        && rest.ends_with(')')
        && rest.matches(')').count() == 1
    {
        value = name;
    }
    value.trim_matches(['*', '_', '`']).trim().to_owned()
}

/// The names of a list, brackets left whole: `Keaton (Lead), Fenster (Core Dev)`.
fn split(head: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    let mut skip_to = 0;
    for (at, c) in head.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > 0 || at < skip_to {
            continue;
        }
        let rest = head.get(at..).unwrap_or_default();
        let separator = [", and ", " and ", " with ", " & ", " + ", " / ", ",", ";", "+", "&"];
        // `R&D` is one word.
        let is_word = |separator: &str| {
            let before = head.get(start..at).unwrap_or_default();
            separator.len() > 1 || !matches!(c, '&' | '+') || !before.ends_with(char::is_uppercase)
        };
        if let Some(found) = separator.iter().find(|one| rest.starts_with(**one)).filter(|one| is_word(one)) {
            parts.push(head.get(start..at).unwrap_or_default());
            start = at + found.len();
            skip_to = start;
        }
    }
    parts.push(head.get(start..).unwrap_or_default());
    parts
}

/// Whether `name` looks like the name of someone: a few words that start with a letter, no sentence.
fn is_name(name: &str) -> bool {
    let outside = name.split(['(', '[']).next().unwrap_or_default().trim();
    let first = outside.trim_start_matches('@').chars().next();
    let words = outside.split_whitespace().count();
    first.is_some_and(char::is_alphabetic)
        && (1..=5).contains(&words)
        && name.chars().count() <= MAX_NAME
        && !outside.ends_with(['.', ':', '!', '?'])
        && !has_sentence_end(outside)
        && !outside.contains("**")
        && !["'s ", "’s "].iter().any(|of| outside.contains(of))
        && !NOBODY.iter().any(|nobody| outside.eq_ignore_ascii_case(nobody))
}

/// Whether a word before a full stop and a blank is more than an initial: `Jeffrey T. Fritz` is one name.
fn has_sentence_end(text: &str) -> bool {
    text.split_whitespace().any(|word| word.ends_with('.') && word.chars().count() > 3)
}

/// Whether every word of `name`, except for the text in brackets, is one of a name.
pub(super) fn is_plain_name(name: &str) -> bool {
    let outside = name.split(['(', '[']).next().unwrap_or_default();
    let named = |word: &str| word.starts_with(|c: char| c.is_uppercase() || c == '@');
    is_name(name) && outside.split_whitespace().all(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(value: &str) -> Option<(String, Vec<String>, bool)> {
        read(value).map(|Author { name, others, whole }| (name, others, whole))
    }

    #[test]
    fn one_author_as_written() {
        for value in [
            "Keaton",
            "Brady (via Copilot)",
            "Kobayashi (Git & Release)",
            "@tlmii (Tim Mulholland)",
            "Jeffrey T. Fritz (directive)",
            "R&D Lead",
        ] {
            assert_eq!(names(value), Some((value.to_owned(), vec![], true)), "{value}");
        }
    }

    #[test]
    fn what_is_more_than_a_name() {
        assert_eq!(names("Keaton; reviewed by Verbal"), Some(("Keaton".into(), vec![], false)));
        assert_eq!(names("Keaton&Verbal"), Some(("Keaton".into(), vec!["Verbal".into()], false)));
        assert_eq!(names("`Keaton`"), Some(("Keaton".into(), vec![], false)));
        assert_eq!(names("[Keaton](https://e.x/K)"), Some(("Keaton".into(), vec![], false)));
        assert_eq!(names("Wash (Backend) · Stream B"), Some(("Wash (Backend)".into(), vec![], false)));
        assert_eq!(names("Keaton (Lead), requested by brady"), Some(("Keaton (Lead)".into(), vec![], false)));
        assert_eq!(
            names("Rabin (Distribution) + Fenster (Core Dev)"),
            Some(("Rabin (Distribution)".into(), vec!["Fenster (Core Dev)".into()], false))
        );
        let part = |name: &str| Some((name.to_owned(), vec![], false));
        assert_eq!(names("David (Captain), via Squad"), part("David (Captain)"));
        assert_eq!(names("Troubleshooter; pattern via Kaylee history"), part("Troubleshooter"));
        assert_eq!(
            names("brady (via Copilot), with Keaton and Kobayashi analysis"),
            Some(("brady (via Copilot)".into(), vec!["Keaton".into(), "Kobayashi".into()], false))
        );
        assert_eq!(names("Mal, Kaylee and Wash"), Some(("Mal".into(), vec!["Kaylee".into(), "Wash".into()], false)));
    }

    #[test]
    fn the_scribe_writes_for_others() {
        let wash = |others: &[&str]| Some(("Wash".into(), others.iter().map(|&name| name.to_owned()).collect(), false));
        assert_eq!(names("Scribe (from Wash / Kaylee / Zoe)"), wash(&["Kaylee", "Zoe"]));
        assert_eq!(names("Scribe (from Wash / Captain approval)"), wash(&[]));
        assert_eq!(names("Scribe (logging) — work by Wash"), wash(&[]));
        assert_eq!(names("Scribe"), Some(("Scribe".into(), vec![], true)));
    }

    #[test]
    fn a_name_ends_where_its_bracket_ends() {
        let part = |name: &str| Some((name.to_owned(), vec![], false));
        assert_eq!(names("Keaton (Lead) in the review"), part("Keaton (Lead)"));
        assert_eq!(names("Kaylee (on directive from Captain via copilot-directive-2026-05-06.md)"), part("Kaylee"));
        assert_eq!(names("Hockney (2026-03-03)"), part("Hockney"));
        assert_eq!(names("Hockney (§8.9.25 part C)"), part("Hockney"));
        assert_eq!(names("Keaton (Feb 17), Keaton (Lead)"), part("Keaton"));
        assert_eq!(names("Basher (consolidated 2026-02-18)"), part("Basher"));
        assert_eq!(names("Brady (via Copilot, 2026-02-10T14:47Z)"), part("Brady (via Copilot)"));
        assert_eq!(names("Brady (via Copilot, 14:47 UTC)"), part("Brady (via Copilot)"));
        assert_eq!(names("Rusty (requested by Jeffrey T. Fritz)"), part("Rusty"));
    }

    #[test]
    fn nobody() {
        for value in
            ["", "Hockney's verification", "TBD", "Brady. REPL in 0.8.2 throws on start", "—", "2026-02-10", "N/A"]
        {
            assert_eq!(names(value), None, "{value}");
        }
    }
}
