//! The numbers of a memory as one page, with charts, that needs nothing from the network.

use std::io::{self, Write};

use super::text::{entries, in_number};
use super::{Counts, Growth, Stats, chart};
use crate::formats::timestamp::Timestamp;
use crate::report::xml::text;
use crate::text::prose::{kilobytes, plural};

/// So many weeks are shown.
const WEEKS: usize = 52;
/// So many files have a line in the chart.
const LINES: usize = 8;

const STYLE: &str = include_str!("page.css");

/// Writes the page of the project `name` at `now`.
///
/// # Errors
/// What the writer says.
pub fn write(stats: &Stats, name: &str, now: Timestamp, out: &mut dyn Write) -> io::Result<()> {
    let name = text(name);
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>The memory of \
         {name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>The memory of {name}</h1>\n<p>As of {}.</p>\n",
        now.day()
    )?;
    numbers(stats, out)?;
    weeks(stats, out)?;
    authors(stats, out)?;
    files(stats, out)?;
    writeln!(out, "</main>\n</body>\n</html>")
}

fn numbers(stats: &Stats, out: &mut dyn Write) -> io::Result<()> {
    let total = stats.types.total();
    let all = if total == 1 { "entry" } else { "entries" };
    writeln!(out, "<ul class=\"numbers\">\n<li><b>{total}</b> {all}</li>")?;
    for (place, (kind, count)) in stats.types.named().enumerate().filter(|(_, (_, count))| *count > 0) {
        writeln!(out, "<li><i class=\"t{place}\"></i><b>{count}</b> {}</li>", in_number(kind, count))?;
    }
    writeln!(out, "</ul>")?;
    let scopes: Vec<String> = stats.scopes.iter().map(|(scope, count)| format!("{count} {scope}")).collect();
    if scopes.is_empty() { Ok(()) } else { writeln!(out, "<p>By scope: {}.</p>", scopes.join(", ")) }
}

fn head(columns: &[&str]) -> String {
    let cells: String = columns.iter().map(|column| format!("<th scope=\"col\">{}</th>", text(column))).collect();
    format!("<thead><tr>{cells}</tr></thead>")
}

fn counts(counts: Counts) -> String {
    let cells: String = counts.named().map(|(_, count)| format!("<td>{count}</td>")).collect();
    format!("{cells}<td>{}</td>", counts.total())
}

fn columns(first: &str) -> Vec<&str> {
    std::iter::once(first).chain(Counts::NAMES).chain(["all"]).collect()
}

/// The table beside a chart, which opens by a click or by the keyboard.
fn table(out: &mut dyn Write, summary: &str, columns: &[&str], rows: &[(String, String)]) -> io::Result<()> {
    writeln!(
        out,
        "<details>\n<summary>{summary}</summary>\n<div class=\"wide\" tabindex=\"0\">\n<table>{}<tbody>",
        head(columns)
    )?;
    for (name, cells) in rows {
        writeln!(out, "<tr><th scope=\"row\">{}</th>{cells}</tr>", text(name))?;
    }
    writeln!(out, "</tbody></table>\n</div>\n</details>")
}

fn weeks(stats: &Stats, out: &mut dyn Write) -> io::Result<()> {
    let weeks = stats.last_weeks(WEEKS);
    let Some((first, _)) = weeks.first() else { return Ok(()) };
    writeln!(out, "<section>\n<h2>Entries per week</h2>\n{}", chart::weeks(&weeks, "Entries per week, by type"))?;
    let rows: Vec<(String, String)> = weeks.iter().map(|(monday, own)| (monday.to_string(), counts(*own))).collect();
    table(out, "The weeks as a table", &columns("week of"), &rows)?;
    let (older_weeks, older) = stats.before(*first);
    if older > 0 {
        writeln!(out, "<p>{} in {} before {first}.</p>", entries(older), plural(older_weeks, "week"))?;
    }
    if stats.without_week > 0 {
        writeln!(out, "<p>{} without a date, or with one in the future.</p>", entries(stats.without_week))?;
    }
    writeln!(out, "</section>")
}

fn authors(stats: &Stats, out: &mut dyn Write) -> io::Result<()> {
    if stats.authors.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section>\n<h2>Entries per author</h2>\n<ul class=\"bars\">")?;
    let most = stats.authors.iter().map(|(_, counts)| counts.total()).max().unwrap_or(0).max(1);
    for (name, own) in stats.authors.iter().take(20) {
        let percent = own.total() * 100 / most;
        let (name, total) = (text(name), own.total());
        writeln!(out, "<li><span>{name}</span><b style=\"--part:{percent}%\"></b><span>{total}</span></li>")?;
    }
    writeln!(out, "</ul>")?;
    let rows: Vec<(String, String)> = stats.authors.iter().map(|(name, own)| (name.clone(), counts(*own))).collect();
    table(out, "The authors as a table", &columns("author"), &rows)?;
    writeln!(out, "</section>")
}

fn files(stats: &Stats, out: &mut dyn Write) -> io::Result<()> {
    if stats.files.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section>\n<h2>Files</h2>")?;
    let drawn: Vec<&Growth> = stats.files.iter().filter(|file| file.history.len() > 1).take(LINES).collect();
    if !drawn.is_empty() {
        writeln!(out, "{}<ul class=\"legend\">", chart::growth(&drawn, "How the largest files grew"))?;
        for (number, file) in drawn.iter().enumerate() {
            writeln!(out, "<li><i class=\"l{number}\"></i>{}</li>", text(&file.path.to_string()))?;
        }
        writeln!(out, "</ul>")?;
    }
    let first = |file: &Growth| match file.history.first() {
        Some((day, bytes)) => format!("<td>{day}</td><td>{}</td>", kilobytes(*bytes, 0)),
        None => "<td></td><td></td>".to_owned(),
    };
    let row = |file: &Growth| (file.path.to_string(), format!("{}<td>{}</td>", first(file), kilobytes(file.bytes, 0)));
    let rows: Vec<(String, String)> = stats.files.iter().map(row).collect();
    table(out, "The files as a table", &["file", "first", "then", "now"], &rows)?;
    writeln!(out, "</section>")
}
