//! `routing.md`: who does which work.

use super::has_no_name;
use crate::formats::markdown::Mark;
use crate::formats::table::{self, Table, markup, plain};
use crate::text::Span;

/// Columns with the names of those who do the work.
const TARGETS: [&str; 5] = ["route to", "agent", "primary", "secondary", "owner"];

/// Signs and words between names.
const SEPARATORS: [&str; 14] =
    [",", ";", "/", "+", "&", "→", "->", "|", "<br>", "<br/>", "<br />", " and ", " or ", " then "];

/// The names that work goes to in `text`, a `routing.md` with the marked lines `marks`.
pub fn routed(text: &str, marks: &[Mark]) -> Vec<Span> {
    let mut names = Vec::new();
    for table in table::all(text, marks).iter().filter(|table| is_routing(table, text)) {
        for (at, header) in table.header.iter().enumerate() {
            if TARGETS.iter().any(|target| plain(header.of(text)).eq_ignore_ascii_case(target)) {
                let cells = table.rows.iter().filter_map(|row| row.get(at));
                cells.for_each(|cell| split(text, *cell, &mut names));
            }
        }
    }
    names
}

/// Whether the table says who does what, and is one that tools read.
fn is_routing(table: &Table, text: &str) -> bool {
    let heading = table.heading.map(|heading| heading.of(text).to_lowercase()).unwrap_or_default();
    let is_of_work = table.column(text, |header| matches!(header, "work type" | "pattern")).is_some();
    is_of_work && !heading.contains("issue") || heading.contains("module ownership")
}

/// Adds the names in a cell.
fn split(text: &str, cell: Span, names: &mut Vec<Span>) {
    let words = cell.of(text);
    if has_no_name(words) {
        return;
    }
    // What is in parentheses explains a name.
    let mut depth = 0_usize;
    let mut start = 0;
    let mut at = 0;
    let mut parts = Vec::new();
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(len) = markup::html(rest) {
            at += len;
            continue;
        }
        let separator = SEPARATORS.iter().find(|separator| rest.starts_with(**separator)).filter(|_| depth == 0);
        let next = rest.chars().next().unwrap_or_default();
        match (separator, next) {
            (Some(separator), _) => {
                parts.push((start, at));
                start = at + separator.len();
                at = start;
                continue;
            }
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += next.len_utf8();
    }
    parts.push((start, words.len()));
    names.extend(parts.into_iter().map(|(start, end)| Span::new(cell.start() + start, cell.start() + end).trim(text)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::markdown;

    #[test]
    fn names_in_the_tables_that_tools_read() {
        let text = "## Routing Table\n| Work Type | Route To | Examples |\n|---|---|---|\n| x | Ada, Grace (UI, API) + others | y |\n\
            ## Module Ownership\n| Module | Primary | Secondary |\n|---|---|---|\n| src | <b>Edie</b>&nbsp;👩‍💻 | — |\n| doc | N/A | none |\n\
            ## Issue Routing\n| Label | Action | Who |\n|---|---|---|\n| squad | x | Lead |\n\
            | Gate | Owner |\n|---|---|\n| x | Bob |\n";
        let names = routed(text, &markdown::scan(text).marks);
        let names: Vec<_> = names.iter().map(|name| name.of(text)).collect();
        assert_eq!(names, ["Ada", "Grace (UI, API)", "others", "<b>Edie</b>&nbsp;👩‍💻"]);
    }
}
