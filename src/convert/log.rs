//! Where the log of an agent goes on behind one of its entries.

use super::pattern::{Pattern, matches};
use super::sibling::Inside;
use crate::formats::markdown::MarkKind;
use crate::text::lines;

/// Where the log of an agent continues after an entry, whose lines have days of their own: `- 2026-05-04: **Parser** …`,
/// `📌 Team update (2026-05-04): …`. Lines below a label or a heading of the entry belong to it, and so do those above more of
/// its text, and one of the entry's day in its list.
pub(super) fn behind(inside: Inside<'_>) -> Option<usize> {
    let Inside { text: all, entry, body, marks, .. } = inside;
    let own = entry.date?.of(all).get(..10)?;
    let first = marks.partition_point(|mark| mark.line.start() < body.start());
    let mut marks = marks.get(first..)?.iter().peekable();
    // A body of lines of a log is the log of that day.
    let mut said = body.of(all).lines().filter(|line| !line.trim().is_empty());
    let is_log = said.next().and_then(day_of_line) == Some(own);
    // A list of days is what such a text has.
    let title = entry.heading.of(all).to_lowercase();
    let is_condensed = ["[summary]", "condensed", "compressed"].iter().any(|word| title.contains(word));
    let (mut is_code, mut is_announced, mut is_paragraph, mut log) = (false, !is_log, false, None);
    // A list of earlier days under a heading that the log had before.
    let (mut is_below_heading, mut earlier) = (false, None);
    for line in lines(all, body) {
        let mut heading = None;
        while let Some(mark) = marks.next_if(|mark| mark.line.start() <= line.start()) {
            match mark.kind {
                MarkKind::FenceOpen => is_code = true,
                MarkKind::FenceClose => is_code = false,
                MarkKind::Heading(level) => heading = Some(level),
                _ => {}
            }
        }
        // There the entry ends.
        if heading.is_some_and(|level| (2..=entry.level).contains(&level)) {
            break;
        }
        let text = line.of(all);
        if text.trim().is_empty() || text.trim() == "---" {
            is_paragraph = false;
            continue;
        }
        let day = day_of_line(text).filter(|_| !is_code);
        // An update of the team is about the work of others, whatever its day.
        if day == Some(own) {
            earlier = None;
        } else if is_below_heading && earlier.is_none() && day.is_some_and(|day| day < own) && tells_a_title(text) {
            earlier = Some(line.start());
        }
        is_below_heading = heading.is_some();
        let is_update = || {
            let start = text.get(..40).unwrap_or(text);
            start.contains("Team update (") || start.contains("Team updates (")
        };
        match day {
            Some(day)
                if log.is_some()
                    || !is_announced
                        && (!is_condensed || is_update())
                        && (day != own || !is_log && (!is_paragraph || is_update())) =>
            {
                log.get_or_insert(line.start());
            }
            None if !is_code && (is_paragraph && log.is_some() && !is_item(text) || text.starts_with([' ', '\t'])) => {}
            _ => log = None,
        }
        is_paragraph = true;
        // The items below the first one of such a list belong to the same label.
        if day.is_none() || !is_announced {
            is_announced = heading.is_some() || text.trim_end().trim_end_matches('*').ends_with(':');
        }
    }
    log.into_iter().chain(earlier).min()
}

/// The day of a line of a log: an item of a list that is in no other item, `- 2026-05-04: …`, `- ✅ **2026-05-04**: …`, or an update
/// of the team, `📌 Team update (2026-05-04): …`.
fn day_of_line(line: &str) -> Option<&str> {
    static ITEM: Pattern =
        Pattern::new(r"^[-*] [^\p{L}\d\s]*\s?\W{0,2}(20\d\d-\d\d-\d\d)(?:T[\d:.]+Z?)?\s*(?:[:(*—–]|\*\*)");
    static UPDATE: Pattern = Pattern::new(r"(?i)^(?:[-*] )?(?:\W{0,6}team updates? \(|📌 \W{0,2})(20\d\d-\d\d-\d\d)");
    let found = match line.as_bytes().first()? {
        b'-' | b'*' => ITEM.groups(line).or_else(|| UPDATE.groups(line)),
        0x80.. | b' ' => UPDATE.groups(line),
        _ => None,
    };
    found?.get(1)
}

/// Whether a line begins an item of a list that is in no other item.
fn is_item(line: &str) -> bool {
    line.starts_with("- ") || line.starts_with("* ")
}

/// Whether a line of a log has a title: `- 2026-05-04: **Parser** …`.
fn tells_a_title(line: &str) -> bool {
    static TITLED: Pattern = Pattern::new(r"^[-*] 20\d\d-\d\d-\d\d(?:T[\d:.]+Z?)?: \*\*");
    matches(&TITLED, line)
}
