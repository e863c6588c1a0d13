//! The output of `bundle diff`: lines for people, or JSON.

use std::io::{self, Write};

use bstr::ByteSlice;
use serde::Serialize;

use super::difference::{Change, Difference};
use super::load::Loaded;
use crate::report::json_writer;
use crate::terminal::escape;
use crate::text::hidden;
use crate::text::prose::plural;

/// The version of the JSON format.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Output<'a> {
    version: u32,
    from: String,
    to: String,
    differences: &'a [Difference],
}

/// Writes one JSON object and a line end.
///
/// # Errors
/// Errors of the writer.
pub fn json((one, other): (&Loaded, &Loaded), differences: &[Difference], out: &mut dyn Write) -> io::Result<()> {
    let path = |loaded: &Loaded| loaded.source.path().to_str_lossy().into_owned();
    json_writer::write(&Output { version: VERSION, from: path(one), to: path(other), differences }, out)
}

/// Writes a line for each difference, and the totals unless `quiet`.
///
/// # Errors
/// Errors of the writer.
pub fn text(differences: &[Difference], quiet: bool, out: &mut dyn Write) -> io::Result<()> {
    for Difference { change, agent, file, section, added, removed } in differences {
        let mut parts = Vec::new();
        parts.extend(agent.as_ref().map(|agent| format!("agent {}", shown(agent))));
        parts.extend(file.as_deref().map(shown));
        parts.extend(section.as_ref().map(|section| match section.is_empty() {
            true => "before the first heading".to_owned(),
            false => shown(section),
        }));
        let what = parts.join(", ");
        let lines = match (added, removed) {
            (0, 0) => String::new(),
            (added, 0) => format!(" (+{added})"),
            (0, removed) => format!(" (-{removed})"),
            (added, removed) => format!(" (+{added} -{removed})"),
        };
        writeln!(out, "{:7}  {what}{lines}", change.as_str())?;
    }
    if quiet {
        return Ok(());
    }
    let count = |wanted| differences.iter().filter(|difference| difference.change == wanted).count();
    match differences.len() {
        0 => writeln!(out, "no differences"),
        all => {
            let [added, removed, changed] = [Change::Added, Change::Removed, Change::Changed].map(count);
            writeln!(out, "{}: {added} added, {removed} removed, {changed} changed", plural(all, "difference"))
        }
    }
}

/// The start of `text` on one line, and all of that to be seen: two names can differ in what takes no room alone.
fn shown(text: &str) -> String {
    const MOST: usize = 200;
    let mut shown = String::new();
    let end = text.char_indices().nth(MOST).map_or(text.len(), |(at, _)| at);
    let (start, mark) = if end < text.len() { (text.get(..end).unwrap_or_default(), "…") } else { (text, "") };
    for c in escape(start).chars().chain(mark.chars()) {
        if hidden::is_blank(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    shown
}
