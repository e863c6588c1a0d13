//! Why a section stays where agents read it.

use crate::formats::legacy::titles::HELD;
use crate::formats::legacy::{Field, Meaning};
use crate::text::Span;
use crate::text::words::{begins_with, contains, has_any, is_in_word};

/// Why a section stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hold {
    /// It holds until it is taken back.
    Directive,
    /// A line of it gives an order, or is the owner's word: `Never commit a key`.
    Order,
    /// Its title or its status says that it is active.
    Active,
    /// A line of it is a task or a question that is open: `Awaiting approval`.
    Open,
    /// Where it ends is uncertain: a heading in it is as high as its own.
    Unclear,
    /// It is younger than a week.
    Fresh,
    /// Its date is far from those of the entries around it, or from before the repository.
    Doubtful,
    /// It is newer than one that stays, and its title names the same subject.
    Follows,
    /// It is newer than one that stays only because it cannot leave whole.
    Behind,
    /// Nothing is newer, in the file or in its section.
    Newest,
    /// It or the sections around it have no date.
    Undated,
    /// A section in it stays.
    Around,
}

impl Hold {
    /// Whether its title, its fields or its text say that it stays.
    pub fn is_said(self) -> bool {
        matches!(self, Self::Directive | Self::Order | Self::Active | Self::Open)
    }

    /// What a section does or is that stays for this reason; `None` where another section is the reason.
    pub fn reason(self) -> Option<&'static str> {
        Some(match self {
            Self::Directive => "is a directive",
            Self::Order => "gives an order",
            Self::Active => "counts as current",
            Self::Open => "has an open task or question",
            Self::Unclear => "has an unclear end",
            Self::Doubtful => "has a doubtful date",
            Self::Newest => "is the newest one there",
            _ => return None,
        })
    }

    /// The words for `count` entries that stay for this reason.
    pub fn said(self, count: usize) -> String {
        let (one, many) = match self {
            Self::Directive => ("1 directive", "directives"),
            Self::Order => ("1 entry that gives an order", "entries that give orders"),
            Self::Active => ("1 section that counts as current", "sections that count as current"),
            Self::Open => ("1 entry with an open task or question", "entries with open tasks or questions"),
            Self::Unclear => ("1 entry whose end is unclear", "entries whose end is unclear"),
            Self::Fresh => ("1 entry younger than a week", "entries younger than a week"),
            Self::Doubtful => ("1 entry with a doubtful date", "entries with doubtful dates"),
            Self::Follows => (
                "1 entry on the same subject as an older, kept entry",
                "entries on the same subjects as older, kept entries",
            ),
            Self::Behind => ("1 entry newer than one that is kept", "entries newer than one that is kept"),
            Self::Newest => ("the newest entry", "newest entries"),
            Self::Undated => ("1 section without a date in its title", "sections without a date in their titles"),
            Self::Around => ("1 entry that contains one that is kept", "entries that contain others that are kept"),
        };
        if count == 1 { one.to_owned() } else { format!("{count} {many}") }
    }
}

/// In the title of what holds until it is taken back, and then of what is going on: most titles have neither, and one walk tells.
const HOLDING: [&str; 16] = [
    "directive",
    "directives",
    "directiva",
    "directivas",
    "active",
    "current",
    "currently",
    "ongoing",
    // The word by which this program's own texts must not go.
    concat!("stand", "ing"),
    "permanent",
    "pinned",
    "evergreen",
    "wip",
    "core context",
    "in progress",
    "in-progress",
];

/// In the title of what holds until it is taken back.
const DIRECTIVE: &[&str] = HOLDING.split_at(4).0;

/// At the start of a state that is not settled.
const OPEN: [&str; 26] = [
    "active",
    "current",
    "ongoing",
    "open",
    "pending",
    "proposed",
    "proposal",
    "draft",
    "blocked",
    "awaiting",
    "wip",
    "backlog",
    "deferred",
    "in_progress",
    "not started",
    "on hold",
    "paused",
    "planned",
    "to do",
    "todo",
    "in progress",
    "in-progress",
    "in review",
    "in-review",
    "under review",
    "needs",
];

/// The words with which coordinators write down what a person asked for: anywhere, and at the start.
const CAPTURED: &str = "captured for team memory";
const ASKED: [&str; 4] = ["user request", "user directive", "user preference", "user requirement"];

/// More of these words. In titles of entries and of their parts they are as common, so they end no entry: `Context`, `Work log`.
const ALSO_HELD: [&str; 4] = ["notes", "context", "work", "log"];

/// The most words that such a title has.
const HELD_WORDS: usize = 4;

/// Whether a heading is the title of a section to which teams add: a few words, and the last one says what it holds.
pub fn is_container(heading: &str) -> bool {
    let title = heading.trim_matches(|c| !is_in_word(c));
    let mut words = title.split([' ', '-']).filter(|word| !word.is_empty()).take(HELD_WORDS + 1);
    let (mut count, mut last) = (0, "");
    let is_plain = words.all(|word| {
        (count, last) = (count + 1, word);
        word.chars().all(is_in_word)
    });
    is_plain && count <= HELD_WORDS && HELD.iter().chain(&ALSO_HELD).any(|held| held.eq_ignore_ascii_case(last))
}

/// Whether the value of a state leaves something open: `Proposed — pending review`.
pub fn is_state_of_open(value: &str) -> bool {
    let word = value.trim_start_matches(|c| !is_in_word(c));
    begins_with(word, OPEN.split_at(3).1) && !contains(value, " done")
}

/// Why a section with this heading stays.
pub fn of_title(heading: &str) -> Option<Hold> {
    if has_any(heading, &HOLDING) {
        return Some(if has_any(heading, DIRECTIVE) { Hold::Directive } else { Hold::Active });
    }
    heading.contains('🔄').then_some(Hold::Active)
}

/// Why a record of a decision on architecture stays, `ADR-002: …` with the status `Accepted`: it applies until another one replaces it.
pub fn of_record(heading: &str, text: &str, fields: &[Field]) -> Option<Hold> {
    const ACCEPTED: [&str; 3] = ["accepted", "adopted", "approved"];
    let behind = heading.split_once("ADR").filter(|(before, _)| !before.ends_with(is_in_word));
    let behind = behind.map(|(_, behind)| behind.trim_start_matches(['-', ' ', '#']));
    let is_record = behind.is_some_and(|behind| behind.starts_with(|c: char| c.is_ascii_digit()));
    let is_accepted = |field: &Field| {
        let value = field.value.of(text);
        let word = value.trim_start_matches(|c| !is_in_word(c));
        field.meaning == Meaning::Status && begins_with(word, &ACCEPTED) && !contains(value, "superseded")
    };
    (is_record && fields.iter().any(is_accepted)).then_some(Hold::Active)
}

/// Why an entry with these fields stays.
pub fn of_fields(text: &str, fields: &[Field]) -> Option<Hold> {
    let value = |value: Span| value.of(text);
    let first_word = |value: &'_ str| value.find(is_in_word).unwrap_or(value.len());
    let opens =
        |value: &str, phrases: &[&str]| begins_with(value.get(first_word(value)..).unwrap_or_default(), phrases);
    let is_directive = fields.iter().any(|field| match field.meaning {
        Meaning::Author => contains(value(field.value), "via copilot"),
        Meaning::What | Meaning::Why => opens(value(field.value), &ASKED) || contains(value(field.value), CAPTURED),
        _ => false,
    });
    if is_directive {
        return Some(Hold::Directive);
    }
    let is_open = |field: &Field| field.meaning == Meaning::Status && opens(value(field.value), &OPEN);
    fields.iter().any(is_open).then_some(Hold::Active)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    /// The same as patterns: easy to read, and slow to compile.
    fn patterns() -> [Regex; 5] {
        [
            r"\b(?i-u:directiv(?:e|es|a|as))\b",
            r"\b(?i-u:active|current|currently|ongoing|standing|permanent|pinned|evergreen|wip|core context|in[ -]progress)\b",
            r"^\W*(?i-u:active|current|ongoing|open|pending|proposed|proposal|draft|blocked|awaiting|wip|backlog|deferred|in_progress|not started|on hold|paused|planned|to ?do|in[ -](?:progress|review)|under review|needs)\b",
            r"(?i-u:captured for team memory)|^\W*(?i-u:user (?:request|directive|preference|requirement))\b",
            r"^#+\W*(?:\w+[ -]+){0,3}(?i-u:decisions|directives|entries|learnings|updates|history|sessions|archive|governance|index|notes|context|work|log)\W*$",
        ]
        .map(|pattern| Regex::new(pattern).unwrap())
    }

    #[test]
    fn an_accepted_record_stays() {
        for (heading, status, expected) in [
            ("### ADR-002: Data of tenants", "Accepted", Some(Hold::Active)),
            ("## 2026-02-10: ADR 12 — Caches", "✅ Approved", Some(Hold::Active)),
            ("### ADR-002: Data of tenants", "Accepted, superseded by ADR-010", None),
            ("### ADR-002: Data of tenants", "Done", None),
            ("### Data of tenants", "Accepted", None),
            ("### QUADR 2 motors", "Accepted", None),
            ("### ADR template", "Accepted", None),
        ] {
            let value = Span::new(0, status.len());
            let field = Field { meaning: Meaning::Status, name: Span::at(0), value, bulleted: false };
            assert_eq!(of_record(heading, status, &[field]), expected, "{heading} {status}");
        }
    }

    proptest! {
        #[test]
        fn patterns_say_the_same(
            words in prop::collection::vec(
                "(?i-u)directiv(e|es|a|as|o)|active|currently?|open|in|progress|review|under|needs|todo?|hold|on|user|request|captured for|\
                 team memory|core|context|log|notes|archive|x|é|[-_ .:(]| {2}",
                0..8,
            ),
            gap in "[ -]?",
        ) {
            let text = format!("#{}", words.join(&gap));
            let [directive, active, open, captured, container] = patterns().map(|pattern| pattern.is_match(&text));
            let start = text.get(text.find(is_in_word).unwrap_or(text.len())..).unwrap_or_default();
            let of_title = match (directive, active) {
                (true, _) => Some(Hold::Directive),
                (false, true) => Some(Hold::Active),
                (false, false) => None,
            };
            prop_assert_eq!(super::of_title(&text), of_title, "{}", text);
            prop_assert_eq!(begins_with(start, &OPEN), open, "{}", text);
            prop_assert_eq!(contains(&text, CAPTURED) || begins_with(start, &ASKED), captured, "{}", text);
            prop_assert_eq!(is_container(&text), container, "{}", text);
        }
    }
}
