//! A range of bytes in a text.

/// A half-open range of bytes in one file, `start <= end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to `end`; empty at `start` when `end` lies before it.
    pub fn new(start: usize, end: usize) -> Self {
        let start = clamp(start);
        Self { start, end: clamp(end).max(start) }
    }

    /// The empty span at `at`.
    pub fn at(at: usize) -> Self {
        Self::new(at, at)
    }

    /// Start, in bytes.
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// End, in bytes.
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.end().saturating_sub(self.start())
    }

    /// Whether it holds no byte.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Whether `other` lies inside.
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// From the start of the one to the end of the other.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end.max(self.start) }
    }

    /// The text of this span; empty if it does not fit the text.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start()..self.end()).unwrap_or_default()
    }

    /// This span without the white space at both ends of its text.
    #[must_use]
    pub fn trim(self, text: &str) -> Self {
        // ASCII is nearly always enough, and many times as fast.
        let Some(mut inner) = text.as_bytes().get(self.start()..self.end()) else { return self };
        let mut start = self.start;
        while let [b' ' | b'\n' | b'\r' | b'\t', rest @ ..] = inner {
            inner = rest;
            start += 1;
        }
        while let [rest @ .., b' ' | b'\n' | b'\r' | b'\t'] = inner {
            inner = rest;
        }
        let span = Self { start, end: start + clamp(inner.len()) };
        match inner {
            [] => span,
            [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => span,
            [only] if only.is_ascii_graphic() => span,
            _ => {
                let inner = span.of(text);
                let start = span.start() + (inner.len() - inner.trim_start().len());
                Self::new(start, start + inner.trim().len())
            }
        }
    }
}

/// Spans are `u32`; [`Source::new`](super::Source::new) refuses what would not fit, so nothing is cut here in practice.
pub(super) fn clamp(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
