//! The slots of a template, such as `{Name}`.

use super::{Mark, MarkKind};
use crate::text::Span;

/// The slots outside of code: `{` and a letter up to `}` on the same line.
pub fn slots(text: &str, marks: &[Mark]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut marks = marks.iter().peekable();
    let mut in_fence = false;
    // Each line is read once: it may have many slots.
    let (mut read, mut in_code) = (0, false);
    for open in memchr::memchr_iter(b'{', text.as_bytes()) {
        while let Some(mark) = marks.next_if(|mark| mark.line.start() <= open) {
            match mark.kind {
                MarkKind::FenceOpen => in_fence = true,
                MarkKind::FenceClose => in_fence = false,
                _ => {}
            }
        }
        let passed = text.as_bytes().get(read..open).unwrap_or_default();
        let line = memchr::memrchr(b'\n', passed).and_then(|end| passed.get(end..));
        let is_odd = memchr::memchr_iter(b'`', line.unwrap_or(passed)).count() % 2 == 1;
        (read, in_code) = (open, is_odd != (in_code && line.is_none()));
        let inner = text.get(open + 1..).unwrap_or_default();
        let end = inner.find(['{', '}', '\n']).filter(|end| inner.get(*end..).is_some_and(|end| end.starts_with('}')));
        if let Some(end) = end.filter(|_| !in_fence && !in_code && inner.starts_with(char::is_alphabetic)) {
            found.push(Span::new(open, open + end + 2));
        }
    }
    found
}
