//! Marks on an entry: `(added: 2026-02-28, dispatch: a6r.6)`, `(from architect)`, `(decided: 2026-02-13, by: backend)`.
//!
//! Text in parentheses is mostly prose, so a group is a mark only where its words and its place say so: with a date
//! after a known word anywhere, else at the end of a line, and a sender also at the start. Code is never read.

use jiff::civil::Date;

use crate::text::{Span, line_end};

/// One word and its value in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// What its word means.
    pub kind: MarkKind,
    /// The parentheses that it is in, themselves included; marks of one group share them.
    pub group: Span,
    /// The word; empty for a remark without one.
    pub key: Span,
    /// The text after the word, up to the next comma.
    pub value: Span,
    /// The day that the value begins with, if it is one: `YYYY-MM-DD`, and in the calendar.
    pub day: Option<Date>,
}

/// What the word of a mark means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkKind {
    /// `added`.
    Added,
    /// `updated`.
    Updated,
    /// `consolidated`.
    Consolidated,
    /// `triaged`.
    Triaged,
    /// `decided`, on a decision of the team.
    Decided,
    /// `by`, on a decision of the team.
    By,
    /// `from`: who sent a note.
    From,
    /// Any other word, or none.
    Other,
}

impl MarkKind {
    fn read(key: &str) -> Self {
        const WORDS: [(&str, MarkKind); 7] = [
            ("added", MarkKind::Added),
            ("updated", MarkKind::Updated),
            ("consolidated", MarkKind::Consolidated),
            ("triaged", MarkKind::Triaged),
            ("decided", MarkKind::Decided),
            ("by", MarkKind::By),
            ("from", MarkKind::From),
        ];
        WORDS.into_iter().find(|(word, _)| key.eq_ignore_ascii_case(word)).map_or(Self::Other, |(_, kind)| kind)
    }

    /// Whether a day belongs after its word.
    pub fn is_dated(self) -> bool {
        matches!(self, Self::Added | Self::Updated | Self::Consolidated | Self::Triaged | Self::Decided)
    }
}

/// Other words of marks, which count at the end of a line.
const OTHER: [&str; 17] = [
    "dispatch",
    "archived",
    "promoted",
    "confirmed",
    "discarded",
    "acknowledged",
    "merged",
    "moved",
    "reason",
    "sprint",
    "session",
    "source",
    "refs",
    "references",
    "used",
    "uses",
    "reused",
];

/// The longest group, in bytes: longer ones are text.
const MAX_GROUP: usize = 400;

/// The furthest end of a code span, in bytes.
const MAX_CODE_SPAN: usize = 4096;

/// The marks in `content` of `text`, in order, without those in `skipped`, which are spans in order.
pub(super) fn scan(text: &str, content: Span, skipped: &[Span]) -> Vec<Mark> {
    let bytes = text.as_bytes().get(..content.end()).unwrap_or_default();
    let mut skipped = skipped.iter().copied().peekable();
    let (mut at, mut marks) = (content.start(), Vec::new());
    let is_before = |byte: &u8| matches!(byte, b' ' | b'\t' | b'*' | b'_');
    let before = bytes.get(at..).unwrap_or_default().iter().take_while(|byte| is_before(byte)).count();
    let mut known = Known { first: at + before, line: Span::at(at) };
    while let Some(&byte) = bytes.get(at) {
        if let Some(skip) = skipped.next_if(|skip| skip.start() <= at) {
            at = at.max(skip.end());
            continue;
        }
        at = match byte {
            b'\\' => at + 2,
            b'`' => behind_code_span(bytes, at),
            b'<' if bytes.get(at..).is_some_and(|rest| rest.starts_with(b"<!--")) => behind_comment(bytes, at),
            b'(' | b'[' => match group(text, content, at, &mut known, &mut marks) {
                Some(end) => end,
                None => at + 1,
            },
            _ => at + 1,
        };
    }
    marks
}

/// What is found once for all groups of a content.
struct Known {
    /// The first byte that is neither blank nor emphasis.
    first: usize,
    /// The line checked last, or what is left of it.
    line: Span,
}

impl Known {
    /// The end of the line that holds `at`.
    fn line_end(&mut self, bytes: &[u8], at: usize) -> usize {
        if !(self.line.start() < at && at <= self.line.end()) {
            self.line = Span::new(at.saturating_sub(1), line_end(bytes, at).0);
        }
        self.line.end()
    }
}

/// The end of the code span that opens at `at`; of its backticks alone where nothing closes it.
fn behind_code_span(bytes: &[u8], at: usize) -> usize {
    let run = |from: usize| bytes.iter().skip(from).take_while(|&&byte| byte == b'`').count();
    let len = run(at);
    let end = bytes.len().min(at + len + MAX_CODE_SPAN);
    let mut next = at + len;
    while let Some(found) = bytes.get(next..end).and_then(|rest| memchr::memchr(b'`', rest)) {
        let other = run(next + found);
        next += found + other;
        if other == len {
            return next;
        }
    }
    at + len
}

/// The end of the comment that opens at `at`; of the text where nothing closes it.
pub(super) fn behind_comment(bytes: &[u8], at: usize) -> usize {
    let end = bytes.get(at..).and_then(|rest| memchr::memmem::find(rest, b"-->"));
    end.map_or(bytes.len(), |end| at + end + 3)
}

/// Reads the group that opens at `open`, if it is one of marks, and gives its end.
fn group(text: &str, content: Span, open: usize, known: &mut Known, marks: &mut Vec<Mark>) -> Option<usize> {
    let bytes = text.as_bytes().get(..content.end())?;
    // Few parentheses begin with a word and a colon or a blank: look no further at the others.
    let first = bytes.get(open + 1..)?;
    let word = first.iter().take_while(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b' ' | b'*')).count();
    if word == 0 || word > 40 {
        return None;
    }
    let (inner, end) = close(bytes, open)?;
    let first_mark = marks.len();
    let group = Span::new(open, end);
    for part in parts(text, inner) {
        marks.push(read(text, group, part));
    }
    let found = marks.get(first_mark..).unwrap_or_default();
    let is_first = open <= known.first;
    let is_last = ends_line(bytes.get(..known.line_end(bytes, end))?, end);
    let is_closed = inner.end() < end;
    let is_mark = found.iter().any(|mark| {
        let value = mark.value.of(text);
        let key = mark.key.of(text);
        match mark.kind {
            kind if kind.is_dated() => looks_like_date(value) || is_last && is_closed,
            MarkKind::From => is_closed && (is_first || is_last && is_word(value)),
            MarkKind::By => is_closed && is_last && is_word(value),
            _ => is_closed && is_last && OTHER.iter().any(|other| other.eq_ignore_ascii_case(key)),
        }
    });
    if !is_mark {
        marks.truncate(first_mark);
        return None;
    }
    Some(end)
}

/// The text between the sign at `open` and the one that closes it, and the end of that. Without one
/// on this line or the next it is the rest of the line.
fn close(bytes: &[u8], open: usize) -> Option<(Span, usize)> {
    let (opens, closes) = if bytes.get(open) == Some(&b'(') { (b'(', b')') } else { (b'[', b']') };
    let (mut depth, mut lines) = (0_usize, 0);
    for at in open..bytes.len().min(open + MAX_GROUP) {
        match bytes.get(at)? {
            byte if *byte == opens => depth += 1,
            byte if *byte == closes => {
                depth -= 1;
                if depth == 0 {
                    let is_link = closes == b']' && bytes.get(at + 1) == Some(&b'(');
                    return (!is_link).then(|| (Span::new(open + 1, at), at + 1));
                }
            }
            b'\n' => {
                lines += 1;
                if lines > 1 {
                    break;
                }
            }
            _ => {}
        }
    }
    // No further than a group reaches: a line can have thousands of signs that nothing closes.
    let (end, _) = line_end(bytes.get(..bytes.len().min(open + MAX_GROUP))?, open);
    (end - open < MAX_GROUP).then(|| (Span::new(open + 1, end), end))
}

/// The parts of a group between its commas and semicolons.
fn parts(text: &str, inner: Span) -> impl Iterator<Item = Span> {
    let mut at = inner.start();
    inner.of(text).split([',', ';']).map(move |part| {
        let span = Span::new(at, at + part.len());
        at += part.len() + 1;
        span.trim(text)
    })
}

/// One part of a group: a word, a colon and a value; or a remark.
fn read(text: &str, group: Span, part: Span) -> Mark {
    let content = part.of(text);
    let skip = content.len() - content.trim_start_matches(['*', '_', ' ']).len();
    let rest = content.get(skip..).unwrap_or_default();
    let len = rest.bytes().take_while(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_')).count();
    let key = Span::new(part.start() + skip, part.start() + skip + len);
    let after = rest.get(len..).unwrap_or_default();
    let kind = MarkKind::read(key.of(text));
    let is_apart = match after.bytes().next() {
        Some(b':' | b'*') => true,
        Some(b' ') => kind == MarkKind::From || kind.is_dated() && looks_like_date(after.trim_start()),
        _ => false,
    };
    if len == 0 || !is_apart {
        return Mark { kind: MarkKind::Other, group, key: Span::at(part.start()), value: part, day: None };
    }
    let value = after.trim_start_matches(['*', '_', ':', ' ', '\t']);
    let value = Span::new(part.end() - value.len(), part.end()).trim(text);
    Mark { kind, group, key, value, day: day(value.of(text)) }
}

/// The day that `value` begins with.
fn day(value: &str) -> Option<Date> {
    let (date, rest) = value.split_at_checked(10)?;
    let is_digit = |at: usize| date.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let number = |from: usize, to: usize| date.get(from..to)?.parse::<i16>().ok();
    let shaped =
        (0..10).all(|at| if matches!(at, 4 | 7) { date.as_bytes().get(at) == Some(&b'-') } else { is_digit(at) });
    let ends =
        rest.chars().next().is_none_or(|next| next == 'T' || !next.is_alphanumeric() && !matches!(next, '-' | '/'));
    if !shaped || !ends {
        return None;
    }
    let small = |number: i16| i8::try_from(number).ok();
    Date::new(number(0, 4)?, small(number(5, 7)?)?, small(number(8, 10)?)?).ok()
}

/// Whether `value` begins with something that was meant as a date: `2026-2-30`, `13/02/2026`, `20260213`, `2026-02`.
pub fn looks_like_date(value: &str) -> bool {
    let len = value.bytes().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'/' | b'.')).count();
    let word = value.get(..len).unwrap_or_default();
    if value.get(len..).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() && c != 'T')) {
        return false;
    }
    let parts: Vec<&str> = word.split(['-', '/', '.']).filter(|part| !part.is_empty()).collect();
    let has_year = parts.iter().any(|part| part.len() == 4);
    match parts.as_slice() {
        [_, _, _, ..] => has_year,
        [first, _] => first.len() == 4,
        [only] => only.len() == 8 && only.starts_with("20"),
        [] => false,
    }
}

/// Whether `value` is one word, as names of members are.
fn is_word(value: &str) -> bool {
    !value.is_empty() && !value.contains(char::is_whitespace)
}

/// Whether nothing but other groups, comments and punctuation is between byte `at` and the end of `bytes`, that of the line.
fn ends_line(bytes: &[u8], mut at: usize) -> bool {
    for _ in 0..16 {
        while bytes.get(at).is_some_and(|byte| b" \t.,;*_".contains(byte)) {
            at += 1;
        }
        at = match bytes.get(at..) {
            None | Some([]) => return true,
            Some([b'(' | b'[', ..]) => match close(bytes, at) {
                Some((_, end)) => end,
                None => return false,
            },
            Some(rest) if rest.starts_with(b"<!--") => behind_comment(bytes, at),
            Some(_) => return false,
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &str) -> Vec<(MarkKind, &str, &str, bool)> {
        let marks = scan(text, Span::new(0, text.len()), &[]);
        marks.into_iter().map(|mark| (mark.kind, mark.key.of(text), mark.value.of(text), mark.day.is_some())).collect()
    }

    #[test]
    fn groups_as_people_write_them() {
        use MarkKind::{Added, Other, Updated};
        assert_eq!(
            marks("x (added: 2026-02-28, dispatch: a6r.6, updated: 3r3.12)"),
            [
                (Added, "added", "2026-02-28", true),
                (Other, "dispatch", "a6r.6", false),
                (Updated, "updated", "3r3.12", false)
            ]
        );
        assert_eq!(
            marks("x (updated: 2026-02-15, cosmetic + gravity filters)"),
            [(Updated, "updated", "2026-02-15", true), (Other, "", "cosmetic + gravity filters", false)]
        );
        for text in [
            "x (added: 2026-02-28).",
            "x (added 2026-02-28)",
            "x *(Added: 2026-02-28)*",
            "x [added: 2026-02-28]",
            "x (**added:** 2026-02-28)",
            "x (added:2026-02-28",
            "x (added: 2026-02-28) and more",
            "x (added: 2026-02-28T10:00:00Z) <!-- y -->",
            "`x` (added: 2026-02-28 by retro)",
        ] {
            let found = marks(text);
            assert!(matches!(found.as_slice(), [(Added, _, _, true)]), "{text}: {found:?}");
        }
        for text in ["x (added: yesterday)", "x (added: 2026-02-30)", "x (added: 2026-2-3) y", "x (added: )"] {
            let found = marks(text);
            assert!(matches!(found.as_slice(), [(Added, _, _, false)]), "{text}: {found:?}");
        }
    }

    #[test]
    fn what_is_no_mark() {
        for text in [
            "supports `(added: 2026-02-13)` in entries",
            "callback (added: Node[], removed: Node[]) runs",
            "reset (was: \"old\") and `Bash(git:*)`",
            "imports (from react) and more",
            "see (from the React docs)",
            "[added: 2026-02-13](https://example.com)",
            "fixed in commit 1fcc5d3 (2026-02-13)",
            "(code: string)",
            "x \\(added: 2026-02-13)",
            "x <!-- (added: 2026-02-13) -->",
        ] {
            assert_eq!(marks(text), [], "{text}");
        }
    }

    #[test]
    fn senders_stand_first_or_last() {
        for text in [
            "(from architect) x",
            "**(from: architect)** x",
            "x (from architect)",
            "x (added: 2026-02-13, from: architect)",
        ] {
            let found = marks(text);
            assert!(found.iter().any(|mark| mark.0 == MarkKind::From && mark.2 == "architect"), "{text}: {found:?}");
        }
        assert_eq!(marks("(from db and core-dev) x"), [(MarkKind::From, "from", "db and core-dev", false)]);
    }

    #[test]
    fn dates_by_their_looks() {
        for value in ["2026-02-13", "2026-2-3", "13/02/2026", "20260213", "2026-02", "2026-02-13T10:00"] {
            assert!(looks_like_date(value), "{value}");
        }
        for value in ["3r3.12", "0.641", "yesterday", "", "42", "1.2.3", "2026-02-13x"] {
            assert!(!looks_like_date(value), "{value}");
        }
    }
}
