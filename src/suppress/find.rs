//! Finds the comments of a text, and what each of them covers.

use super::comment::{self, Comment, WORD};
use super::{Problem, ProblemKind, Suppression};
use crate::formats::entries::Entries;
use crate::formats::markdown::line::{indentation, item_marker};
use crate::formats::markdown::{self, MarkKind};
use crate::text::{Span, bom_len, line_end};

/// The suppressions in a Markdown text, which was parsed as `entries`. Those in its front matter are comments of YAML.
pub fn in_markdown(text: &str, entries: &Entries) -> Vec<Suppression> {
    if !has_word(text.as_bytes()) {
        return Vec::new();
    }
    let mut found = entries.outline.front_matter.map_or_else(Vec::new, |yaml| hash_comments(text, yaml));
    let from = found.len();
    for line in markdown::lines_with(text, WORD, |_| true) {
        if let Some((comment, read)) = html_comment(text, line) {
            found.push(suppression(text, comment, line, read));
        }
    }
    let (_, in_text) = found.split_at_mut(from);
    let at = entries.outline.front_matter.map_or(bom_len(text), Span::end);
    settle(text, in_text, Top { text, at, markdown: true, titles: 0, ended: false }, |line| {
        extent(text, entries, line)
    });
    found
}

/// The suppressions in a text with comments after `#`: YAML, ignore files.
pub fn in_hash_comments(text: &str) -> Vec<Suppression> {
    if !has_word(text.as_bytes()) {
        return Vec::new();
    }
    hash_comments(text, Span::new(bom_len(text), text.len()))
}

/// Whether `bytes` have the word of all suppressions. It has a rare letter, which is found faster than a word.
fn has_word(bytes: &[u8]) -> bool {
    let (rare, word) = (b'q', WORD.as_bytes());
    let Some(offset) = memchr::memchr(rare, word) else { return true };
    let is_here = |start: usize| bytes.get(start..).is_some_and(|rest| rest.starts_with(word));
    memchr::memchr_iter(rare, bytes).any(|at| at.checked_sub(offset).is_some_and(is_here))
}

fn hash_comments(text: &str, span: Span) -> Vec<Suppression> {
    let mut found = Vec::new();
    for line in crate::text::lines(text, span) {
        let comment = line.trim(text);
        if !comment.of(text).starts_with('#') {
            continue;
        }
        if let Some(read) = comment::read(text, Span::new(comment.start() + 1, comment.end())) {
            found.push(suppression(text, comment, line, read));
        }
    }
    let top = Top { text, at: span.start(), markdown: false, titles: 0, ended: false };
    settle(text, &mut found, top, |line| indented_below(text, line, span.end()));
    found
}

/// The comment in `line` that suppresses or was meant to, and what it says.
fn html_comment(text: &str, line: Span) -> Option<(Span, Result<Comment, Problem>)> {
    let content = line.of(text);
    for (at, _) in content.match_indices("<!--") {
        let start = line.start() + at;
        let rest = Span::new(start + 4, line.end());
        let close = rest.of(text).find("-->");
        let inner = Span::new(rest.start(), close.map_or(rest.end(), |at| rest.start() + at));
        let Some(read) = comment::read(text, inner) else { continue };
        let before = Span::new(line.start(), start).of(text);
        // Text about suppressions shows them as code.
        if before.contains('`') {
            return None;
        }
        let end = if close.is_some() { inner.end() + 3 } else { inner.end() };
        let comment = Span::new(start, end).trim(text);
        let after = Span::new(end, line.end()).of(text);
        let problem = |kind| Err(Problem { span: comment, kind });
        let read = match close {
            None => problem(ProblemKind::Unclosed),
            Some(_) if !before.trim().is_empty() || !after.trim().is_empty() => problem(ProblemKind::NotAlone),
            Some(_) => read,
        };
        return Some((comment, read));
    }
    None
}

fn suppression(text: &str, comment: Span, line: Span, read: Result<Comment, Problem>) -> Suppression {
    let (_, next) = line_end(text.as_bytes(), line.end());
    let (Comment { names, reason, whole_file }, problem) = match read {
        Ok(comment) => (comment, None),
        Err(problem) => {
            (Comment { names: Vec::new(), reason: Span::at(comment.end()), whole_file: false }, Some(problem))
        }
    };
    let line = Span::new(line.start(), next);
    Suppression { comment, line, names, reason, whole_file, target: Span::at(next), problem }
}

/// Finds out what each suppression applies to: `extent` says so for the line that follows. From the last to the first, so
/// that comments directly above each other cover the same text.
fn settle(text: &str, found: &mut [Suppression], mut top: Top<'_>, extent: impl Fn(Span) -> usize) {
    let mut below: Option<(Span, Span)> = None;
    for suppression in found.iter_mut() {
        if suppression.whole_file && suppression.problem.is_none() && !top.reaches(suppression.line.start()) {
            suppression.problem = Some(Problem { span: suppression.comment, kind: ProblemKind::NotAtTop });
        }
    }
    for suppression in found.iter_mut().rev() {
        let line = next_line(text, suppression.line.end());
        let end = match (line, below) {
            (Some(line), Some((own, target))) if line.start() == own.start() => target.end(),
            (Some(line), _) => extent(line),
            (None, _) => suppression.line.end(),
        };
        let target = Span::new(suppression.line.end(), end);
        below = Some((suppression.line, target));
        suppression.target = if suppression.whole_file { Span::new(0, text.len()) } else { target };
        suppression.line = with_doubled_blank(text, suppression.line);
    }
}

/// The first line at or after `at` that is not blank, without its line end.
fn next_line(text: &str, at: usize) -> Option<Span> {
    let mut lines = crate::text::lines(text, Span::new(at, text.len()));
    lines.find(|line| !line.of(text).trim().is_empty())
}

/// `line` with the blank line after it, where a blank line is before it as well.
fn with_doubled_blank(text: &str, line: Span) -> Span {
    let before = Span::new(0, line.start()).of(text);
    let before = before.strip_suffix('\n').map_or(before, |before| before.strip_suffix('\r').unwrap_or(before));
    let blank_above = before.is_empty() || before.ends_with('\n');
    let (end, next) = line_end(text.as_bytes(), line.end());
    let blank_below = line.end() < text.len() && Span::new(line.end(), end).of(text).trim().is_empty();
    if blank_above && blank_below { Span::new(line.start(), next) } else { line }
}

/// The part of a file in which `ignore-file` may be: nothing above but blank lines, comments, and a title; in YAML the
/// `---` that begins a document.
struct Top<'a> {
    text: &'a str,
    at: usize,
    markdown: bool,
    titles: usize,
    ended: bool,
}

impl Top<'_> {
    /// Whether the top goes on to `place`, which does not lie before the one asked for last.
    fn reaches(&mut self, place: usize) -> bool {
        let bytes = self.text.as_bytes();
        while self.at < place && !self.ended {
            let (end, next) = line_end(bytes, self.at);
            let line = Span::new(self.at, end).of(self.text).trim();
            let is_comment = match self.markdown {
                true => line.starts_with("<!--") && line.ends_with("-->"),
                false => line.starts_with('#') || line == "---",
            };
            let is_title = self.markdown && line.starts_with("# ");
            self.titles += usize::from(is_title);
            self.ended = !(line.is_empty() || is_comment || is_title && self.titles == 1);
            self.at = next;
        }
        !self.ended
    }
}

/// The end of what begins with `line`: an entry, a list item, a code block, a table, or the line alone.
fn extent(text: &str, entries: &Entries, line: Span) -> usize {
    let (_, next) = line_end(text.as_bytes(), line.end());
    if let Some(span) = entries.starting_in(line) {
        return span.end().max(next);
    }
    let (indent, skip) = indentation(line.of(text).as_bytes());
    if line.of(text).as_bytes().get(skip..).and_then(item_marker).is_some() {
        return item_end(text, next, indent);
    }
    let marks = &entries.outline.marks;
    let at = marks.partition_point(|mark| mark.line.start < line.start);
    match marks.get(at).filter(|mark| line.contains(mark.line)).map(|mark| mark.kind) {
        Some(MarkKind::FenceOpen) => {
            let behind = marks.iter().skip(at + 1).find(|mark| mark.kind != MarkKind::FencedHeading);
            match behind {
                Some(mark) if mark.kind == MarkKind::FenceClose => mark.next as usize,
                // The list item that held it has ended.
                Some(mark) => mark.line.start(),
                None => text.len(),
            }
        }
        Some(MarkKind::TableRow) => {
            let mut end = next;
            for mark in marks.iter().skip(at + 1) {
                if mark.kind != MarkKind::TableRow || mark.line.start() != end {
                    break;
                }
                end = mark.next as usize;
            }
            end
        }
        _ => next,
    }
}

/// The end of the list item whose marker is indented by `indent` columns: after the last line that is indented further, or
/// continues with its text.
pub(super) fn item_end(text: &str, mut at: usize, indent: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut end, mut blank) = (at, false);
    while at < bytes.len() {
        let (stop, next) = line_end(bytes, at);
        let line = bytes.get(at..stop).unwrap_or_default();
        let (column, skip) = indentation(line);
        let goes_on = !blank && line.get(skip).is_some_and(u8::is_ascii_alphanumeric) && item_marker(line).is_none();
        match line.get(skip) {
            None => blank = true,
            Some(_) if column > indent || goes_on => (end, blank) = (next, false),
            Some(_) => break,
        }
        at = next;
    }
    end
}

/// The end of `line` and the lines below it, at most up to `limit`, that are indented further.
fn indented_below(text: &str, line: Span, limit: usize) -> usize {
    let indent = indentation(line.of(text).as_bytes()).0;
    let (_, next) = line_end(text.as_bytes(), line.end());
    let mut end = next.min(limit);
    for below in crate::text::lines(text, Span::new(end, limit)) {
        let (column, skip) = indentation(below.of(text).as_bytes());
        if below.len() == skip {
            continue;
        }
        if column <= indent {
            break;
        }
        end = line_end(text.as_bytes(), below.end()).1;
    }
    end
}
