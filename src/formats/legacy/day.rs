//! Days as people write them: `2026-02-19`, `February 19, 2026`, `19 de febrero de 2026`, `2026/2/19`, `19.02.2026`.
//! The names of months are those of English and Spanish, like the labels of [`field`](super::field).

use memchr::memmem;

const MONTHS: [&str; 25] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "sept",
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
];

/// Whether a day with its year, from 2000 on, is anywhere in `text`.
pub fn is_named_in(text: &str) -> bool {
    memmem::find_iter(text.as_bytes(), b"20").any(|at| {
        let Some((before, rest)) = text.split_at_checked(at) else { return false };
        if before.ends_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        match rest.bytes().take_while(u8::is_ascii_digit).count() {
            4 => rest.get(4..).is_some_and(follows_year) || leads_to_year(before),
            8 => rest.get(4..).is_some_and(is_month_and_day),
            _ => false,
        }
    })
}

/// `0219` of `20260219`.
fn is_month_and_day(text: &str) -> bool {
    let number = |range| text.get(range).and_then(|digits: &str| digits.parse::<u8>().ok()).unwrap_or(0);
    (1..=12).contains(&number(0..2)) && (1..=31).contains(&number(2..4))
}

/// What is after the year: `-02-19`, `/2/19`, ` Feb 19`, `-Feb-19`.
fn follows_year(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(is_separator) else { return false };
    if let Some((month, rest)) = first_number(rest) {
        let day = text.chars().next().and_then(|separator| rest.strip_prefix(separator)).and_then(first_number);
        return (1..=12).contains(&month) && day.is_some_and(|(day, _)| is_day(day));
    }
    let rest = rest.trim_start();
    let word = rest.find(|c: char| !c.is_ascii_alphabetic()).and_then(|end| rest.split_at_checked(end));
    word.is_some_and(|(word, rest)| {
        let day = rest.trim_start_matches(is_separator);
        is_month(word) && first_number(day).is_some_and(|(day, _)| is_day(day))
    })
}

/// The text before the year: `February 19, `, `19 Feb `, `19th of February `, `2/19/`, `19.02.`.
fn leads_to_year(text: &str) -> bool {
    let head = without_of(text.trim_end_matches(is_separator));
    let (rest, word) = last_word(head);
    if is_month(word) {
        // A comma parts more than a day from its month: `Phase 3, February 2026`.
        let rest = rest.strip_suffix([' ', '-', '/', '_', '.']).unwrap_or(rest);
        let rest = without_of(rest).trim_end_matches('.');
        return last_number(rest).is_some_and(|(_, day)| is_day(day));
    }
    let Some((rest, last)) = last_number(head).filter(|(_, number)| is_day(*number)) else { return false };
    let ends_with_month = |text: &str| is_month(last_word(text).1);
    if ends_with_month(rest.trim_end_matches(is_separator)) {
        return true;
    }
    // `February 19–20, 2026`
    let range = rest.trim_end().strip_suffix(['-', '–']).and_then(|rest| last_number(rest.trim_end()));
    if range.is_some_and(|(rest, _)| ends_with_month(rest.trim_end_matches(is_separator))) {
        return true;
    }
    let separator = text.chars().next_back().filter(|c| matches!(c, '-' | '/' | '.' | '_'));
    let first = separator.and_then(|separator| rest.strip_suffix(separator)).and_then(last_number);
    first.is_some_and(|(_, first)| is_day(first) && first.min(last) <= 12)
}

fn is_separator(c: char) -> bool {
    matches!(c, ' ' | ',' | '-' | '/' | '.' | '_')
}

fn is_day(number: u8) -> bool {
    (1..=31).contains(&number)
}

/// A month's name, whole or cut after its third letter or later.
fn is_month(word: &str) -> bool {
    let starts = |month: &&str| month.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    word.len() >= 3 && MONTHS.iter().any(starts)
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
        ] {
            assert!(is_named_in(text), "{text}");
        }
    }

    #[test]
    fn what_names_no_day() {
        for text in [
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
