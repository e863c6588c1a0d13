//! The numbers of a memory for people, with small bars.

use std::io::{self, Write};

use super::{Counts, Growth, Stats};
use crate::select::growth::evenly;
use crate::terminal::{display_path, escape};
use crate::text::prose::{kilobytes, plural};

/// So many weeks are shown.
const WEEKS: usize = 26;
/// So many authors and files are shown.
const ROWS: usize = 20;
/// The longest bar, in characters.
const BAR: usize = 40;
/// The widest line of a history, in characters.
const LINE: usize = 26;

/// Writes them, at most `width` columns wide.
///
/// # Errors
/// What the writer says.
pub fn write(stats: &Stats, width: usize, out: &mut dyn Write) -> io::Result<()> {
    if stats.types.total() == 0 {
        writeln!(out, "no entries")?;
        return files(stats, width, out);
    }
    writeln!(out, "{}: {}", entries(stats.types.total()), of_types(stats.types))?;
    let named = |(name, count): (&str, usize)| format!("{count} {name}");
    let scopes: Vec<String> = stats.scopes.iter().copied().map(named).collect();
    writeln!(out, "scope: {}", scopes.join(", "))?;
    weeks(stats, out)?;
    authors(stats, out)?;
    files(stats, width, out)
}

fn weeks(stats: &Stats, out: &mut dyn Write) -> io::Result<()> {
    let weeks = stats.last_weeks(WEEKS);
    let Some((first, _)) = weeks.first() else { return Ok(()) };
    writeln!(out, "\nentries per week, from its Monday on: all, then decisions and directives")?;
    let most = weeks.iter().map(|(_, counts)| counts.total()).max().unwrap_or(1);
    for (monday, counts) in &weeks {
        let (total, decisions) = (counts.total(), decisions(*counts));
        writeln!(out, "{}", format!("  {monday}  {total:4} {decisions:4}  {}", bar(total, most, BAR)).trim_end())?;
    }
    let (older_weeks, older) = stats.before(*first);
    if older > 0 {
        let (older, weeks) = (entries(older), plural(older_weeks, "week"));
        writeln!(out, "  {older} in {weeks} before {first}; `--format json` has all weeks")?;
    }
    if stats.without_week > 0 {
        writeln!(out, "  {} without a date, or with one in the future", entries(stats.without_week))?;
    }
    Ok(())
}

/// A number of entries.
pub(super) fn entries(count: usize) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") }
}

/// The entries of each type: `2 decisions, 1 memory, 1 other`.
fn of_types(counts: Counts) -> String {
    let named = |(name, count)| format!("{count} {}", in_number(name, count));
    counts.named().filter(|(_, count)| *count > 0).map(named).collect::<Vec<_>>().join(", ")
}

/// The name of a type, for so many entries.
pub(super) fn in_number(name: &'static str, count: usize) -> &'static str {
    match (name, count) {
        (_, 1) => name,
        ("decision", _) => "decisions",
        ("memory", _) => "memories",
        ("note", _) => "notes",
        ("directive", _) => "directives",
        _ => name,
    }
}

/// The decisions, and the directives, which are decisions of a person.
fn decisions(counts: Counts) -> usize {
    counts.named().filter(|(name, _)| matches!(*name, "decision" | "directive")).map(|(_, count)| count).sum()
}

fn authors(stats: &Stats, out: &mut dyn Write) -> io::Result<()> {
    if stats.authors.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nentries per author")?;
    let shown = || stats.authors.iter().take(ROWS).map(|(name, counts)| (escape(name), counts));
    let most = shown().map(|(_, counts)| counts.total()).max().unwrap_or(1);
    let width = shown().map(|(name, _)| name.chars().count()).max().unwrap_or(0).min(24);
    for (name, counts) in shown() {
        let name: String = name.chars().take(width).collect();
        let bar = bar(counts.total(), most, BAR / 2);
        writeln!(out, "  {name:width$}  {:4}  {bar:20}  {}", counts.total(), of_types(*counts))?;
    }
    more(stats.authors.len(), out)
}

fn files(stats: &Stats, width: usize, out: &mut dyn Write) -> io::Result<()> {
    if stats.files.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nfiles, and how they grew")?;
    let room = width.saturating_sub(2 + 10 + 2 + LINE + 2).max(20);
    for file in stats.files.iter().take(ROWS) {
        let path = display_path(&file.path);
        let long = path.chars().count();
        let path: String = match long > room {
            true => std::iter::once('…').chain(path.chars().skip(long - room + 1)).collect(),
            false => path,
        };
        let line = format!("  {:>10}  {:LINE$}  {path}", kilobytes(file.bytes, 0), line(file));
        writeln!(out, "{}", line.trim_end())?;
    }
    more(stats.files.len(), out)
}

fn more(count: usize, out: &mut dyn Write) -> io::Result<()> {
    match count.saturating_sub(ROWS) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more; `--format json` has all"),
    }
}

/// A bar for `count`, where that for `most` has `width` characters.
fn bar(count: usize, most: usize, width: usize) -> String {
    let halves = (count * width * 2).div_ceil(most.max(1));
    let mut bar = "█".repeat(halves / 2);
    if halves % 2 == 1 {
        bar.push('▌');
    }
    bar
}

/// The sizes of a file over time, a character for each.
fn line(file: &Growth) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = file.history.iter().map(|(_, bytes)| *bytes).max().unwrap_or(0).max(1);
    let level = |bytes: u64| usize::try_from(bytes.saturating_mul(7) / most).unwrap_or(0);
    let shown = evenly(&file.history, LINE).into_iter();
    shown.map(|(_, bytes)| LEVELS.get(level(bytes)).copied().unwrap_or('█')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_part() {
        assert_eq!((bar(0, 4, 4), bar(1, 4, 4), bar(4, 4, 4)), (String::new(), "█".to_owned(), "████".to_owned()));
        assert_eq!(bar(1, 8, 4), "▌");
    }
}
