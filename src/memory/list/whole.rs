//! One entry whole, for people and for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::json::{Entry, VERSION};
use super::text::{self, day, states};
use crate::formats::sem::EntryType;
use crate::formats::timestamp::Timestamp;
use crate::memory::record::Record;
use crate::memory::show::Shown;
use crate::report::json_writer;
use crate::terminal::{display_path, escape};

/// Writes `shown` for people.
///
/// # Errors
/// What the writer says.
pub fn text(shown: &Shown<'_, '_>, now: Timestamp, out: &mut dyn Write) -> io::Result<()> {
    let record = shown.record;
    let by = record.author.as_deref().map(|author| format!(" by {}", escape(author))).unwrap_or_default();
    let states: Vec<&str> = states(record, now).collect();
    let state = if states.is_empty() { String::new() } else { format!(", {}", states.join(", ")) };
    writeln!(out, "{}{by}, {}{state}", record.kind.map_or("entry", EntryType::as_str), at(record))?;
    writeln!(out, "{}:{}", display_path(record.document.path()), record.line())?;
    if let Some(sections) = text::sections(record) {
        writeln!(out, "{sections}")?;
    }
    writeln!(out)?;
    for line in record.text().lines() {
        writeln!(out, "{}", format!("  {}", escape(line)).trim_end())?;
    }
    if shown.chain.len() > 1 {
        writeln!(out, "\nchain, the last one applies")?;
        for other in &shown.chain {
            writeln!(out, "{} {}", if std::ptr::eq(*other, record) { "*" } else { " " }, line(other))?;
        }
    }
    if !shown.related.is_empty() {
        writeln!(out, "\nrelated")?;
        for (kind, identifier, meant) in &shown.related {
            let what = format!("{} {}", escape(kind), escape(identifier));
            match meant.as_slice() {
                [] => writeln!(out, "  {}", what.trim())?,
                all => all.iter().try_for_each(|other| writeln!(out, "  {}", line(other)))?,
            }
        }
    }
    if !shown.referring.is_empty() {
        writeln!(out, "\nreferred to by")?;
        shown.referring.iter().try_for_each(|other| writeln!(out, "  {}", line(other)))?;
    }
    Ok(())
}

/// When an entry was made, as exactly as it says.
fn at(record: &Record<'_>) -> String {
    match record.when.moment() {
        Some(at) => at.to_string(),
        None if record.when.day().is_some() => day(record.when),
        None => "without a date".to_owned(),
    }
}

fn line(record: &Record<'_>) -> String {
    let kind = record.kind.map_or("entry", EntryType::as_str);
    let place = format!("{}:{}", display_path(record.document.path()), record.line());
    format!("{}  {kind}  {}  ({place})", at(record), escape(&record.summary))
}

#[derive(Serialize)]
struct Output<'r> {
    version: u32,
    entries: Vec<Whole<'r>>,
}

#[derive(Serialize)]
struct Whole<'r> {
    #[serde(flatten)]
    entry: Entry<'r>,
    /// From the first entry to the one that applies.
    chain: Vec<Entry<'r>>,
    related_entries: Vec<Entry<'r>>,
    referred_to_by: Vec<Entry<'r>>,
}

/// Writes one object with all of `shown`.
///
/// # Errors
/// What the writer says.
pub fn json(shown: &[Shown<'_, '_>], now: Timestamp, out: &mut dyn Write) -> io::Result<()> {
    let entries = shown.iter().map(|shown| Whole {
        entry: Entry::new(shown.record, now).with_text(shown.record),
        chain: shown.chain.iter().map(|record| Entry::new(record, now)).collect(),
        related_entries: shown.related.iter().flat_map(|(_, _, all)| all).map(|one| Entry::new(one, now)).collect(),
        referred_to_by: shown.referring.iter().map(|record| Entry::new(record, now)).collect(),
    });
    json_writer::write(&Output { version: VERSION, entries: entries.collect() }, out)
}
