//! How the fences of a file became unequal.

use crate::formats::markdown::{Mark, MarkKind};
use crate::text::{Span, lines};

/// The fence characters that a line begins with, after list markers.
pub fn fence_of(line: &str) -> &str {
    let Some(start) = line.find("```").or_else(|| line.find("~~~")) else { return line };
    let rest = line.get(start..).unwrap_or_default();
    let len = rest.len() - rest.trim_start_matches(['`', '~']).len();
    rest.get(..len).unwrap_or_default()
}

/// Whether the text behind the opening fence `outer` may have fences itself: code of a language has none, and its end is lost.
fn holds_fences(text: &str, outer: &Mark) -> bool {
    let info = outer.line.of(text).trim_start_matches(['>', ' ', '-', '*']).trim_start_matches(['`', '~']).trim();
    let language = info.split([' ', '{', ',']).next().unwrap_or_default();
    ["", "markdown", "md", "mdx", "text", "txt", "plaintext"].iter().any(|held| held.eq_ignore_ascii_case(language))
}

/// The last closed fence of `marks` that holds a line that looks as if it opened another one, and that line.
pub fn nested_fence(text: &str, marks: &[Mark]) -> Option<(Span, Span)> {
    let mut open = None;
    let mut found = None;
    for mark in marks {
        match mark.kind {
            MarkKind::FenceOpen => open = Some(mark),
            MarkKind::FenceClose => {
                let Some(outer) = open.take() else { continue };
                let fence = fence_of(outer.line.of(text));
                let inside = Span::new(outer.next as usize, mark.line.start());
                // Such as ```` ```rust ```` and ```` ```<lang> ````.
                let opens = |line: &Span| {
                    let info = line.of(text).strip_prefix(fence).map(str::trim).unwrap_or_default();
                    !info.is_empty() && !info.contains('`') && !info.starts_with('~')
                };
                let inner =
                    lines(text, inside).map(|line| line.trim(text)).find(opens).filter(|_| holds_fences(text, outer));
                found = inner.map(|inner| (outer.line.trim(text), inner)).or(found);
            }
            _ => {}
        }
    }
    found
}

/// The last closed fence of `marks` in which a line was meant to close it, and that line: a fence alone, indented by four or more.
pub fn indented_close(text: &str, marks: &[Mark]) -> Option<(Span, Span)> {
    let mut open = None;
    let mut found = None;
    for mark in marks {
        match mark.kind {
            MarkKind::FenceOpen => open = Some(mark),
            MarkKind::FenceClose => {
                let Some(outer) = open.take() else { continue };
                let opening = outer.line.of(text);
                let fence = fence_of(opening);
                let inside = Span::new(outer.next as usize, mark.line.start());
                let closes = |line: &Span| {
                    let line = line.of(text);
                    line.starts_with("    ") && line.trim().starts_with(fence) && fence_of(line) == line.trim()
                };
                let close = lines(text, inside).find(closes).filter(|_| opening.starts_with(fence));
                found = close.map(|close| (outer.line.trim(text), close.trim(text))).or(found);
            }
            _ => {}
        }
    }
    found
}
