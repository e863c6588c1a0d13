//! Entries as JSON: one object for all, or one line for each.

use std::io::{self, Write};

use serde::Serialize;

use crate::formats::sem::{EntryType, Scope};
use crate::formats::timestamp::Timestamp;
use crate::memory::record::Record;
use crate::report::json_writer::{self, Stream};

/// The version of this format. It grows when a member changes its meaning or goes away.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct Output<T> {
    version: u32,
    entries: T,
}

/// One entry.
#[derive(Debug, Serialize)]
pub struct Entry<'r> {
    path: String,
    line: usize,
    end_line: usize,
    format: &'static str,
    #[serde(rename = "type")]
    kind: Option<&'static str>,
    /// As it identifies the entry; `null` for an entry that has a day at most.
    timestamp: Option<String>,
    date: Option<String>,
    author: Option<&'r str>,
    contributors: Vec<&'r str>,
    scope: Option<String>,
    tags: &'r [&'r str],
    summary: &'r str,
    related: Vec<Related<'r>>,
    supersedes: Option<String>,
    superseded_by: Option<String>,
    expires: Option<String>,
    expired: bool,
    archived: bool,
    in_conflict: bool,
    /// Whether agents load its file when they start.
    loaded: bool,
    in_force: bool,
    /// The titles of the sections that it is in, the outermost first.
    sections: &'r [&'r str],
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'r str>,
}

#[derive(Debug, Serialize)]
struct Related<'r> {
    #[serde(rename = "type")]
    kind: &'r str,
    identifier: &'r str,
}

impl<'r> Entry<'r> {
    /// What JSON says about `record` at `now`.
    pub fn new(record: &'r Record<'_>, now: Timestamp) -> Self {
        let (line, end_line) = record.lines();
        let stamp = |at: Option<Timestamp>| at.map(|at| at.to_string());
        Self {
            path: record.document.path().to_string(),
            line,
            end_line,
            format: record.format.as_str(),
            kind: record.kind.map(EntryType::as_str),
            timestamp: stamp(record.when.moment()),
            date: record.when.day().map(|day| day.to_string()),
            author: record.author.as_deref(),
            contributors: record.contributors.iter().map(AsRef::as_ref).collect(),
            scope: record.scope.map(scope),
            tags: &record.tags,
            summary: &record.summary,
            related: record.references().map(|(kind, identifier)| Related { kind, identifier }).collect(),
            supersedes: stamp(record.supersedes),
            superseded_by: stamp(record.superseded_by),
            expires: stamp(record.expires),
            expired: record.is_expired(now),
            archived: record.is_archived(),
            in_conflict: record.is_in_conflict,
            loaded: record.is_read(),
            in_force: record.is_in_force(now),
            sections: record.sections.titles(),
            text: None,
        }
    }

    /// The same with the whole text of the entry.
    #[must_use]
    pub fn with_text(self, record: &'r Record<'_>) -> Self {
        Self { text: Some(record.text()), ..self }
    }
}

/// A scope as it is written.
pub fn scope(scope: Scope<'_>) -> String {
    match scope {
        Scope::Team => "team".to_owned(),
        Scope::Project => "project".to_owned(),
        Scope::Agent(name) => format!("agent:{name}"),
        Scope::Skill(name) => format!("skill:{name}"),
    }
}

/// Writes one object with all of `records`.
///
/// # Errors
/// What the writer says.
pub fn write(records: &[Record<'_>], now: Timestamp, out: &mut dyn Write) -> io::Result<()> {
    let entries = Stream::new(records.iter().map(|record| Entry::new(record, now)));
    json_writer::write(&Output { version: VERSION, entries }, out)
}

/// Writes a line with one object for each of `records`.
///
/// # Errors
/// What the writer says.
pub fn lines(records: &[Record<'_>], now: Timestamp, out: &mut dyn Write) -> io::Result<()> {
    records.iter().try_for_each(|record| json_writer::line(&Entry::new(record, now), out))
}
