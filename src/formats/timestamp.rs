//! Timestamps of SEM entries: `YYYY-MM-DDTHH:MM:SS±HHMM` and their near misses.
//!
//! The shape is checked byte by byte, the calendar by jiff: date libraries fold a second 60 and take offsets that no
//! place on earth has.

mod error;

use std::fmt;

pub use error::TimestampError;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;

/// A moment with the offset it was written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Timestamp {
    /// Seconds since 1970 in two parts: a file holds many of these, and parts need little room. Years of four digits
    /// fit 48 bits.
    low: u32,
    high: i16,
    /// Minutes from UTC.
    offset: i16,
}

impl Timestamp {
    /// The moment `seconds` after 1970-01-01T00:00:00Z, written in UTC.
    pub fn from_unix(seconds: i64) -> Self {
        Self::new(seconds, 0)
    }

    /// The moment `seconds` after 1970-01-01T00:00:00Z, written with `offset` minutes from UTC.
    pub fn new(seconds: i64, offset: i16) -> Self {
        let high = seconds >> 32;
        let high = i16::try_from(high).unwrap_or(if high < 0 { i16::MIN } else { i16::MAX });
        let low = u32::try_from(seconds & 0xffff_ffff).unwrap_or_default();
        Self { low, high, offset }
    }

    /// The start of a day in UTC; `None` where the calendar has no such day.
    pub fn midnight(year: u16, month: u8, day: u8) -> Option<Self> {
        let day = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
        Some(Self::from_unix(Offset::UTC.to_timestamp(day.at(0, 0, 0, 0)).ok()?.as_second()))
    }

    /// Seconds since 1970-01-01T00:00:00Z; two timestamps with the same number are the same moment.
    pub fn unix(self) -> i64 {
        i64::from(self.high) << 32 | i64::from(self.low)
    }

    /// The offset it was written in, in minutes from UTC.
    pub fn offset(self) -> i16 {
        self.offset
    }

    /// The moment `seconds` later, with the same offset.
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        Self::new(self.unix().saturating_add(seconds), self.offset)
    }

    /// The day on which it was where it was written.
    pub fn day(self) -> Date {
        let offset = Offset::from_seconds(i32::from(self.offset) * 60).unwrap_or(Offset::UTC);
        offset.to_datetime(jiff::Timestamp::from_second(self.unix()).unwrap_or_default()).date()
    }

    /// Midnight UTC of `day`.
    pub fn of_day(day: Date) -> Self {
        let start = Offset::UTC.to_timestamp(day.at(0, 0, 0, 0)).map_or(0, jiff::Timestamp::as_second);
        Self::from_unix(start)
    }

    /// The moment in UTC, as the files of sessions have it: `2024-01-15T10:37:00Z`.
    pub fn in_utc(self) -> String {
        let text = Self::from_unix(self.unix()).to_string();
        text.strip_suffix("+0000").map_or(text.clone(), |text| format!("{text}Z"))
    }

    /// The moment of `text` when the whole of it is a timestamp in any readable form.
    pub fn read(text: &str) -> Option<Self> {
        match Reading::whole(text) {
            Reading::Canonical(at) | Reading::Loose { at, .. } => Some(at),
            Reading::Invalid(_) | Reading::Other => None,
        }
    }
}

/// The canonical form, `YYYY-MM-DDTHH:MM:SS±HHMM`, in the offset it was written in.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = self.offset;
        let offset = Offset::from_seconds(i32::from(minutes) * 60).unwrap_or(Offset::UTC);
        let Ok(moment) = jiff::Timestamp::from_second(self.unix()) else { return write!(f, "@{}", self.unix()) };
        let at = offset.to_datetime(moment);
        let [[y0, y1], [y2, y3]] = [at.year() / 100, at.year() % 100].map(two_digits);
        let [[m0, m1], [d0, d1]] = [at.month(), at.day()].map(two_digits);
        let [[h0, h1], [i0, i1], [s0, s1]] = [at.hour(), at.minute(), at.second()].map(two_digits);
        let [[z0, z1], [z2, z3]] = [minutes.abs() / 60, minutes.abs() % 60].map(two_digits);
        let sign = if minutes < 0 { b'-' } else { b'+' };
        let text = [
            y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1, b'T', h0, h1, b':', i0, i1, b':', s0, s1, sign, z0, z1, z2, z3,
        ];
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

/// The decimal digits of `number`, which has two at most.
fn two_digits(number: impl TryInto<u8>) -> [u8; 2] {
    let number = number.try_into().unwrap_or_default();
    [b'0' + number / 10 % 10, b'0' + number % 10]
}

/// Why something of a timestamp's shape names no moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A date alone.
    NoTime,
    /// A date and a time of day without an offset from UTC.
    NoOffset,
    /// No such month.
    Month,
    /// No such day in the calendar.
    Date,
    /// No such time of day.
    Time,
    /// No place on earth has this offset (-1200 to +1400).
    Offset,
    /// Something is after the timestamp.
    Trailing,
}

impl Fault {
    /// What is wrong, as part of a message.
    pub fn message(self) -> &'static str {
        match self {
            Self::NoTime => "has a date but no time of day",
            Self::NoOffset => "has no offset from UTC",
            Self::Month => "has a month that does not exist",
            Self::Date => "has a day that does not exist",
            Self::Time => "has a time of day that does not exist",
            Self::Offset => "has an offset from UTC that no time zone uses",
            Self::Trailing => "has text after it",
        }
    }
}

/// How one text reads as a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Exactly the specification's form.
    Canonical(Timestamp),
    /// Another form, whose moment is certain.
    Loose {
        /// The moment.
        at: Timestamp,
        /// Whether writing it canonically keeps all of it (a fraction of a second would be lost).
        lossless: bool,
    },
    /// Of a timestamp's shape, but no moment.
    Invalid(Fault),
    /// No timestamp at all.
    Other,
}

impl Reading {
    /// Reads the whole of `text`, which has no white space around it.
    pub fn whole(text: &str) -> Self {
        match Self::prefix(text) {
            (Self::Other, _) => Self::Other,
            (reading, len) if len == text.len() => reading,
            (Self::Invalid(fault), _) => Self::Invalid(fault),
            _ => Self::Invalid(Fault::Trailing),
        }
    }

    /// Reads the longest timestamp at the start of `text`, and its length in bytes.
    pub fn prefix(text: &str) -> (Self, usize) {
        if let Some(start) = text.as_bytes().first_chunk()
            && let Some(at) = canonical(start)
        {
            return (Self::Canonical(at), start.len());
        }
        let mut scan = Scan { bytes: text.as_bytes(), at: 0, canonical: true, lossless: true };
        match scan.timestamp() {
            None => (Self::Other, 0),
            Some(Err(fault)) => (Self::Invalid(fault), scan.at),
            Some(Ok(at)) if scan.canonical => (Self::Canonical(at), scan.at),
            Some(Ok(at)) => (Self::Loose { at, lossless: scan.lossless }, scan.at),
        }
    }

    /// The moment, if there is one.
    pub fn moment(self) -> Option<Timestamp> {
        match self {
            Self::Canonical(at) | Self::Loose { at, .. } => Some(at),
            Self::Invalid(_) | Self::Other => None,
        }
    }

    /// Whether it has a time of day, valid or not.
    pub fn has_time(self) -> bool {
        !matches!(self, Self::Other | Self::Invalid(Fault::NoTime))
    }
}

/// The moment that `text` names in the specification's form: nearly all timestamps have it.
fn canonical(text: &[u8; 24]) -> Option<Timestamp> {
    #[rustfmt::skip]
    let [
        y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1, b'T', h0, h1, b':', i0, i1, b':', s0, s1, sign @ (b'+' | b'-'), z0, z1, z2, z3,
    ] = *text else {
        return None;
    };
    let digits = [y0, y1, y2, y3, m0, m1, d0, d1, h0, h1, i0, i1, s0, s1, z0, z1, z2, z3];
    // All at once is one test.
    if digits.iter().fold(false, |is_other, digit| is_other | (digit.wrapping_sub(b'0') > 9)) {
        return None;
    }
    let number = |tens: u8, ones: u8| i32::from(tens & 0xf) * 10 + i32::from(ones & 0xf);
    let date = date(number(y0, y1) * 100 + number(y2, y3), number(m0, m1), number(d0, d1))?;
    let time = time(number(h0, h1), number(i0, i1), number(s0, s1))?;
    moment(DateTime::from_parts(date, time), offset(sign, number(z0, z1), number(z2, z3))?).ok()
}

/// The moment at which it is `at` where clocks have this offset.
fn moment(at: DateTime, offset: Offset) -> Result<Timestamp, Fault> {
    let moment = offset.to_timestamp(at).map_err(|_| Fault::Date)?;
    Ok(Timestamp::new(moment.as_second(), i16::try_from(offset.seconds() / 60).unwrap_or_default()))
}

/// The offset of these hours and minutes; `None` when no place has it.
fn offset(sign: u8, hours: i32, minutes: i32) -> Option<Offset> {
    let total = if sign == b'-' { -(hours * 60 + minutes) } else { hours * 60 + minutes };
    let is_real = minutes < 60 && (-12 * 60..=14 * 60).contains(&total);
    is_real.then(|| Offset::from_seconds(total * 60).ok())?
}

/// A cursor over one candidate.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    canonical: bool,
    lossless: bool,
}

impl Scan<'_> {
    /// `None`: no date here. Otherwise `at` is after what was read.
    fn timestamp(&mut self) -> Option<Result<Timestamp, Fault>> {
        let year = self.digits(4)?;
        self.literal(b'-')?;
        let month = self.digits(2)?;
        self.literal(b'-')?;
        let day = self.digits(2)?;
        if self.peek(0).is_some_and(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let Some(time) = self.time() else { return Some(Err(Fault::NoTime)) };
        let offset = self.offset();
        Some((|| {
            let no_date = if (1..=12).contains(&month) { Fault::Date } else { Fault::Month };
            let at = DateTime::from_parts(date(year, month, day).ok_or(no_date)?, time.ok_or(Fault::Time)?);
            moment(at, offset.ok_or(Fault::NoOffset)?.ok_or(Fault::Offset)?)
        })())
    }

    /// The time of day with the separator before it; `Some(None)` when it is not a time that exists.
    fn time(&mut self) -> Option<Option<Time>> {
        let start = self.at;
        let result = self.time_or_back();
        if result.is_none() {
            self.at = start;
        }
        result
    }

    fn time_or_back(&mut self) -> Option<Option<Time>> {
        let separator = self.peek(0)?;
        if !matches!(separator, b'T' | b't' | b' ') {
            return None;
        }
        self.at += 1;
        let hour = self.digits(2)?;
        let colon = self.peek(0).filter(|byte| matches!(byte, b':' | b'-'));
        // `T14-0800` could be an hour with an offset, but hours are not written alone.
        if colon.is_some() {
            self.at += 1;
        }
        let minute = self.digits(2)?;
        self.canonical &= separator == b'T' && colon == Some(b':');
        let before_second = self.at;
        let second = if colon.is_none() || self.peek(0) == colon {
            if colon.is_some() {
                self.at += 1;
            }
            self.digits(2)
        } else {
            None
        };
        // After `-` come the seconds of `14-32-15`, or the offset of `14-32-0800`.
        let second = match second {
            Some(_) if colon == Some(b'-') && self.peek(0).is_some_and(|byte| byte.is_ascii_digit()) => None,
            other => other,
        };
        if second.is_none() {
            self.at = before_second;
            self.canonical = false;
        }
        if second.is_some() && self.peek(0) == Some(b'.') {
            let digits = self.rest(1).iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits > 0 {
                self.at += 1 + digits;
                (self.canonical, self.lossless) = (false, false);
            }
        }
        Some(time(hour, minute, second.unwrap_or(0)))
    }

    /// The offset; `Some(None)` when no place has it.
    fn offset(&mut self) -> Option<Option<Offset>> {
        let start = self.at;
        if self.peek(0) == Some(b' ') && matches!(self.peek(1), Some(b'+' | b'-' | b'Z')) {
            self.at += 1;
            self.canonical = false;
        }
        let sign = match self.peek(0) {
            Some(b'Z' | b'z') if !self.peek(1).is_some_and(|byte| byte.is_ascii_alphanumeric()) => {
                self.at += 1;
                self.canonical = false;
                return Some(Some(Offset::UTC));
            }
            Some(sign @ (b'+' | b'-')) => sign,
            _ => {
                self.at = start;
                return None;
            }
        };
        self.at += 1;
        let Some(hours) = self.digits(2) else {
            self.at = start;
            return None;
        };
        if self.peek(0) == Some(b':') && self.peek(1).is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
            self.canonical = false;
        }
        let minutes = match self.digits(2) {
            Some(minutes) => minutes,
            // `-080` and `-08x` are cut or garbled, not whole hours.
            None if self.peek(0).is_some_and(|byte| byte.is_ascii_alphanumeric()) => {
                self.at += usize::from(self.peek(0).is_some_and(|byte| byte.is_ascii_digit()));
                return Some(None);
            }
            None => {
                self.canonical = false;
                0
            }
        };
        Some(offset(sign, hours, minutes))
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn rest(&self, ahead: usize) -> &[u8] {
        self.bytes.get(self.at + ahead..).unwrap_or_default()
    }

    fn literal(&mut self, byte: u8) -> Option<()> {
        (self.peek(0) == Some(byte)).then(|| self.at += 1)
    }

    /// Exactly `count` ASCII digits, or nothing is consumed.
    fn digits(&mut self, count: usize) -> Option<i32> {
        let digits = self.bytes.get(self.at..self.at + count)?;
        let mut value = 0;
        for &byte in digits {
            if !byte.is_ascii_digit() {
                return None;
            }
            value = value * 10 + i32::from(byte - b'0');
        }
        self.at += count;
        Some(value)
    }
}

fn date(year: i32, month: i32, day: i32) -> Option<Date> {
    Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()
}

fn time(hour: i32, minute: i32, second: i32) -> Option<Time> {
    Time::new(hour.try_into().ok()?, minute.try_into().ok()?, second.try_into().ok()?, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_prints_back() {
        for text in ["2026-02-15T14:32:15-0800", "2024-02-29T00:00:00+1400", "2026-12-31T23:59:59-0330"] {
            let Reading::Canonical(at) = Reading::whole(text) else { panic!("{text}") };
            assert_eq!(at.to_string(), text);
        }
        assert_eq!(Reading::whole("2026-02-15T14:32:15-0000").moment().map(Timestamp::unix), Some(1_771_165_935));
    }

    #[test]
    fn loose_forms_are_normalised() {
        for (text, canonical) in [
            ("2026-02-15T14:32:15Z", "2026-02-15T14:32:15+0000"),
            ("2026-02-15T14:32:15-08:00", "2026-02-15T14:32:15-0800"),
            ("2026-02-15T14:32-0800", "2026-02-15T14:32:00-0800"),
            ("2026-02-15 14:32:15 -0800", "2026-02-15T14:32:15-0800"),
            ("2026-02-15T143215Z", "2026-02-15T14:32:15+0000"),
            ("2026-02-15T01-09-49Z", "2026-02-15T01:09:49+0000"),
            ("2026-02-15T2130+0200", "2026-02-15T21:30:00+0200"),
            ("2026-02-15T14-32-0800", "2026-02-15T14:32:00-0800"),
            ("2026-02-15T14:32:15+02", "2026-02-15T14:32:15+0200"),
        ] {
            let Reading::Loose { at, lossless: true } = Reading::whole(text) else {
                panic!("{text}: {:?}", Reading::whole(text))
            };
            assert_eq!(at.to_string(), canonical, "{text}");
        }
        assert!(matches!(Reading::whole("2026-02-15T14:32:15.123Z"), Reading::Loose { lossless: false, .. }));
    }

    #[test]
    fn what_names_no_moment_says_why() {
        for (text, fault) in [
            ("2026-02-15", Fault::NoTime),
            ("2026-02-15 14:32", Fault::NoOffset),
            ("2026-02-15T14:32:15", Fault::NoOffset),
            ("2026-02-30T14:32:15Z", Fault::Date),
            ("2026-13-01T14:32:15Z", Fault::Month),
            ("2026-00-31T14:32:15Z", Fault::Month),
            ("2025-02-29", Fault::NoTime),
            ("2026-02-15T24:00:00Z", Fault::Time),
            ("2026-02-15T23:59:60Z", Fault::Time),
            ("2026-02-15T14:32:15+2500", Fault::Offset),
            ("2026-02-15T14:32:15-0860", Fault::Offset),
            ("2026-02-15T14:32:15-080", Fault::Offset),
            ("2026-02-15T14:32:15-0800 (PST)", Fault::Trailing),
        ] {
            assert_eq!(Reading::whole(text), Reading::Invalid(fault), "{text}");
        }
        for text in ["", "soon", "#3", "2026-2-5", "20260215", "\u{662}\u{660}26-02-15T14:32:15Z", "2026-02-155"] {
            assert_eq!(Reading::whole(text), Reading::Other, "{text}");
        }
    }
}
