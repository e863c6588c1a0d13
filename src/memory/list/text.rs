//! A list of entries for people: a line for each entry, as wide as the terminal.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::formats::sem::EntryType;
use crate::formats::timestamp::Timestamp;
use crate::memory::record::{Record, When};
use crate::terminal::{display_path, escape};

/// The widest column of authors.
const AUTHOR: usize = 14;
/// The narrowest column of summaries.
const SUMMARY: usize = 20;
/// Between two columns.
const GAP: usize = 2;

/// Writes a line for each of `records`, at most `width` columns wide.
///
/// # Errors
/// What the writer says.
pub fn write(records: &[Record<'_>], now: Timestamp, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let rows: Vec<Row> = records.iter().map(|record| Row::new(record, now)).collect();
    let longest = |cell: fn(&Row) -> &str| rows.iter().map(|row| chars(cell(row))).max().unwrap_or(0);
    let before = 10 + GAP + 9 + GAP;
    // The author and the place give way before the summary does.
    let author = longest(|row| &row.author).min(AUTHOR).min(width.saturating_sub(before + GAP + SUMMARY));
    let rest = width.saturating_sub(before + if author > 0 { author + GAP } else { 0 });
    let place = longest(|row| &row.place).min(rest * 2 / 5).min(rest.saturating_sub(SUMMARY + GAP));
    let summary = rest.saturating_sub(if place > 0 { place + GAP } else { 0 }).max(1);
    for row in &rows {
        let Row { day, kind, author: name, summary: said, place: at } = row;
        let (name, said, at) = (start(name, author), start(said, summary), end(at, place));
        let name = if author > 0 { format!("{name:author$}  ") } else { String::new() };
        let line = format!("{day:10}  {kind:9}  {name}{said:summary$}  {at}");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

struct Row {
    day: String,
    kind: &'static str,
    author: String,
    summary: String,
    place: String,
}

impl Row {
    fn new(record: &Record<'_>, now: Timestamp) -> Self {
        let states: Vec<&str> = states(record, now).collect();
        let state = if states.is_empty() { String::new() } else { format!("[{}] ", states.join(", ")) };
        // That it was rejected must not be cut off.
        let (before, behind) = match sections(record) {
            Some(sections) if record.sections.are_rejected() => (format!("[{sections}] "), String::new()),
            Some(sections) => (String::new(), format!(" ({sections})")),
            None => Default::default(),
        };
        Self {
            day: day(record.when),
            kind: record.kind.map_or("-", EntryType::as_str),
            author: escape(record.author.as_deref().unwrap_or("-")),
            summary: format!("{state}{before}{}{behind}", escape(&record.summary)),
            place: format!("{}:{}", display_path(record.document.path()), record.line()),
        }
    }
}

/// The day of an entry; `-` for one that has none.
pub fn day(when: When) -> String {
    when.day().map_or_else(|| "-".to_owned(), |day| day.to_string())
}

/// The moment of an entry, as it identifies it, or its day; `-` for one that has none.
pub fn at(when: When) -> String {
    when.moment().map_or_else(|| day(when), |at| at.to_string())
}

/// The sections of an entry, `in: A > B`, if they say something of it.
pub fn sections(record: &Record<'_>) -> Option<String> {
    Some(format!("in: {}", escape(&record.sections.said()?)))
}

/// Why an entry does not apply.
pub fn states(record: &Record<'_>, now: Timestamp) -> impl Iterator<Item = &'static str> {
    let all = [
        (record.superseded_by.is_some(), "superseded"),
        (record.is_expired(now), "expired"),
        (record.is_archived(), "archived"),
        (record.is_in_conflict, "in conflict"),
    ];
    all.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word)
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

/// The first `width` characters of `text`; `…` replaces the others.
fn start(text: &str, width: usize) -> Cow<'_, str> {
    if chars(text) <= width {
        return Cow::Borrowed(text);
    }
    text.chars().take(width.saturating_sub(1)).chain(Some('…').filter(|_| width > 0)).collect::<String>().into()
}

/// The last `width` characters of `text`; `…` replaces the others.
fn end(text: &str, width: usize) -> Cow<'_, str> {
    let len = chars(text);
    if len <= width {
        return Cow::Borrowed(text);
    }
    let rest = text.chars().skip(len - width.saturating_sub(1));
    Some('…').filter(|_| width > 0).into_iter().chain(rest.take(width.saturating_sub(1))).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_cut_where_it_says_least() {
        assert_eq!(
            (start("abcdef", 6), start("abcdef", 4), start("ab", 0)),
            ("abcdef".into(), "abc…".into(), "".into())
        );
        assert_eq!((end("abcdef", 6), end("abcdef", 4), end("ab", 0)), ("abcdef".into(), "…def".into(), "".into()));
    }
}
