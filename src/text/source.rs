//! One file's text: bytes, spans, lines and columns.
//!
//! Every parser reads `&str` and every span is a range of bytes in the file as it is stored, so that a span can be
//! shown, edited and written back without translation. Bytes that are not UTF-8 are replaced one for one, which keeps
//! the spans of everything after them true.

use std::sync::OnceLock;

use bstr::{BStr, BString, ByteSlice};

use super::mask;
use super::secret::Secret;
use super::span::{Span, clamp};

/// The longest file, in bytes, that a [`Source`] can hold: spans are 32 bits wide.
pub const MAX_BYTES: u64 = u32::MAX as u64 - 1;

/// A place for people: both numbers count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line; a lone carriage return does not end one, as in editors and in git.
    pub line: usize,
    /// Column, in the unit that was asked for.
    pub column: usize,
}

/// The unit in which a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnUnit {
    /// Unicode scalar values: what people and terminals count.
    Char,
    /// UTF-16 code units: what SARIF and LSP count.
    Utf16,
    /// Bytes of UTF-8: what reviewdog counts.
    Byte,
}

/// A file's content under its path.
#[derive(Debug)]
pub struct Source {
    path: BString,
    text: String,
    original: Option<Vec<u8>>,
    invalid: Vec<Span>,
    secrets: OnceLock<Vec<Secret>>,
    line_ends: OnceLock<Vec<u32>>,
    /// Where parts are left out, if the text is an excerpt of the file.
    gaps: Option<Vec<Gap>>,
    is_new: bool,
    columns: OnceLock<Vec<Columns>>,
}

/// A place in an excerpt of a file after which a part of the file is left out.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// The byte of the excerpt.
    pub at: usize,
    /// The lines of the file that are left out up to there.
    pub lines: usize,
}

/// The text before a block of text, in the two units of columns.
#[derive(Clone, Copy, Debug, Default)]
struct Columns {
    chars: usize,
    utf16: usize,
}

/// The bytes of a block. Within one, columns are counted; on longer lines they are looked up, so that many findings on
/// one line cost no more than on many.
const BLOCK: usize = 1024;

/// The bytes of a block in which line ends are counted; those before it are looked up. To note the place of each would take longer
/// than all that is asked of most files.
const LINE_BLOCK: usize = 128;

/// How many lines end in `bytes`, a block at most.
fn count_line_ends(bytes: &[u8]) -> usize {
    // A byte can count them: sixteen are compared and added at a time.
    usize::from(bytes.iter().fold(0, |count: u8, byte| count.wrapping_add(u8::from(*byte == b'\n'))))
}

impl Columns {
    /// With the text of `bytes` behind.
    fn with(self, bytes: &[u8]) -> Self {
        let count = |wanted: fn(u8) -> bool| bytes.iter().filter(|&&byte| wanted(byte)).count();
        // Every character has one byte that goes on no other; those of four bytes are two units in UTF-16.
        let chars = count(|byte| byte & 0xc0 != 0x80);
        Self { chars: self.chars + chars, utf16: self.utf16 + chars + count(|byte| byte >= 0xf0) }
    }
}

impl Source {
    /// The content `bytes` of the file at `path` (relative to the root, `/` between its parts).
    ///
    /// Each byte that is not UTF-8 is read as `?` and remembered in [`Source::invalid`]. Bytes beyond [`MAX_BYTES`]
    /// are not read; selection refuses such files before.
    pub fn new(path: impl Into<BString>, bytes: Vec<u8>) -> Self {
        let source = Self::unshown(path, bytes);
        source.secrets();
        source
    }

    /// The same for a file that is not printed before [`Source::secrets`] was called: its secrets are not looked for.
    pub fn unshown(path: impl Into<BString>, mut bytes: Vec<u8>) -> Self {
        bytes.truncate(usize::try_from(MAX_BYTES).unwrap_or(usize::MAX));
        let (text, original, invalid) = match String::from_utf8(bytes) {
            Ok(text) => (text, None, Vec::new()),
            Err(error) => {
                let bytes = error.into_bytes();
                let (text, invalid) = replace_invalid(&bytes);
                (text, Some(bytes), invalid)
            }
        };
        Self {
            path: path.into(),
            secrets: OnceLock::new(),
            text,
            original,
            invalid,
            line_ends: OnceLock::new(),
            gaps: None,
            columns: OnceLock::new(),
            is_new: false,
        }
    }

    /// Parts of the file at `path`, each of whole lines, with `gaps` between them. Its positions are those in the file, all else is
    /// about the parts.
    pub fn excerpt(path: impl Into<BString>, text: String, gaps: Vec<Gap>) -> Self {
        Self { gaps: Some(gaps), ..Self::unshown(path, text.into_bytes()) }
    }

    /// Whether it has parts of the file alone.
    pub fn is_excerpt(&self) -> bool {
        self.gaps.is_some()
    }

    /// The empty content of a file that is not there, for a fix that makes it.
    pub fn new_file(path: impl Into<BString>) -> Self {
        Self { is_new: true, ..Self::new(path, Vec::new()) }
    }

    /// Whether the file is not there.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// The path, relative to the root.
    pub fn path(&self) -> &BStr {
        self.path.as_bstr()
    }

    /// The text, with `?` for every byte that is not UTF-8. Spans refer to it and to [`Source::bytes`] alike.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The secrets in the text, in order. From now on they are masked in all that is printed.
    pub fn secrets(&self) -> &[Secret] {
        self.secrets.get_or_init(|| mask::learn(self.text.as_bytes()))
    }

    /// The bytes as they were read.
    pub fn bytes(&self) -> &[u8] {
        self.original.as_deref().unwrap_or(self.text.as_bytes())
    }

    /// The runs of bytes that are not UTF-8, in order.
    pub fn invalid(&self) -> &[Span] {
        &self.invalid
    }

    /// The text of `span`.
    pub fn slice(&self, span: Span) -> &str {
        span.of(&self.text)
    }

    /// The bytes of a byte order mark at the start: 3 or 0.
    pub fn bom_len(&self) -> usize {
        bom_len(&self.text)
    }

    /// The line end to write into this file: `"\r\n"` where the first line has it, else `"\n"`.
    pub fn line_ending(&self) -> &'static str {
        line_ending(&self.text)
    }

    /// The number of lines; a last line without a line end counts.
    pub fn line_count(&self) -> usize {
        let ended = self.line_ends().last().map_or(0, |&ended| ended as usize);
        ended + usize::from(!self.text.is_empty() && !self.text.ends_with('\n'))
    }

    /// The line and column of a byte. A byte inside a character counts as that character; one past the end, as the end.
    /// A byte order mark takes no column.
    pub fn position(&self, offset: usize, unit: ColumnUnit) -> Position {
        let offset = floor_char(&self.text, offset);
        let (line, mut start) = self.line_at(offset);
        if line == 1 {
            start = self.bom_len().min(offset);
        }
        let line = line + self.left_out_before(offset);
        let bytes = self.text.as_bytes();
        let (before, here) = match offset - start {
            ..BLOCK if bytes.get(start..offset).is_some_and(<[u8]>::is_ascii) => {
                return Position { line, column: offset - start + 1 };
            }
            ..BLOCK => (Columns::default(), Columns::default().with(bytes.get(start..offset).unwrap_or_default())),
            _ => (self.columns_at(start), self.columns_at(offset)),
        };
        let column = match unit {
            ColumnUnit::Char => here.chars - before.chars,
            ColumnUnit::Utf16 => here.utf16 - before.utf16,
            ColumnUnit::Byte => offset - start,
        };
        Position { line, column: column + 1 }
    }

    /// The line of a byte, from 1.
    pub fn line(&self, offset: usize) -> usize {
        let (line, _) = self.line_at(offset);
        line + self.left_out_before(offset)
    }

    /// The lines of the file that are left out before the byte `offset`.
    fn left_out_before(&self, offset: usize) -> usize {
        let gaps = self.gaps.as_deref().unwrap_or_default();
        let behind = gaps.partition_point(|gap| gap.at <= offset);
        behind.checked_sub(1).and_then(|last| gaps.get(last)).map_or(0, |gap| gap.lines)
    }

    /// The byte at which a line begins, counted from 1; the end of the text for one that is not there.
    pub fn line_start(&self, line: usize) -> usize {
        self.after_line(line.saturating_sub(1)).unwrap_or(self.text.len())
    }

    /// The bytes of the lines that `span` touches, from the first line's start to the last line's end (its line end
    /// included).
    pub fn lines_around(&self, span: Span) -> Span {
        let (_, start) = self.line_at(span.start());
        let (last, _) = self.line_at(span.end().max(span.start() + 1) - 1);
        Span::new(start, self.after_line(last).unwrap_or(self.text.len()))
    }

    /// The text before byte `offset` of the whole file.
    fn columns_at(&self, offset: usize) -> Columns {
        let bytes = self.text.as_bytes();
        let blocks = self.columns.get_or_init(|| {
            let after = |before: &mut Columns, block: &[u8]| {
                *before = before.with(block);
                Some(*before)
            };
            bytes.chunks_exact(BLOCK).scan(Columns::default(), after).collect()
        });
        let whole = (offset / BLOCK).min(blocks.len());
        let before = whole.checked_sub(1).and_then(|last| blocks.get(last)).copied().unwrap_or_default();
        before.with(bytes.get(whole * BLOCK..offset).unwrap_or_default())
    }

    /// The line that byte `offset` is on, from 1, and the byte at which it begins.
    fn line_at(&self, offset: usize) -> (usize, usize) {
        let block = offset.min(self.text.len()) / LINE_BLOCK;
        let before =
            block.checked_sub(1).and_then(|last| self.line_ends().get(last)).map_or(0, |&ended| ended as usize);
        let from = block * LINE_BLOCK;
        let here = self.text.as_bytes().get(from..offset.min(self.text.len())).unwrap_or_default();
        match memchr::memrchr(b'\n', here) {
            Some(end) => (before + count_line_ends(here) + 1, from + end + 1),
            None => (before + 1, self.after_line(before).unwrap_or_default()),
        }
    }

    /// The byte after the end of line `line`, from 1; `None` for a line that does not end.
    fn after_line(&self, line: usize) -> Option<usize> {
        let Some(ends_before) = line.checked_sub(1) else { return Some(0) };
        let ends = self.line_ends();
        let block = ends.partition_point(|&ended| ended as usize <= ends_before);
        let before = block.checked_sub(1).and_then(|last| ends.get(last)).map_or(0, |&ended| ended as usize);
        let from = block * LINE_BLOCK;
        let rest = self.text.as_bytes().get(from..)?;
        memchr::memchr_iter(b'\n', rest).nth(ends_before - before).map(|at| from + at + 1)
    }

    /// For each block, how many lines end in it and in those before it.
    fn line_ends(&self) -> &[u32] {
        self.line_ends.get_or_init(|| {
            let (blocks, rest) = self.text.as_bytes().as_chunks::<LINE_BLOCK>();
            let mut ended = 0;
            let mut count = |bytes: &[u8]| {
                ended += clamp(count_line_ends(bytes));
                ended
            };
            let mut counts = Vec::with_capacity(blocks.len() + 1);
            counts.extend(blocks.iter().map(|block| count(block)));
            counts.push(count(rest));
            counts
        })
    }
}

/// The length of the byte order mark at the start of `text`, in bytes: 3 or 0.
pub fn bom_len(text: &str) -> usize {
    if text.starts_with('\u{feff}') { 3 } else { 0 }
}

/// The line end that `text` uses, judged by its first line that ends with LF or CRLF.
pub fn line_ending(text: &str) -> &'static str {
    // A lone CR ends a line, too, but a single one says nothing of the others.
    let before = memchr::memchr(b'\n', text.as_bytes()).and_then(|at| text.as_bytes().get(at.checked_sub(1)?));
    if before == Some(&b'\r') { "\r\n" } else { "\n" }
}

/// The end of the line that holds `from` and the start of the next one. A line ends with LF, CRLF or a lone CR, as
/// CommonMark has it.
pub fn line_end(bytes: &[u8], from: usize) -> (usize, usize) {
    let Some(rest) = bytes.get(from..) else { return (bytes.len(), bytes.len()) };
    match memchr::memchr2(b'\n', b'\r', rest) {
        None => (bytes.len(), bytes.len()),
        Some(at) if rest.get(at) == Some(&b'\r') && rest.get(at + 1) == Some(&b'\n') => (from + at, from + at + 2),
        Some(at) => (from + at, from + at + 1),
    }
}

/// The lines of `span`, each without its line end.
pub fn lines(text: &str, span: Span) -> impl Iterator<Item = Span> {
    let bytes = text.as_bytes().get(..span.end()).unwrap_or_default();
    let mut at = span.start();
    std::iter::from_fn(move || {
        (at < bytes.len()).then(|| {
            let (end, next) = line_end(bytes, at);
            let line = Span::new(at, end);
            at = next;
            line
        })
    })
}

/// The nearest character boundary at or before `offset`.
fn floor_char(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// `bytes` as text with one `?` for each byte that is not UTF-8, and the runs of such bytes.
fn replace_invalid(bytes: &[u8]) -> (String, Vec<Span>) {
    let mut text = String::with_capacity(bytes.len());
    let mut invalid: Vec<Span> = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let bad = chunk.invalid();
        if bad.is_empty() {
            continue;
        }
        let span = Span::new(text.len(), text.len() + bad.len());
        text.extend(bad.iter().map(|_| '?'));
        match invalid.last_mut() {
            Some(last) if last.end == span.start => last.end = span.end,
            _ => invalid.push(span),
        }
    }
    (text, invalid)
}

/// Whether these bytes are UTF-16: they begin with its mark, or with two ASCII characters of two bytes each.
pub fn is_utf16(bytes: &[u8]) -> bool {
    match *bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [a, 0, b, 0, ..] | [0, a, 0, b, ..] => a != 0 && b != 0 && a.is_ascii() && b.is_ascii(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(bytes: &[u8]) -> Source {
        Source::new("a.md", bytes.to_vec())
    }

    #[test]
    fn columns_count_characters_utf16_units_or_bytes() {
        let s = source("a\n\u{1F680}é|\r\nx".as_bytes());
        let bar = s.text().find('|').unwrap_or_default();
        assert_eq!(s.position(bar, ColumnUnit::Char), Position { line: 2, column: 3 });
        assert_eq!(s.position(bar, ColumnUnit::Utf16), Position { line: 2, column: 4 });
        assert_eq!(s.position(bar, ColumnUnit::Byte), Position { line: 2, column: 7 });
        assert_eq!(s.position(usize::MAX, ColumnUnit::Char), Position { line: 3, column: 2 });
    }

    #[test]
    fn columns_of_long_lines_are_those_that_counting_gives() {
        for len in [BLOCK - 1, BLOCK, 4 * BLOCK, 4 * BLOCK + 5] {
            let line: String = "a\u{1F680}é€".chars().cycle().take(len).collect();
            let s = source(format!("\u{feff}first é\n{line}").as_bytes());
            let start = s.text().len() - line.len();
            for at in (0..=line.len()).filter(|at| line.is_char_boundary(*at)) {
                let before = line.get(..at).unwrap_or_default();
                let column = |unit| s.position(start + at, unit).column - 1;
                assert_eq!(column(ColumnUnit::Char), before.chars().count(), "byte {at} of {len} characters");
                assert_eq!(column(ColumnUnit::Utf16), before.encode_utf16().count(), "byte {at} of {len} characters");
            }
        }
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        let s = source("\u{feff}### x".as_bytes());
        assert_eq!(s.position(3, ColumnUnit::Char), Position { line: 1, column: 1 });
        assert_eq!(s.position(0, ColumnUnit::Char), Position { line: 1, column: 1 });
        assert_eq!(s.position(7, ColumnUnit::Char), Position { line: 1, column: 5 });
    }

    #[test]
    fn invalid_bytes_keep_every_later_span_true() {
        let s = source(b"ab\xff\xfe c \x80 d");
        assert_eq!(s.text(), "ab?? c ? d");
        assert_eq!(s.bytes(), b"ab\xff\xfe c \x80 d");
        assert_eq!(s.invalid(), [Span::new(2, 4), Span::new(7, 8)]);
    }

    #[test]
    fn lines_around_a_span_are_whole() {
        let s = source(b"one\r\ntwo\r\nthree");
        assert_eq!(s.slice(s.lines_around(Span::new(6, 7))), "two\r\n");
        assert_eq!(s.slice(s.lines_around(Span::at(0))), "one\r\n");
        assert_eq!(s.slice(s.lines_around(Span::new(6, 12))), "two\r\nthree");
        assert_eq!(s.slice(s.lines_around(Span::at(15))), "three");
        assert_eq!((s.line_count(), s.line_ending()), (3, "\r\n"));
        for (text, end) in
            [("", "\n"), ("\n", "\n"), ("a\rb\r\nc\r\n", "\r\n"), ("a\rb\n", "\n"), ("a\rb", "\n"), ("\r\n", "\r\n")]
        {
            assert_eq!(line_ending(text), end, "{text:?}");
        }
        assert_eq!((source(b"").line_count(), source(b"a\n").line_count()), (0, 1));
    }

    #[test]
    fn a_lone_carriage_return_ends_a_markdown_line_only() {
        let s = source(b"a\rb\nc");
        let lines: Vec<_> = lines(s.text(), Span::new(0, 5)).map(|line| s.slice(line)).collect();
        assert_eq!(lines, ["a", "b", "c"]);
        assert_eq!(s.position(2, ColumnUnit::Char), Position { line: 1, column: 3 });
    }
}
