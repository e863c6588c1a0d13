//! Tables of Markdown. What a team writes by hand is read generously: the line of dashes may be missing, and a comment or
//! a blank line does not end a table.

pub mod markup;

use super::markdown::{Mark, MarkKind};
use crate::text::Span;

/// A table: a header and its rows, up to the next header or heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The heading that it is under: the start of its line.
    pub heading: Option<Span>,
    /// The cells of its header; none if the table starts with the line of dashes.
    pub header: Vec<Span>,
    /// The cells of each row, without the blanks around them.
    pub rows: Vec<Vec<Span>>,
}

impl Table {
    /// The place of the first column whose header, without markup and in lower case, `is` wanted.
    pub fn column(&self, text: &str, is: impl Fn(&str) -> bool) -> Option<usize> {
        self.header.iter().position(|cell| is(&plain(cell.of(text)).to_lowercase()))
    }
}

/// The tables in `text`, whose marked lines are `marks`.
pub fn all(text: &str, marks: &[Mark]) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let mut heading = None;
    let mut open = false;
    let mut marks = marks.iter().peekable();
    while let Some(mark) = marks.next() {
        match mark.kind {
            MarkKind::Heading(_) => (heading, open) = (Some(start_of(text, mark.line)), false),
            MarkKind::TableRow => {
                let row = cells(text, mark.line);
                let below = marks.peek().filter(|below| below.line.start == mark.next);
                let may_be_dashes = |line: Span| !line.of(text).bytes().any(|byte| byte.is_ascii_alphanumeric());
                let below = below.filter(|below| may_be_dashes(below.line));
                let is_header = below.is_some_and(|below| is_dashes(text, &cells(text, below.line)));
                if is_dashes(text, &row) {
                    if !open {
                        tables.push(Table { heading, ..Table::default() });
                    }
                    open = true;
                } else if is_header || !open {
                    tables.push(Table { heading, header: row, rows: Vec::new() });
                    open = true;
                } else if let Some(table) = tables.last_mut() {
                    table.rows.push(row);
                }
            }
            _ => {}
        }
    }
    tables
}

/// The first characters of `line`. Many tables can share a heading, and each may be asked for it.
fn start_of(text: &str, line: Span) -> Span {
    const LONGEST: usize = 100;
    let len = line.of(text).char_indices().nth(LONGEST).map_or(line.len(), |(at, _)| at);
    Span::new(line.start(), line.start() + len)
}

/// The cells of the row `line`.
fn cells(text: &str, line: Span) -> Vec<Span> {
    let line = line.trim(text);
    let row = line.of(text);
    let bytes = row.as_bytes();
    // A bar after a backslash belongs to the cell.
    let bars = memchr::memchr_iter(b'|', bytes).filter(|at| *at == 0 || bytes.get(at - 1) != Some(&b'\\'));
    let mut cells = Vec::new();
    let mut start = None;
    for bar in bars.chain((!row.ends_with('|')).then_some(row.len())) {
        if let Some(start) = start {
            cells.push(Span::new(line.start() + start, line.start() + bar).trim(text));
        }
        start = Some(bar + 1);
    }
    cells
}

/// Whether the row is the line of dashes between the header and the rows.
fn is_dashes(text: &str, row: &[Span]) -> bool {
    let is_dashes = |cell: &Span| {
        let cell = cell.of(text);
        cell.contains('-') && cell.bytes().all(|byte| matches!(byte, b'-' | b':'))
    };
    !row.is_empty() && row.iter().all(is_dashes)
}

/// A cell without link, emphasis and code: `[Keaton](https://…)`, `**Keaton**`, `` `agents/keaton` ``.
pub fn plain(cell: &str) -> &str {
    const MARKUP: [char; 5] = ['*', '_', '`', '~', ' '];
    let cell = cell.trim_matches(MARKUP);
    let cell = match cell.strip_prefix('[').and_then(|rest| rest.split_once("](")) {
        Some((name, _)) => name,
        None => cell,
    };
    cell.trim_matches(MARKUP)
}

/// Words that stand for nothing.
const NOTHING: [&str; 10] = ["n/a", "n.a", "na", "none", "no", "nil", "null", "tbd", "tba", "not yet"];

/// Whether a cell stands for nothing: a dash, `N/A`, `none (yet)`, `TBD`.
pub fn is_none(cell: &str) -> bool {
    let is_sign = |c: char| !c.is_alphanumeric();
    let said = plain(cell).trim_start_matches(is_sign).split('(').next().unwrap_or_default().trim_end_matches(is_sign);
    let said = if said.len() > "not yet".len() { said.strip_suffix(" yet").unwrap_or(said) } else { said };
    !cell.contains(char::is_alphanumeric) || NOTHING.iter().any(|word| said.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::markdown;

    #[test]
    fn cells_that_stand_for_nothing() {
        for cell in [
            "",
            "—",
            "-",
            "N/A",
            "n/a",
            "(none)",
            "_None_",
            "none yet",
            "TBD",
            "**tba**",
            "Not yet",
            "TBD (hiring)",
            "✅",
        ] {
            assert!(is_none(cell), "{cell}");
        }
        for cell in ["Nona", "Noah", "agents/tbd/charter.md", "[charter](x.md)", "None of us", "Yet"] {
            assert!(!is_none(cell), "{cell}");
        }
    }

    fn rows(text: &str) -> Vec<(String, Vec<Vec<&str>>)> {
        let words = |cells: &Vec<Span>| cells.iter().map(|cell| cell.of(text)).collect::<Vec<_>>();
        let tables = all(text, &markdown::scan(text).marks);
        tables.iter().map(|table| (words(&table.header).join(","), table.rows.iter().map(words).collect())).collect()
    }

    #[test]
    fn a_table_goes_on_to_the_next_header_or_heading() {
        let text = "| A | B |\n|---|:-:|\n| 1 | 2\n<!-- x -->\n\n| 3 | \\| |\n| C |\n| - |\n| 4 |\n# H\n| D |\n| 5 |\n";
        let expected = [
            ("A,B".to_owned(), vec![vec!["1", "2"], vec!["3", "\\|"]]),
            ("C".to_owned(), vec![vec!["4"]]),
            ("D".to_owned(), vec![vec!["5"]]),
        ];
        assert_eq!(rows(text), expected);
    }

    #[test]
    fn what_is_no_table() {
        assert_eq!(rows("|---|\n| 1 |\n"), [(String::new(), vec![vec!["1"]])]);
        assert_eq!(rows("```\n| A |\n```\n"), []);
        assert_eq!(rows("|\n||\n| |\n"), [(String::new(), vec![vec![""], vec![""]])]);
    }

    #[test]
    fn a_cell_without_its_markup() {
        for (cell, expected) in [
            ("[Keaton](https://e.x/K)", "Keaton"),
            ("**[Keaton](x)**", "Keaton"),
            ("`@copilot`", "@copilot"),
            ("~~Kobayashi~~", "Kobayashi"),
            ("[x", "[x"),
        ] {
            assert_eq!(plain(cell), expected);
        }
    }
}
