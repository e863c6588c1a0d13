//! Why a brief has what it has: for people, and for programs.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::{Brief, Why, Wish};
use crate::formats::timestamp::Timestamp;
use crate::memory::list::json::{Entry, VERSION};
use crate::memory::record::Record;
use crate::report::json_writer;
use crate::terminal::{display_path, escape};
use crate::text::prose::enumerated;

impl Why {
    /// What it says, in a few words.
    pub fn words(self) -> String {
        match self {
            Self::Superseded(by) => format!("superseded by {}", Timestamp::from_unix(by)),
            Self::Expired => "expired".to_owned(),
            Self::Archived => "archived".to_owned(),
            Self::NotLoaded => "in a file that agents do not load".to_owned(),
            Self::Repeated => "says the same as another entry".to_owned(),
            Self::ForOthers => "for other agents".to_owned(),
            Self::NoRoom => "no room left".to_owned(),
        }
    }

    /// The same after a number of entries.
    fn short(self) -> &'static str {
        match self {
            Self::NotLoaded => "in files that agents do not load",
            Self::ForOthers => "for other agents",
            Self::NoRoom => "over the budget",
            Self::Superseded(_) | Self::Expired | Self::Archived | Self::Repeated => self.name(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Superseded(_) => "superseded",
            Self::Expired => "expired",
            Self::Archived => "archived",
            Self::NotLoaded => "not-loaded",
            Self::Repeated => "repeated",
            Self::ForOthers => "for-others",
            Self::NoRoom => "no-room",
        }
    }
}

/// One line on how much was taken and left out.
pub fn total(brief: &Brief<'_, '_>, wish: &Wish<'_>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for left in &brief.left_out {
        *counts.entry(left.why.short()).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    let left: Vec<String> = counts.into_iter().map(|(why, count)| format!("{count} {why}")).collect();
    let left = if left.is_empty() { String::new() } else { format!("; omitted {}", enumerated(&left)) };
    let (taken, all) = (brief.taken.len(), brief.taken.len() + brief.left_out.len());
    format!("{taken} of {all} entries in about {} of {} tokens{left}", brief.tokens, wish.budget)
}

/// Writes a line for each entry.
///
/// # Errors
/// What the writer says.
pub fn text(brief: &Brief<'_, '_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "taken, with points and tokens")?;
    for taken in &brief.taken {
        let reasons: Vec<String> = taken.scored.reasons.iter().map(|reason| escape(&reason.words())).collect();
        let (points, tokens, form) = (taken.scored.points, taken.tokens, taken.form.as_str());
        writeln!(out, "  {points:4} {tokens:5}  {form:7}  {}: {}", named(taken.scored.record), reasons.join(", "))?;
    }
    writeln!(out, "omitted")?;
    for left in &brief.left_out {
        let why = match left.repeats {
            Some(other) => format!("says the same as {}", named(other)),
            None => left.why.words(),
        };
        writeln!(out, "  {}: {why}", named(left.record))?;
    }
    Ok(())
}

fn named(record: &Record<'_>) -> String {
    let summary: String = record.summary.chars().take(60).collect();
    format!("{}:{} {}", display_path(record.document.path()), record.line(), escape(&summary))
}

#[derive(Serialize)]
struct Output<'a> {
    version: u32,
    agent: &'a str,
    budget: u64,
    tokens: u64,
    taken: Vec<TakenLine<'a>>,
    left_out: Vec<LeftLine<'a>>,
    markdown: &'a str,
}

#[derive(Serialize)]
struct TakenLine<'a> {
    #[serde(flatten)]
    entry: Entry<'a>,
    form: &'static str,
    tokens: u64,
    points: u32,
    reasons: Vec<String>,
}

#[derive(Serialize)]
struct LeftLine<'a> {
    #[serde(flatten)]
    entry: Entry<'a>,
    reason: &'static str,
    /// The place of the entry that says the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    repeats: Option<String>,
}

/// Writes one object with the brief and all reasons.
///
/// # Errors
/// What the writer says.
pub fn json(brief: &Brief<'_, '_>, wish: &Wish<'_>, out: &mut dyn Write) -> io::Result<()> {
    let taken = brief.taken.iter().map(|taken| TakenLine {
        entry: Entry::new(taken.scored.record, wish.now),
        form: taken.form.as_str(),
        tokens: taken.tokens,
        points: taken.scored.points,
        reasons: taken.scored.reasons.iter().map(super::Reason::words).collect(),
    });
    let left = brief.left_out.iter();
    let left = left.map(|left| LeftLine {
        entry: Entry::new(left.record, wish.now),
        reason: left.why.name(),
        repeats: left.repeats.map(Record::place),
    });
    let output = Output {
        version: VERSION,
        agent: wish.agent.name,
        budget: wish.budget,
        tokens: brief.tokens,
        taken: taken.collect(),
        left_out: left.collect(),
        markdown: &brief.text,
    };
    json_writer::write(&output, out)
}
