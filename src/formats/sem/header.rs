//! The header line of an entry, `### {timestamp}: {type}: {summary}`, and its near misses.

use super::EntryType;
use crate::formats::timestamp::Reading;
use crate::text::Span;
use crate::text::suggest::Tolerance;

/// A heading that opens an entry, exactly or nearly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The whole line, without its line end.
    pub line: Span,
    /// The number of `#`.
    pub level: u8,
    /// The timestamp as written; empty, at the place where it belongs, if there is none.
    pub timestamp: Span,
    /// What the timestamp reads as.
    pub reading: Reading,
    /// The type as written; empty, at the place where it belongs, if there is none.
    pub kind: Span,
    /// The type, when it is one of the four.
    pub entry_type: Option<EntryType>,
    /// The summary without white space around it.
    pub summary: Span,
    /// The first thing that keeps it from the specification's shape. A timestamp or a type that is there but wrong is
    /// no defect of the shape.
    pub defect: Option<Defect>,
}

/// What keeps a header from the specification's shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// A level other than three.
    Level,
    /// No timestamp.
    NoTimestamp,
    /// A date without a time of day.
    NoTime,
    /// Something other than `: ` between timestamp and type; the span shows it.
    AfterTimestamp(Span),
    /// No type.
    NoType,
    /// Something other than `: ` between type and summary; the span shows it.
    AfterType(Span),
    /// No summary.
    NoSummary,
}

/// What the heading `line` of `level` is as a header: `None` if it is legacy text or any other heading.
///
/// A heading counts when it has the specification's shape, or when it nearly has: (a) a timestamp with a time of day
/// and, as the next word, a lower-case type (or one edit from it) with its colon or dash, or (b) the specification's
/// own field lines below, as `fields_below` answers (asked only when needed). RULES.md, `sem/malformed-header`.
pub fn parse(text: &str, line: Span, level: u8, fields_below: impl FnOnce() -> bool) -> Option<Header> {
    let content = Span::new(line.start() + hashes_end(text, line), line.end()).trim(text);
    let inner = content.of(text);
    // Cheap: the first byte decides for most headings.
    let dated = inner.as_bytes().first().is_some_and(u8::is_ascii_digit);
    let (reading, len) = if dated { Reading::prefix(inner) } else { (Reading::Other, 0) };
    let parts = Parts { text, line, level, content, reading, stamp_len: len };
    if !reading.has_time() {
        return fields_below().then(|| parts.split());
    }
    let header = parts.split();
    (header.names_a_type(text) || fields_below()).then_some(header)
}

impl Header {
    /// Whether the word in the type's place is lower case, a type or one edit from one, with a colon or dash behind.
    fn names_a_type(&self, text: &str) -> bool {
        let word = self.kind.of(text);
        let behind = Span::new(self.kind.end(), self.summary.start()).of(text);
        let marked = !behind.trim().is_empty();
        let lower = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
        marked && lower && (self.entry_type.is_some() || EntryType::nearest(word, Tolerance::Help).is_some())
    }

    /// The text between the timestamp, with the `gap` after it, and a type that comes later in the line: `(PST)`.
    pub fn stray(&self, text: &str, gap: Span) -> Option<Span> {
        let rest = Span::new(gap.end(), self.line.end());
        let of_type = |kind: EntryType| rest.of(text).find(&format!(": {}:", kind.as_str()));
        let at = EntryType::ALL.into_iter().filter_map(of_type).min()?;
        Some(Span::new(rest.start(), rest.start() + at))
    }

    /// Whether a type's word is in the header with nothing but blanks after it: `note that tests are slow`. It may
    /// be the type, or the summary's first word.
    pub fn type_is_bare(&self, text: &str) -> bool {
        !self.kind.is_empty()
            && !self.summary.is_empty()
            && Span::new(self.kind.end(), self.summary.start()).of(text).trim().is_empty()
    }
}

/// Where the text of a heading starts, in bytes from the line's start.
fn hashes_end(text: &str, line: Span) -> usize {
    let bytes = line.of(text).as_bytes();
    let indent = bytes.iter().take_while(|&&byte| byte == b' ').count();
    indent + bytes.iter().skip(indent).take_while(|&&byte| byte == b'#').count()
}

/// A heading on its way to a [`Header`].
struct Parts<'a> {
    text: &'a str,
    line: Span,
    level: u8,
    content: Span,
    reading: Reading,
    stamp_len: usize,
}

impl Parts<'_> {
    fn split(&self) -> Header {
        let text = self.text;
        let (start, end) = (self.content.start(), self.content.end());
        let timestamp = Span::new(start, start + self.stamp_len);
        let gap = self.separator(timestamp.end());
        let word = self.word(gap.end());
        let after = self.separator(word.end());
        let exact = EntryType::from_word(word.of(text));
        let is_type = |kind: EntryType| kind.as_str().eq_ignore_ascii_case(word.of(text));
        let entry_type = exact.or_else(|| EntryType::ALL.into_iter().find(|kind| is_type(*kind)));
        let whole = word.end() == end || !after.is_empty();
        let exact_type = whole && exact.is_some();
        // Without a colon or dash after it, only the type's exact word is a type: `decision Use Postgres`.
        let marked = !after.of(text).trim().is_empty() && !word.is_empty();
        let typed = marked && (self.stamp_len > 0 || entry_type.is_some()) || exact_type;
        let (kind, summary) =
            if typed { (word, Span::new(after.end(), end)) } else { (Span::at(gap.end()), Span::new(gap.end(), end)) };
        let summary = summary.trim(text);
        let defect = self.defect(gap, typed, after, summary);
        let entry_type = EntryType::from_word(kind.of(text));
        Header {
            line: self.line,
            level: self.level,
            timestamp,
            reading: self.reading,
            kind,
            entry_type,
            summary,
            defect,
        }
    }

    fn defect(&self, gap: Span, typed: bool, after: Span, summary: Span) -> Option<Defect> {
        let text = self.text;
        if self.stamp_len == 0 {
            Some(Defect::NoTimestamp)
        } else if !self.reading.has_time() {
            Some(Defect::NoTime)
        } else if !is_separator(gap.of(text)) {
            Some(Defect::AfterTimestamp(gap))
        } else if !typed {
            Some(Defect::NoType)
        } else if !is_separator(after.of(text)) && !summary.is_empty() {
            Some(Defect::AfterType(after))
        } else if summary.is_empty() {
            Some(Defect::NoSummary)
        } else if self.level != 3 || !self.line.of(text).starts_with("###") {
            Some(Defect::Level)
        } else {
            None
        }
    }

    /// Colons, or dashes, with the blanks around, from `at` on.
    fn separator(&self, at: usize) -> Span {
        let rest = Span::new(at, self.content.end()).of(self.text);
        if let [b':', b' ', third, ..] = rest.as_bytes()
            && third.is_ascii_graphic()
        {
            return Span::new(at, at + 2);
        }
        let inner = rest.trim_start();
        let behind =
            if inner.starts_with(':') { inner.trim_start_matches(':') } else { inner.trim_start_matches(is_dash) };
        Span::new(at, at + rest.len() - behind.trim_start().len())
    }

    /// The letters from `at` on, and hyphens between letters: `memory-safe` is one word.
    fn word(&self, at: usize) -> Span {
        let rest = Span::new(at, self.content.end()).of(self.text);
        let letters = |from: usize| rest.bytes().skip(from).take_while(u8::is_ascii_alphabetic).count();
        let mut len = letters(0);
        while len > 0 && rest.as_bytes().get(len) == Some(&b'-') && letters(len + 1) > 0 {
            len += 1 + letters(len + 1);
        }
        Span::new(at, at + len)
    }
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '|' | '\u{2010}'..='\u{2015}')
}

/// A colon and at least one blank, nothing else.
fn is_separator(gap: &str) -> bool {
    gap.strip_prefix(':').is_some_and(|rest| !rest.is_empty() && rest.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, fields_below: bool) -> Option<Header> {
        let level = u8::try_from(line.trim_start().bytes().take_while(|&b| b == b'#').count()).ok()?;
        parse(line, Span::new(0, line.len()), level, || fields_below)
    }

    fn defect(line: &str) -> Option<Defect> {
        read(line, true).unwrap_or_else(|| panic!("{line}")).defect
    }

    #[test]
    fn the_specification_s_own_header() {
        let line = "### 2026-02-15T14:32:15-0800: decision: Per-agent model: selection  ";
        let header = read(line, false).unwrap_or_else(|| panic!("no header"));
        assert_eq!(header.timestamp.of(line), "2026-02-15T14:32:15-0800");
        assert_eq!((header.kind.of(line), header.entry_type), ("decision", Some(EntryType::Decision)));
        assert_eq!(header.summary.of(line), "Per-agent model: selection");
        assert_eq!(header.defect, None);
    }

    #[test]
    fn near_misses_pass_the_gate_alone() {
        for line in [
            "### 2026-02-15T14:32:15Z: decision: x",
            "## 2026-02-15T14:32:15-0800: decision: x",
            "### 2026-02-15T14:32:15-0800 — decision — x",
            "### 2026-02-15T14:32:15-0800: decison: x",
            "### 2026-13-45T25:61:61-0800: note: x",
            "### 2026-02-15T14:32: memory: x",
            "### 2026-02-15T14:32:15-0800: note: --fix is an option",
        ] {
            assert!(read(line, false).is_some(), "{line}");
        }
    }

    #[test]
    fn legacy_headings_do_not() {
        for line in [
            "### 2026-02-21T21:35:22Z: User directive — no tabs",
            "### 2026-02-21T21:35:22Z: Decision: no tabs",
            "### 2026-02-21T21:35:22-0800: Per-agent models",
            "### 2026-02-10: decision: x",
            "### 2026-02-21T21:35Z: note this well",
            "### 2026-02-21T21:35Z note this well",
            "### 2026-02-21T21:35Z: memory-safe parsing",
            "### 2026-02-21T21:35:22-0800: idea: x",
            "### Decision: x",
            "###",
        ] {
            assert!(read(line, false).is_none(), "{line}");
        }
    }

    #[test]
    fn the_first_defect_is_named() {
        assert_eq!(defect("### Use Postgres"), Some(Defect::NoTimestamp));
        assert_eq!(defect("### 2026-02-15: decision: x"), Some(Defect::NoTime));
        assert!(matches!(defect("### 2026-02-15T14:32:15-0800 decision: x"), Some(Defect::AfterTimestamp(_))));
        assert!(matches!(defect("### 2026-02-15T14:32:15-0800:decision: x"), Some(Defect::AfterTimestamp(_))));
        assert!(matches!(defect("### 2026-02-15T14:32:15-0800:: decision: x"), Some(Defect::AfterTimestamp(_))));
        assert!(matches!(defect("### 2026-02-15T14:32:15-0800: decision x"), Some(Defect::AfterType(_))));
        assert!(matches!(defect("### 2026-02-15T14:32:15-0800: decision - x"), Some(Defect::AfterType(_))));
        assert_eq!(defect("### 2026-02-15T14:32:15-0800: Use Postgres"), Some(Defect::NoType));
        assert_eq!(defect("### 2026-02-15T14:32:15-0800: decision-making is slow"), Some(Defect::NoType));
        assert_eq!(defect("### 2026-02-15T14:32:15-0800: decision:"), Some(Defect::NoSummary));
        assert_eq!(defect("#### 2026-02-15T14:32:15-0800: decision: x"), Some(Defect::Level));
        assert_eq!(defect("### 2026-02-15T14:32:15-0800: idea: x"), None);
    }
}
