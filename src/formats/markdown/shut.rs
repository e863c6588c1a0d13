//! Where a text can be read from without all that is before it: outside of code fences and HTML blocks.

use std::sync::LazyLock;

use memchr::memmem::{Finder, FinderRev};
use memchr::{memchr, memchr_iter};

use super::Scanner;
use super::line::{HtmlEnd, heading_level, html_end, opens_fence};
use crate::text::{Span, line_end};

/// The parts of a text that are in front matter, in a code fence or in an HTML block: a line in them is not a heading, whatever it looks
/// like. Only what may open one is looked for, and only what follows it is scanned. A fence in a list item ends at a heading in the
/// first column, and so it is none of them.
#[derive(Debug)]
pub struct Shut(Vec<Span>);

impl Shut {
    /// The parts of `text`; `None` for a text with carriage returns, whose lines are not looked for here.
    pub fn of(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if memchr(b'\r', bytes).is_some() {
            return None;
        }
        let (_, mut at) = Scanner::start(text);
        let mut found = Vec::new();
        if at > 0 {
            found.push(Span::new(0, at));
        }
        let mut openers = Openers::of(bytes);
        while let Some(opener) = openers.next(at) {
            at = match fence_at(bytes, opener) {
                Some(inside) => {
                    found.push(inside);
                    inside.end()
                }
                None => scan(text, start_before(bytes, at, opener), opener, &mut found),
            };
        }
        Some(Self(found))
    }

    /// Whether the line that starts at `start` is in one of these parts.
    pub fn holds(&self, start: usize) -> bool {
        let behind = self.0.partition_point(|span| span.start() <= start);
        behind.checked_sub(1).and_then(|at| self.0.get(at)).is_some_and(|span| start < span.end())
    }
}

/// Whether a heading is at `start`, the first byte of a line, with a blank line before it: it ends each list, paragraph and table.
pub fn is_free_heading(bytes: &[u8], start: usize) -> bool {
    let before = bytes.get(..start).unwrap_or_default();
    bytes.get(start) == Some(&b'#')
        && before.ends_with(b"\n\n")
        && bytes.get(start..).is_some_and(|rest| {
            let line = memchr(b'\n', rest).and_then(|end| rest.get(..end)).unwrap_or(rest);
            heading_level(line).is_some()
        })
}

/// The lines of the fence that opens at `opener`, from after its first line to after its last one, where no line but those of a fence
/// have to be read to know them: it is in the first column, with a blank line before it, and something closes it. Nothing is open
/// after it.
fn fence_at(bytes: &[u8], opener: usize) -> Option<Span> {
    if !bytes.get(..opener)?.ends_with(b"\n\n") {
        return None;
    }
    let (end, inside) = line_end(bytes, opener);
    let (byte, len) = opens_fence(bytes.get(opener..end)?)?;
    let (opener, mut at) = (if byte == b'`' { Opener::Ticks } else { Opener::Tildes }, end);
    loop {
        let found = at + opener.find(bytes.get(at..)?)?;
        let (end, next) = line_end(bytes, found);
        let before = bytes.get(at..found)?.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
        let run = bytes.get(found..end)?;
        let count = run.iter().take_while(|own| **own == byte).count();
        at = found + count;
        if before != Some(&b'\n') || count < len || !run.get(count..)?.trim_ascii().is_empty() {
            continue;
        }
        // Whether an indented one closes it is for the scan to say.
        return (bytes.get(found - 1) == Some(&b'\n')).then(|| Span::new(inside, next));
    }
}

/// The last place before `opener` from which a scan sees the same as one of the whole text: a heading, or `at`.
fn start_before(bytes: &[u8], at: usize, opener: usize) -> usize {
    let finder = FinderRev::new("\n\n#");
    let mut end = opener;
    while let Some(found) = bytes.get(at..end).and_then(|part| finder.rfind(part)) {
        if is_free_heading(bytes, at + found + 2) {
            return at + found + 2;
        }
        end = at + found + 2;
    }
    at
}

/// Scans from `from` to the first heading after `opener` at which nothing is open, and returns its place.
fn scan(text: &str, from: usize, opener: usize, found: &mut Vec<Span>) -> usize {
    let bytes = text.as_bytes();
    let mut scanner = Scanner::new(text);
    let (mut at, mut open) = (from, None);
    while at < bytes.len() {
        let is_shut = scanner.html.is_some() || scanner.fence.is_some_and(|fence| fence.depth == 0);
        match (is_shut, open) {
            (true, None) => open = Some(at),
            (false, Some(start)) => {
                found.push(Span::new(start, at));
                open = None;
            }
            _ => {}
        }
        if at > opener && !is_shut && is_free_heading(bytes, at) {
            return at;
        }
        let (end, next) = line_end(bytes, at);
        if !scanner.passes_over(at, end, next) {
            scanner.line(at, end, next);
        }
        at = next;
    }
    found.extend(open.map(|start| Span::new(start, bytes.len())));
    bytes.len()
}

/// The places where a fence or an HTML block may open, each looked for once.
struct Openers<'a> {
    bytes: &'a [u8],
    next: [Option<usize>; 3],
}

/// What they begin with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opener {
    Ticks,
    Tildes,
    Html,
}

const OPENERS: [Opener; 3] = [Opener::Ticks, Opener::Tildes, Opener::Html];

/// Made once: a text has many fences.
static TICKS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("```"));

impl Opener {
    fn find(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::Ticks => TICKS.find(bytes),
            // One of them is rare by itself.
            Self::Tildes => find_rare(bytes, b"~~~"),
            Self::Html => memchr(b'<', bytes),
        }
    }

    /// In bytes.
    fn len(self) -> usize {
        match self {
            Self::Ticks | Self::Tildes => 3,
            Self::Html => 1,
        }
    }
}

impl<'a> Openers<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let next = OPENERS.map(|opener| find(bytes, 0, opener));
        Self { bytes, next }
    }

    /// The first of them from `at` on.
    fn next(&mut self, at: usize) -> Option<usize> {
        for (next, opener) in self.next.iter_mut().zip(OPENERS) {
            if next.is_some_and(|next| next < at) {
                *next = find(self.bytes, at, opener);
            }
        }
        self.next.iter().flatten().min().copied()
    }
}

/// The first place of `run` in `bytes`, whose first byte is rare in texts.
pub fn find_rare(bytes: &[u8], run: &[u8]) -> Option<usize> {
    let mut places = memchr_iter(*run.first()?, bytes);
    places.find(|at| bytes.get(*at..).is_some_and(|rest| rest.starts_with(run)))
}

/// The first `opener` from `at` on, where it is the first text on its line: after blanks, or the markers of items.
fn find(bytes: &[u8], mut at: usize, opener: Opener) -> Option<usize> {
    loop {
        let found = at + opener.find(bytes.get(at..)?)?;
        let is_before = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'-' | b'*' | b'+' | b'.' | b')' | b'0'..=b'9');
        let before = bytes.get(..found).unwrap_or_default();
        let starts = matches!(before.iter().rev().find(|byte| !is_before(byte)), None | Some(b'\n' | 0xBF));
        let line = bytes.get(found..).unwrap_or_default();
        let line = memchr(b'\n', line).and_then(|end| line.get(..end)).unwrap_or(line);
        if starts && (opener != Opener::Html || matches!(html_end(line), Some(HtmlEnd::At(_)))) {
            return Some(found);
        }
        at = found + opener.len();
    }
}
