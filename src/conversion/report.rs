//! The output of `convert`: a list for people, or JSON.

use std::io::{self, Write};

use bstr::ByteSlice;
use serde::Serialize;

use super::{Changed, Row};
use crate::convert::Confidence;
use crate::report::json_writer;
use crate::terminal::{display_path, escape};

/// The version of the JSON format.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Output<'a> {
    version: u32,
    entries: Vec<Entry<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Entry<'a> {
    path: String,
    line: usize,
    status: &'static str,
    confidence: Confidence,
    reasons: &'a [String],
}

#[derive(Serialize)]
struct Summary {
    total: usize,
    converted: usize,
    review: usize,
}

/// Whether an entry was converted, or would be.
pub fn is_converted(row: &Row) -> bool {
    row.header.is_some() && row.failure.is_none()
}

fn summary(files: &[Changed]) -> Summary {
    let rows = || files.iter().flat_map(|file| &file.rows);
    let (total, converted) = (rows().count(), rows().filter(|row| is_converted(row)).count());
    Summary { total, converted, review: total - converted }
}

/// Writes one JSON object and a line end.
pub fn json(files: &[Changed], out: &mut dyn Write) -> io::Result<()> {
    let entries = files.iter().flat_map(|file| &file.rows).map(|row| Entry {
        path: row.path.to_str_lossy().into_owned(),
        line: row.line,
        status: if is_converted(row) { "converted" } else { "review" },
        confidence: row.confidence,
        reasons: &row.reasons,
    });
    let output = Output { version: VERSION, entries: entries.collect(), summary: summary(files) };
    json_writer::write(&output, out)
}

/// Writes the list, entry by entry, and the totals.
pub fn text(files: &[Changed], (quiet, is_dry_run): (bool, bool), out: &mut dyn Write) -> io::Result<()> {
    for file in files {
        let shown = |row: &Row| !quiet || !is_converted(row);
        if !file.rows.iter().any(shown) {
            continue;
        }
        writeln!(out, "Converting {}...", display_path(&file.path))?;
        for (number, row) in (1..).zip(&file.rows).filter(|(_, row)| shown(row)) {
            entry(number, row, out)?;
        }
        writeln!(out)?;
    }
    if quiet {
        return Ok(());
    }
    let Summary { total, converted, review } = summary(files);
    if total == 0 {
        return writeln!(out, "No legacy entries to convert.");
    }
    let noun = if total == 1 { "entry" } else { "entries" };
    writeln!(out, "{converted} of {total} {noun} converted automatically.")?;
    match review {
        0 => {}
        1 => writeln!(out, "1 entry needs manual review.")?,
        _ => writeln!(out, "{review} entries need manual review.")?,
    }
    if is_dry_run && converted > 0 {
        writeln!(out, "\nRun without --dry-run to apply changes.")?;
    }
    Ok(())
}

fn entry(number: usize, row: &Row, out: &mut dyn Write) -> io::Result<()> {
    let heading = match (&row.failure, &row.header) {
        (Some(why), _) => {
            writeln!(out, "  ❌ Entry {number}: Not converted ({})", escape(why))?;
            &row.heading
        }
        (None, Some(header)) => {
            writeln!(out, "  ✅ Entry {number}: Auto-converted ({} confidence)", row.confidence.as_str())?;
            header
        }
        (None, None) => {
            writeln!(out, "  ⚠️  Entry {number}: Needs review ({})", row.obstacle)?;
            &row.heading
        }
    };
    writeln!(out, "     line {}: {}", row.line, escape(heading))?;
    writeln!(out, "     {}", row.reasons.join("; "))
}
