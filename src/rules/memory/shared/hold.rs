//! Why a section stays where agents read it.

use std::sync::LazyLock;

use regex::Regex;

use crate::formats::legacy::{Field, Meaning};
use crate::text::Span;

/// Why a section stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hold {
    /// It holds until it is taken back.
    Directive,
    /// Its title or its status says that it is active.
    Active,
    /// Where it ends is uncertain: a heading in it is as high as its own.
    Unclear,
    /// It is younger than a week.
    Fresh,
    /// Its date is far from those of the entries around it.
    Doubtful,
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
    /// What is said of `count` entries that stay for this reason.
    pub fn said(self, count: usize) -> String {
        let (one, many) = match self {
            Self::Directive => ("1 directive", "directives"),
            Self::Active => ("1 entry that counts as active", "entries that count as active"),
            Self::Unclear => ("1 entry whose end is unclear", "entries whose end is unclear"),
            Self::Fresh => ("1 entry younger than a week", "entries younger than a week"),
            Self::Doubtful => {
                ("1 entry with a date far from those around it", "entries with dates far from those around them")
            }
            Self::Behind => ("1 entry newer than another that stays", "entries newer than another that stays"),
            Self::Newest => ("the newest entry", "newest entries"),
            Self::Undated => ("1 section without a date", "sections without a date"),
            Self::Around => ("1 entry around one that stays", "entries around others that stay"),
        };
        if count == 1 { one.to_owned() } else { format!("{count} {many}") }
    }
}

/// A title of what holds until it is taken back.
static DIRECTIVE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)\bdirectiv(?:e|es|a|as)\b").ok());

/// A title of what is going on.
static ACTIVE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:active|current|currently|ongoing|stand(?:ing)|permanent|pinned|evergreen|wip|core context|in[ -]progress)\b|🔄")
        .ok()
});

/// A state that is not settled.
static OPEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)^\W*(?:active|current|ongoing|open|pending|proposed|proposal|draft|blocked|awaiting|wip|in[ -](?:progress|review)|under review|needs)\b").ok()
});

/// The words with which coordinators write down what a person asked for.
static CAPTURED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)captured for team memory|^\W*user (?:request|directive|preference)\b").ok());

fn matches(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|regex| regex.is_match(text))
}

/// Why a section with this heading stays.
pub fn of_title(heading: &str) -> Option<Hold> {
    if matches(&DIRECTIVE, heading) {
        return Some(Hold::Directive);
    }
    matches(&ACTIVE, heading).then_some(Hold::Active)
}

/// Why an entry with these fields stays.
pub fn of_fields(text: &str, fields: &[Field]) -> Option<Hold> {
    let value = |value: Span| value.of(text);
    let is_directive = fields.iter().any(|field| match field.meaning {
        Meaning::Author => value(field.value).to_ascii_lowercase().contains("via copilot"),
        Meaning::What | Meaning::Why => matches(&CAPTURED, value(field.value)),
        _ => false,
    });
    if is_directive {
        return Some(Hold::Directive);
    }
    let is_open = |field: &Field| field.meaning == Meaning::Status && matches(&OPEN, value(field.value));
    fields.iter().any(is_open).then_some(Hold::Active)
}
