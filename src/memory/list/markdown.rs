//! Entries as a table of Markdown.

use std::io::{self, Write};

use super::text::{day, sections, states};
use crate::formats::sem::EntryType;
use crate::formats::timestamp::Timestamp;
use crate::memory::record::Record;
use crate::terminal::{display_path, escape};

/// Writes it.
///
/// # Errors
/// What the writer says.
pub fn write(records: &[Record<'_>], now: Timestamp, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "| date | type | author | summary | place |\n| --- | --- | --- | --- | --- |")?;
    for record in records {
        let states: Vec<&str> = states(record, now).collect();
        let state = if states.is_empty() { String::new() } else { format!(" *({})*", states.join(", ")) };
        let within = sections(record).map(|sections| format!(" *({})*", cell(&sections))).unwrap_or_default();
        writeln!(
            out,
            "| {} | {} | {} | {}{within}{state} | {}:{} |",
            day(record.when),
            record.kind.map_or("-", EntryType::as_str),
            cell(record.author.as_deref().unwrap_or("-")),
            cell(&record.summary),
            cell(&display_path(record.document.path())),
            record.line(),
        )?;
    }
    Ok(())
}

fn cell(text: &str) -> String {
    escape(text).replace('|', "\\|")
}
