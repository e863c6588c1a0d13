//! Entries as a table for spreadsheets: RFC 4180, a row for each entry.

use std::io::{self, Write};

use super::json::scope;
use crate::formats::sem::EntryType;
use crate::formats::timestamp::Timestamp;
use crate::memory::record::Record;
use crate::terminal::escape;

const COLUMNS: &str = "date,timestamp,type,author,scope,tags,summary,state,format,path,line,sections";

/// Writes it.
///
/// # Errors
/// What the writer says.
pub fn write(records: &[Record<'_>], now: Timestamp, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{COLUMNS}\r\n")?;
    for record in records {
        let states: Vec<&str> = super::text::states(record, now).collect();
        let cells = [
            record.when.day().map(|day| day.to_string()).unwrap_or_default(),
            record.when.moment().map(|at| at.to_string()).unwrap_or_default(),
            record.kind.map_or("", EntryType::as_str).to_owned(),
            record.author.as_deref().unwrap_or_default().to_owned(),
            record.scope.map(scope).unwrap_or_default(),
            record.tags.join(", "),
            record.summary.to_string(),
            states.join(", "),
            record.format.as_str().to_owned(),
            record.document.path().to_string(),
            record.line().to_string(),
            record.sections.titles().join(" > "),
        ];
        let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
        write!(out, "{}\r\n", cells.join(","))?;
    }
    Ok(())
}

/// A cell. One that a spreadsheet would take for a formula gets an apostrophe before it.
fn cell(text: &str) -> String {
    let text = escape(text);
    let text = if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text };
    match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_text_whatever_is_in_it() {
        assert_eq!(cell("a, \"b\"\nc"), "\"a, \"\"b\"\"\\nc\"");
        assert_eq!(cell("=HYPERLINK(1)"), "'=HYPERLINK(1)");
    }
}
