//! The output of `convert`: a list for people, or JSON.

use std::io::{self, Write};

use bstr::{BString, ByteSlice};
use serde::Serialize;

use super::remaining::Remaining;
use super::{Changed, Row};
use crate::convert::Confidence;
use crate::report::json_writer;
use crate::terminal::{display_path, escape};
use crate::text::prose::{enumerated, plural};

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

/// Whether the entries were converted, or would be.
#[derive(Clone, Copy, Debug)]
pub enum Done<'a> {
    /// They were; the copies of the old files are there. `None` if no file changed.
    Yes(Option<&'a str>),
    /// They would be (`--dry-run`).
    No,
}

/// Writes the list, entry by entry, and the totals. `canonical` charters are not in `files`: they stay as they are.
pub fn text(
    files: &[Changed],
    canonical: usize,
    quiet: bool,
    done: Done<'_>,
    remaining: &Remaining,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_dry_run = matches!(done, Done::No);
    for file in files {
        let shown = |row: &Row| !quiet || !is_converted(row);
        if !file.rows.iter().any(shown) {
            continue;
        }
        let doing = if is_dry_run { "Would convert" } else { "Converting" };
        writeln!(out, "{doing} {}...", display_path(&file.path))?;
        for (number, row) in (1..).zip(&file.rows).filter(|(_, row)| shown(row)) {
            entry(number, row, is_dry_run, out)?;
        }
        writeln!(out)?;
    }
    if quiet {
        return Ok(());
    }
    let Summary { total, converted, review } = summary(files);
    if total == 0 {
        return match canonical {
            0 => writeln!(out, "No legacy entries to convert."),
            1 => writeln!(out, "Nothing to convert: the charter has its canonical form already."),
            _ => writeln!(out, "Nothing to convert: {canonical} charters have their canonical form already."),
        };
    }
    let has_charters = files.iter().flat_map(|file| &file.rows).any(|row| row.noun == "Charter");
    let noun = match total {
        _ if has_charters => "entries and charters",
        1 => "entry",
        _ => "entries",
    };
    let would_be = if is_dry_run { "would be " } else { "" };
    writeln!(out, "{converted} of {total} {noun} {would_be}converted automatically.")?;
    match review {
        0 => {}
        _ if has_charters => writeln!(out, "{review} of them need manual review.")?,
        1 => writeln!(out, "1 entry needs manual review.")?,
        _ => writeln!(out, "{review} entries need manual review.")?,
    }
    left(remaining, out)?;
    match done {
        Done::No if converted > 0 => writeln!(out, "\nRun without --dry-run to apply changes."),
        Done::Yes(Some(backups)) if converted > 0 => {
            writeln!(out, "\nBackup: {backups}\nRun `squad-lint convert --undo` to restore it.")
        }
        _ => Ok(()),
    }
}

/// How many paths a sentence names.
const SHOWN: usize = 3;

/// Writes what the converted files need next.
fn left(remaining: &Remaining, out: &mut dyn Write) -> io::Result<()> {
    let Remaining { findings, union } = remaining;
    let total: usize = findings.iter().map(|(_, count)| count).sum();
    if total > 0 {
        let rules: Vec<String> = findings.iter().map(|(rule, count)| format!("{count} {rule}")).collect();
        writeln!(out, "\nThe converted files have {}: {}.", plural(total, "new finding"), rules.join(", "))?;
    }
    if !union.is_empty() {
        let mut paths: Vec<String> = union.iter().take(SHOWN).map(|path| format!("`{}`", display_path(path))).collect();
        let others = union.len() - paths.len();
        paths.extend((others > 0).then(|| plural(others, "other file")));
        writeln!(
            out,
            "\n`merge=union` mixes the lines of SEM entries. Remove the attribute from {}, or review each merge.",
            enumerated(&paths)
        )?;
    }
    Ok(())
}

/// Writes which files have their old text again.
pub fn undone(restored: &[BString], out: &mut dyn Write) -> io::Result<()> {
    for path in restored {
        writeln!(out, "restored {}", display_path(path))?;
    }
    Ok(())
}

fn entry(number: usize, row: &Row, is_dry_run: bool, out: &mut dyn Write) -> io::Result<()> {
    let noun = row.noun;
    let (converted, not_converted) = match is_dry_run {
        true => ("Would be converted", "Would not be converted"),
        false => ("Auto-converted", "Not converted"),
    };
    let heading = match (&row.failure, &row.header) {
        (Some(why), _) => {
            writeln!(out, "  ❌ {noun} {number}: {not_converted} ({})", escape(why))?;
            &row.heading
        }
        (None, Some(header)) => {
            writeln!(out, "  ✅ {noun} {number}: {converted} ({} confidence)", row.confidence.as_str())?;
            header
        }
        (None, None) => {
            writeln!(out, "  ⚠️  {noun} {number}: Needs review ({})", row.obstacle)?;
            &row.heading
        }
    };
    writeln!(out, "     line {}: {}", row.line, escape(heading))?;
    writeln!(out, "     {}", row.reasons.join("; "))
}
