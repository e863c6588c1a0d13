//! What of a history travels: by its sections and tags (`docs/formats/portable-squads.md`, "Histories").

use crate::formats::markdown::{self, Mark, MarkKind};
use crate::text::Span;

/// Whether a line is about one project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// `## Project Context`, `[local]`.
    Local,
    /// `## Portable Context`, `[portable]`.
    Portable,
}

/// One line of a history.
struct Line {
    /// Its bytes, with the line end.
    span: Span,
    /// Its level, if it is a heading.
    heading: Option<u8>,
    /// What it is marked as, itself or by its section or list item.
    reach: Option<Reach>,
}

/// `history` without what is marked as local. The rest keeps its bytes.
pub fn without_local(history: &str) -> String {
    let lines = lines(history);
    let kept = lines.iter().filter(|line| line.reach != Some(Reach::Local));
    kept.map(|line| line.span.of(history)).collect()
}

/// What of `history` is marked as portable, under its headings; empty if nothing is.
pub fn only_portable(history: &str) -> String {
    let lines = lines(history);
    let mut kept = vec![false; lines.len()];
    // The heading above what is kept is kept: those up to this level are above it.
    let mut above = 0;
    for (line, kept) in lines.iter().zip(&mut kept).rev() {
        let is_blank = line.span.of(history).trim().is_empty();
        *kept = match (line.reach, line.heading) {
            _ if is_blank => false,
            (Some(Reach::Portable), heading) => {
                above = heading.unwrap_or(u8::MAX);
                true
            }
            (_, Some(level)) if level < above => {
                above = level;
                true
            }
            _ => false,
        };
    }
    let mut text = String::new();
    let mut was_kept = false;
    for (line, kept) in lines.iter().zip(kept) {
        let line_text = line.span.of(history);
        let is_blank = line_text.trim().is_empty();
        // A blank line parts what is kept.
        if kept || is_blank && was_kept {
            text.push_str(line_text);
        }
        was_kept = kept;
    }
    let end = text.trim_end().len();
    let line_end = text.get(end..).filter(|rest| rest.starts_with("\r\n")).map_or("\n", |_| "\r\n");
    text.truncate(end);
    if !text.is_empty() {
        text.push_str(line_end);
    }
    text
}

/// The lines of `history`, with what they are marked as.
fn lines(history: &str) -> Vec<Line> {
    let marks = markdown::scan(history).marks;
    let mut marks = marks.iter().peekable();
    let mut lines = Vec::new();
    let mut in_fence = false;
    // The level and the mark of the sections that are open, the innermost last.
    let mut sections: Vec<(u8, Option<Reach>)> = Vec::new();
    // The indentation and the mark of the list items that are open, the innermost last.
    let mut items: Vec<(usize, Option<Reach>)> = Vec::new();
    let mut at = 0;
    for text in history.split_inclusive('\n') {
        let span = Span::new(at, at + text.len());
        at += text.len();
        let mut heading = None;
        while let Some(Mark { kind, .. }) = marks.next_if(|mark| mark.line.start() < at) {
            match kind {
                MarkKind::Heading(level) => heading = Some(*level),
                MarkKind::FenceOpen => in_fence = true,
                MarkKind::FenceClose => in_fence = false,
                _ => {}
            }
        }
        if let Some(level) = heading {
            sections.retain(|(open, _)| *open < level);
            let reach = of_heading(level, text);
            // Under `# Project Context` as the title of a history come `## Learnings` and all else: it ends at the next heading.
            let is_title = level == 1 && reach.is_some() && tag(text).is_none();
            sections.push((if is_title { LOWEST } else { level }, reach));
            items.clear();
        } else if !in_fence && !text.trim().is_empty() {
            let indentation = text.len() - text.trim_start().len();
            items.retain(|(open, _)| *open < indentation);
            if is_item(text) {
                items.push((indentation, tag(text)));
            }
        }
        let of_sections = sections.iter().filter_map(|(_, reach)| *reach);
        let mut reaches = of_sections.chain(items.iter().filter_map(|(_, reach)| *reach));
        let is_local = reaches.clone().any(|reach| reach == Reach::Local);
        let reach = if is_local { Some(Reach::Local) } else { reaches.next_back() };
        lines.push(Line { span, heading, reach });
    }
    lines
}

/// The lowest level of a heading.
const LOWEST: u8 = 6;

/// What a heading says of its section.
fn of_heading(level: u8, line: &str) -> Option<Reach> {
    let title = line.trim().trim_matches(['#', ' ', '\t']);
    match () {
        () if level <= 2 && title.eq_ignore_ascii_case("project context") => Some(Reach::Local),
        () if level <= 2 && title.eq_ignore_ascii_case("portable context") => Some(Reach::Portable),
        () => tag(line),
    }
}

/// The tag in a line. Of both, `[local]` counts: what is in doubt stays.
fn tag(line: &str) -> Option<Reach> {
    let lower = line.to_ascii_lowercase();
    match () {
        () if lower.contains("[local]") => Some(Reach::Local),
        () if lower.contains("[portable]") => Some(Reach::Portable),
        () => None,
    }
}

/// Whether a list item begins on the line.
fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "));
    is_numbered || ["- ", "* ", "+ "].iter().any(|marker| line.starts_with(marker))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HISTORY: &str = "# History of Keaton\n\nText.\n\n## Portable Context\n\n- Small changes\n- [local] Port 3000\n  and 3001\n\n\
                           ## Project Context\n\n- Rust\n\n### More\n\nText.\n\n## Learnings\n\n- [portable] Tests first\n  always\n- Other\n";

    #[test]
    fn what_is_local_stays() {
        assert_eq!(
            without_local(HISTORY),
            "# History of Keaton\n\nText.\n\n## Portable Context\n\n- Small changes\n## Learnings\n\n- [portable] Tests first\n  always\n- Other\n"
        );
        let plain = "# History\r\n\r\n- One\r\n```\n[local]\n## Project Context\n```\n- Two [portable]";
        assert_eq!(without_local(plain), plain);
    }

    #[test]
    fn a_title_ends_at_the_next_heading() {
        let history = "# Project Context\n\n- **Owner:** Brady\n\n## Learnings\n\n- One\n\n## Updates\n\nText.\n";
        assert_eq!(without_local(history), "## Learnings\n\n- One\n\n## Updates\n\nText.\n");
        let tagged = "# Verbal [local]\n\n## Learnings\n\n- One\n";
        assert_eq!(without_local(tagged), "");
    }

    #[test]
    fn an_item_in_another_one_can_be_local() {
        for history in [
            "- Deploys\n  - [local] In the vault\n    and below\n  - Daily\n- Tests\n",
            "1. Deploys\n   1. [local] In the vault\n\n      and below\n   2. Daily\n2. Tests\n",
            "- Deploys\n\t- [local] In the vault\n\t- Daily\n- Tests\n",
        ] {
            let left = without_local(history);
            assert!(!left.contains("vault") && !left.contains("below"), "{left}");
            assert!(left.contains("Deploys") && left.contains("Daily") && left.contains("Tests"), "{left}");
        }
        assert_eq!(without_local("- [local] A\n  - B [portable]\n- C\n"), "- C\n");
        assert_eq!(only_portable("## [portable]\n\n- A\n  - [local] B\n"), "## [portable]\n\n- A\n");
    }

    #[test]
    fn only_what_is_portable_travels() {
        assert_eq!(
            only_portable(HISTORY),
            "# History of Keaton\n\n## Portable Context\n\n- Small changes\n## Learnings\n\n- [portable] Tests first\n  always\n"
        );
        assert_eq!(only_portable("# History\n\n- One\n\n## Two\n\nText.\n"), "");
        assert_eq!(only_portable("# A\n\n## B [portable]\n\nx\n\n## C\n\ny\n"), "# A\n\n## B [portable]\n\nx\n");
    }
}
