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
    last_with(text, marks, |outer, line| {
        // Such as ```` ```rust ```` and ```` ```<lang> ````.
        let info = line.trim().strip_prefix(fence_of(outer.line.of(text))).map(str::trim).unwrap_or_default();
        let opens = !info.is_empty() && !info.contains('`') && !info.starts_with('~');
        opens && holds_fences(text, outer)
    })
}

/// The last closed fence of `marks` in which a line was meant to close it, and that line: a fence alone, indented by four or more.
pub fn indented_close(text: &str, marks: &[Mark]) -> Option<(Span, Span)> {
    last_with(text, marks, |outer, line| {
        let opening = outer.line.of(text);
        let (fence, close) = (fence_of(opening), line.trim());
        opening.starts_with(fence) && line.starts_with("    ") && close.starts_with(fence) && fence_of(line) == close
    })
}

/// The last closed fence of `marks` that holds a line that is `wanted` in it, and the first such line.
fn last_with(text: &str, marks: &[Mark], wanted: impl Fn(&Mark, &str) -> bool) -> Option<(Span, Span)> {
    let mut open = None;
    let mut found = None;
    for mark in marks {
        match mark.kind {
            MarkKind::FenceOpen => open = Some(mark),
            MarkKind::FenceClose => {
                let Some(outer) = open.take() else { continue };
                let inside = Span::new(outer.next as usize, mark.line.start());
                let line = lines(text, inside).find(|line| wanted(outer, line.of(text)));
                found = line.map(|line| (outer.line.trim(text), line.trim(text))).or(found);
            }
            _ => {}
        }
    }
    found
}
