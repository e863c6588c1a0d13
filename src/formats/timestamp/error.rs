//! Where a text that was meant as a timestamp leaves the specification's form.

use crate::text::Span;

/// The first place at which a text is not `YYYY-MM-DDTHH:MM:SS±HHMM`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimestampError {
    /// The text that was found; empty if the text ends too early.
    pub found: Span,
    /// What belongs there.
    pub expected: &'static str,
}

/// A part of the form: a number of so many digits, or one of these signs.
enum Part {
    Digits(usize, &'static str),
    Sign(&'static [u8], &'static str),
}

const FORM: [Part; 13] = [
    Part::Digits(4, "four digits for the year"),
    Part::Sign(b"-", "`-` after the year"),
    Part::Digits(2, "two digits for the month"),
    Part::Sign(b"-", "`-` after the month"),
    Part::Digits(2, "two digits for the day"),
    Part::Sign(b"T", "`T` after the day"),
    Part::Digits(2, "two digits for the hour"),
    Part::Sign(b":", "`:` after the hour"),
    Part::Digits(2, "two digits for the minutes"),
    Part::Sign(b":", "`:` after the minutes"),
    Part::Digits(2, "two digits for the seconds"),
    Part::Sign(b"+-", "an offset such as `-0800` after the seconds"),
    Part::Digits(4, "four digits for the offset"),
];

impl TimestampError {
    /// The error of what `span` of `text` holds, which begins with a digit; `None` if it begins with no digit, or has
    /// the form.
    pub fn of(text: &str, span: Span) -> Option<Self> {
        let bytes = span.of(text).as_bytes();
        let digits = |at: usize| bytes.iter().skip(at).take_while(|byte| byte.is_ascii_digit()).count();
        if digits(0) == 0 {
            return None;
        }
        let mut at = 0;
        for part in FORM {
            let (fits, len, expected) = match part {
                Part::Digits(len, expected) => (digits(at) == len, len, expected),
                Part::Sign(signs, expected) => (bytes.get(at).is_some_and(|byte| signs.contains(byte)), 1, expected),
            };
            if !fits {
                // The digits that are there, else the one character.
                let there = span.of(text).get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
                let start = span.start() + at;
                return Some(Self { found: Span::new(start, start + digits(at).max(there)), expected });
            }
            at += len;
        }
        None
    }

    /// What is wrong, as the end of a message.
    pub fn message(self, text: &str) -> String {
        match self.found.of(text) {
            "" => format!("ends too early, expected {}", self.expected),
            found => format!("has `{found}`, expected {}", self.expected),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_part_that_does_not_fit_is_named() {
        for (text, found, expected) in [
            ("2026-02--15T14:32:15-0800", "-", "two digits for the day"),
            ("2026/02/18 14:32", "/", "`-` after the year"),
            ("26-02-18", "26", "four digits for the year"),
            ("2026-2-18T14:32:15-0800", "2", "two digits for the month"),
            ("2026-02-155", "155", "two digits for the day"),
            ("2026-02-15T14:", "", "two digits for the minutes"),
            ("2026-02-15T14:3", "3", "two digits for the minutes"),
            ("2026-02-15T", "", "two digits for the hour"),
            ("2026-02-15T14:32:15", "", "an offset such as `-0800` after the seconds"),
            ("2026-02-15T14:32:15-080", "080", "four digits for the offset"),
            ("2026-02-15\u{2013}", "\u{2013}", "`T` after the day"),
        ] {
            let error = TimestampError::of(text, Span::new(0, text.len())).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((error.found.of(text), error.expected), (found, expected), "{text}");
        }
        for text in ["", "soon", "2026-02-15T14:32:15-0800", "2026-02-30T99:32:15+0000"] {
            assert_eq!(TimestampError::of(text, Span::new(0, text.len())), None, "{text}");
        }
    }
}
