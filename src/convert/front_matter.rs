//! The front matter of another document in the midst of a file, where a merge left it.

use crate::formats::markdown::{Mark, MarkKind};
use crate::text::Span;

/// Where the front matter of the next document begins in `text`, among the lines of `marks`: keys between two rules, right above a
/// heading.
pub(super) fn find(text: &str, marks: &[Mark]) -> Option<usize> {
    marks.windows(3).find_map(|three| {
        let [open, close, heading] = three else { return None };
        let keys = Span::new(open.next as usize, close.line.start());
        let gap = Span::new((close.next as usize).min(heading.line.start()), heading.line.start());
        let is_front_matter = open.kind == MarkKind::Rule
            && close.kind == MarkKind::Rule
            && matches!(heading.kind, MarkKind::Heading(_))
            && gap.of(text).trim().is_empty()
            && is_keys(keys.of(text));
        is_front_matter.then_some(open.line.start())
    })
}

/// Whether a text has at least two keys with values, a line each, and nothing else.
fn is_keys(text: &str) -> bool {
    let is_key = |line: &str| {
        let (key, value) = line.split_once(": ").unwrap_or_default();
        !value.trim().is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
    };
    text.lines().all(is_key) && text.lines().nth(1).is_some()
}
