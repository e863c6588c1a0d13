//! Days as people write them: `2026-02-19`, `February 19, 2026`, `19 de febrero de 2026`, `2026/2/19`, `19.02.2026`.
//! The names of months are those of English and Spanish, like the labels of [`field`](super::field).

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::text::Span;

const MONTHS: [(&str, u8); 25] = [
    ("january", 1),
    ("february", 2),
    ("march", 3),
    ("april", 4),
    ("may", 5),
    ("june", 6),
    ("july", 7),
    ("august", 8),
    ("september", 9),
    ("october", 10),
    ("november", 11),
    ("december", 12),
    ("sept", 9),
    ("enero", 1),
    ("febrero", 2),
    ("marzo", 3),
    ("abril", 4),
    ("mayo", 5),
    ("junio", 6),
    ("julio", 7),
    ("agosto", 8),
    ("septiembre", 9),
    ("octubre", 10),
    ("noviembre", 11),
    ("diciembre", 12),
];

/// A day in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// Its bytes.
    pub span: Span,
    /// Year, month and day; `None` where these are uncertain: `02/03/2026`, `February 19–20, 2026`.
    pub date: Option<(u16, u8, u8)>,
}

/// Whether a day with its year, from 2000 on, is anywhere in `text`.
pub fn is_named_in(text: &str) -> bool {
    find(text).is_some() || text.split(|c: char| !c.is_ascii_digit()).any(is_stamp)
}

/// Whether digits are a day with its time: `20260214093000`.
fn is_stamp(digits: &str) -> bool {
    let part = |from, to| digits.get(from..to).and_then(|part| part.parse::<u8>().ok()).unwrap_or_default();
    digits.len() == 14 && digits.starts_with("20") && (1..=12).contains(&part(4, 6)) && (1..=31).contains(&part(6, 8))
}

/// What every day has: to prepare the search takes longer than to look through a section.
pub static CENTURY: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"20"));

/// The first day with its year, from 2000 on, in `text`.
pub fn find(text: &str) -> Option<Day> {
    let bytes = text.as_bytes();
    // A line is too short for a search that is prepared.
    memchr::memchr_iter(b'2', bytes).filter(|at| bytes.get(at + 1) == Some(&b'0')).find_map(|at| {
        if at.checked_sub(1).and_then(|before| bytes.get(before)).is_some_and(u8::is_ascii_digit) {
            return None;
        }
        if let Some(date) = bytes.get(at..).and_then(dashed) {
            if is_version(bytes, at..at + 10) {
                return None;
            }
            return Some(Day { span: Span::new(at, at + 10), date: Some(date) });
        }
        let (before, rest) = text.split_at_checked(at)?;
        let year = rest.get(..4)?.parse().ok()?;
        let behind = rest.get(4..)?;
        match rest.bytes().take_while(u8::is_ascii_digit).count() {
            4 => follows_year(behind)
                .map(|(end, month, day)| (at, at + 4 + end, Some((month, day))))
                .or_else(|| leads_to_year(before).map(|(start, date)| (start, at + 4, date))),
            8 => month_and_day(behind).map(|date| (at, at + 8, Some(date))),
            _ => None,
        }
        .map(|(start, end, date)| Day {
            span: Span::new(start, end),
            date: date.map(|(month, day)| (year, month, day)),
        })
    })
}

/// Whether the day at `range` is the version of an interface: `virtualMachines@2023-09-01`, `api-version=2025-09-01-preview`.
pub(super) fn is_version(bytes: &[u8], range: Range<usize>) -> bool {
    /// So many bytes before a version say that it is one.
    const NEAR: usize = 12;
    let before = bytes.get(..range.start).unwrap_or_default();
    if let [.., name, b'@'] = before {
        return name.is_ascii_alphanumeric();
    }
    // Most days are followed by something else.
    if bytes.get(range.end) != Some(&b'-') || !bytes.get(range.end..).is_some_and(|rest| rest.starts_with(b"-preview"))
    {
        return false;
    }
    let near = before.get(before.len().saturating_sub(NEAR)..).unwrap_or_default();
    near.ends_with(b"`") || near.windows(7).any(|word| word.eq_ignore_ascii_case(b"version"))
}

/// The year, the month and the day of `2026-02-19`, as most days are written.
fn dashed(bytes: &[u8]) -> Option<(u16, u8, u8)> {
    let [b'2', b'0', year_tens, year_ones, b'-', month_tens, month_ones, b'-', day_tens, day_ones, behind @ ..] = bytes
    else {
        return None;
    };
    let number = |tens: &u8, ones: &u8| {
        (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| (tens - b'0') * 10 + (ones - b'0'))
    };
    let year = number(year_tens, year_ones)?;
    let (month, day) = (number(month_tens, month_ones)?, number(day_tens, day_ones)?);
    let is_whole = !behind.first().is_some_and(u8::is_ascii_digit);
    (is_whole && (1..=12).contains(&month) && is_day(day)).then_some((2000 + u16::from(year), month, day))
}

/// `0219` of `20260219`.
fn month_and_day(text: &str) -> Option<(u8, u8)> {
    let number = |range| text.get(range).and_then(|digits: &str| digits.parse::<u8>().ok()).unwrap_or(0);
    let (month, day) = (number(0..2), number(2..4));
    ((1..=12).contains(&month) && is_day(day)).then_some((month, day))
}

/// What is after the year, `-02-19`, `/2/19`, ` Feb 19`, `-Feb-19`: its length, the month and the day.
fn follows_year(text: &str) -> Option<(usize, u8, u8)> {
    let rest = text.strip_prefix(is_separator)?;
    if let Some((month, rest)) = first_number(rest) {
        let rest = text.chars().next().and_then(|separator| rest.strip_prefix(separator))?;
        let (day, rest) = first_number(rest)?;
        return ((1..=12).contains(&month) && is_day(day)).then_some((text.len() - rest.len(), month, day));
    }
    let rest = rest.trim_start();
    let (word, rest) = rest.split_at_checked(rest.find(|c: char| !c.is_ascii_alphabetic())?)?;
    let month = month(word)?;
    let (day, rest) = first_number(rest.trim_start_matches(is_separator))?;
    is_day(day).then_some((text.len() - rest.len(), month, day))
}

/// The text before the year, `February 19, `, `19 Feb `, `19th of February `, `2/19/`, `19.02.`: where the day begins in it, and
/// the month and the day where they are certain.
fn leads_to_year(text: &str) -> Option<(usize, Option<(u8, u8)>)> {
    let head = without_of(text.trim_end_matches(is_separator));
    let (rest, word) = last_word(head);
    if let Some(month) = month(word) {
        // A comma parts more than a day from its month: `Phase 3, February 2026`.
        let rest = rest.strip_suffix([' ', '-', '/', '_', '.']).unwrap_or(rest);
        let rest = without_of(rest).trim_end_matches('.');
        let (before, day) = last_number(rest)?;
        let is_range = before.ends_with(['-', '–', '/']);
        return is_day(day).then_some((before.len(), (!is_range).then_some((month, day))));
    }
    let (rest, last) = last_number(head).filter(|(_, number)| is_day(*number))?;
    let ending_month = |text: &str| {
        let (rest, word) = last_word(text.trim_end_matches(is_separator));
        month(word).map(|month| (rest.len(), month))
    };
    if let Some((start, month)) = ending_month(rest) {
        return Some((start, Some((month, last))));
    }
    // `February 19–20, 2026`
    let range = rest.trim_end().strip_suffix(['-', '–']).and_then(|rest| last_number(rest.trim_end()));
    if let Some((start, _)) = range.and_then(|(rest, _)| ending_month(rest)) {
        return Some((start, None));
    }
    let separator = text.chars().next_back().filter(|c| matches!(c, '-' | '/' | '.' | '_'));
    let (before, first) = separator.and_then(|separator| rest.strip_suffix(separator)).and_then(last_number)?;
    let date = match (first, last) {
        (first, last) if first == last || first <= 12 && last > 12 => (first, last),
        (first, last) if first > 12 && last <= 12 => (last, first),
        _ => return (is_day(first) && first.min(last) <= 12).then_some((before.len(), None)),
    };
    (is_day(date.1) && date.0 <= 12).then_some((before.len(), Some(date)))
}

fn is_separator(c: char) -> bool {
    matches!(c, ' ' | ',' | '-' | '/' | '.' | '_')
}

fn is_day(number: u8) -> bool {
    (1..=31).contains(&number)
}

/// The number of a month by its name, whole or cut after its third letter or later.
fn month(word: &str) -> Option<u8> {
    let starts = |(name, _): &&(&str, u8)| name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    (word.len() >= 3).then(|| MONTHS.iter().find(starts))?.map(|(_, number)| *number)
}

/// `text` without the `of` or `de` at its end.
fn without_of(text: &str) -> &str {
    let (rest, word) = last_word(text);
    if matches!(word, "of" | "de" | "del") { rest.trim_end() } else { text }
}

/// `text` up to its last word, and that word: ASCII letters, perhaps none.
fn last_word(text: &str) -> (&str, &str) {
    let rest = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    (rest, text.get(rest.len()..).unwrap_or_default())
}

/// The number of one or two digits at the start of `text`, and what is after it.
fn first_number(text: &str) -> Option<(u8, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(digits)?;
    (digits <= 2).then(|| Some((number.parse().ok()?, rest)))?
}

/// The text before the number at the end of `text`, and the number: one or two digits, also `19th`.
fn last_number(text: &str) -> Option<(&str, u8)> {
    let text = ["st", "nd", "rd", "th"].iter().find_map(|ending| text.strip_suffix(ending)).unwrap_or(text);
    let rest = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = text.get(rest.len()..).filter(|digits| digits.len() <= 2)?;
    (!rest.ends_with(char::is_alphanumeric)).then(|| Some((rest, digits.parse().ok()?)))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_found() {
        for text in [
            "2026-02-19",
            "Reviewed 2026-02-19T10:00Z",
            "copilot-20260219T1904.md",
            "2026/2/19",
            "2026.02.19",
            "February 19, 2026",
            "on Thursday, feb. 19th 2026",
            "**Feb 19 2026**",
            "Sept 3, 2026",
            "February 19–20, 2026",
            "February 19-20, 2026",
            "19 Feb 2026",
            "19-Feb-2026",
            "19. April 2026",
            "the 19th of February, 2026",
            "19 de febrero de 2026",
            "1 de mayo del 2026",
            "2026 Feb 19",
            "2026-Feb-19",
            "02/19/2026",
            "(19.02.2026)",
            "19-2-2026 é",
            "in 2025, and again on May 3, 2026",
            "### 20260219173709 Tabs",
            "2026-02-14-preview.md",
            "### 2026-02-14-preview: x",
            "**By:** Keaton @2026-03-04",
            "@2023-09-01, and on 2026-02-19",
        ] {
            assert!(is_named_in(text), "{text}");
        }
    }

    #[test]
    fn the_day_and_its_place() {
        for (text, place, date) in [
            ("on February 19, 2026, at noon", "February 19, 2026", Some((2026, 2, 19))),
            ("(19 de febrero de 2026)", "19 de febrero de 2026", Some((2026, 2, 19))),
            ("2026/2/19", "2026/2/19", Some((2026, 2, 19))),
            ("copilot-20260219T19", "20260219", Some((2026, 2, 19))),
            ("2026-Feb-19:", "2026-Feb-19", Some((2026, 2, 19))),
            ("02/19/2026", "02/19/2026", Some((2026, 2, 19))),
            ("19.02.2026", "19.02.2026", Some((2026, 2, 19))),
            ("02/03/2026", "02/03/2026", None),
            ("February 19–20, 2026", "February 19–20, 2026", None),
            ("19-20 February 2026", "20 February 2026", None),
        ] {
            let day = find(text);
            assert_eq!(day.map(|day| (day.span.of(text), day.date)), Some((place, date)), "{text}");
        }
    }

    #[test]
    fn what_names_no_day() {
        for text in [
            "20261319173709",
            "virtualMachines@2023-09-01",
            "(api-version `2025-09-01-preview`)",
            "",
            "20",
            "2026",
            "2026-07",
            "2026-03-XX",
            "2026-02-",
            "2026-13-01",
            "20261301",
            "202602190",
            "12026-02-19",
            "February 2026",
            "19 February",
            "Phase 3, February 2026",
            "Q1 Feb 2026",
            "Sprint 12, 2026",
            "12/2026",
            "2025-12/2026",
            "32.13.2026",
            "20.20.2026",
            "Ma 3, 2026",
            "é2026é",
            "$(date +%Y-%m-%d)",
            "Today",
        ] {
            assert!(!is_named_in(text), "{text}");
        }
    }
}
