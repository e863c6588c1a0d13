//! The numbers of a memory as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::{Counts, Growth, Stats, day};
use crate::memory::list::json::VERSION;
use crate::report::json_writer;

#[derive(Serialize)]
struct Output<'a> {
    version: u32,
    entries: usize,
    types: BTreeMap<&'static str, usize>,
    scopes: BTreeMap<&'static str, usize>,
    entries_without_week: usize,
    weeks: Vec<Row<'a>>,
    authors: Vec<Row<'a>>,
    files: Vec<File>,
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    monday: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a str>,
    entries: usize,
    types: BTreeMap<&'static str, usize>,
}

#[derive(Serialize)]
struct File {
    path: String,
    bytes: u64,
    history: Vec<Size>,
}

#[derive(Serialize)]
struct Size {
    date: String,
    bytes: u64,
}

fn types(counts: Counts) -> BTreeMap<&'static str, usize> {
    counts.named().filter(|(_, count)| *count > 0).collect()
}

fn file(growth: &Growth) -> File {
    let history = growth.history.iter().map(|(day, bytes)| Size { date: day.to_string(), bytes: *bytes });
    File { path: growth.path.to_string(), bytes: growth.bytes, history: history.collect() }
}

/// Writes one object.
///
/// # Errors
/// What the writer says.
pub fn write(stats: &Stats, out: &mut dyn Write) -> io::Result<()> {
    let row = |monday, author, counts: Counts| Row { monday, author, entries: counts.total(), types: types(counts) };
    let weeks = stats.weeks.iter().map(|(monday, counts)| row(Some(day(*monday).to_string()), None, *counts));
    let authors = stats.authors.iter().map(|(name, counts)| row(None, Some(name.as_str()), *counts));
    let output = Output {
        version: VERSION,
        entries: stats.types.total(),
        types: types(stats.types),
        scopes: stats.scopes.iter().copied().collect(),
        entries_without_week: stats.without_week,
        weeks: weeks.collect(),
        authors: authors.collect(),
        files: stats.files.iter().map(file).collect(),
    };
    json_writer::write(&output, out)
}
