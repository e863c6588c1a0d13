//! Days as programs write them: `2026-02-15`, with a time of day in any of its shapes.

use std::ops::Range;

use super::day::is_version;

/// The first such day in `text`, with its time of day: `2026-02-15T14:32:15.250-08:00`, `2026-02-15 1432 UTC`.
pub fn find(text: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'-', bytes).find_map(|dash| {
        let start = dash.checked_sub(4)?;
        let begins = start.checked_sub(1).and_then(|at| bytes.get(at)).is_none_or(|byte| !is_word(*byte));
        let day = Cursor { bytes, at: start }.day().filter(|_| begins)?;
        if is_version(bytes, start..day.at) {
            return None;
        }
        Some(start..day.time().unwrap_or(day).at)
    })
}

/// A place in a text. Each method reads what it names there, and gives the place after it.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    /// A byte that is `wanted`.
    fn byte(self, wanted: impl Fn(u8) -> bool) -> Option<Self> {
        self.bytes.get(self.at).filter(|byte| wanted(**byte)).map(|_| Self { at: self.at + 1, ..self })
    }

    /// This text.
    fn text(self, wanted: &[u8]) -> Option<Self> {
        let here = self.bytes.get(self.at..)?;
        here.starts_with(wanted).then_some(Self { at: self.at + wanted.len(), ..self })
    }

    /// Two digits, a number that is `wanted`.
    fn number(self, wanted: impl Fn(u8) -> bool) -> Option<Self> {
        let [tens, ones] = *self.bytes.get(self.at..)?.first_chunk()?;
        let is_number = tens.is_ascii_digit() && ones.is_ascii_digit();
        (is_number && wanted((tens - b'0') * 10 + ones - b'0')).then_some(Self { at: self.at + 2, ..self })
    }

    /// A place where no word goes on.
    fn word_end(self) -> Option<Self> {
        self.bytes.get(self.at).is_none_or(|byte| !is_word(*byte)).then_some(self)
    }

    fn day(self) -> Option<Self> {
        let year = self.number(|century| matches!(century, 19 | 20))?.number(|_| true)?;
        let month = year.text(b"-")?.number(|month| (1..=12).contains(&month))?;
        month.text(b"-")?.number(|day| (1..=31).contains(&day))
    }

    /// `T14:32`, ` 143215`, `T14-32-15.5Z`, ` 14:32 UTC`, `T14:32:15-0800`.
    fn time(self) -> Option<Self> {
        let hours = self.byte(|byte| matches!(byte, b'T' | b' '))?.number(|_| true)?;
        // What is before the minutes is before the seconds: `06:30-07:00` has an offset.
        let sign = hours.byte(|byte| matches!(byte, b':' | b'-')).and(hours.bytes.get(hours.at));
        let part = |from: Self| from.byte(|byte| Some(&byte) == sign).unwrap_or(from).number(|_| true);
        let minutes = part(hours)?;
        let seconds = part(minutes).unwrap_or(minutes);
        let time = seconds.fraction().unwrap_or(seconds);
        Some(time.zone().unwrap_or(time))
    }

    fn fraction(self) -> Option<Self> {
        let mut end = self.text(b".")?.byte(|byte| byte.is_ascii_digit())?;
        while let Some(next) = end.byte(|byte| byte.is_ascii_digit()) {
            end = next;
        }
        Some(end)
    }

    fn zone(self) -> Option<Self> {
        let name = self.text(b" ").unwrap_or(self);
        if let Some(end) = name.text(b"Z").or_else(|| name.text(b"UTC")).and_then(Self::word_end) {
            return Some(end);
        }
        let hours = self.byte(|byte| matches!(byte, b'+' | b'-'))?.number(|_| true)?;
        hours.text(b":").unwrap_or(hours).number(|_| true)?.word_end()
    }
}

/// Whether a byte is part of an ASCII word.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    #[test]
    fn the_shapes_of_days() {
        for (text, day) in [
            ("2026-02-10: x", "2026-02-10"),
            ("(2026-02-21T21:35Z)", "2026-02-21T21:35Z"),
            ("2026-02-21T01-09-49Z: Tabs", "2026-02-21T01-09-49Z"),
            ("é2026-02-21 014509 UTC.", "2026-02-21 014509 UTC"),
            ("2026-02-21T01:45:09.250-08:00,", "2026-02-21T01:45:09.250-08:00"),
            ("2026-02-21T01:45:09-08:000", "2026-02-21T01:45:09"),
            ("2026-02-21T01:45Zulu", "2026-02-21T01:45"),
            ("2026-05-15T06:30-07:00: Tabs", "2026-05-15T06:30-07:00"),
            ("2026-05-15T0630-0700", "2026-05-15T0630-0700"),
            ("2026-02-21T1", "2026-02-21"),
            ("2026-13-21, 12026-02-21, 2026-02-1 and 1999-12-31", "1999-12-31"),
        ] {
            assert_eq!(find(text).map(|range| &text[range]), Some(day), "{text}");
        }
        assert_eq!(find("2026-02-32 3026-02-01 x2026-02-01 2026/02/01"), None);
    }

    proptest! {
        #[test]
        fn a_pattern_finds_the_same(text in "([a_é ]|20(26|19)-?|-?(0[0-9]|1[0-9]|3[0-9])|[T :.+Z-]|UTC|[0-9]){0,24}") {
            let pattern = Regex::new(concat!(
                r"(?-u)\b(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])",
                r"(?:[T ]\d\d(?::\d\d(?::?\d\d)?|-\d\d(?:-?\d\d)?|\d\d(?:\d\d)?)(?:\.\d+)?(?: ?(?:Z|UTC)\b|[+-]\d\d:?\d\d\b)?)?",
            ));
            prop_assert_eq!(find(&text), pattern.unwrap().find(&text).map(|found| found.range()));
        }
    }
}
