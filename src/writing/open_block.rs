//! A code fence or a comment that a text never closes: what comes after it would be a part of it.

use crate::formats::markdown;
use crate::text::Span;

/// What is open at the end of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {what} that begins on line {line} is never closed")]
pub struct OpenBlock {
    /// What it is: `code fence`, `comment` or `HTML block`.
    pub what: &'static str,
    /// The line that opens it, from 1.
    pub line: usize,
}

impl OpenBlock {
    /// What is open at the end of `text`.
    pub fn find(text: &str) -> Option<Self> {
        let outline = markdown::scan(text);
        let fence = outline.unclosed_fence.map(|span| ("code fence", span));
        let html =
            |span: Span| (if span.of(text).trim_start().starts_with("<!--") { "comment" } else { "HTML block" }, span);
        let (what, span) = fence.or_else(|| outline.unclosed_html.map(html))?;
        let before = text.get(..span.start()).unwrap_or_default();
        Some(Self { what, line: before.lines().count() + 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_named_with_its_line() {
        let said = |text: &str| OpenBlock::find(text).map(|open| open.to_string());
        assert_eq!(said("a\n\n```js\nb\n").unwrap(), "the code fence that begins on line 3 is never closed");
        assert_eq!(said("<!-- a\n\nb\n").unwrap(), "the comment that begins on line 1 is never closed");
        assert_eq!(said("a\n```\nb\n```\n<!-- c -->\n- ```\n\nd\n"), None);
    }
}
