//! What the title of a heading says about it by its words: that it is an entry, a section of entries, or a part of a document.

use crate::formats::markdown::{Mark, MarkKind};
use crate::text::Span;

/// Whether a title says that it is an entry: `Decision: x`, `Proposal #3 — x`, `Key directive: x`, `ADR-12: x`. `Decision 1:` is
/// also a part of a document.
pub(super) fn is_named(title: &str) -> bool {
    const KINDS: [&str; 7] = ["decision", "directive", "decisión", "decisiÓn", "directiva", "adr", "proposal"];
    let names_kind =
        |text| beginning(text, &KINDS).any(|kind| without_start(text, kind).is_some_and(|rest| is_label(kind, rest)));
    let mut rest = title;
    for _ in 0..QUALIFIERS {
        if names_kind(rest) {
            return true;
        }
        match rest.split_once(' ') {
            Some((word, behind)) if !word.is_empty() && word.chars().all(is_in_name) => rest = behind,
            _ => return false,
        }
    }
    names_kind(rest)
}

/// How many words may come before the kind of an entry.
const QUALIFIERS: usize = 3;

/// Whether a character can be in a word before the kind of an entry.
fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '_' | '&' | '/' | '-' | 'µ' | 'À'..='\u{1fff}' | '\u{2c00}'..='\u{d7ff}')
        || matches!(c, '\u{2126}' | '\u{212a}' | '\u{212b}')
}

/// Whether `rest`, which follows the `kind` of an entry, is perhaps a number, then a colon or a dash and something after that.
fn is_label(kind: &str, rest: &str) -> bool {
    let without_digits = |text: &'_ str| text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = match kind {
        "adr" => {
            let rest = rest.strip_prefix('-').unwrap_or(rest);
            rest.get(rest.len() - without_digits(rest)..).unwrap_or_default()
        }
        _ => rest,
    };
    let rest = rest.trim_start_matches(is_blank);
    let number = rest.strip_prefix('#').unwrap_or(rest);
    let rest = match number.len() - without_digits(number) {
        0 => rest,
        digits => number.get(digits..).unwrap_or_default(),
    };
    let label = rest.trim_start_matches(is_blank).strip_prefix([':', '—', '–']);
    label.is_some_and(|text| !text.is_empty() && !text.starts_with('\n'))
}

/// The last words of the titles of sections to which teams add.
pub const HELD: [&str; 10] = [
    "decisions",
    "directives",
    "entries",
    "learnings",
    "updates",
    "history",
    "sessions",
    "archive",
    "governance",
    "index",
];

/// Whether a title is that of a section that holds entries: `Decisions`, `Team decisions archive`, `Project context (2026)`.
pub(super) fn is_container(title: &str) -> bool {
    const QUALIFIERS: [&str; 17] = [
        "team", "squad", "shared", "project", "agent", "active", "recent", "archive", "archived", "older", "previous",
        "merged", "detailed", "current", "key", "core", "all",
    ];
    let words = match title.split_once('(') {
        Some((words, note)) if note.strip_suffix(')').is_some_and(|note| !note.contains(')')) => words,
        Some(_) => return false,
        None => title,
    };
    let is_one = |word: &str, of: &[&str]| of.iter().any(|one| one.eq_ignore_ascii_case(word));
    let words = words.trim_end_matches(is_blank);
    // Most titles end with another word.
    let last = words.rsplit(' ').next().unwrap_or_default();
    if is_one(words, &["archived", "historical"]) {
        return true;
    }
    if !is_one(last, &HELD) && !is_one(last, &["context", "log", "record"]) {
        return false;
    }
    let words: Vec<&str> = words.split(' ').collect();
    let is_held = |words: &[&str]| match words {
        [before @ .., held] => is_one(held, &HELD) && before.iter().all(|word| is_one(word, &QUALIFIERS)),
        [] => false,
    };
    match words.as_slice() {
        [of, context] if context.eq_ignore_ascii_case("context") => is_one(of, &["project", "core", "team", "squad"]),
        [held @ .., last] if is_one(last, &["log", "archive", "record", "index"]) && is_held(held) => true,
        held => is_held(held),
    }
}

/// Whether a title above all entries is that of the profile of a project, with which the history of an agent begins.
pub(super) fn is_profile(title: &str) -> bool {
    ["session context", "seed context", "initial context"].iter().any(|known| title.eq_ignore_ascii_case(known))
}

/// Whether a title is that of the key parts of what is above: `Key Decisions`.
pub(super) fn is_key(title: &str) -> bool {
    title.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("key "))
}

/// Whether a title is that of a part of a document: `Context`, `The decision`, `Alternatives considered`.
pub(super) fn is_part(title: &str) -> bool {
    const PARTS: [&str; 50] = [
        "context",
        "problem",
        "background",
        "summary",
        "overview",
        "decision",
        "decisions",
        "rationale",
        "why",
        "what",
        "status",
        "impact",
        "implications",
        "consequences",
        "alternatives",
        "approach",
        "implementation",
        "details",
        "scope",
        "risk",
        "risks",
        "next steps",
        "references",
        "files",
        "testing",
        "tests",
        "validation",
        "verification",
        "outcome",
        "result",
        "results",
        "recommendation",
        "recommendations",
        "analysis",
        "findings",
        "notes",
        "conclusion",
        "timeline",
        "sign-off",
        "signoff",
        "approval",
        "approvals",
        "verdict",
        "review note",
        "review notes",
        "reviewer note",
        "reviewer notes",
        "delivery",
        "changelog",
        "metadata",
    ];
    let rest = ["the ", "key ", "final ", "current ", "proposed "].iter().find_map(|word| without_start(title, word));
    let rest = rest.unwrap_or(title);
    let ends = |rest: &str| {
        let goes_on = rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        !goes_on && rest.chars().nth(MORE).is_none() && !rest.contains(':')
    };
    beginning(rest, &PARTS).any(|part| without_start(rest, part).is_some_and(ends))
}

/// Whether a title is that of a counted part of a document: `Decision 3: x`, `7. x`, `033f: x`, `Phase 2 — x`, `A) x`. Alone such
/// parts are features of a proposal, whose fields say no more than what and why.
pub(super) fn is_counted(title: &str) -> bool {
    const COUNTED: [&str; 20] = [
        "decision",
        "directive",
        "proposal",
        "feature",
        "phase",
        "step",
        "item",
        "option",
        "wave",
        "part",
        "stage",
        "fix",
        "finding",
        "rule",
        "issue",
        "wi",
        "d",
        "p",
        "f",
        "q",
    ];
    let ends = |rest: &str| {
        let rest = rest.trim_start_matches(is_blank);
        rest.starts_with([':', '.', ')', '—', '–']) || rest.starts_with("- ")
    };
    let counts = |rest: &str| number(rest).is_some_and(ends);
    let counted = beginning(title, &COUNTED).any(|word| {
        without_start(title, word).is_some_and(|rest| {
            let rest = rest.strip_prefix([' ', '-']).unwrap_or(rest);
            counts(rest.strip_prefix('#').unwrap_or(rest))
        })
    });
    let behind = title.strip_prefix(|c: char| c.is_ascii_alphabetic());
    counted || counts(title) || behind.is_some_and(|rest| counts(rest) || ends(rest))
}

/// What follows the number at the start of `text`: `3`, `6.1`, `033f`.
fn number(text: &str) -> Option<&str> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut rest = text.get(digits(text)..).filter(|rest| rest.len() < text.len())?;
    while let Some(more) = rest.strip_prefix('.').filter(|more| digits(more) > 0) {
        rest = more.get(digits(more)..)?;
    }
    let letter = rest.strip_prefix(|c: char| c.is_ascii_alphabetic());
    Some(letter.filter(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic())).unwrap_or(rest))
}

/// Whether a title ends with a name and a date after it: `Blog work — McManus (2026-02-09)`. The caller knows about the date.
pub(super) fn is_signed(title: &str) -> bool {
    let Some((before, date)) = title.rsplit_once(" (") else { return false };
    let (above, name) = before.rsplit_once(' ').unwrap_or(("", before));
    let is_name =
        name.starts_with(char::is_uppercase) && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    is_name && above.ends_with(['—', '–']) && date.starts_with(|c: char| c.is_ascii_digit()) && date.ends_with(')')
}

/// Whether a title begins with one of several issues that the title `above` names: `Issue #86: x` below `Issues #86 and #87`.
pub(super) fn is_one_of_several(title: &str, above: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let number = |text: &'_ str| text.get(..digits(text)).filter(|number| !number.is_empty()).map(str::to_owned);
    let word = ["issue ", "pr ", "bug ", "pull request "].iter().find_map(|word| without_start(title, word));
    let Some(own) = word.and_then(|rest| rest.strip_prefix('#')).and_then(number) else { return false };
    let named: Vec<String> = above.split('#').skip(1).filter_map(number).collect();
    named.contains(&own) && named.iter().any(|other| *other != own)
}

/// Whether the text before a date says that it is not the day of what it is in: `Project started `, `Due: `.
pub(super) fn is_of_something_else(before: &str) -> bool {
    const WORDS: [&str; 10] =
        ["started", "since", "until", "due", "deadline", "target", "before", "after", "expires", "by"];
    let before = before.trim_end_matches(|c: char| !c.is_alphanumeric());
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    WORDS.iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// Whether the text before a date is a label for it: `Session: `, `Team update: `.
pub(super) fn is_session(before: &str) -> bool {
    const LABELS: [&str; 4] = ["session", "update", "team update", "learnings"];
    let label = before.trim_end().strip_suffix(':').map(str::trim);
    label.is_some_and(|label| LABELS.iter().any(|known| label.eq_ignore_ascii_case(known)))
}

/// Whether a title is that of the end or the head of a document, whose fields are the document's: `Approval`, `Sign-off`, `Audit
/// metadata`.
pub(super) fn is_frame(title: &str) -> bool {
    const FRAMES: [&str; 8] =
        ["approval", "approvals", "sign-off", "signoff", "signatures", "metadata", "document info", "document control"];
    let last = title.rsplit(' ').next().unwrap_or_default();
    FRAMES.iter().any(|frame| title.eq_ignore_ascii_case(frame)) || last.eq_ignore_ascii_case("metadata")
}

/// Whether the last heading of this `level` or a higher one between the headings `from` and `to` is that of the background of a decision:
/// what follows is what was decided. `marks` are those of the text.
pub(super) fn follows_background(text: &str, from: Span, marks: &[Mark], to: Span, level: u8) -> bool {
    const BACKGROUNDS: [&str; 5] = ["background", "context", "problem", "problem statement", "situation"];
    let above = marks.get(..marks.partition_point(|mark| mark.line.start() < to.start())).unwrap_or_default();
    let own = above.iter().rev().take_while(|mark| mark.line.start() > from.start());
    let mut headings = own.filter_map(|mark| match mark.kind {
        MarkKind::Heading(own) if own <= level => Some((own, mark.line)),
        _ => None,
    });
    headings.next().is_some_and(|(own, line)| {
        let title = line.of(text).trim().trim_matches('#').trim();
        own == level && BACKGROUNDS.iter().any(|known| title.eq_ignore_ascii_case(known))
    })
}

/// How many characters may follow the word that names a part.
const MORE: usize = 16;

/// Those of `words` that begin with the first letter of `text`: only they need to be compared.
fn beginning<'w>(text: &str, words: &'w [&'static str]) -> impl Iterator<Item = &'static str> + use<'w> {
    let first = text.bytes().next().map(|byte| byte.to_ascii_lowercase());
    words.iter().copied().filter(move |word| word.bytes().next() == first)
}

/// `text` without `start`, which it begins with in any case of ASCII letters.
fn without_start<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(start.len())?;
    head.eq_ignore_ascii_case(start).then_some(rest)
}

fn is_blank(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ')
}

/// Whether two titles have the same words, apart from numbers and a few.
pub(super) fn is_doubled(one: &str, other: &str) -> bool {
    let words =
        |text| -> Vec<&str> { words(text).filter(|word| !word.starts_with(|c: char| c.is_ascii_digit())).collect() };
    let (one, other) = (words(one), words(other));
    let common = one.iter().filter(|word| has_word(&other, word)).count();
    common > 0 && common * 5 >= one.len().max(other.len()) * 4
}

/// Whether most words of `title` are in `above` too.
pub fn same_title(title: &str, above: &str) -> bool {
    let (title, above): (Vec<&str>, Vec<&str>) = (words(title).collect(), words(above).collect());
    let common = title.iter().filter(|word| has_word(&above, word)).count();
    common > 0 && common * 2 >= title.len()
}

/// The words of a title, but the shortest.
fn words(title: &str) -> impl Iterator<Item = &str> {
    title.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2)
}

/// Whether `word` is one of `words` in any case.
fn has_word(words: &[&str], word: &str) -> bool {
    let is_same = |other: &str| match word.is_ascii() && other.is_ascii() {
        true => word.eq_ignore_ascii_case(other),
        false => word.to_lowercase() == other.to_lowercase(),
    };
    words.iter().any(|other| is_same(other))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    #[test]
    fn titles_by_their_words() {
        for title in
            ["Decision: x", "DIRECTIVA — x", "Key team decision #12 : x", "ADR-0012: x", "2026/é-1 Proposal 3– x"]
        {
            assert!(is_named(title), "{title}");
        }
        for title in ["Decision", "Decision:", "Decisions: x", "a b c d Decision: x", "a  Decision: x", "adr-x: y"] {
            assert!(!is_named(title), "{title}");
        }
        for title in [
            "Decisions",
            "Team Decisions Archive",
            "archive archive (a(b)",
            "Project context\t(2026)",
            "Archived detailed entries (2026-02-10, short)",
        ] {
            assert!(is_container(title), "{title}");
        }
        for title in ["", "Our decisions", "Decisions (a) b", "Decisions (a)b)", "Key context", "Decisions log log"] {
            assert!(!is_container(title), "{title}");
        }
        for title in ["Context", "The decision", "Alternatives considered", "Risks é (0123456789ab"] {
            assert!(is_part(title), "{title}");
        }
        for title in ["Contexts", "Why: x", "the key risks", "Risks é (0123456789abc", "What_"] {
            assert!(!is_part(title), "{title}");
        }
    }

    #[test]
    fn counted_and_signed_titles() {
        for title in ["Decision 3: x", "7. x", "033f: x", "6.1 — x", "Phase 2 – x", "WI-3: x", "A) x", "Issue #12: x"]
        {
            assert!(is_counted(title), "{title}");
        }
        for title in ["Decision: x", "2026-02-10: x", "3 rules", "Option x: y", "Tabs 3: x", "3rd: x"] {
            assert!(!is_counted(title), "{title}");
        }
        assert!(is_signed("Blog work — McManus (2026-02-09)"));
        for title in
            ["Blog work (2026-02-09)", "Blog — the work (2026-02-09)", "Blog — Work (draft)", "McManus (2026-02-09)"]
        {
            assert!(!is_signed(title), "{title}");
        }
        assert!(is_one_of_several("Issue #12: x", "Issues #7 and #12") && is_one_of_several("PR #7 — x", "#7, #12"));
        for title in ["Issue #1: x", "Issue 12", "Issues #7 and #12", "Fix for Issue #12"] {
            assert!(!is_one_of_several(title, "Issues #7 and #12"), "{title}");
        }
        assert!(!is_one_of_several("Issue #12: x", "Issue #12"));
        assert!(is_frame("Approval") && is_frame("Audit Metadata") && !is_frame("Approval flow"));
        assert!(is_of_something_else("Project started ") && is_of_something_else("Due: "));
        assert!(!is_of_something_else("Sprint ") && !is_of_something_else(""));
    }

    /// The same as patterns: easy to read, and slow to compile.
    fn patterns() -> [Regex; 3] {
        [
            r"(?i-u)^(?:(?u:[0-9a-z_&/À-\u{1fff}\u{2c00}-\u{d7ff}-]+) ){0,3}(?:decision|directive|decisi(?:ó|Ó)n|directiva|adr-?\d*|proposal)\s*(?:#?\d+)?\s*(?u:[:—–].)",
            r"(?i-u)^(?:(?:(?:team|squad|shared|project|agent|active|recent|archived?|older|previous|merged|detailed|current|key|core|all) )*(?:decisions|directives|entries|learnings|updates|history|sessions|archive|governance|index)(?: (?:log|archive|record|index))?|(?:project|core|team|squad) context|archived|historical)\s*(?:\((?u:[^)]*)\))?$",
            r"(?i-u)^(?:the |key |final |current |proposed )?(?:context|problem|background|summary|overview|decisions?|rationale|why|what|status|impact|implications|consequences|alternatives|approach|implementation|details|scope|risks?|next steps|references|files|testing|tests|validation|verification|outcome|results?|recommendations?|analysis|findings|notes|conclusion|timeline|sign-?off|approvals?|verdict|review(?:er)? notes?|delivery|changelog|metadata)\b(?u:[^:]{0,16})$",
        ]
        .map(|pattern| Regex::new(pattern).unwrap())
    }

    #[test]
    fn words_of_names_have_the_characters_of_the_pattern() {
        let name = Regex::new(r"(?i)^[0-9a-z_&/À-\u{1fff}\u{2c00}-\u{d7ff}-]$").unwrap();
        for c in '\0'..=char::MAX {
            assert_eq!(is_in_name(c), name.is_match(c.encode_utf8(&mut [0; 4])), "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn patterns_say_the_same(
            words in prop::collection::vec(
                "(?i)team|archived?|historical|all|key|the|next steps|core|project|decisions?|directives?|decisión|directiva|adr-?|adr12|\
                 proposal|index|log|archive|context|tests|results?|why|what|risks?|status|timeline|#?[0-9]|[(): —–._\n\té-]|x{1,9}",
                0..7,
            ),
            gap in " ?",
        ) {
            let [named, container, part] = patterns();
            let title = words.join(&gap);
            prop_assert_eq!(is_named(&title), named.is_match(&title), "{}", title);
            prop_assert_eq!(is_container(&title), container.is_match(&title), "{}", title);
            prop_assert_eq!(is_part(&title), part.is_match(&title), "{}", title);
        }
    }
}
