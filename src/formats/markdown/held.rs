//! Whether a text holds a block of another one already, as a block of its own.

use super::items::{Line, LineKind, lines};

/// The heading above what is moved to an archive; the day is part of it.
const ARCHIVED: &str = "## Archived";

/// Whether `text` holds the lines of `block`, without regard to blank ones, and nothing more under the same heading: neither
/// inside a code fence nor as the beginning of a longer entry. The day in a heading `## Archived …` may differ.
///
/// A run that was killed has written `block` there, and has not removed it from the other file.
pub fn holds(text: &str, block: &str) -> bool {
    let block_lines = filled(block);
    let Some(first) = block_lines.first() else { return false };
    let text_lines = filled(text);
    let (joined, starts) = joined(text, &text_lines);
    let is_archived = |line: &Line| line.line.of(text).starts_with(ARCHIVED);
    let headed = first.line.of(block).starts_with(ARCHIVED);
    let found = |skipped: usize| {
        let rest = block_lines.get(skipped..).unwrap_or_default();
        let (needle, _) = self::joined(block, rest);
        if rest.is_empty() {
            return false;
        }
        memchr::memmem::find_iter(joined.as_bytes(), needle.as_bytes()).any(|at| {
            let Ok(from) = starts.binary_search(&at) else { return false };
            let own = from.checked_sub(skipped).and_then(|own| text_lines.get(own));
            let own = own.filter(|own| skipped == 0 || is_archived(own));
            own.is_some_and(|own| {
                is_same_kind(own.kind, first.kind) && ends_after(own.kind, text_lines.get(from + rest.len()))
            })
        })
    };
    found(0) || headed && found(1)
}

/// Whether both are headings of one level, or items, or neither: inside a code fence a line is not a heading.
fn is_same_kind(one: LineKind, other: LineKind) -> bool {
    one == other || matches!((one, other), (LineKind::Item { .. }, LineKind::Item { .. }))
}

/// Whether a block whose first line is a `first` ends before `next`.
fn ends_after(first: LineKind, next: Option<&Line>) -> bool {
    let Some(next) = next else { return !matches!(first, LineKind::Inside | LineKind::InsideCode) };
    match (first, next.kind) {
        (LineKind::Heading(level), LineKind::Heading(other)) => other <= level,
        (LineKind::Item { .. }, kind) => matches!(kind, LineKind::Heading(_) | LineKind::Item { .. }),
        _ => false,
    }
}

/// The lines of `text` that are not blank.
fn filled(text: &str) -> Vec<Line> {
    let mut lines = lines(text);
    lines.retain(|line| !line.line.of(text).trim().is_empty());
    lines
}

/// These lines of `text` without the blanks at their ends, each after a line feed and the last before one; and where each begins.
fn joined(text: &str, lines: &[Line]) -> (String, Vec<usize>) {
    let mut joined = String::with_capacity(text.len() + 1);
    let mut starts = Vec::with_capacity(lines.len());
    for line in lines {
        starts.push(joined.len());
        joined.push('\n');
        joined.push_str(line.line.of(text).trim_end());
    }
    joined.push('\n');
    (joined, starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_held_whole() {
        let block = "\n### A\n- one\n";
        for text in ["### A\n\n- one", "# T\n### A\n- one\n\n### B\n", "### A \r\n- one\r\n## C\n", "### A\n- one\n# D"]
        {
            assert!(holds(text, block), "{text:?}");
        }
        for text in [
            "",
            "### A\n",
            "### A\n- one\n- two\n",
            "### A\n- one\n  more\n",
            "### A\n- one\n#### E\n",
            "```\n### A\n- one\n",
        ] {
            assert!(!holds(text, block), "{text:?}");
        }
        assert!(holds("- a\n- one\n- two\n", "- one\n"));
        assert!(!holds("- a\n- one\n  goes on\n", "- one\n"));
        assert!(!holds("", ""));
    }

    #[test]
    fn the_day_of_an_archive_may_differ() {
        let block = "## Archived 2026-03-02: stale\n\n### Gotchas\n\n- one\n";
        assert!(holds("# Archive\n\n## Archived 2026-03-01: stale\n\n### Gotchas\n\n- one\n", block));
        assert!(!holds("# Archive\n\n## Archived 2026-03-01: stale\n\n### Gotchas\n\n- one\n- two\n", block));
        assert!(!holds("# Archive\n\n## Own\n\n### Gotchas\n\n- one\n", block));
    }
}
