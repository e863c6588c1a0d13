//! A list of entries for people: a line for each entry, as wide as the terminal.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use bstr::BStr;

use crate::formats::sem::EntryType;
use crate::formats::timestamp::Timestamp;
use crate::memory::record::{Record, When};
use crate::terminal::{display_path, escape, escaped};

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
    let mut paths = Paths::default();
    let rows: Vec<Row<'_>> = records.iter().map(|record| Row::new(record, now, &mut paths)).collect();
    let longest = |cell: fn(&Row<'_>) -> usize| rows.iter().map(cell).max().unwrap_or(0);
    let before = 10 + GAP + 9 + GAP;
    // The author and the place give way before the summary does.
    let author = longest(|row| row.author.chars).min(AUTHOR).min(width.saturating_sub(before + GAP + SUMMARY));
    let rest = width.saturating_sub(before + if author > 0 { author + GAP } else { 0 });
    let place = longest(|row| row.place.chars).min(rest * 2 / 5).min(rest.saturating_sub(SUMMARY + GAP));
    let summary = rest.saturating_sub(if place > 0 { place + GAP } else { 0 }).max(1);
    let mut line = String::with_capacity(2 * width);
    for row in &rows {
        line.clear();
        push_day(&mut line, row.when);
        let left = 10_usize.saturating_sub(line.len());
        blanks(&mut line, left + GAP);
        line.push_str(row.kind);
        blanks(&mut line, 9_usize.saturating_sub(row.kind.len()) + GAP);
        if author > 0 {
            let left = row.author.push_start(&mut line, author);
            blanks(&mut line, left + GAP);
        }
        let left = row.summary.push_start(&mut line, summary);
        blanks(&mut line, left + GAP);
        row.place.push_end(&mut line, place);
        line.truncate(line.trim_end().len());
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

struct Row<'r> {
    when: When,
    kind: &'static str,
    author: Text<'r>,
    summary: Text<'r>,
    place: Text<'r>,
}

impl<'r> Row<'r> {
    fn new(record: &'r Record<'_>, now: Timestamp, paths: &mut Paths<'r>) -> Self {
        let states: Vec<&str> = states(record, now).collect();
        let summary = escaped(&record.summary);
        // That it was rejected must not be cut off.
        let summary = match (sections(record), states.is_empty()) {
            (None, true) => summary,
            (sections, is_plain) => {
                let state = if is_plain { String::new() } else { format!("[{}] ", states.join(", ")) };
                let (before, behind) = match sections {
                    Some(sections) if record.sections.are_rejected() => (format!("[{sections}] "), String::new()),
                    Some(sections) => (String::new(), format!(" ({sections})")),
                    None => Default::default(),
                };
                format!("{state}{before}{summary}{behind}").into()
            }
        };
        Self {
            when: record.when,
            kind: record.kind.map_or("-", EntryType::as_str),
            author: Text::new(record.author.as_deref().map_or("-".into(), escaped)),
            summary: Text::new(summary),
            place: Text::new(format!("{}:{}", paths.shown(record.document.path()), record.line()).into()),
        }
    }
}

/// The path of the last file, as it is shown: the entries of one file mostly follow each other.
#[derive(Default)]
struct Paths<'r> {
    last: Option<(&'r BStr, String)>,
}

impl<'r> Paths<'r> {
    fn shown(&mut self, path: &'r BStr) -> &str {
        if self.last.as_ref().is_none_or(|(last, _)| *last != path) {
            self.last = Some((path, display_path(path)));
        }
        self.last.as_ref().map_or("", |(_, shown)| shown)
    }
}

/// A text, and how many characters it has. There can be many thousand, and each of them in a column.
struct Text<'r> {
    text: Cow<'r, str>,
    chars: usize,
}

impl<'r> Text<'r> {
    fn new(text: Cow<'r, str>) -> Self {
        let chars = if text.is_ascii() { text.len() } else { text.chars().count() };
        Self { text, chars }
    }

    /// Where the first `count` characters end.
    fn end_of(&self, count: usize) -> usize {
        if self.chars == self.text.len() {
            return count.min(self.chars);
        }
        self.text.char_indices().nth(count).map_or(self.text.len(), |(at, _)| at)
    }

    /// Appends its first `width` characters; `…` replaces the others. Returns how many columns are left of them.
    fn push_start(&self, line: &mut String, width: usize) -> usize {
        if self.chars <= width {
            line.push_str(&self.text);
            return width - self.chars;
        }
        if let Some(shown) = width.checked_sub(1) {
            line.push_str(self.text.get(..self.end_of(shown)).unwrap_or_default());
            line.push('…');
        }
        0
    }

    /// Appends its last `width` characters; `…` replaces the others.
    fn push_end(&self, line: &mut String, width: usize) {
        if self.chars <= width {
            line.push_str(&self.text);
        } else if let Some(shown) = width.checked_sub(1) {
            line.push('…');
            line.push_str(self.text.get(self.end_of(self.chars - shown)..).unwrap_or_default());
        }
    }
}

/// Appends so many blanks.
fn blanks(line: &mut String, count: usize) {
    line.extend(std::iter::repeat_n(' ', count));
}

/// Appends the day of an entry; `-` for one that has none.
fn push_day(line: &mut String, when: When) {
    match when.day() {
        // A text takes all that is written to it.
        Some(day) => drop(write!(line, "{day}")),
        None => line.push('-'),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_cut_where_it_says_least() {
        let cut = |text: &'static str, width: usize, is_start: bool| {
            let (mut line, text) = (String::new(), Text::new(text.into()));
            let left = if is_start { text.push_start(&mut line, width) } else { 0 };
            text.push_end(&mut line, if is_start { 0 } else { width });
            (line, left)
        };
        for (text, width, start, end) in [
            ("abcdef", 6, "abcdef", "abcdef"),
            ("abcdef", 4, "abc…", "…def"),
            ("ab", 0, "", ""),
            ("ab", 3, "ab", "ab"),
            ("a—ö🦊ef", 6, "a—ö🦊ef", "a—ö🦊ef"),
            ("a—ö🦊ef", 5, "a—ö🦊…", "…ö🦊ef"),
            ("a—ö🦊ef", 1, "…", "…"),
        ] {
            let left = width - start.chars().count();
            assert_eq!(cut(text, width, true), (start.to_owned(), left));
            assert_eq!(cut(text, width, false).0, end);
        }
    }

    #[test]
    fn a_day_is_shown_as_it_is_written() {
        for day in ["2026-02-09", "0009-12-31", "9999-01-01"] {
            let mut line = String::new();
            push_day(&mut line, When::Day(day.parse().unwrap()));
            assert_eq!(line, day);
        }
    }
}
